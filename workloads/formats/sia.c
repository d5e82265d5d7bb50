/* Workloads of Sia (SOSP 2023), Pollux (OSDI 2021) and AdaptDL: `name,time,application,num_replicas,batch_size`.
 *
 * time is in seconds from the begin of the log, whole or not. A job ends when its application has reached the
 * target of its profile: there is no duration, and work_kind is target. num_replicas is the number of GPUs that was
 * asked for, batch_size the batch over all of them. application names a profile and stands in `model`. */
#include "workloads/formats/formats.h"

enum { NAME, TIME, APPLICATION, NUM_REPLICAS, BATCH_SIZE, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"name", "time", "application", "num_replicas", "batch_size"};

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "name,time,application,num_replicas,batch_size");
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[NAME]->text;
    in->id_field = t->cells[NAME];
    row.model = t->cells[APPLICATION]->text;
    row.work = FZ_WORK_TARGET;
    FZ_TRY(fz_import_gpus(in, t->cells[NUM_REPLICAS], "num_replicas", &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[TIME], "time", true, &row.submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_count(in, t->cells[BATCH_SIZE], "batch_size", UINT32_MAX, &row.global_batch, err));
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : fz_trace_builder_extra(in->builder, "work_kind", "target", err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_relative_clock_end(&t->in, err);
}

static fz_status sia_read(const char *path, const fz_import_options *options, fz_trace **out,
                          fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "sia",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_COLUMNS,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_sia = {
    .name = "sia",
    .summary = "Sia, Pollux and AdaptDL workloads (name,time,application,num_replicas,batch_size)",
    .probe = probe,
    .read = sia_read,
};
