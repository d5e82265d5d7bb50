#include "workloads/ops/load.h"

#include <frenzy/marp.h>

#include "workloads/models.h"

double fz_job_gpu_s(const fz_trace *trace, uint32_t job)
{
    if (trace->duration == NULL || trace->duration[job] < 0)
        return 0;
    return fz_time_to_s(trace->duration[job]) * fz_trace_gpus(trace, job);
}

static void capacity_find(const fz_cluster_spec *cluster, fz_load *out)
{
    for (uint32_t i = 0; cluster != NULL && i < cluster->n_nodes; i++) {
        out->capacity += cluster->nodes[i].gpus;
        out->rate += cluster->nodes[i].gpus * cluster->types[cluster->nodes[i].type].flops_per_s;
    }
}

/* Parameters by text id, found when first needed; below 0: not looked for yet. */
static fz_status flop_of(const fz_trace *trace, const fz_model *const *models, double *params, uint32_t job,
                         double *flop)
{
    fz_text_id text = trace->model != NULL ? trace->model[job] : 0;
    *flop = 0;
    if (models == NULL || models[text] == NULL || trace->steps == NULL || trace->global_batch == NULL ||
        trace->seq_len == NULL)
        return FZ_OK;
    if (params[text] == 0) {
        fz_model model = *models[text];
        FZ_TRY(fz_model_complete(&model, NULL));
        params[text] = fz_marp_params(&model);
    }
    *flop = 6 * params[text] * trace->steps[job] * (double)trace->global_batch[job] * trace->seq_len[job];
    return FZ_OK;
}

static fz_status work_add(const fz_trace *trace, fz_arena *arena, fz_load *out, fz_error *err)
{
    const fz_model *const *models = NULL;
    FZ_TRY(fz_models_of_trace(trace, arena, &models, err));
    double *params = FZ_NEW(arena, trace->n_texts, double);
    if (params == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u models", trace->n_texts);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        double flop = 0;
        if (trace->cpu_only != NULL && trace->cpu_only[job])
            continue;
        if (trace->duration != NULL && trace->duration[job] >= 0) {
            out->gpu_s += fz_job_gpu_s(trace, job);
            out->measured++;
            continue;
        }
        if (flop_of(trace, models, params, job, &flop) != FZ_OK || flop <= 0) {
            out->unknown++;
            continue;
        }
        out->flop += flop;
        out->measured++;
    }
    return FZ_OK;
}

fz_status fz_load_of(const fz_trace *trace, const fz_cluster_spec *cluster, fz_load *out, fz_error *err)
{
    fz_arena *arena = fz_arena_new(NULL);
    *out = (fz_load){.load = -1};
    if (arena == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the models of a trace");
    if (trace->n_jobs > 0)
        out->span_s = fz_time_to_s(trace->submit[trace->n_jobs - 1] - trace->submit[0]);
    capacity_find(cluster, out);
    fz_status status = work_add(trace, arena, out, err);
    fz_arena_free(arena);
    bool known = out->capacity > 0 && out->span_s > 0 && (out->flop == 0 || out->rate > 0);
    if (status == FZ_OK && known)
        out->load = (out->gpu_s / out->capacity + (out->flop > 0 ? out->flop / out->rate : 0)) / out->span_s;
    return status;
}
