/* What `frenzy plan` was asked: the job, the GPUs, and what the user fixes. */
#ifndef FRENZY_SIM_CLI_PLAN_REQUEST_H
#define FRENZY_SIM_CLI_PLAN_REQUEST_H

#include <frenzy/arena.h>
#include <frenzy/search.h>

#include "sim/cli/options.h"

/* A GPU type to plan for, and how many of it there are. */
typedef struct fz_plan_target {
    fz_gpu_type gpu;
    uint32_t gpus, node_gpus;
} fz_plan_target;

typedef struct fz_plan_request {
    const fz_args *args;
    fz_arena *arena; /* owns all texts */
    fz_model model;
    fz_training training;
    fz_plan_target targets[FZ_MAX_GPU_TYPES];
    uint32_t n_targets;
    fz_search search; /* search.job.model is `model` */
    bool tensor_across_nodes;
    bool paper; /* the published formula */
} fz_plan_request;

/* Reads all options. FZ_EUSAGE names the option; errors of files carry their place. */
fz_status fz_plan_request_read(const fz_args *args, fz_arena *arena, fz_plan_request *out, fz_error *err);

#define FZ_PLAN_OPTIONS 19
extern const fz_option fz_plan_options[FZ_PLAN_OPTIONS];

/* "6738415616 parameters", and for mixtures of experts how many of them are active. */
void fz_plan_params_text(const fz_model *model, char *text, size_t size);

#endif
