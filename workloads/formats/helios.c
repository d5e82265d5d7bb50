/* Helios (SenseTime 2020): `job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,
 * duration,queue`, one file a cluster (Venus, Earth, Saturn, Uranus).
 *
 * Times are wall times of China (+08:00, no summer time) without a zone. cpu_num is the total. A job runs for
 * end - start; duration and queue say the same again and are only compared. The GPU type is that of the cluster,
 * which the file does not name. */
#include <math.h>

#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    USER,
    VC,
    GPU_NUM,
    SUBMIT,
    START,
    END,
    DURATION,
    N_REQUIRED,
    CPU_NUM = N_REQUIRED,
    NODE_NUM,
    STATE,
    QUEUE,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {"job_id",      "user",       "vc",       "gpu_num",
                                             "submit_time", "start_time", "end_time", "duration",
                                             "cpu_num",     "node_num",   "state",    "queue"};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time");
}

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[SUBMIT], "submit_time", &row->submit, err));
    FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[START], "start_time", &row->start, err));
    FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[END], "end_time", &row->end, err));
    return fz_import_observed(in, row, err);
}

/* A file without times of start and end has its durations; else both must agree. */
static void check_duration(fz_table *t, fz_trace_row *row)
{
    fz_time duration = FZ_TIME_NONE, queue = FZ_TIME_NONE;
    fz_import_soft_time(&t->in, t->cells[DURATION], "a duration that is no number of seconds", &duration);
    fz_import_soft_time(&t->in, t->cells[QUEUE], "a queue time that is no number of seconds", &queue);
    if (t->in.skip)
        return;
    if (row->duration == FZ_TIME_NONE)
        row->duration = duration;
    else if (duration != FZ_TIME_NONE && duration != row->duration)
        fz_import_note(&t->in, "a duration other than end - start");
    if (queue != FZ_TIME_NONE && row->start != FZ_TIME_NONE && row->submit != FZ_TIME_NONE &&
        queue != row->start - row->submit)
        fz_import_note(&t->in, "a queue time other than start - submit");
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[JOB_ID]->text;
    in->id_field = t->cells[JOB_ID];
    row.user = t->cells[USER]->text;
    row.vc = t->cells[VC]->text;
    FZ_TRY(fz_import_gpus(in, t->cells[GPU_NUM], "gpu_num", &row, err));
    if (!in->skip)
        FZ_TRY(read_times(t, &row, err));
    check_duration(t, &row);
    fz_import_soft_number(in, t->cells[CPU_NUM], "a number of CPUs that is none", &row.req_cpus);
    if (in->skip)
        return FZ_OK;
    bool known = fz_import_state(in, t->cells[STATE]->text, &row.state);
    FZ_TRY(fz_import_add(in, &row, err));
    if (in->skip)
        return FZ_OK;
    FZ_TRY(fz_import_count_text(in, "run_nodes", t->cells[NODE_NUM], err));
    return fz_trace_builder_extra(in->builder, "x_state", known ? "" : t->cells[STATE]->text, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_wall_clock_end(&t->in, &t->clock, "+08:00", err);
}

static fz_status helios_read(const char *path, const fz_import_options *options, fz_trace **out,
                             fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "helios",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_helios = {
    .name = "helios",
    .summary = "SenseTime Helios 2020 (job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,...)",
    .probe = probe,
    .read = helios_read,
};
