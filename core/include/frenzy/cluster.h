/* Cluster: the hardware (fz_cluster_spec, immutable) and what is idle in it now (fz_cluster).
 *
 * The state answers, in time independent of the number of nodes (bitmaps with three levels of
 * summary; see core/README.md), which nodes can host k GPUs and which one is the tightest fit. It is
 * read-only here: only the orchestrator (<frenzy/orch.h>) changes it.
 *
 * Numbers: a node has an index 0..n_nodes-1 in the order of the cluster file, a GPU an index
 * 0..n_gpus-1; the GPUs of a node are consecutive. All GPUs of a node have one type; a host with two
 * types is two nodes with the same name. */
#ifndef FRENZY_CLUSTER_H
#define FRENZY_CLUSTER_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/export.h>
#include <frenzy/gpu.h>
#include <frenzy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FZ_MAX_NODE_GPUS 4096 /* GPUs in one node */
#define FZ_NO_NODE       UINT32_MAX

typedef struct fz_node_spec {
    const char *name; /* unique, but for the two halves of a host with two GPU types */
    uint32_t type;    /* index into fz_cluster_spec.types */
    uint32_t gpus;    /* 1..FZ_MAX_NODE_GPUS */
    uint32_t weight;  /* for policies that prefer some nodes: smaller is taken first */
} fz_node_spec;

/* Filled by the caller, who keeps it alive and unchanged as long as any state made from it. */
typedef struct fz_cluster_spec {
    const char *name;
    const fz_gpu_type *types;
    uint32_t n_types; /* 1..FZ_MAX_GPU_TYPES */
    const fz_node_spec *nodes;
    uint32_t n_nodes; /* >= 1; nodes without GPUs are left out */
} fz_cluster_spec;

typedef struct fz_cluster fz_cluster;

/* A new state with every GPU idle, in `arena` (borrowed, as is `spec`). FZ_EINVAL names what is wrong
 * with the spec. */
FZ_API fz_status fz_cluster_new(fz_arena *arena, const fz_cluster_spec *spec, fz_cluster **out,
                                fz_error *err);

FZ_API const fz_cluster_spec *fz_cluster_get_spec(const fz_cluster *cluster);

/* Totals, fixed. A mask with no type of the cluster counts 0. */
FZ_API uint32_t fz_cluster_gpus(const fz_cluster *cluster, fz_type_mask types);
FZ_API fz_type_mask fz_cluster_types(const fz_cluster *cluster);                          /* all of them */
FZ_API fz_type_mask fz_cluster_types_with(const fz_cluster *cluster, uint64_t mem_bytes); /* memory >= */

/* Idle GPUs now. O(types in the mask). */
FZ_API uint32_t fz_cluster_idle(const fz_cluster *cluster, fz_type_mask types);
FZ_API uint32_t fz_cluster_idle_of(const fz_cluster *cluster, uint32_t type); /* O(1) */

/* Idle GPUs of one node. */
FZ_API uint32_t fz_cluster_node_idle(const fz_cluster *cluster, uint32_t node);

/* GPUs of the largest node of a type; 0 if it has none. */
FZ_API uint32_t fz_cluster_node_size(const fz_cluster *cluster, uint32_t type);

/* Walks the nodes of `type` with exactly `idle` idle GPUs: the first with index >= `from`, or the last
 * with index < `before`. FZ_NO_NODE at the end. O(1) when `from` or `before` is 0, FZ_NO_NODE or a node
 * of that type. */
FZ_API uint32_t fz_cluster_next_node(const fz_cluster *cluster, uint32_t type, uint32_t idle, uint32_t from);
FZ_API uint32_t fz_cluster_prev_node(const fz_cluster *cluster, uint32_t type, uint32_t idle,
                                     uint32_t before);

/* The smallest idle count >= `at_least` (the largest <= `at_most`) that some node of `type` has now;
 * UINT32_MAX if none. Counts of 0 are not looked for: `at_least` >= 1, and at_most 0 gives UINT32_MAX. */
FZ_API uint32_t fz_cluster_level_up(const fz_cluster *cluster, uint32_t type, uint32_t at_least);
FZ_API uint32_t fz_cluster_level_down(const fz_cluster *cluster, uint32_t type, uint32_t at_most);

/* Placement order of types: memory ascending, then compute rate descending, then file order. A memory
 * level is all types of one memory size; levels count from 0, ascending. */
FZ_API uint32_t fz_cluster_levels(const fz_cluster *cluster);                          /* distinct sizes */
FZ_API fz_type_mask fz_cluster_level_types(const fz_cluster *cluster, uint32_t level); /* ascending */

/* Compute rate descending (unknown last), then file order. `rank` counts from 0. */
FZ_API uint32_t fz_cluster_type_by_rate(const fz_cluster *cluster, uint32_t rank);

#ifdef __cplusplus
}
#endif
#endif
