/* Data files that are compiled into the program: every file of workloads/models, workloads/clusters,
 * workloads/traces, workloads/generate/profiles and workloads/mixes. They are found by name, so that examples work from any folder. Constant; thread-safe. */
#ifndef FRENZY_WORKLOADS_BUNDLED_H
#define FRENZY_WORKLOADS_BUNDLED_H

#include <stddef.h>
#include <stdint.h>

typedef enum fz_bundled_kind {
    FZ_BUNDLED_CLUSTER,
    FZ_BUNDLED_MODEL,
    FZ_BUNDLED_TRACE,
    FZ_BUNDLED_PROFILE, /* of `frenzy trace generate` */
    FZ_BUNDLED_MIX      /* of models, of `frenzy trace models` */
} fz_bundled_kind;
#define FZ_BUNDLED_KINDS 5

typedef struct fz_bundled {
    const char *name;  /* "sia-64" */
    const char *file;  /* "sia-64.json" */
    const char *bytes; /* the file as it is, with a zero byte behind it */
    uint64_t length;   /* without that zero */
} fz_bundled;

/* By name, with or without its extension, letter case ignored; NULL if there is none. */
const fz_bundled *fz_bundled_find(fz_bundled_kind kind, const char *name);

/* What a path means where files go first: NULL if there is a file, or no bundled one of that name. A folder
 * hides nothing. */
const fz_bundled *fz_bundled_of_path(fz_bundled_kind kind, const char *path);

/* All of a kind, sorted by name. */
const fz_bundled *fz_bundled_all(fz_bundled_kind kind, uint32_t *count);
/* The names alone, in the same order. */
const char *const *fz_bundled_names(fz_bundled_kind kind, uint32_t *count);
/* "bert-base, bert-large, ...", for messages; cut to `size`. */
void fz_bundled_list(fz_bundled_kind kind, char *text, size_t size);

#endif
