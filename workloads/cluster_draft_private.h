/* What cluster_draft.c (collecting) and cluster_draft_text.c (writing) share. */
#ifndef FRENZY_WORKLOADS_CLUSTER_DRAFT_PRIVATE_H
#define FRENZY_WORKLOADS_CLUSTER_DRAFT_PRIVATE_H

#include <stdbool.h>

#include <frenzy/arena.h>

#include "workloads/cluster_draft.h"
#include "workloads/hash_index.h"

typedef struct fz_draft_gpu_type {
    const char *name;
    const char *catalog; /* NULL: not in the catalog */
} fz_draft_gpu_type;

typedef struct fz_draft_node_type {
    const char *name;
    fz_draft_shape shape;
} fz_draft_node_type;

/* Nodes that follow each other and are alike. */
typedef struct fz_draft_pool {
    uint32_t node_type, first_name, count,
        first; /* first_name: among names; first: number of the first node */
    bool named;
    const char *at;
} fz_draft_pool;

typedef struct fz_draft_switch_entry {
    const char *id, *parent;
} fz_draft_switch_entry;

/* Of a tenant: at t = 0 as its first quota, later as an event. */
typedef struct fz_draft_quota_entry {
    fz_time t;
    const char *vc;
    uint32_t gpus;
} fz_draft_quota_entry;

/* An array that grows. */
typedef struct fz_draft_list {
    void *items;
    uint32_t n, capacity;
} fz_draft_list;

struct fz_cluster_draft {
    fz_arena *arena;
    const char *name, *source;
    fz_draft_list gpu_types, node_types, pools, names, switches, tenants, events, notes;
    fz_hash_index by_name; /* of names */
};

#endif
