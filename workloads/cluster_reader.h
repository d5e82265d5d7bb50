/* Reading a cluster file, in four steps that share one reader: GPU types, node types, pools, and the parts
 * that a replay does not use but that must be right all the same. */
#ifndef FRENZY_WORKLOADS_CLUSTER_READER_H
#define FRENZY_WORKLOADS_CLUSTER_READER_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/status.h>

#include "core/support/doc.h"

enum {
    FZ_MAX_HOSTS = 1 << 22,      /* of a cluster file */
    FZ_MAX_SECTION_ITEMS = 10000 /* node types, pools, switches, tenants */
};

/* GPUs of one type in a host. */
typedef struct fz_host_part {
    uint32_t type;
    uint32_t gpus;
} fz_host_part;

typedef struct fz_host_kind {
    const char *name;
    const fz_host_part *parts; /* none for a host without GPUs */
    uint32_t n_parts;
    uint32_t gpus;
    uint32_t weight;
} fz_host_kind;

typedef struct fz_host {
    const char *name;
    uint32_t kind;           /* index into kinds */
    const fz_doc_node *pool; /* where it was written */
} fz_host;

/* Parts of the format that a replay does not use yet, as bits of `unused`. */
typedef enum fz_unused {
    FZ_UNUSED_CPUS,
    FZ_UNUSED_MEMORY,
    FZ_UNUSED_INTRA,
    FZ_UNUSED_NIC,
    FZ_UNUSED_AT,
    FZ_UNUSED_SWITCHES,
    FZ_UNUSED_TENANTS,
    FZ_UNUSED_EVENTS,
    FZ_UNUSED_FAILURES,
    FZ_UNUSED_COUNT
} fz_unused;

typedef struct fz_cluster_reader {
    const fz_doc *doc;
    fz_arena *arena;   /* of the result */
    fz_arena *scratch; /* gone after reading */
    fz_gpu_type types[FZ_MAX_GPU_TYPES];
    uint32_t n_types;
    fz_host_kind *kinds;
    uint32_t n_kinds;
    fz_host *hosts;
    uint32_t n_hosts;
    const fz_host **by_name; /* sorted */
    uint32_t unused;
} fz_cluster_reader;

fz_status fz_read_gpu_types(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err);
fz_status fz_read_node_types(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err);
fz_status fz_read_pools(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err);
/* Switches, tenants, events, failures. */
fz_status fz_read_extras(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err);

/* The type called `name`: one of gpu_types, else one of the catalog, which then joins the types. `at` is
 * where the name stands. */
fz_status fz_reader_type(fz_cluster_reader *reader, const fz_doc_node *at, const char *name, uint32_t *out,
                         fz_error *err);

/* NULL if there is none. */
const fz_host *fz_reader_host(const fz_cluster_reader *reader, const char *name);

/* ---- small helps ----------------------------------------------------------------------------------- */

/* "unknown WHAT 'NAME'; did you mean '...'?" at a node; with "known: ..." where nothing is near. */
fz_status fz_reader_fail_name(const fz_cluster_reader *reader, const fz_doc_node *at, const char *what,
                              const char *name, const char *const *known, uint32_t n_known, fz_error *err);
/* Names appear in results as A100:8|T4:4 and n-0:8|n-3:4. */
/* What is wrong with the name of a node or a GPU type, to stand behind it ("is empty"); NULL: nothing. */
const char *fz_cluster_name_problem(const char *name);
fz_status fz_reader_check_name(const fz_cluster_reader *reader, const fz_doc_node *at, const char *what,
                               const char *name, fz_error *err);
/* A list or map under `key` with at most FZ_MAX_SECTION_ITEMS entries; NULL when absent. */
fz_status fz_reader_section(const fz_cluster_reader *reader, const fz_doc_node *root, const char *key,
                            fz_doc_kind kind, const fz_doc_node **out, fz_error *err);
fz_status fz_reader_no_memory(const fz_cluster_reader *reader, fz_error *err);
/* Marks a part as not used when the map has it. */
void fz_reader_mark(fz_cluster_reader *reader, const fz_doc_node *map, const char *key, fz_unused part);

#endif
