/* Alibaba PAI 2020, the trace of its simulator: `job_id,user,num_gpu,num_cpu,num_pod,duration,job_name,
 * submit_time,group,gpu_type,wait_time,user_dur,group_dur,group_gpu_dur`.
 *
 * Times are seconds of a relative clock. num_gpu and num_cpu are totals over num_pod pods, which share them
 * evenly, so that 25 GPUs over 50 pods are halves. gpu_type names the machines: MISC are older ones of several
 * kinds, CPU none. group is a recurring job; group_dur, its usual run time, is taken for the user's estimate. */
#include <string.h>

#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    USER,
    NUM_GPU,
    NUM_POD,
    DURATION,
    SUBMIT,
    GPU_TYPE,
    N_REQUIRED,
    NUM_CPU = N_REQUIRED,
    JOB_NAME,
    GROUP,
    WAIT,
    USER_DUR,
    GROUP_DUR,
    GROUP_GPU_DUR,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {
    "job_id",  "user",     "num_gpu", "num_pod",   "duration", "submit_time", "gpu_type",
    "num_cpu", "job_name", "group",   "wait_time", "user_dur", "group_dur",   "group_gpu_dur"};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "job_id,user,num_gpu,num_cpu,num_pod,duration");
}

static fz_status read_size(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    uint64_t pods = 0;
    FZ_TRY(fz_import_gpus(in, t->cells[NUM_GPU], "num_gpu", row, err));
    if (!in->skip)
        FZ_TRY(fz_import_count(in, t->cells[NUM_POD], "num_pod", FZ_IMPORT_MAX_GPUS, &pods, err));
    row->req_workers = (uint32_t)pods;
    if (!row->cpu_only && strcmp(t->cells[GPU_TYPE]->text, "CPU") != 0)
        row->req_types = t->cells[GPU_TYPE]->text;
    fz_import_soft_number(in, t->cells[NUM_CPU], "a number of CPUs that is none", &row->req_cpus);
    return FZ_OK;
}

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    fz_time wait = FZ_TIME_NONE;
    FZ_TRY(fz_import_time(in, t->cells[SUBMIT], "submit_time", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[DURATION], "duration", false, &row->duration, err));
    fz_import_soft_time(in, t->cells[WAIT], "a wait_time that is no number of seconds", &wait);
    fz_import_soft_time(in, t->cells[GROUP_DUR], "a group_dur that is no number of seconds", &row->estimate);
    if (wait != FZ_TIME_NONE && row->submit != FZ_TIME_NONE)
        row->start = row->submit + wait;
    return FZ_OK;
}

static fz_status add_extras(fz_table *t, const char *type, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    FZ_TRY(fz_trace_builder_extra(builder, "name", t->cells[JOB_NAME]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "run_gpu_type", type, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_group", t->cells[GROUP]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_user_dur_s", t->cells[USER_DUR]->text, err));
    return fz_trace_builder_extra(builder, "x_group_gpu_dur_s", t->cells[GROUP_GPU_DUR]->text, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[JOB_ID]->text;
    in->id_field = t->cells[JOB_ID];
    row.user = t->cells[USER]->text;
    FZ_TRY(read_size(t, &row, err));
    if (!in->skip)
        FZ_TRY(read_times(t, &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : add_extras(t, row.req_types, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_relative_clock_end(&t->in, err);
}

static fz_status pai2020_read(const char *path, const fz_import_options *options, fz_trace **out,
                              fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "pai2020",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_pai2020 = {
    .name = "pai2020",
    .summary = "Alibaba PAI 2020, simulator trace (job_id,user,num_gpu,num_cpu,num_pod,duration,...)",
    .probe = probe,
    .read = pai2020_read,
};
