#include "search_space.h"

divisors search_divisors(uint64_t number, uint32_t most)
{
    divisors out = {.n = 0};
    for (uint32_t i = 1; i <= most && i <= number && out.n < DIVISORS_MAX; i++)
        if (number % i == 0)
            out.at[out.n++] = i;
    return out;
}

static bool wanted(int fixed, int value)
{
    return fixed == FZ_SEARCH_ANY || fixed == value;
}

/* Without a second rank there is nothing to shard: ZeRO is off unless it was asked for. */
static bool stage_makes_sense(const fz_search *search, uint32_t zero, uint32_t zero_most,
                              const fz_search_plan *plan)
{
    if (search->zero != FZ_SEARCH_ANY)
        return zero == (uint32_t)search->zero;
    if (zero > zero_most || (zero > 1 && plan->pipeline > 1))
        return false;
    return plan->data > 1 ? zero > 0 : zero == 0;
}

savings search_savings(const fz_search *search, bool selective_helps, uint32_t zero_most,
                       const fz_search_plan *plan)
{
    savings out = {.n = 0};
    for (int recompute = FZ_RECOMPUTE_NONE; recompute <= FZ_RECOMPUTE_FULL; recompute++) {
        bool idle =
            recompute == FZ_RECOMPUTE_SELECTIVE && !selective_helps && search->recompute == FZ_SEARCH_ANY;
        if (!wanted(search->recompute, recompute) || idle)
            continue;
        for (uint32_t zero = 0; zero <= 3; zero++)
            if (stage_makes_sense(search, zero, zero_most, plan))
                out.at[out.n++] = (saving){(uint8_t)zero, (fz_recompute)recompute};
    }
    return out;
}
