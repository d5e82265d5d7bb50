/* Grouping of a trace's jobs by what they ask for. */
#ifndef FRENZY_SIM_ENGINE_CLASSES_H
#define FRENZY_SIM_ENGINE_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/model.h>
#include <frenzy/status.h>

#include "sim/engine/run_times.h"
#include "workloads/trace.h"

/* Everything that two jobs must share to be of one class. */
typedef struct fz_class_key {
    uint64_t global_batch; /* 0 in an opaque class, as are seq_len and model */
    uint64_t req_gpu_mem;  /* bytes per GPU */
    uint32_t seq_len;
    uint32_t req_gpus;
    fz_text_id model;
    fz_text_id types;
    uint32_t req_nodes;
    fz_type_mask run_types; /* where its run times let it run; FZ_ALL_TYPES: everywhere */
    fz_text_id app;         /* of a job with an application profile; else 0, as is app_batch */
    uint64_t app_batch;
} fz_class_key;

typedef struct fz_classes {
    fz_class_key *keys; /* by class, in order of first appearance */
    uint32_t n_classes;
    uint32_t *class_of; /* by job */
} fz_classes;

fz_status fz_classes_group(fz_arena *arena, const fz_trace *trace, const fz_model *const *models,
                           const fz_run_times *times, fz_classes *out, fz_error *err);

/* An LLM job has a known model, a batch, a sequence length and steps. */
bool fz_job_is_llm(const fz_trace *trace, const fz_model *const *models, uint32_t job);

#endif
