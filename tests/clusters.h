/* Clusters for tests, made by hand or at random, in an arena. */
#ifndef FRENZY_TESTS_CLUSTERS_H
#define FRENZY_TESTS_CLUSTERS_H

#include <frenzy/arena.h>
#include <frenzy/cluster.h>

#include "tests/random.h"

/* Types "g0", "g1", ... with memory mem_gib[i] and rate tflops[i]; nodes "n-0", ... of the given types
 * and sizes. All arrays are copied. */
fz_cluster_spec *test_cluster(fz_arena *arena, uint32_t n_types, const uint32_t *mem_gib,
                              const double *tflops, uint32_t n_nodes, const uint32_t *node_type,
                              const uint32_t *node_gpus);

/* 1 to 4 types of few memory sizes (some equal), 1 to `max_nodes` nodes of 1 to 8 GPUs in mixed order. */
fz_cluster_spec *test_cluster_random(fz_arena *arena, fz_random *random, uint32_t max_nodes);

#endif
