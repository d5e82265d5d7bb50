#include "workloads/ops/assign_models.h"

#include <stdio.h>
#include <string.h>

#include "core/support/timetext.h"
#include "workloads/hash_index.h"
#include "workloads/ops/load.h"
#include "workloads/ops/rewrite.h"

typedef struct assignment {
    const fz_trace *trace;
    const fz_mix *mix;
    uint64_t seed;
    fz_assign_report report;
    char observed[FZ_TIME_TEXT]; /* duration of the current job, if it gave way to a model */
} assignment;

static fz_status assign_job(void *context, uint32_t job, fz_trace_row *row, bool *keep, fz_error *err)
{
    assignment *a = context;
    double gpus = fz_trace_gpus(a->trace, job), gpu_s = fz_job_gpu_s(a->trace, job);
    (void)keep;
    (void)err;
    a->observed[0] = '\0';
    if (row->model[0] != '\0') {
        a->report.had++;
        return FZ_OK;
    }
    if (row->cpu_only || gpus <= 0 || row->duration < 0) {
        a->report.left++;
        return FZ_OK;
    }
    fz_mix_draw draw = fz_mix_draw_of(fz_mix_class_of(a->mix, gpus), a->seed,
                                      fz_hash_bytes(row->job_id, strlen(row->job_id)));
    row->model = draw.model->name;
    row->seq_len = draw.seq_len;
    row->global_batch = draw.global_batch;
    row->steps = fz_mix_steps(a->mix, &draw, gpu_s);
    (void)fz_time_text(row->duration, a->observed);
    row->duration = FZ_TIME_NONE;
    row->req_gpus_exact = 0;
    row->req_workers = 0;
    row->req_nodes = 0;
    row->durations = "";
    a->report.assigned++;
    return FZ_OK;
}

static fz_status observed_add(void *context, uint32_t job, fz_trace_builder *builder, fz_error *err)
{
    const assignment *a = context;
    (void)job;
    return a->observed[0] != '\0' ? fz_trace_builder_extra(builder, "x_observed_s", a->observed, err) : FZ_OK;
}

static fz_status note_assumption(void *context, uint32_t job, fz_trace_builder *builder, fz_error *err)
{
    const assignment *a = context;
    char text[256];
    FZ_TRY(observed_add(context, job, builder, err));
    if (job + 1 < a->trace->n_jobs || a->report.assigned == 0)
        return FZ_OK;
    (void)snprintf(text, sizeof text,
                   "models of %u jobs, drawn from the mix %.60s (sha256 %.16s) with seed %llu",
                   a->report.assigned, a->mix->name, a->mix->sha256, (unsigned long long)a->seed);
    return fz_trace_builder_header(builder, "assumed", text, err);
}

fz_status fz_trace_assign_models(const fz_trace *trace, const fz_mix *mix, uint64_t seed, fz_trace **out,
                                 fz_assign_report *report, fz_error *err)
{
    char history[160];
    assignment a = {.trace = trace, .mix = mix, .seed = seed};
    (void)snprintf(history, sizeof history, "trace models --mix %.60s --seed %llu", mix->name,
                   (unsigned long long)seed);
    fz_rewrite edit = {.context = &a, .job = assign_job, .added = note_assumption, .history = history};
    fz_status status = fz_trace_rewrite(trace, &edit, out, err);
    if (report != NULL)
        *report = a.report;
    return status;
}
