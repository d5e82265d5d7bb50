/* Cluster descriptions: JSON or YAML files, described in workloads/README.md, and the GPU catalog. */
#ifndef FRENZY_WORKLOADS_CLUSTER_FILE_H
#define FRENZY_WORKLOADS_CLUSTER_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/gpu.h>
#include <frenzy/status.h>

/* ---- GPU catalog (workloads/gpus/catalog.csv, compiled in) --------------------------------------- */

typedef struct fz_catalog_gpu {
    const char *name;    /* "A100-SXM4-80GB" */
    const char *aliases; /* other names, joined by '|' */
    double mem_nominal_gib;
    uint64_t mem_bytes; /* usable, as CUDA reports it; total less 1.5 % where unknown; 0 if neither is */
    fz_gpu_rates rates;
    double mem_bw_bytes_per_s;
    double price_usd_per_h; /* 0 unknown */
    const char *source;
} fz_catalog_gpu;

/* The whole catalog; static. */
const fz_catalog_gpu *fz_catalog(uint32_t *count);
/* By name or alias; NULL if unknown. Letter case, blanks, '-' and '_' do not count, nor do a maker's words
 * in front ("NVIDIA", "Tesla", "GeForce", "AMD", "Instinct", "Intel") and "G" or "GB" behind a size. */
const fz_catalog_gpu *fz_catalog_find(const char *name);
/* "did you mean" for an unknown name; NULL if nothing is near. */
const char *fz_catalog_suggest(const char *name);
/* A GPU type called `name` with the figures of the catalog entry. */
fz_gpu_type fz_catalog_gpu_type(const fz_catalog_gpu *gpu, const char *name);

/* ---- cluster files -------------------------------------------------------------------------------- */

typedef struct fz_cluster_file {
    fz_cluster_spec spec; /* everything in `arena` */
    char sha256[65];
    const char *path;
    const char *note; /* parts of the file that a replay does not use, in words; "" if none */
    fz_arena *arena;
} fz_cluster_file;

/* `path`, or the name of a bundled cluster ("sia-64") when no such file exists. */
fz_status fz_cluster_file_read(const char *path, fz_cluster_file **out, fz_error *err);
/* The same out of a text; `name` stands for the path. */
fz_status fz_cluster_file_parse(const char *name, const char *text, size_t length, fz_cluster_file **out,
                                fz_error *err);
void fz_cluster_file_free(fz_cluster_file *file); /* NULL is allowed */

#endif
