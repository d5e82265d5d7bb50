/* ElasticFlow (ASPLOS 2023): `job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration`, the order
 * of columns differs from file to file.
 *
 * Times are seconds; ddl is a point in time, often before submit_time + duration: such a job has to be scaled out
 * to meet it. batch_size is that of the whole job. */
#include <string.h>

#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    NUM_GPU,
    SUBMIT,
    DURATION,
    DEADLINE,
    N_REQUIRED,
    ITERATION = N_REQUIRED,
    MODEL,
    BATCH,
    BEST_EFFORT,
    REAL_ITERATION,
    REAL_DURATION,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {"job_id",      "num_gpu",        "submit_time",  "duration",
                                             "ddl",         "iteration",      "model_name",   "batch_size",
                                             "best_effort", "real_iteration", "real_duration"};

static bool probe(const char *head, uint64_t length)
{
    uint64_t n = 0;
    const char *line = fz_head_line(head, length, '#', &n);
    static const char begin[] = "job_id,submit_time,", ddl[] = ",model_name,ddl,";
    if (line == NULL || n < sizeof begin || strncmp(line, begin, sizeof begin - 1) != 0)
        return false;
    for (uint64_t at = 0; at + sizeof ddl - 1 <= n; at++)
        if (memcmp(line + at, ddl, sizeof ddl - 1) == 0)
            return true;
    return false;
}

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_time(in, t->cells[SUBMIT], "submit_time", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[DURATION], "duration", false, &row->duration, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[DEADLINE], "ddl", false, &row->deadline, err));
    return FZ_OK;
}

static fz_status read_size(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_gpus(in, t->cells[NUM_GPU], "num_gpu", row, err));
    if (!in->skip)
        FZ_TRY(fz_import_count(in, t->cells[BATCH], "batch_size", 1000000000, &row->global_batch, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, t->cells[ITERATION], "iteration", 1e15, &row->steps, err));
    return FZ_OK;
}

static fz_status add_extras(fz_table *t, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    FZ_TRY(fz_trace_builder_extra(builder, "x_best_effort", t->cells[BEST_EFFORT]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_real_iteration", t->cells[REAL_ITERATION]->text, err));
    return fz_trace_builder_extra(builder, "x_real_duration_s", t->cells[REAL_DURATION]->text, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[JOB_ID]->text;
    in->id_field = t->cells[JOB_ID];
    row.model = t->cells[MODEL]->text;
    FZ_TRY(read_size(t, &row, err));
    if (!in->skip)
        FZ_TRY(read_times(t, &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : add_extras(t, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_relative_clock_end(&t->in, err);
}

static fz_status elasticflow_read(const char *path, const fz_import_options *options, fz_trace **out,
                                  fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "elasticflow",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_elasticflow = {
    .name = "elasticflow",
    .summary = "ElasticFlow 2023 (job_id,submit_time,...,model_name,ddl,batch_size,num_gpu,...)",
    .probe = probe,
    .read = elasticflow_read,
};
