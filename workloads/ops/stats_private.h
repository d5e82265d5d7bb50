/* The parts of fz_trace_stats_of(), one file each. All return FZ_ENOMEM at worst. */
#ifndef FRENZY_WORKLOADS_OPS_STATS_PRIVATE_H
#define FRENZY_WORKLOADS_OPS_STATS_PRIVATE_H

#include "workloads/ops/stats.h"

/* `seconds` is sorted in place. */
void fz_stats_durations_of(double *seconds, uint64_t n, fz_stats_durations *out);
fz_status fz_stats_arrivals_of(const fz_trace *trace, fz_stats_arrivals *out, fz_error *err);
/* `texts` is a column of the trace; NULL: none. */
fz_status fz_stats_ranks_of(const fz_trace *trace, const fz_text_id *texts, fz_stats_ranks *out,
                            fz_error *err);
fz_status fz_stats_classes_of(const fz_trace *trace, fz_trace_stats *out, fz_error *err);

/* The nearest rank of sorted values; NaN of none. */
double fz_stats_percentile(const double *sorted, uint64_t n, double p);
void fz_stats_sort(double *values, uint64_t n);

#endif
