#include "workloads/ops/rewrite.h"

#include <stdio.h>
#include <string.h>

fz_trace_row fz_trace_row_of(const fz_trace *t, uint32_t job)
{
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = fz_trace_job_id(t, job);
    row.submit = t->submit[job];
    row.duration = t->duration != NULL ? t->duration[job] : FZ_TIME_NONE;
    row.estimate = t->estimate != NULL ? t->estimate[job] : FZ_TIME_NONE;
    row.limit = t->limit != NULL ? t->limit[job] : FZ_TIME_NONE;
    row.start = t->start != NULL ? t->start[job] : FZ_TIME_NONE;
    row.end = t->end != NULL ? t->end[job] : FZ_TIME_NONE;
    row.deadline = t->deadline != NULL ? t->deadline[job] : FZ_TIME_NONE;
    row.req_gpus = t->req_gpus != NULL ? t->req_gpus[job] : 0;
    row.req_gpus_exact = t->req_gpus_exact != NULL ? t->req_gpus_exact[job] : 0;
    row.req_workers = t->req_workers != NULL ? t->req_workers[job] : 0;
    row.req_nodes = t->req_nodes != NULL ? t->req_nodes[job] : 0;
    row.durations = t->durations != NULL ? t->texts[t->durations[job]] : "";
    row.cpu_only = t->cpu_only != NULL && t->cpu_only[job] != 0;
    row.req_types = t->req_types != NULL ? t->texts[t->req_types[job]] : "";
    row.req_gpu_mem = t->req_gpu_mem != NULL ? t->req_gpu_mem[job] : 0;
    row.model = t->model != NULL ? t->texts[t->model[job]] : "";
    row.seq_len = t->seq_len != NULL ? t->seq_len[job] : 0;
    row.global_batch = t->global_batch != NULL ? t->global_batch[job] : 0;
    row.steps = t->steps != NULL ? t->steps[job] : 0;
    row.user = t->user != NULL ? t->texts[t->user[job]] : "";
    row.vc = t->vc != NULL ? t->texts[t->vc[job]] : "";
    row.state = t->state != NULL ? (fz_trace_state)t->state[job] : FZ_TRACE_UNKNOWN;
    row.req_cpus = t->req_cpus != NULL ? t->req_cpus[job] : 0;
    row.req_mem = t->req_mem != NULL ? t->req_mem[job] : 0;
    return row;
}

/* All extras on every row, so that their order stays. */
fz_status fz_trace_copy_job(fz_trace_builder *builder, const fz_trace *trace, uint32_t job,
                            const fz_trace_row *row, const fz_rewrite *edit, fz_error *err)
{
    FZ_TRY(fz_trace_builder_add(builder, row, err));
    for (uint32_t i = 0; i < trace->n_extras; i++) {
        const char *name = trace->extras[i].name, *value = trace->texts[trace->extras[i].values[job]];
        if (edit != NULL && edit->extra != NULL)
            value = edit->extra(edit->context, name, value);
        FZ_TRY(fz_trace_builder_extra(builder, name, value, err));
    }
    return FZ_OK;
}

fz_status fz_trace_add_history(fz_trace_builder *builder, const char *text, const fz_trace *of, fz_error *err)
{
    char line[480];
    (void)snprintf(line, sizeof line, "%.400s%s%.16s", text, of->sha256[0] != '\0' ? "; of sha256 " : "",
                   of->sha256);
    return fz_trace_builder_header(builder, "history", line, err);
}

static fz_status headers_copy(fz_trace_builder *builder, const fz_trace *trace, const fz_rewrite *edit,
                              fz_error *err)
{
    bool placed = edit->epoch == NULL || edit->epoch[0] == '\0';
    for (uint32_t i = 0; i < trace->n_headers; i++) {
        const fz_trace_header *header = &trace->headers[i];
        bool epoch = edit->epoch != NULL && strcmp(header->key, "epoch") == 0;
        if (epoch && placed)
            continue;
        FZ_TRY(fz_trace_builder_header(builder, header->key, epoch ? edit->epoch : header->value, err));
        placed = placed || epoch;
    }
    if (!placed)
        FZ_TRY(fz_trace_builder_header(builder, "epoch", edit->epoch, err));
    return fz_trace_add_history(builder, edit->history, trace, err);
}

static fz_status jobs_copy(fz_trace_builder *builder, const fz_trace *trace, const fz_rewrite *edit,
                           uint32_t *kept, fz_error *err)
{
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        fz_trace_row row = fz_trace_row_of(trace, job);
        bool keep = true;
        if (edit->job != NULL)
            FZ_TRY(edit->job(edit->context, job, &row, &keep, err));
        if (!keep)
            continue;
        FZ_TRY(fz_trace_copy_job(builder, trace, job, &row, edit, err));
        if (edit->added != NULL)
            FZ_TRY(edit->added(edit->context, job, builder, err));
        ++*kept;
    }
    return FZ_OK;
}

fz_status fz_trace_rewrite(const fz_trace *trace, const fz_rewrite *edit, fz_trace **out, fz_error *err)
{
    uint32_t kept = 0;
    fz_trace_builder *builder = fz_trace_builder_new();
    if (builder == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a trace");
    fz_status status = headers_copy(builder, trace, edit, err);
    if (status == FZ_OK)
        status = jobs_copy(builder, trace, edit, &kept, err);
    if (status == FZ_OK && kept == 0)
        status = fz_fail(err, FZ_EINVAL, "no job is left: none of %u is kept", trace->n_jobs);
    if (status == FZ_OK)
        status = fz_trace_builder_finish(builder, out, NULL, err);
    fz_trace_builder_free(builder);
    return status;
}
