/* Synthetic rigid jobs for benchmarks and property tests: integers from a small generator, no
 * mathematical library, so that every machine gets the same list. */
#ifndef FRENZY_TESTS_SYNTHETIC_H
#define FRENZY_TESTS_SYNTHETIC_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>

#include "workloads/trace.h"

typedef struct synthetic {
    uint32_t n_jobs;
    uint32_t n_sizes;   /* distinct GPU counts: up to 6 are powers of two, more are 1 .. n */
    uint32_t n_classes; /* 0: one a size; else spread by memory demands that every GPU meets */
    uint32_t gpus;      /* of the cluster, for the load */
    double load;        /* offered GPU time / capacity; 0: all submitted at t = 0 */
    uint64_t seed;
} synthetic;

/* The trace lives in `arena`. Estimates are 1 to 5 times the duration. */
fz_trace *synthetic_trace(fz_arena *arena, const synthetic *options);

/* `n_nodes` nodes of `gpus_per_node` GPUs of one type with 80 GiB. */
const fz_cluster_spec *synthetic_cluster(fz_arena *arena, uint32_t n_nodes, uint32_t gpus_per_node);

#endif
