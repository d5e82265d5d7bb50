/* Muri (SIGCOMM 2022): `job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,
 * iteration_time,resource_time_0..2,priority`.
 *
 * All times are milliseconds. batch_size is that of one GPU. interval is not the gap to the row before, and
 * iterations x iteration_time is the duration only roughly, so neither is used. */
#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    NUM_GPU,
    SUBMIT,
    DURATION,
    N_REQUIRED,
    ITERATIONS = N_REQUIRED,
    MODEL,
    BATCH,
    ITERATION_TIME,
    RESOURCE_0,
    RESOURCE_1,
    RESOURCE_2,
    PRIORITY,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {
    "job_id",     "num_gpu",        "submit_time",     "duration",        "iterations",      "model_name",
    "batch_size", "iteration_time", "resource_time_0", "resource_time_1", "resource_time_2", "priority"};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(
        head, length,
        "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time");
}

/* Milliseconds, where what was read takes them for seconds. */
static void from_milliseconds(fz_time *t)
{
    if (*t != FZ_TIME_NONE)
        *t /= 1000;
}

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_time(in, t->cells[SUBMIT], "submit_time", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[DURATION], "duration", false, &row->duration, err));
    from_milliseconds(&row->submit);
    from_milliseconds(&row->duration);
    return FZ_OK;
}

static fz_status read_size(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    uint64_t batch = 0;
    FZ_TRY(fz_import_gpus(in, t->cells[NUM_GPU], "num_gpu", row, err));
    if (!in->skip)
        FZ_TRY(fz_import_count(in, t->cells[BATCH], "batch_size", 1000000, &batch, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, t->cells[ITERATIONS], "iterations", 1e15, &row->steps, err));
    row->global_batch = batch * row->req_gpus;
    return FZ_OK;
}

static fz_status add_extras(fz_table *t, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    FZ_TRY(fz_import_count_text(&t->in, "priority", t->cells[PRIORITY], err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_iteration_time_ms", t->cells[ITERATION_TIME]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_resource_time_0_ms", t->cells[RESOURCE_0]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_resource_time_1_ms", t->cells[RESOURCE_1]->text, err));
    return fz_trace_builder_extra(builder, "x_resource_time_2_ms", t->cells[RESOURCE_2]->text, err);
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

static fz_status muri_read(const char *path, const fz_import_options *options, fz_trace **out,
                           fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "muri",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_muri = {
    .name = "muri",
    .summary = "Muri 2022, times in ms (job_id,num_gpu,submit_time,iterations,model_name,batch_size,...)",
    .probe = probe,
    .read = muri_read,
};
