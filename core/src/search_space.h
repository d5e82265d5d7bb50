/* What a plan search runs through: see frenzy/search.h. */
#ifndef FRENZY_SEARCH_SPACE_H
#define FRENZY_SEARCH_SPACE_H

#include <frenzy/search.h>

enum { DIVISORS_MAX = 128 };

typedef struct divisors {
    uint32_t at[DIVISORS_MAX];
    uint32_t n;
} divisors;

/* Divisors of `number` up to `most`, ascending; the first DIVISORS_MAX of them. */
divisors search_divisors(uint64_t number, uint32_t most);

/* Ways to save memory, the fastest first: ZeRO stage and recomputation. */
typedef struct saving {
    uint8_t zero;
    fz_recompute recompute;
} saving;

typedef struct savings {
    saving at[12];
    uint32_t n;
} savings;

/* `zero_most`: the highest stage that the framework is used with; stages above 1 do not go with a pipeline. */
savings search_savings(const fz_search *search, bool selective_helps, uint32_t zero_most,
                       const fz_search_plan *plan);

#endif
