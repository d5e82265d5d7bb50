/* Shockwave (NSDI 2023): separated by tabs, no header, 12 columns: job_type, command, working_directory,
 * num_steps_arg, needs_data_dir, total_steps, scale_factor (GPUs), mode (static, accordion or gns: how the batch
 * size changes), priority_weight, SLO (-1: none), duration [s], arrival_time [s].
 *
 * The duration makes a job opaque; the job's id is its line. job_type, such as `LM (batch size 10)`, is the name of
 * a profile and stands in `model` as it is. */
#include <string.h>

#include "workloads/formats/formats.h"

enum { JOB_TYPE = 0, TOTAL_STEPS = 5, GPUS, MODE, PRIORITY, SLO, DURATION, ARRIVAL, N_FIELDS };

static bool is_mode(const char *text, uint64_t length)
{
    return (length == 6 && memcmp(text, "static", 6) == 0) ||
           (length == 9 && memcmp(text, "accordion", 9) == 0) || (length == 3 && memcmp(text, "gns", 3) == 0);
}

static bool probe(const char *head, uint64_t length)
{
    uint64_t n = 0;
    uint32_t field = 0;
    bool mode = false;
    const char *line = fz_head_line(head, length, '#', &n);
    for (uint64_t at = 0, begin = 0; line != NULL && at <= n; at++) {
        if (at < n && line[at] != '\t')
            continue;
        if (field == MODE)
            mode = is_mode(line + begin, at - begin);
        field++;
        begin = at + 1;
    }
    return mode && field == N_FIELDS;
}

static fz_status read_numbers(fz_import *in, const fz_csv_field *fields, fz_trace_row *row, fz_error *err)
{
    double priority = 0;
    FZ_TRY(fz_import_gpus(in, &fields[GPUS], "scale_factor (field 7)", row, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, &fields[ARRIVAL], "arrival_time (field 12)", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, &fields[DURATION], "duration (field 11)", false, &row->duration, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, &fields[TOTAL_STEPS], "total_steps (field 6)", 1e15, &row->steps, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, &fields[PRIORITY], "priority_weight (field 9)", 1e9, &priority, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, fz_import_known(&fields[SLO]), "SLO (field 10)", false, &row->limit, err));
    return FZ_OK;
}

static fz_status read_row(fz_import *in, const fz_csv_field *fields, fz_error *err)
{
    fz_trace_row row = fz_trace_row_blank();
    row.model = fields[JOB_TYPE].text;
    FZ_TRY(read_numbers(in, fields, &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    if (in->skip)
        return FZ_OK;
    FZ_TRY(fz_trace_builder_extra(in->builder, "batch_mode", fields[MODE].text, err));
    return fz_trace_builder_extra(in->builder, "priority", fields[PRIORITY].text, err);
}

static fz_status read_all(fz_import *in, fz_trace **out, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    FZ_TRY(fz_trace_builder_header(in->builder, "source", "shockwave", err));
    for (;;) {
        FZ_TRY(fz_import_next(in, &fields, &n_fields, err));
        if (fields == NULL)
            break;
        if (n_fields == N_FIELDS)
            FZ_TRY(read_row(in, fields, err));
        else
            FZ_TRY(fz_import_drop(in, NULL, "another number of fields than 12", err,
                                  "this row has %u fields; 12 are expected, separated by tabs", n_fields));
    }
    FZ_TRY(fz_import_relative_clock_end(in, err));
    return fz_import_finish(in, NULL, out, err);
}

static fz_status shockwave_read(const char *path, const fz_import_options *options, fz_trace **out,
                                fz_trace_report *report, fz_error *err)
{
    static const fz_csv_options csv = {.separator = '\t', .no_header = true};
    fz_import in;
    FZ_TRY(fz_import_open(&in, path, &csv, options, report, err));
    in.rename_ids = true;
    fz_status status = read_all(&in, out, err);
    fz_import_close(&in);
    return status;
}

const fz_trace_format fz_format_shockwave = {
    .name = "shockwave",
    .summary = "Shockwave 2023 (12 columns separated by tabs, no header)",
    .probe = probe,
    .read = shockwave_read,
};
