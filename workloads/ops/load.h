/* Offered load: the GPU time that a trace asks for, against the GPU time that a cluster has while it comes in. */
#ifndef FRENZY_WORKLOADS_OPS_LOAD_H
#define FRENZY_WORKLOADS_OPS_LOAD_H

#include <stdint.h>

#include <frenzy/cluster.h>
#include <frenzy/status.h>

#include "workloads/trace.h"

typedef struct fz_load {
    double span_s;     /* from first to last submission */
    double gpu_s;      /* of jobs with a duration: duration x GPUs, shares of GPUs as shares */
    double flop;       /* of LLM jobs: 6 x parameters x tokens */
    double capacity;   /* GPUs of the cluster; 0: none was given */
    double rate;       /* FLOP/s of the cluster, at the 16-bit matrix rates of its types */
    double load;       /* (gpu_s / capacity + flop / rate) / span_s; -1: not known (no span, no cluster) */
    uint32_t measured; /* jobs that count */
    uint32_t unknown;  /* jobs without a duration whose work is not known either (no such model) */
} fz_load;

/* `cluster` may be NULL. CPU jobs do not count. */
fz_status fz_load_of(const fz_trace *trace, const fz_cluster_spec *cluster, fz_load *out, fz_error *err);

/* What one job adds: GPU-seconds of an opaque job (0: none, or not known). */
double fz_job_gpu_s(const fz_trace *trace, uint32_t job);

#endif
