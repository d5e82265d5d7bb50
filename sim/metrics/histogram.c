#include "sim/metrics/histogram.h"

#include <math.h>

static double bucket_middle(uint32_t bucket)
{
    if (bucket < 2 * FZ_HISTOGRAM_SUB)
        return bucket;
    uint32_t shift = bucket / FZ_HISTOGRAM_SUB - 1;
    uint64_t low = (uint64_t)(bucket - shift * FZ_HISTOGRAM_SUB) << shift;
    return (double)low + (double)(((uint64_t)1 << shift) - 1) / 2;
}

double fz_histogram_percentile(const fz_histogram *histogram, double p)
{
    uint64_t rank = (uint64_t)ceil(p * (double)histogram->count);
    uint64_t seen = 0;
    for (uint32_t i = 0; i < FZ_HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if (seen >= rank && seen > 0)
            return bucket_middle(i);
    }
    return 0;
}
