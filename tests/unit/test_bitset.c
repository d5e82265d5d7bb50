/* The hierarchical bitmap against a plain array of flags, for sizes around the borders of its levels. */
#include "core/src/bitset.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/harness.h"
#include "tests/random.h"

static uint32_t plain_next(const bool *set, uint32_t n, uint32_t from)
{
    for (uint32_t i = from; i < n; i++)
        if (set[i])
            return i;
    return FZ_BITSET_NONE;
}

static uint32_t plain_prev(const bool *set, uint32_t before)
{
    for (uint32_t i = before; i-- > 0;)
        if (set[i])
            return i;
    return FZ_BITSET_NONE;
}

static bool agrees(const fz_bitset_shape *shape, const uint64_t *words, const bool *set, uint32_t n,
                   uint32_t at)
{
    return fz_bitset_next(shape, words, at) == plain_next(set, n, at) &&
           fz_bitset_prev(shape, words, at) == plain_prev(set, at) &&
           (at == n || fz_bitset_has(words, at) == set[at]) &&
           fz_bitset_empty(shape, words) == (plain_next(set, n, 0) == FZ_BITSET_NONE);
}

static void test_size(uint32_t n, uint64_t seed)
{
    fz_random random = {seed};
    fz_bitset_shape shape = fz_bitset_shape_for(n);
    uint64_t *words = calloc(shape.n_words, sizeof(*words));
    bool *set = calloc(n, sizeof(*set));
    bool equal = words != NULL && set != NULL;
    for (uint32_t step = 0; equal && step < 2000; step++) {
        uint32_t bit = fz_random_below(&random, n);
        set[bit] = (fz_random_next(&random) & 3) == 0; /* sparse: the summaries matter */
        if (set[bit])
            fz_bitset_add(&shape, words, bit);
        else
            fz_bitset_remove(&shape, words, bit);
        equal = agrees(&shape, words, set, n, fz_random_between(&random, 0, n)) &&
                agrees(&shape, words, set, n, n);
    }
    if (!equal)
        printf("differs for %u bits, seed %llu\n", n, (unsigned long long)seed);
    CU_ASSERT_TRUE(equal);
    free(words);
    free(set);
}

static void test_against_flags(void)
{
    const uint32_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 12500};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        test_size(sizes[i], 7 + i);
}

int main(void)
{
    const fz_test tests[] = {{"same as an array of flags", test_against_flags}};
    return FZ_TEST_MAIN("bitset", tests);
}
