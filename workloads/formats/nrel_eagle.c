/* NREL Eagle, Slurm's accounting: `job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,
 * gpus_req,mem_req,submit_time,start_time,end_time,run_time,state,...`.
 *
 * Times are wall times of US Mountain without a zone, where summer time is kept, so the offset is unknown. Jobs of
 * an array repeat its id. mem_req has no stated unit, and stays as it is. */
#include "core/support/number.h"
#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    GPUS,
    SUBMIT,
    START,
    END,
    STATE,
    N_REQUIRED,
    USER = N_REQUIRED,
    ACCOUNT,
    PARTITION,
    QOS,
    LIMIT,
    NODES,
    PROCESSORS,
    MEMORY,
    NAME,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {
    "job_id",    "gpus_req", "submit_time",   "start_time", "end_time",       "state",   "user", "account",
    "partition", "qos",      "wallclock_req", "nodes_req",  "processors_req", "mem_req", "name"};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "job_id,user,account,partition,qos,wallclock_req,nodes_req");
}

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[SUBMIT], "submit_time", &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[START], "start_time", &row->start, err));
    if (!in->skip)
        FZ_TRY(fz_import_wall_time(in, &t->clock, t->cells[END], "end_time", &row->end, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[LIMIT], "wallclock_req", false, &row->limit, err));
    return in->skip ? FZ_OK : fz_import_observed(in, row, err);
}

/* A number of nodes counts where it divides the GPUs; else it is kept as it is, in x_nodes_req. */
static void read_nodes(fz_table *t, fz_trace_row *row)
{
    uint64_t nodes = 0;
    const fz_csv_field *field = t->cells[NODES];
    if (fz_number_count(field->text, field->length, FZ_IMPORT_MAX_GPUS, &nodes) == FZ_NUMBER_OK &&
        nodes > 0 && row->req_gpus > 0 && row->req_gpus % nodes == 0)
        row->req_nodes = (uint32_t)nodes;
}

static fz_status add_extras(fz_table *t, bool nodes_used, const char *state, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    FZ_TRY(fz_trace_builder_extra(builder, "name", t->cells[NAME]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_nodes_req", nodes_used ? "" : t->cells[NODES]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_partition", t->cells[PARTITION]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_qos", t->cells[QOS]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_mem_req", t->cells[MEMORY]->text, err));
    return fz_trace_builder_extra(builder, "x_state", state, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[JOB_ID]->text;
    in->id_field = t->cells[JOB_ID];
    row.user = t->cells[USER]->text;
    row.vc = t->cells[ACCOUNT]->text;
    FZ_TRY(fz_import_gpus(in, t->cells[GPUS], "gpus_req", &row, err));
    if (!in->skip)
        FZ_TRY(read_times(t, &row, err));
    if (in->skip)
        return FZ_OK;
    fz_import_soft_number(in, t->cells[PROCESSORS], "a number of processors that is none", &row.req_cpus);
    read_nodes(t, &row);
    bool known = fz_import_state(in, t->cells[STATE]->text, &row.state);
    FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : add_extras(t, row.req_nodes > 0, known ? "" : t->cells[STATE]->text, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_wall_clock_end(&t->in, &t->clock, NULL, err);
}

static fz_status nrel_eagle_read(const char *path, const fz_import_options *options, fz_trace **out,
                                 fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "nrel_eagle",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_nrel_eagle = {
    .name = "nrel_eagle",
    .summary = "NREL Eagle, Slurm accounting (job_id,user,account,partition,qos,wallclock_req,...)",
    .probe = probe,
    .read = nrel_eagle_read,
};
