/* Foreign descriptions of clusters, one file a format; what comes out is a cluster file (workloads/README.md). */
#ifndef FRENZY_WORKLOADS_CLUSTER_FORMATS_H
#define FRENZY_WORKLOADS_CLUSTER_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

#include "core/support/csv.h"
#include "workloads/cluster_draft.h"

/* What is imported, and what the files leave open. */
typedef struct fz_cluster_source {
    const char *const *paths;
    uint32_t n_paths;       /* 1 to the format's max_paths */
    const char *gpu;        /* type of GPUs that the files do not name; NULL: an opaque type */
    uint32_t gpus_per_node; /* where the files do not say; 0: the format's usual number */
    const char
        *epoch; /* wall time of t = 0, where capacity changes over time; NULL: the first time of the file */
} fz_cluster_source;

typedef struct fz_cluster_format {
    const char *name, *summary; /* one line */
    uint32_t max_paths;
    bool takes_gpu, takes_gpus_per_node, takes_epoch;
    /* Fills the draft. A file is taken whole or refused with its line. */
    fz_status (*read)(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err);
} fz_cluster_format;

extern const fz_cluster_format fz_cluster_gavel;
extern const fz_cluster_format fz_cluster_helios;
extern const fz_cluster_format fz_cluster_lingjun;
extern const fz_cluster_format fz_cluster_openb;
extern const fz_cluster_format fz_cluster_pai2020;
extern const fz_cluster_format fz_cluster_sia;
extern const fz_cluster_format fz_cluster_slurm;
extern const fz_cluster_format fz_cluster_spot2026;
extern const fz_cluster_format fz_cluster_tiresias;

const fz_cluster_format *const *fz_cluster_formats(uint32_t *count);
const fz_cluster_format *fz_cluster_format_find(const char *name); /* NULL if unknown */

/* Reads, writes the text of the cluster file and checks that it can be read; free() it. */
fz_status fz_cluster_import(const fz_cluster_format *format, const fz_cluster_source *source, char **text,
                            size_t *length, fz_error *err);

/* ---- what the formats share ---------------------------------------------------------------------------- */

enum { FZ_CLUSTER_COLUMNS = 8, FZ_CLUSTER_MAX_GPUS = 1024 /* of one node */ };

/* A table with a header: the cells of a row in the order of `names`. */
typedef struct fz_cluster_table {
    fz_csv *csv;
    const fz_csv_field *cells[FZ_CLUSTER_COLUMNS];
    const fz_cluster_source *source;
    fz_cluster_draft *draft;
} fz_cluster_table;

/* `no_header`: the columns are those of `names`, in this order; a first row that repeats the names is left out. */
fz_status fz_cluster_table_read(const fz_cluster_source *source, fz_cluster_draft *draft,
                                const char *const *names, uint32_t n_names, bool no_header,
                                fz_status (*row)(fz_cluster_table *t, fz_error *err), fz_error *err);

/* Hosts of a Slurm list such as `a[1-3,07],b`, or of a name alone; calls `each` for every one. FZ_EPARSE without a
 * place: the list is malformed or names more than FZ_HOSTLIST_MAX hosts. */
enum { FZ_HOSTLIST_MAX = 1 << 20 };
fz_status fz_hostlist_each(const char *list,
                           fz_status (*each)(void *context, const char *host, fz_error *err), void *context,
                           fz_error *err);

#endif
