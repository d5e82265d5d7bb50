/* What is odd about a trace, beyond what its reader counts: columns that lack, clocks that stand still, durations that
 * contradict start and end, the same job twice; and on a cluster: jobs that fit nowhere, demand above supply. For
 * `frenzy trace check`. */
#ifndef FRENZY_WORKLOADS_OPS_CHECK_H
#define FRENZY_WORKLOADS_OPS_CHECK_H

#include <stdint.h>

#include <frenzy/cluster.h>
#include <frenzy/status.h>

#include "workloads/ops/load.h"
#include "workloads/trace.h"

typedef struct fz_check_finding {
    const char *key;     /* for programs: "includes_queue" */
    char text[240];      /* in words */
    uint64_t count;      /* of jobs, unless the text says otherwise */
    uint32_t first_line; /* 0: of no one line (all jobs, say), or the trace does not know its lines */
} fz_check_finding;

/* Jobs that can run on these types only: if they ask for more than those have, so much is sure to wait. */
typedef struct fz_check_supply {
    const char *types; /* as in the trace; "" all jobs */
    uint32_t gpus;     /* of these types in the cluster */
    double load; /* GPU time of jobs that can run nowhere else / GPU time of these GPUs, over the span */
} fz_check_supply;

#define FZ_CHECK_MAX_FINDINGS 32
#define FZ_CHECK_MAX_SUPPLIES 64

typedef struct fz_trace_check {
    fz_check_finding findings[FZ_CHECK_MAX_FINDINGS];
    uint32_t n_findings;
    fz_load load;
    /* If every job with a duration started at once: */
    double peak_gpus;  /* most GPUs at a time */
    double above_frac; /* share of the time from first submission to last end with more than the cluster has;
                                -1: no cluster */
    fz_check_supply supplies[FZ_CHECK_MAX_SUPPLIES]; /* of each set of types that jobs name */
    uint32_t n_supplies;
} fz_trace_check;

/* `cluster` may be NULL. */
fz_status fz_trace_check_of(const fz_trace *trace, const fz_cluster_spec *cluster, fz_trace_check *out,
                            fz_error *err);

#endif
