/* Acme (Shanghai AI Laboratory 2023), both clusters:
 *   Seren `job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time`
 *   Kalos the same with `mem_per_pod_GB,shared_mem_per_pod` behind cpu_num and `fail_time,stop_time` behind end_time.
 *
 * Times have a zone: +08:00 in Seren, +00:00 in Kalos. A job runs for end - start: in Kalos, duration counts the
 * time in the queue as well, and gpu_time is that times the GPUs. */
#include <stdlib.h>
#include <string.h>

#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    USER,
    GPU_NUM,
    TYPE,
    STATE,
    SUBMIT,
    START,
    END,
    N_REQUIRED,
    NODE_NUM = N_REQUIRED,
    CPU_NUM,
    MEM_PER_POD,
    SHARED_MEM,
    FAIL,
    STOP,
    DURATION,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {
    "job_id",     "user",      "gpu_num",  "type",    "state",          "submit_time",
    "start_time", "end_time",  "node_num", "cpu_num", "mem_per_pod_GB", "shared_mem_per_pod",
    "fail_time",  "stop_time", "duration"};

/* What the paper's types of jobs are to us. */
static const struct {
    const char *type, *job_class;
} classes[] = {{"Eval", "eval"},  {"Pretrain", "train"}, {"SFT", "train"},
               {"MLLM", "train"}, {"Debug", "debug"},    {"Other", "other"}};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time") ||
           fz_head_is(head, length, "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB");
}

/* Of fail_time and stop_time at most one is there, and it is the end. */
static fz_status check_ends(fz_table *t, const fz_trace_row *row, fz_error *err)
{
    fz_time fail = FZ_TIME_NONE, stop = FZ_TIME_NONE;
    FZ_TRY(fz_import_wall_time(&t->in, &t->clock, t->cells[FAIL], "fail_time", &fail, err));
    FZ_TRY(fz_import_wall_time(&t->in, &t->clock, t->cells[STOP], "stop_time", &stop, err));
    if (t->in.skip)
        return FZ_OK;
    if (fail != FZ_TIME_NONE && stop != FZ_TIME_NONE)
        fz_import_note(&t->in, "both a fail_time and a stop_time");
    if ((fail != FZ_TIME_NONE && fail != row->end) || (stop != FZ_TIME_NONE && stop != row->end))
        fz_import_note(&t->in, "a fail_time or stop_time other than end_time");
    return FZ_OK;
}

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[SUBMIT], "submit_time", &row->submit, err));
    FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[START], "start_time", &row->start, err));
    FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[END], "end_time", &row->end, err));
    FZ_TRY(check_ends(t, row, err));
    return fz_import_observed(in, row, err);
}

static void check_duration(fz_table *t, const fz_trace_row *row)
{
    fz_time duration = FZ_TIME_NONE;
    fz_import_soft_time(&t->in, t->cells[DURATION], "a duration that is no number of seconds", &duration);
    if (t->in.skip || duration == FZ_TIME_NONE || row->duration == FZ_TIME_NONE || duration == row->duration)
        return;
    if (row->submit != FZ_TIME_NONE && duration == row->end - row->submit)
        fz_import_note(&t->in, "a duration that counts the queue: end - start is taken");
    else
        fz_import_note(&t->in, "a duration other than end - start");
}

static void read_amounts(fz_table *t, fz_trace_row *row, double *nodes)
{
    double gb = 0;
    fz_import_soft_number(&t->in, t->cells[NODE_NUM], "a number of nodes that is none", nodes);
    fz_import_soft_number(&t->in, t->cells[CPU_NUM], "a number of CPUs that is none", &row->req_cpus);
    fz_import_soft_number(&t->in, t->cells[MEM_PER_POD], "a size of memory that is none", &gb);
    if (gb * *nodes <= 1e9)
        row->req_mem = (uint64_t)(gb * *nodes * (double)FZ_GB);
}

static const char *class_of(const char *type)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].type, type) == 0)
            return classes[i].job_class;
    return type[0] != '\0' ? "other" : "";
}

static fz_status add_extras(fz_table *t, bool known_state, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    const char *type = t->cells[TYPE]->text;
    FZ_TRY(fz_trace_builder_extra(builder, "job_class", class_of(type), err));
    FZ_TRY(fz_import_count_text(&t->in, "run_nodes", t->cells[NODE_NUM], err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_type", type, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_shared_mem_per_pod", t->cells[SHARED_MEM]->text, err));
    return fz_trace_builder_extra(builder, "x_state", known_state ? "" : t->cells[STATE]->text, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    double nodes = 1;
    row.job_id = t->cells[JOB_ID]->text;
    in->id_field = t->cells[JOB_ID];
    row.user = t->cells[USER]->text;
    FZ_TRY(fz_import_gpus(in, t->cells[GPU_NUM], "gpu_num", &row, err));
    if (!in->skip)
        FZ_TRY(read_times(t, &row, err));
    check_duration(t, &row);
    read_amounts(t, &row, &nodes);
    if (in->skip)
        return FZ_OK;
    bool known = fz_import_state(in, t->cells[STATE]->text, &row.state);
    FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : add_extras(t, known, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_wall_clock_end(&t->in, &t->clock, NULL, err);
}

static fz_status acme_read(const char *path, const fz_import_options *options, fz_trace **out,
                           fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "acme",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_acme = {
    .name = "acme",
    .summary =
        "Acme 2023, Seren and Kalos (job_id,user,node_num,gpu_num,cpu_num,...,type,state,submit_time,...)",
    .probe = probe,
    .read = acme_read,
};
