/* A cluster being written: nodes in the order in which they come, node types by their shape, GPU types out of the
 * catalog where it knows them. Ends as the text of a cluster file (README.md). */
#ifndef FRENZY_WORKLOADS_CLUSTER_DRAFT_H
#define FRENZY_WORKLOADS_CLUSTER_DRAFT_H

#include <stddef.h>
#include <stdint.h>

#include <frenzy/status.h>
#include <frenzy/units.h>

#define FZ_DRAFT_PARTS 8

/* What a node has. Texts are copied. */
typedef struct fz_draft_shape {
    struct {
        const char *gpu; /* name of the type */
        uint32_t count;
    } parts[FZ_DRAFT_PARTS];
    uint32_t n_parts; /* 0: no GPU */
    double cpus;      /* -1: not known */
    double mem_gib;   /* -1: not known */
    uint32_t weight;  /* 1 is usual */
} fz_draft_shape;

typedef struct fz_cluster_draft fz_cluster_draft;

/* NULL: out of memory. `source` names the format that it comes from. */
fz_cluster_draft *fz_cluster_draft_new(const char *name, const char *source);
void fz_cluster_draft_free(fz_cluster_draft *draft); /* NULL is allowed */

/* `gpus` GPUs of one type (none where gpus is 0); CPUs and memory not known. */
fz_draft_shape fz_draft_shape_of(const char *gpu, uint32_t gpus);

/* A GPU type that has a name of its own for a GPU of the catalog; before the first node that has it. */
fz_status fz_draft_gpu(fz_cluster_draft *draft, const char *name, const char *catalog, fz_error *err);
/* One node of this name, at a switch (NULL: none). FZ_EPARSE without a place, which the caller adds: a name that a
 * node or a GPU type cannot have, or that a node has already. */
fz_status fz_draft_node(fz_cluster_draft *draft, const fz_draft_shape *shape, const char *name,
                        const char *at, fz_error *err);
/* `count` nodes, called by their type and numbers. */
fz_status fz_draft_nodes(fz_cluster_draft *draft, const fz_draft_shape *shape, uint32_t count, const char *at,
                         fz_error *err);
/* Parents first; a switch that is there already is no error. NULL parent: the root. */
fz_status fz_draft_switch(fz_cluster_draft *draft, const char *id, const char *parent, fz_error *err);
/* A tenant with its quota at t = 0, and a quota that changes later. */
fz_status fz_draft_tenant(fz_cluster_draft *draft, const char *vc, uint32_t gpus, fz_error *err);
fz_status fz_draft_quota(fz_cluster_draft *draft, fz_time t, const char *vc, uint32_t gpus, fz_error *err);
/* Something that the reader of the file should know. */
fz_status fz_draft_note(fz_cluster_draft *draft, const char *note, fz_error *err);

/* The cluster file, zero-terminated; free() it. */
fz_status fz_cluster_draft_text(const fz_cluster_draft *draft, char **text, size_t *length, fz_error *err);

#endif
