/* Operations that make a trace out of traces: cut, scale, sample, filter, merge, other GPU types. Deterministic; each
 * adds a line of history. What makes no sense is FZ_EINVAL, in words. */
#ifndef FRENZY_WORKLOADS_OPS_CHANGE_H
#define FRENZY_WORKLOADS_OPS_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

#include "workloads/trace.h"

/* Jobs submitted from `from` on and before `to`. With `zero`, `from` becomes t = 0 and the epoch moves with it. */
typedef struct fz_cut {
    fz_time from, to;
    bool zero;
} fz_cut;
fz_status fz_trace_cut(const fz_trace *trace, const fz_cut *cut, fz_trace **out, fz_error *err);

/* Times since the first submission are multiplied: 0.5 is twice the load. Deadlines keep their distance to the
 * submission; start_s and end_s, the answer of another system to other arrivals, are left out. */
fz_status fz_trace_scale(const fz_trace *trace, double factor, fz_trace **out, fz_error *err);

/* Exactly `jobs` of the jobs, as many of each stratum as its share of all is (largest remainders). */
typedef struct fz_sample {
    uint32_t jobs;
    bool by_size, by_vc; /* what makes a stratum: the size classes of `stats`, the VC */
    uint64_t seed;
} fz_sample;
fz_status fz_trace_sample(const fz_trace *trace, const fz_sample *sample, fz_trace **out, fz_error *err);

/* Jobs for which all conditions hold: COLUMN OP VALUE, OP one of = != < <= > >=. A column may be called without `req_` or
 * `_s` (gpus, duration). A value that a job lacks is in no order with any; `vc=` is true of jobs without one, `vc!=` of
 * those with one. Unknown columns, and numbers that are none, are FZ_EINVAL. */
fz_status fz_trace_filter(const fz_trace *trace, const char *const *conditions, uint32_t n, fz_trace **out,
                          fz_error *err);

/* All jobs of several traces on one clock: that of the earliest epoch, if all have one; without any all begin at t = 0.
 * An id that was there before gets `#2` or the next free number; *renamed counts them. */
fz_status fz_trace_merge(const fz_trace *const *traces, uint32_t n, fz_trace **out, uint32_t *renamed,
                         fz_error *err);

/* Other names for GPU types, in req_gpu_types, run_gpu_type and durations_s; letter case does not count. Names that
 * become equal are named once. `used` counts the jobs in which a name was found, by pair. */
typedef struct fz_gpu_rename {
    const char *from, *to;
    uint32_t used;
} fz_gpu_rename;
fz_status fz_trace_map_gpus(const fz_trace *trace, fz_gpu_rename *pairs, uint32_t n, fz_trace **out,
                            fz_error *err);

#endif
