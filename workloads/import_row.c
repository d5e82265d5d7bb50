#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/import.h"

/* Longer than any log: most likely a wrong clock. */
#define TEN_YEARS (INT64_C(10) * 366 * 86400 * FZ_SECOND)

static bool has_work(const fz_trace_row *row)
{
    bool by_type = row->durations != NULL && row->durations[0] != '\0';
    bool opaque = (row->duration >= 0 || by_type) && (row->req_gpus > 0 || row->cpu_only);
    bool described = row->model != NULL && row->model[0] != '\0' && row->steps > 0 && row->global_batch > 0 &&
                     row->seq_len > 0;
    bool profiled = row->model != NULL && row->model[0] != '\0' && row->req_gpus > 0 &&
                    (row->work == FZ_WORK_TARGET || (row->work == FZ_WORK_STEPS && row->steps > 0));
    return opaque || described || profiled;
}

static fz_status check_row(fz_import *in, const fz_trace_row *row, fz_error *err)
{
    if (row->submit < 0)
        return fz_import_drop(in, NULL, "no submit time", err, "this job has no submit time");
    if (!has_work(row))
        return fz_import_drop(
            in, NULL, "no work", err,
            "this job has no work: a duration with a number of GPUs is expected, or model, "
            "global_batch, seq_len and steps (or tokens); or the name of a profile as model, "
            "with work_kind steps or target");
    return FZ_OK;
}

/* A fraction of a GPU is a share that each worker has of one GPU; anything else is rounded up where that is
 * allowed. */
static fz_status check_share(fz_import *in, fz_trace_row *row, fz_error *err)
{
    bool change = false;
    double gpus = row->req_gpus_exact > 0 ? row->req_gpus_exact : row->req_gpus;
    uint32_t packed = fz_share_gpus(gpus, row->req_workers);
    if (packed > 0) {
        row->req_gpus = packed;
        row->req_gpus_exact = gpus;
        fz_import_note(in, "shares of GPUs, placed as whole GPUs");
        return FZ_OK;
    }
    if (row->req_gpus_exact <= 0)
        return FZ_OK;
    row->req_gpus_exact = 0;
    return fz_import_clamp(in, in->gpus_field, "a fraction of a GPU", &change, err,
                           "%.6g GPUs: a worker takes whole GPUs, or less than one", gpus);
}

/* The nodes of a job take the same number of GPUs each. */
static fz_status check_nodes(fz_import *in, const fz_trace_row *row, fz_error *err)
{
    if (row->req_nodes == 0 || (row->req_gpus > 0 && row->req_gpus % row->req_nodes == 0))
        return FZ_OK;
    return fz_import_drop(in, NULL, "GPUs that req_nodes does not divide", err,
                          "%u GPUs on %u nodes: req_gpus must be a multiple of req_nodes", row->req_gpus,
                          row->req_nodes);
}

static void note_oddities(fz_import *in, const fz_trace_row *row)
{
    if (row->duration == 0)
        fz_import_note(in, "a run time of 0");
    if (row->duration > TEN_YEARS)
        fz_import_note(in, "a run time of more than ten years");
    if (in->latest >= 0 && row->submit - in->latest > TEN_YEARS)
        fz_import_note(in, "a submit time more than ten years after all earlier rows");
    if (row->limit >= 0 && row->duration > row->limit)
        fz_import_note(in, "ran longer than its limit");
    if (row->deadline != FZ_TIME_NONE && row->duration >= 0 && row->deadline < row->submit + row->duration)
        fz_import_note(in, "a deadline before the earliest end");
    if (row->start != FZ_TIME_NONE && row->end != FZ_TIME_NONE && row->end < row->start)
        fz_import_note(in, "an end before the start");
    if (row->start != FZ_TIME_NONE && row->start < row->submit)
        fz_import_note(in, "a start before the submit time");
    if (row->state == FZ_TRACE_RUNNING)
        fz_import_note(in, FZ_CAUSE_CUT);
}

static fz_status id_taken(fz_trace_builder *builder, const char *id, uint64_t number, char *text, size_t size,
                          bool *taken, fz_error *err)
{
    (void)snprintf(text, size, "%s#%llu", id, (unsigned long long)number);
    return fz_trace_builder_has(builder, text, taken, err);
}

/* `id#2`, or the next number that is free; found in few steps because repeats fill them in order. */
static fz_status id_free(fz_trace_builder *builder, const char *id, char *text, size_t size, fz_error *err)
{
    uint64_t last_taken = 1, open = 2;
    bool taken = true;
    FZ_TRY(id_taken(builder, id, open, text, size, &taken, err));
    while (taken) {
        last_taken = open;
        open *= 2;
        FZ_TRY(id_taken(builder, id, open, text, size, &taken, err));
    }
    while (open - last_taken > 1) {
        uint64_t middle = last_taken + (open - last_taken) / 2;
        FZ_TRY(id_taken(builder, id, middle, text, size, &taken, err));
        *(taken ? &last_taken : &open) = middle;
    }
    return id_taken(builder, id, open, text, size, &taken, err);
}

static fz_status add_renamed(fz_import *in, const fz_trace_row *row, fz_error *err)
{
    fz_trace_row renamed = *row;
    size_t size = strlen(row->job_id) + 24;
    char *id = malloc(size);
    if (id == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for another job_id");
    fz_status status = id_free(in->builder, row->job_id, id, size, err);
    renamed.job_id = id;
    if (status == FZ_OK)
        status = fz_trace_builder_add(in->builder, &renamed, err);
    free(id);
    return status;
}

static fz_status add_repeated(fz_import *in, const fz_trace_row *row, fz_error *err)
{
    static const char cause[] = "a job_id that was there before";
    bool change = in->rename_ids && in->policy != FZ_BAD_ROWS_FAIL;
    if (change)
        fz_import_changed(in, cause);
    else
        FZ_TRY(fz_import_clamp(in, in->id_field, cause, &change, err,
                               "job_id '%.60s' was there before; ids must be unique", row->job_id));
    return change ? add_renamed(in, row, err) : FZ_OK;
}

fz_status fz_import_add(fz_import *in, fz_trace_row *row, fz_error *err)
{
    char line[16];
    row->line = in->lines ? fz_import_line(in) : 0;
    FZ_TRY(check_row(in, row, err));
    if (!in->skip)
        FZ_TRY(check_share(in, row, err));
    if (!in->skip)
        FZ_TRY(check_nodes(in, row, err));
    if (in->skip)
        return FZ_OK;
    if (row->job_id == NULL || row->job_id[0] == '\0') {
        (void)snprintf(line, sizeof line, "%u", fz_import_line(in));
        row->job_id = line;
    }
    fz_error refused;
    fz_status status = fz_trace_builder_add(in->builder, row, &refused);
    if (status == FZ_EPARSE)
        status = add_repeated(in, row, err);
    else if (status != FZ_OK)
        fz_fail(err, status, "%s", refused.message);
    row->job_id = NULL;
    if (status != FZ_OK || in->skip)
        return status;
    note_oddities(in, row);
    if (row->submit < in->latest)
        fz_import_changed(in, "a submit time before that of an earlier row");
    else
        in->latest = row->submit;
    in->report->rows_kept++;
    return FZ_OK;
}

static fz_status no_rows(const fz_import *in, fz_error *err)
{
    const fz_finding *first = &in->report->findings[0];
    uint32_t line = fz_import_line(in) > 0 ? fz_import_line(in) : 1;
    if (in->report->rows_read == 0)
        return fz_fail_at(err, FZ_EPARSE, in->path, line, 1,
                          "there are no rows; at least one job is expected");
    return fz_fail_at(err, FZ_EPARSE, in->path, first->first_line, 1,
                      "none of %llu rows can be used; the first has %s",
                      (unsigned long long)in->report->rows_read, first->cause);
}

fz_status fz_import_finish(fz_import *in, const char *sha256, fz_trace **out, fz_error *err)
{
    fz_trace *trace = NULL;
    if (in->report->rows_kept == 0)
        return no_rows(in, err);
    FZ_TRY(fz_trace_builder_finish(in->builder, &trace, NULL, err));
    trace->path = fz_arena_strdup(trace->arena, in->path);
    if (trace->path == NULL) {
        fz_trace_free(trace);
        return fz_fail(err, FZ_ENOMEM, "no memory for the path of a trace");
    }
    if (in->csv != NULL)
        fz_csv_sha256(in->csv, trace->sha256);
    else
        (void)snprintf(trace->sha256, sizeof trace->sha256, "%s", sha256);
    *out = trace;
    return FZ_OK;
}
