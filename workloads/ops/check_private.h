/* The parts of fz_trace_check_of(), one file each. */
#ifndef FRENZY_WORKLOADS_OPS_CHECK_PRIVATE_H
#define FRENZY_WORKLOADS_OPS_CHECK_PRIVATE_H

#include "workloads/ops/check.h"

/* One cause while jobs are gone through: how many, and the first. */
typedef struct fz_check_count {
    uint64_t count;
    uint32_t first; /* job */
} fz_check_count;

void fz_check_job(fz_check_count *count, uint32_t job);
/* Adds a finding if there were any. The text is a printf format. */
void fz_check_add(fz_trace_check *out, const fz_trace *trace, const char *key, const fz_check_count *count,
                  const char *format, ...) FZ_PRINTF(5, 6);

void fz_check_columns(const fz_trace *trace, fz_trace_check *out);
void fz_check_clock(const fz_trace *trace, fz_trace_check *out);
void fz_check_times(const fz_trace *trace, fz_trace_check *out);
fz_status fz_check_twins(const fz_trace *trace, fz_trace_check *out, fz_error *err);
fz_status fz_check_demand(const fz_trace *trace, const fz_cluster_spec *cluster, fz_trace_check *out,
                          fz_error *err);
fz_status fz_check_fit(const fz_trace *trace, const fz_cluster_spec *cluster, fz_trace_check *out,
                       fz_error *err);

#endif
