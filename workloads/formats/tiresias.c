/* Tiresias (NSDI 2019): `job_id,num_gpu,submit_time,iterations,model_name,duration,interval`, or with
 * `start_time,duration,model_size,aggr_interval,model_name,model_scale` behind the submit time.
 *
 * Times are seconds. interval is the gap between submissions and says nothing new. */
#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    NUM_GPU,
    SUBMIT,
    DURATION,
    N_REQUIRED,
    ITERATIONS = N_REQUIRED,
    MODEL,
    START,
    MODEL_SIZE,
    MODEL_SCALE,
    AGGR_INTERVAL,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {"job_id",      "num_gpu",      "submit_time", "duration",
                                             "iterations",  "model_name",   "start_time",  "model_size",
                                             "model_scale", "aggr_interval"};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "job_id,num_gpu,submit_time,iterations,model_name,duration,interval") ||
           fz_head_is(head, length, "job_id,num_gpu,submit_time,start_time,duration,model_size");
}

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_time(in, t->cells[SUBMIT], "submit_time", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[DURATION], "duration", false, &row->duration, err));
    fz_import_soft_time(in, t->cells[START], "a start_time that is no number of seconds", &row->start);
    return FZ_OK;
}

static fz_status add_extras(fz_table *t, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    FZ_TRY(fz_trace_builder_extra(builder, "x_model_size", t->cells[MODEL_SIZE]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_model_scale", t->cells[MODEL_SCALE]->text, err));
    return fz_trace_builder_extra(builder, "x_aggr_interval", t->cells[AGGR_INTERVAL]->text, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[JOB_ID]->text;
    in->id_field = t->cells[JOB_ID];
    row.model = t->cells[MODEL]->text;
    FZ_TRY(fz_import_gpus(in, t->cells[NUM_GPU], "num_gpu", &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, t->cells[ITERATIONS], "iterations", 1e15, &row.steps, err));
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

static fz_status tiresias_read(const char *path, const fz_import_options *options, fz_trace **out,
                               fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "tiresias",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_tiresias = {
    .name = "tiresias",
    .summary = "Tiresias 2019 (job_id,num_gpu,submit_time,iterations,model_name,duration,interval)",
    .probe = probe,
    .read = tiresias_read,
};
