/* Model mixes: which models users train, how, and how large such a job is. Files in YAML, described in
 * workloads/README.md; the bundled ones are in workloads/mixes/. */
#ifndef FRENZY_WORKLOADS_MIX_H
#define FRENZY_WORKLOADS_MIX_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>

#include "core/support/doc.h"

typedef struct fz_mix_model {
    const char *name;       /* of a bundled model, or the path of a config.json */
    double params;          /* parameters, for the work of a step */
    double share;           /* weight among the models of its class */
    const double *seq_lens; /* tokens; drawn evenly */
    uint32_t n_seq_lens;
    const double *batches; /* sequences a step; drawn evenly */
    uint32_t n_batches;
} fz_mix_model;

/* Jobs up to a number of GPUs. */
typedef struct fz_mix_class {
    double max_gpus; /* inclusive; the last class has infinity */
    const fz_mix_model *models;
    uint32_t n_models;
    double shares; /* their sum */
} fz_mix_class;

typedef struct fz_mix {
    const char *name;
    double flops_per_s; /* what one GPU is taken to sustain: GPU time x this = work of a job */
    const fz_mix_class *classes;
    uint32_t n_classes;
    char sha256[65];
    fz_arena *arena;
} fz_mix;

/* A file, or the name of a bundled mix where there is no such file. FZ_EPARSE with file, line and column;
 * FZ_ENOTFOUND names the bundled ones. */
fz_status fz_mix_read(const char *name_or_path, fz_mix **out, fz_error *err);
/* The same of bytes in memory; `name` stands for the path. */
fz_status fz_mix_parse(const char *name, const char *bytes, uint64_t length, fz_mix **out, fz_error *err);
void fz_mix_free(fz_mix *mix); /* NULL is allowed */

/* The class of a job with so many GPUs. */
const fz_mix_class *fz_mix_class_of(const fz_mix *mix, double gpus);

/* What a job trains. */
typedef struct fz_mix_draw {
    const fz_mix_model *model;
    uint32_t seq_len;
    uint64_t global_batch;
} fz_mix_draw;
/* Drawn from the streams "generate model", "generate length" and "generate batch" of `entity`. */
fz_mix_draw fz_mix_draw_of(const fz_mix_class *c, uint64_t seed, uint64_t entity);

/* Steps for `gpu_s` GPU-seconds of work: gpu_s x flops_per_s / (6 parameters batch seq_len), three digits, at
 * least 1. */
double fz_mix_steps(const fz_mix *mix, const fz_mix_draw *draw, double gpu_s);

#endif
