/* The figures of a run, worked out of its job records after it ended. */
#ifndef FRENZY_SIM_METRICS_SUMMARY_H
#define FRENZY_SIM_METRICS_SUMMARY_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>

#include "sim/metrics/result.h"

/* The part of the jobs that is measured; the others only load the cluster. */
typedef struct fz_window {
    uint32_t first, end; /* rows [first, end) */
    fz_time until;       /* when the last of them was done, or the run ended */
    double gpu_us;       /* GPU time leased from the submission of the first one until then */
} fz_window;

/* Fills everything in `result->summary` that follows from the job records: counts by state, JCT,
 * queueing, waiting, makespan, allocation. `submit` by job; `gpus` of the cluster; `window` NULL: all jobs. */
fz_status fz_summary_fill(fz_arena *arena, const fz_time *submit, uint32_t gpus, const fz_window *window,
                          fz_run_result *result, fz_error *err);

/* The value of nearest rank ceil(p n) of n >= 1 values, 0 < p <= 1. Reorders the values. O(n). */
fz_time fz_percentile_nearest(fz_time *values, uint32_t n, double p);

#endif
