/* Gavel (OSDI 2020): separated by tabs, no header. 7 columns: job_type, command, num_steps_arg, needs_data_dir,
 * total_steps, arrival_time [s], scale_factor (GPUs). 10 columns: job_type, command, working_directory,
 * num_steps_arg, needs_data_dir, total_steps, scale_factor, priority_weight, SLO (-1: none), arrival_time [s].
 *
 * There is no duration: it is total_steps over the measured steps a second of job_type on so many GPUs of a type,
 * and work_kind is steps. The job's id is its line. job_type, such as `LM (batch size 10)`, is the name of a profile
 * and stands in `model` as it is. */
#include "core/support/number.h"
#include "workloads/formats/formats.h"

/* Where a value stands, by the number of columns; ABSENT: nowhere. */
typedef struct layout {
    uint32_t n_fields, n_numbers; /* numbers at the end of a line */
    uint32_t total_steps, gpus, arrival, priority, slo;
} layout;

#define ABSENT UINT32_MAX

static const layout layouts[] = {
    {.n_fields = 7,
     .n_numbers = 4,
     .total_steps = 4,
     .arrival = 5,
     .gpus = 6,
     .priority = ABSENT,
     .slo = ABSENT},
    {.n_fields = 10, .n_numbers = 6, .total_steps = 5, .gpus = 6, .priority = 7, .slo = 8, .arrival = 9},
};

static const layout *layout_of(uint32_t n_fields)
{
    for (uint32_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].n_fields == n_fields)
            return &layouts[i];
    return NULL;
}

/* A line of 7 or 10 fields, of which only the last ones are numbers. */
static bool probe(const char *head, uint64_t length)
{
    uint64_t n = 0;
    uint32_t n_fields = 0, n_numbers = 0;
    const char *line = fz_head_line(head, length, '#', &n);
    for (uint64_t at = 0, begin = 0; line != NULL && at <= n; at++) {
        double value = 0;
        if (at < n && line[at] != '\t')
            continue;
        bool number = fz_number_real(line + begin, (uint32_t)(at - begin), &value) == FZ_NUMBER_OK;
        n_numbers = number ? n_numbers + 1 : 0;
        n_fields++;
        begin = at + 1;
    }
    const layout *l = layout_of(n_fields);
    return l != NULL && n_numbers == l->n_numbers;
}

static fz_status read_numbers(fz_import *in, const layout *l, const fz_csv_field *fields, fz_trace_row *row,
                              fz_error *err)
{
    FZ_TRY(fz_import_gpus(in, &fields[l->gpus], "scale_factor", row, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, &fields[l->arrival], "arrival_time", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, &fields[l->total_steps], "total_steps", 1e15, &row->steps, err));
    if (!in->skip && l->slo != ABSENT)
        FZ_TRY(fz_import_time(in, fz_import_known(&fields[l->slo]), "SLO", false, &row->limit, err));
    return FZ_OK;
}

static fz_status add_extras(fz_import *in, const layout *l, const fz_csv_field *fields, fz_error *err)
{
    double priority = 0;
    FZ_TRY(fz_trace_builder_extra(in->builder, "work_kind", "steps", err));
    if (l->priority == ABSENT)
        return FZ_OK;
    fz_import_soft_number(in, &fields[l->priority], "a priority_weight that is no number", &priority);
    return fz_trace_builder_extra(in->builder, "priority", priority > 0 ? fields[l->priority].text : "", err);
}

static fz_status read_row(fz_import *in, const layout *l, const fz_csv_field *fields, fz_error *err)
{
    fz_trace_row row = fz_trace_row_blank();
    row.model = fields[0].text;
    row.work = FZ_WORK_STEPS;
    FZ_TRY(read_numbers(in, l, fields, &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : add_extras(in, l, fields, err);
}

static fz_status read_all(fz_import *in, fz_trace **out, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    FZ_TRY(fz_trace_builder_header(in->builder, "source", "gavel", err));
    for (;;) {
        FZ_TRY(fz_import_next(in, &fields, &n_fields, err));
        if (fields == NULL)
            break;
        const layout *l = layout_of(n_fields);
        if (l != NULL)
            FZ_TRY(read_row(in, l, fields, err));
        else
            FZ_TRY(fz_import_drop(in, NULL, "another number of fields than 7 or 10", err,
                                  "this row has %u fields; 7 or 10 are expected, separated by tabs",
                                  n_fields));
    }
    FZ_TRY(fz_import_relative_clock_end(in, err));
    return fz_import_finish(in, NULL, out, err);
}

static fz_status gavel_read(const char *path, const fz_import_options *options, fz_trace **out,
                            fz_trace_report *report, fz_error *err)
{
    static const fz_csv_options csv = {.separator = '\t', .no_header = true};
    fz_import in;
    FZ_TRY(fz_import_open(&in, path, &csv, options, report, err));
    fz_status status = read_all(&in, out, err);
    fz_import_close(&in);
    return status;
}

const fz_trace_format fz_format_gavel = {
    .name = "gavel",
    .summary = "Gavel 2020 (7 or 10 columns separated by tabs, no header)",
    .probe = probe,
    .read = gavel_read,
};
