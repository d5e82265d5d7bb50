/* Units: what every number in frenzy means.
 *
 * Time is int64 microseconds (fz_time), memory is uint64 bytes, everything else carries its unit in
 * the name (flops_per_s, bw_bytes_per_s, alloc_frac). Files hold decimal seconds and GiB. */
#ifndef FRENZY_UNITS_H
#define FRENZY_UNITS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t fz_time; /* microseconds since the epoch of the trace; durations too */

#define FZ_SECOND    ((fz_time)1000000)
#define FZ_TIME_MAX  INT64_MAX /* "never" */
#define FZ_TIME_NONE INT64_MIN /* "unknown", "did not happen" */

/* The longest time that input may name: 10,000 years. Sums of two stay far from overflow. */
#define FZ_TIME_LIMIT ((fz_time)315576000000 * FZ_SECOND)

#define FZ_KIB ((uint64_t)1 << 10)
#define FZ_MIB ((uint64_t)1 << 20)
#define FZ_GIB ((uint64_t)1 << 30)
#define FZ_GB  ((uint64_t)1000000000)

static inline double fz_time_to_s(fz_time t)
{
    return (double)t / (double)FZ_SECOND;
}

#ifdef __cplusplus
}
#endif
#endif
