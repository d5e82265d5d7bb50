/* Models for jobs that name none, out of a mix: so that traces of opaque jobs (Philly, Helios) can be replayed as
 * serverless LLM jobs. An assumption, and the trace says so in a line `# assumed:`. For `frenzy trace models` and
 * `frenzy import --models`. */
#ifndef FRENZY_WORKLOADS_OPS_ASSIGN_MODELS_H
#define FRENZY_WORKLOADS_OPS_ASSIGN_MODELS_H

#include <stdint.h>

#include <frenzy/status.h>

#include "workloads/mix.h"
#include "workloads/trace.h"

typedef struct fz_assign_report {
    uint32_t assigned; /* jobs that got a model */
    uint32_t had;      /* jobs that named one before: as they were */
    uint32_t left;     /* jobs without GPUs or duration: no telling how much work they are; as they were */
} fz_assign_report;

/* A job of D seconds on G GPUs gets a model of the mix's class for G GPUs, a sequence length and a batch, drawn by seed and
 * job id, and steps for D x G GPU-seconds at the mix's rate. duration_s becomes the column x_observed_s; req_gpus stays, as
 * the user's request, which policies that size jobs themselves ignore. Shares of a GPU become whole ones, their work
 * does not. `report` may be NULL. */
fz_status fz_trace_assign_models(const fz_trace *trace, const fz_mix *mix, uint64_t seed, fz_trace **out,
                                 fz_assign_report *report, fz_error *err);

#endif
