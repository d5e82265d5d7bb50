/* The figures of a run, worked out of its job records after it ended. */
#ifndef FRENZY_SIM_METRICS_SUMMARY_H
#define FRENZY_SIM_METRICS_SUMMARY_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>

#include "sim/metrics/result.h"

/* Fills everything in `result->summary` that follows from the job records: counts by state, JCT,
 * queueing, waiting, makespan, allocation. `submit` by job; `gpus` of the cluster. */
fz_status fz_summary_fill(fz_arena *arena, const fz_time *submit, uint32_t gpus, fz_run_result *result,
                          fz_error *err);

/* The value of nearest rank ceil(p n) of n >= 1 values, 0 < p <= 1. Reorders the values. O(n). */
fz_time fz_percentile_nearest(fz_time *values, uint32_t n, double p);

#endif
