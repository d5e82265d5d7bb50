/* Alibaba spot GPU trace 2026: `job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,
 * duration,job_type`.
 *
 * Requests are those of one worker. Times are seconds from the first submission; the jobs at 0 were running when
 * the log began. job_type is HP (guaranteed) or
 * Spot (may be preempted). */
#include <stdio.h>
#include <string.h>

#include "core/support/number.h"
#include "workloads/formats/formats.h"

enum {
    JOB_NAME,
    ORGANIZATION,
    GPU_MODEL,
    GPU_REQUEST,
    WORKER_NUM,
    SUBMIT,
    DURATION,
    JOB_TYPE,
    N_REQUIRED,
    CPU_REQUEST = N_REQUIRED,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {"job_name",    "organization", "gpu_model",
                                             "gpu_request", "worker_num",   "submit_time",
                                             "duration",    "job_type",     "cpu_request"};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num");
}

/* The request of a worker times the number of workers. */
static fz_status read_size(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    uint64_t workers = 1;
    double cpus = 0;
    FZ_TRY(fz_import_count(in, t->cells[WORKER_NUM], "worker_num", FZ_IMPORT_MAX_GPUS, &workers, err));
    if (!in->skip && workers == 0)
        return fz_import_drop(in, t->cells[WORKER_NUM], "no worker", err,
                              "worker_num is 0; a job has workers");
    if (!in->skip)
        FZ_TRY(fz_import_gpus_each(in, t->cells[GPU_REQUEST], "gpu_request", (uint32_t)workers, row, err));
    fz_import_soft_number(in, t->cells[CPU_REQUEST], "a number of CPUs that is none", &cpus);
    row->req_cpus = cpus * (double)workers;
    if (!row->cpu_only)
        row->req_types = t->cells[GPU_MODEL]->text;
    return FZ_OK;
}

static fz_status add_extras(fz_table *t, const char *type, bool at_begin, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    const char *kind = t->cells[JOB_TYPE]->text;
    bool hp = strcmp(kind, "HP") == 0, spot = strcmp(kind, "Spot") == 0;
    if (!hp && !spot)
        fz_import_note(&t->in, "a job_type that is neither HP nor Spot");
    if (at_begin)
        fz_import_note(&t->in, "submitted when the log began: it may have run before");
    FZ_TRY(fz_trace_builder_extra(builder, "priority", hp ? "1" : spot ? "0" : "", err));
    FZ_TRY(fz_trace_builder_extra(builder, "preemptible", hp ? "0" : spot ? "1" : "", err));
    return fz_trace_builder_extra(builder, "run_gpu_type", type, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[JOB_NAME]->text;
    in->id_field = t->cells[JOB_NAME];
    row.vc = t->cells[ORGANIZATION]->text;
    FZ_TRY(read_size(t, &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[SUBMIT], "submit_time", true, &row.submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[DURATION], "duration", false, &row.duration, err));
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : add_extras(t, row.req_types, row.submit == 0, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_relative_clock_end(&t->in, err);
}

static fz_status spot2026_read(const char *path, const fz_import_options *options, fz_trace **out,
                               fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "spot2026",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_spot2026 = {
    .name = "spot2026",
    .summary = "Alibaba spot GPU trace 2026 (job_name,organization,gpu_model,cpu_request,gpu_request,...)",
    .probe = probe,
    .read = spot2026_read,
};
