/* Data files that are compiled into the program: every file of workloads/models, workloads/clusters and
 * workloads/traces. They are found by name, so that examples work from any folder. Constant; thread-safe. */
#ifndef FRENZY_WORKLOADS_BUNDLED_H
#define FRENZY_WORKLOADS_BUNDLED_H

#include <stdint.h>

typedef enum fz_bundled_kind { FZ_BUNDLED_CLUSTER, FZ_BUNDLED_MODEL, FZ_BUNDLED_TRACE } fz_bundled_kind;
#define FZ_BUNDLED_KINDS 3

typedef struct fz_bundled {
    const char *name;  /* "sia-64" */
    const char *file;  /* "sia-64.json" */
    const char *bytes; /* the file as it is, with a zero byte behind it */
    uint64_t length;   /* without that zero */
} fz_bundled;

/* By name, with or without its extension, letter case ignored; NULL if there is none. */
const fz_bundled *fz_bundled_find(fz_bundled_kind kind, const char *name);

/* All of a kind, sorted by name. */
const fz_bundled *fz_bundled_all(fz_bundled_kind kind, uint32_t *count);
/* The names alone, in the same order. */
const char *const *fz_bundled_names(fz_bundled_kind kind, uint32_t *count);

#endif
