/* Random numbers for property tests: SplitMix64, seeded by the test, which prints its seed on failure. */
#ifndef FRENZY_TESTS_RANDOM_H
#define FRENZY_TESTS_RANDOM_H

#include <stdint.h>

typedef struct fz_random {
    uint64_t state;
} fz_random;

static inline uint64_t fz_random_next(fz_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Even over 0 .. n - 1; n > 0. */
static inline uint32_t fz_random_below(fz_random *random, uint32_t n)
{
    return (uint32_t)(fz_random_next(random) % n);
}

/* Even over low .. high. */
static inline uint32_t fz_random_between(fz_random *random, uint32_t low, uint32_t high)
{
    return low + fz_random_below(random, high - low + 1);
}

#endif
