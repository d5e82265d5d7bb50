/* The cheapest monotonic clock there is, in ticks of unknown length: the processor's counter where we
 * know it, else the system clock. Its readings never reach the simulated world. */
#ifndef FRENZY_SIM_ENGINE_STOPWATCH_H
#define FRENZY_SIM_ENGINE_STOPWATCH_H

#include <stdint.h>
#include <time.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <x86intrin.h>
#endif

static inline uint64_t fz_stopwatch_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t fz_stopwatch_ticks(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __rdtsc();
#else
    return fz_stopwatch_ns();
#endif
}

#endif
