/* A small finished run made by hand: all that the store and the jobs CSV can be asked to show. */
#ifndef FRENZY_TESTS_SAMPLE_RUN_H
#define FRENZY_TESTS_SAMPLE_RUN_H

#include <frenzy/arena.h>
#include <frenzy/cluster.h>

#include "sim/metrics/result.h"
#include "workloads/trace.h"

/* Two nodes: n-0 with 4 GPUs of g0, n-1 with 4 of g1. Rows:
 *   0  a         opaque, finished, on both nodes
 *   1  b,"2"     an LLM job of user ann, finished at its second attempt, by plan d2t2p1z0
 *   2  c         rejected
 *   3  d         ran out of memory
 *   4  e         never finished
 *   5  f         never started, placed nowhere */
typedef struct sample_run {
    fz_arena *arena;
    fz_trace *trace;
    const fz_cluster_spec *cluster;
    fz_run_result result;
} sample_run;

/* `name` (at most 64 letters) stands for the SHA-256 of the trace. */
sample_run sample_run_new(const char *name);
void sample_run_free(sample_run *run);

/* A run of `n_jobs` opaque jobs of one GPU each, all finished. */
sample_run sample_run_large(const char *name, uint32_t n_jobs);

#endif
