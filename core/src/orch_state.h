/* Inside of fz_orch, shared by orch.c and its checker. Internal to core. */
#ifndef FRENZY_CORE_ORCH_STATE_H
#define FRENZY_CORE_ORCH_STATE_H

#include <frenzy/orch.h>

#include "cluster_state.h"

/* Up to 64 GPUs of one node, a bit each; larger nodes have several words in a row. */
typedef struct fz_orch_word {
    uint64_t idle;
    uint32_t node;
    uint32_t gpu_at; /* number of the first GPU */
} fz_orch_word;

typedef struct fz_orch_node {
    uint32_t word_at; /* its first word */
    uint32_t seen;    /* number of the lease that named it last */
} fz_orch_node;

/* GPUs of one word under one lease. Part 0 is not used: it ends a chain. */
typedef struct fz_orch_part {
    uint64_t mask;
    uint32_t word;
    uint32_t next;
    uint32_t gpus; /* bits in the mask: counting them costs a call where the processor lacks popcnt */
} fz_orch_part;

struct fz_orch {
    fz_cluster *cluster;
    uint32_t max_holders;
    uint32_t *first;     /* by holder: first part of its lease, 0 if it has none */
    fz_orch_part *parts; /* each part in use has a GPU at least, so one for each GPU will do */
    uint32_t used;       /* parts 1 .. used have been in use */
    uint32_t spare;      /* chain of parts to use again */
    fz_holder *holder;   /* by GPU; means something only where the GPU is not idle */
    fz_orch_node *nodes;
    fz_orch_word *words;
    uint32_t n_words;
    uint32_t lease_number;
};

#endif
