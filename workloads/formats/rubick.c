/* Rubick's LLM workloads: `name,submission_time,duration,application,num_gpus,num_cpus,bandwidth,exec_plan,
 * steps,is_sla`.
 *
 * Times are in seconds, measured on A800. duration and num_gpus make a job opaque; application stands in
 * `model`, is_sla (1: a guaranteed tenant) in `vc`. exec_plan is a word, or three digits: data, tensor and
 * pipeline parallel degree. The files have CRLF or LF, and no newline after the last row. */
#include <stdio.h>
#include <string.h>

#include "workloads/formats/formats.h"

enum {
    NAME,
    SUBMIT,
    DURATION,
    APPLICATION,
    NUM_GPUS,
    NUM_CPUS,
    BANDWIDTH,
    EXEC_PLAN,
    STEPS,
    IS_SLA,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {"name",     "submission_time", "duration",  "application",
                                             "num_gpus", "num_cpus",        "bandwidth", "exec_plan",
                                             "steps",    "is_sla"};

typedef struct reader {
    fz_import in;
    uint32_t at[N_COLUMNS];
} reader;

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "name,submission_time,duration,application,num_gpus");
}

static fz_status read_numbers(reader *r, const fz_csv_field *fields, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &r->in;
    FZ_TRY(fz_import_time(in, &fields[r->at[SUBMIT]], "submission_time", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, &fields[r->at[DURATION]], "duration", false, &row->duration, err));
    if (!in->skip)
        FZ_TRY(fz_import_gpus(in, &fields[r->at[NUM_GPUS]], "num_gpus", row, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, &fields[r->at[NUM_CPUS]], "num_cpus", 1e9, &row->req_cpus, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, &fields[r->at[STEPS]], "steps", 1e15, &row->steps, err));
    return FZ_OK;
}

/* Three digits as `d3t4p4`; words as "". */
static void plan_text(const char *exec_plan, char text[16])
{
    text[0] = '\0';
    if (strlen(exec_plan) == 3 && strspn(exec_plan, "123456789") == 3)
        (void)snprintf(text, 16, "d%ct%cp%c", exec_plan[0], exec_plan[1], exec_plan[2]);
}

static fz_status add_extras(reader *r, const fz_csv_field *fields, fz_error *err)
{
    char plan[16];
    fz_trace_builder *builder = r->in.builder;
    const char *exec_plan = fields[r->at[EXEC_PLAN]].text;
    plan_text(exec_plan, plan);
    FZ_TRY(fz_trace_builder_extra(builder, "run_gpu_type", "A800", err));
    FZ_TRY(fz_trace_builder_extra(builder, "plan", plan, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_exec_plan", exec_plan, err));
    return fz_trace_builder_extra(builder, "x_bandwidth", fields[r->at[BANDWIDTH]].text, err);
}

static fz_status read_row(reader *r, const fz_csv_field *fields, fz_error *err)
{
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = fields[r->at[NAME]].text;
    r->in.id_field = &fields[r->at[NAME]];
    row.model = fields[r->at[APPLICATION]].text;
    row.vc = fields[r->at[IS_SLA]].text;
    FZ_TRY(read_numbers(r, fields, &row, err));
    if (!r->in.skip)
        FZ_TRY(fz_import_add(&r->in, &row, err));
    return r->in.skip ? FZ_OK : add_extras(r, fields, err);
}

static fz_status read_all(reader *r, fz_trace **out, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    FZ_TRY(fz_import_columns(&r->in, names, N_COLUMNS, r->at, err));
    FZ_TRY(fz_trace_builder_header(r->in.builder, "source", "rubick", err));
    for (;;) {
        FZ_TRY(fz_import_next(&r->in, &fields, &n_fields, err));
        if (fields == NULL)
            return fz_import_finish(&r->in, NULL, out, err);
        FZ_TRY(read_row(r, fields, err));
    }
}

static fz_status rubick_read(const char *path, const fz_import_options *options, fz_trace **out,
                             fz_trace_report *report, fz_error *err)
{
    reader r = {0};
    FZ_TRY(fz_import_open(&r.in, path, NULL, options, report, err));
    r.in.rename_ids = true;
    fz_status status = read_all(&r, out, err);
    fz_import_close(&r.in);
    return status;
}

const fz_trace_format fz_format_rubick = {
    .name = "rubick",
    .summary = "LLM jobs of Rubick 2025 (name,submission_time,duration,application,num_gpus,...)",
    .probe = probe,
    .read = rubick_read,
};
