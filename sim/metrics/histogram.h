/* Log-bucket histogram of positive counts (nanoseconds, ticks): 64 buckets an octave, so that a value
 * read back is within 1 % of the one put in; values below 64 are exact. Adding is a few instructions. */
#ifndef FRENZY_SIM_METRICS_HISTOGRAM_H
#define FRENZY_SIM_METRICS_HISTOGRAM_H

#include <stdint.h>

#define FZ_HISTOGRAM_SUB     64u
#define FZ_HISTOGRAM_BUCKETS (59u * FZ_HISTOGRAM_SUB)

typedef struct fz_histogram {
    uint64_t buckets[FZ_HISTOGRAM_BUCKETS];
    uint64_t count;
    uint64_t sum;
    uint64_t max;
} fz_histogram;

static inline uint32_t fz_histogram_bucket(uint64_t value)
{
    if (value < FZ_HISTOGRAM_SUB)
        return (uint32_t)value;
    uint32_t shift = 57 - (uint32_t)__builtin_clzll(value); /* leaves 7 bits, the highest of them set */
    return shift * FZ_HISTOGRAM_SUB + (uint32_t)(value >> shift);
}

static inline void fz_histogram_add(fz_histogram *histogram, uint64_t value)
{
    histogram->buckets[fz_histogram_bucket(value)]++;
    histogram->count++;
    histogram->sum += value;
    if (value > histogram->max)
        histogram->max = value;
}

/* Nearest rank: the middle of the bucket of the ceil(p * count)-th smallest value; 0 when empty.
 * 0 < p <= 1. */
double fz_histogram_percentile(const fz_histogram *histogram, double p);

#endif
