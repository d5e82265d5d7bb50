/* Inside of fz_cluster, shared by cluster.c (reads) and orch.c (the only writer). Internal to core. */
#ifndef FRENZY_CORE_CLUSTER_STATE_H
#define FRENZY_CORE_CLUSTER_STATE_H

#include <stddef.h>

#include <frenzy/cluster.h>

#include "bitset.h"

/* The nodes of one type by idle count: for each count 1..max_idle the set of nodes that have exactly
 * so many idle GPUs, and the set of counts that occur. Nodes carry local numbers, ascending with their
 * index in the cluster. */
typedef struct fz_type_index {
    const uint32_t *node_of; /* local number -> node */
    uint32_t n_nodes;
    uint32_t max_idle; /* GPUs of the largest node */
    uint32_t *of_size; /* by GPUs 0..max_idle: nodes of that size */
    fz_bitset_shape node_shape;
    fz_bitset_shape count_shape;
    uint64_t *nodes;  /* (max_idle + 1) sets over local numbers; set 0 is not used */
    uint64_t *counts; /* set over 0..max_idle */
} fz_type_index;

/* What placing asks of a node, in one place of memory. */
typedef struct fz_node_state {
    uint32_t idle;
    uint32_t type;
    uint32_t local; /* its number among the nodes of its type */
} fz_node_state;

struct fz_cluster {
    const fz_cluster_spec *spec;
    fz_type_mask types;
    uint32_t total[FZ_MAX_GPU_TYPES];
    uint32_t idle[FZ_MAX_GPU_TYPES];
    uint32_t by_memory[FZ_MAX_GPU_TYPES];
    uint32_t by_rate[FZ_MAX_GPU_TYPES];
    uint32_t rate_rank[FZ_MAX_GPU_TYPES]; /* inverse of by_rate */
    fz_type_mask levels[FZ_MAX_GPU_TYPES];
    uint32_t n_levels;
    fz_node_state *nodes;
    fz_type_index *index; /* by type */
};

/* Sets the idle count of a node and moves it in the index. Only the orchestrator calls this. */
void fz_cluster_set_node_idle(fz_cluster *cluster, uint32_t node, uint32_t idle);

static inline uint64_t *fz_type_index_set(const fz_type_index *index, uint32_t idle)
{
    return index->nodes + (size_t)idle * index->node_shape.n_words;
}

#endif
