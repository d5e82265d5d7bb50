/* Standard Workload Format: 18 blank-separated fields, comments begin with ';', -1 is "unknown". The
 * 21-field variant of CERIT-SC adds nodes, queue name and resources, and states memory in bytes a job.
 *
 * Processors are taken for GPUs: field 8 (requested), or 5 (allocated) where it is unknown. Submit times
 * count from UnixStartTime; a log without that line and with times after 1990 has an absolute clock, and
 * its first job then is t = 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/number.h"
#include "workloads/formats/formats.h"

/* In the order of the file. */
enum {
    JOB,
    SUBMIT,
    WAIT,
    RUN,
    ALLOCATED,
    AVERAGE_CPU,
    USED_MEMORY,
    REQUESTED,
    REQUESTED_TIME,
    REQUESTED_MEMORY,
    STATUS,
    USER,
    GROUP,
    EXECUTABLE,
    QUEUE,
    PARTITION,
    PRECEDING,
    THINK_TIME,
    N_FIELDS,
    NODE_LIST = N_FIELDS,
    QUEUE_NAME,
    RESOURCES,
    N_FIELDS_LONG
};

/* Fields that are kept as they are. */
static const struct {
    uint32_t field;
    const char *column;
} extras[] = {
    {ALLOCATED, "run_gpus"},      {AVERAGE_CPU, "x_average_cpu_s"}, {USED_MEMORY, "x_used_memory_kb"},
    {GROUP, "x_group"},           {EXECUTABLE, "x_executable"},     {PARTITION, "x_partition"},
    {PRECEDING, "depends_on"},    {THINK_TIME, "think_s"},          {NODE_LIST, "x_node_list"},
    {QUEUE_NAME, "x_queue_name"}, {RESOURCES, "x_resources"},
};

#define YEAR_1990 (INT64_C(631152000) * FZ_SECOND)
#define MAX_KB    1e15

/* ---- probing --------------------------------------------------------------------------------------- */

/* 18 fields or more, the first eight of them numbers. */
static bool is_row(const char *line, uint64_t length)
{
    uint32_t n_fields = 0;
    double value = 0;
    for (uint64_t at = 0; at < length;) {
        uint64_t end = at;
        while (end < length && line[end] != ' ' && line[end] != '\t')
            end++;
        if (end > at && n_fields++ <= REQUESTED &&
            fz_number_real(line + at, end - at, &value) != FZ_NUMBER_OK)
            return false;
        at = end + 1;
    }
    return n_fields >= N_FIELDS;
}

static bool probe(const char *head, uint64_t length)
{
    uint64_t n = 0;
    const char *line = fz_head_line(head, length, ';', &n);
    return line != NULL ? is_row(line, n) : length > 0 && head[0] == ';';
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* The field, or an empty one where it says -1. */
static const fz_csv_field *known(const fz_csv_field *field)
{
    static const fz_csv_field unknown = {.text = ""};
    double value = 0;
    bool none = field->text[0] == '-' && fz_number_real(field->text, field->length, &value) == FZ_NUMBER_OK &&
                value == -1;
    return none ? &unknown : field;
}

static fz_status read_time(fz_import *in, const fz_csv_field *fields, uint32_t which, const char *what,
                           fz_time *out, fz_error *err)
{
    return in->skip ? FZ_OK : fz_import_time(in, known(&fields[which]), what, which == SUBMIT, out, err);
}

static fz_status read_size(fz_import *in, const fz_csv_field *fields, fz_trace_row *row, fz_error *err)
{
    const fz_csv_field *field = known(&fields[REQUESTED]);
    const char *what = "requested processors (field 8)";
    if (field->length == 0) {
        field = known(&fields[ALLOCATED]);
        what = "allocated processors (field 5)";
    }
    return in->skip ? FZ_OK : fz_import_gpus(in, field, what, row, err);
}

static fz_status read_memory(fz_import *in, const fz_csv_field *fields, bool is_long, fz_trace_row *row,
                             fz_error *err)
{
    double value = 0, bytes = is_long ? 1 : (double)FZ_KIB * row->req_gpus;
    if (in->skip)
        return FZ_OK;
    FZ_TRY(fz_import_number(in, known(&fields[REQUESTED_MEMORY]), "requested memory (field 10)", MAX_KB,
                            &value, err));
    if (value * bytes < 1e18)
        row->req_mem = (uint64_t)(value * bytes);
    return FZ_OK;
}

/* What goes into columns of the canonical trace must be numbers. */
static fz_status check_numbers(fz_import *in, const fz_csv_field *fields, fz_error *err)
{
    double value = 0;
    if (!in->skip)
        FZ_TRY(fz_import_number(in, known(&fields[ALLOCATED]), "allocated processors (field 5)", 1e18, &value,
                                err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, known(&fields[THINK_TIME]), "think time (field 18)", 1e18, &value, err));
    return FZ_OK;
}

static fz_trace_state state_of(const fz_csv_field *status)
{
    switch (strtol(status->text, NULL, 10)) {
    case 0:
    case 4: /* the last part of a job in parts */
        return FZ_TRACE_FAILED;
    case 1:
    case 3: /* likewise */
        return FZ_TRACE_COMPLETED;
    case 5:
        return FZ_TRACE_CANCELLED;
    default:
        return FZ_TRACE_UNKNOWN;
    }
}

static fz_status add_extras(fz_import *in, const fz_csv_field *fields, bool is_long, fz_error *err)
{
    for (uint32_t i = 0; i < sizeof extras / sizeof *extras; i++) {
        bool there = extras[i].field < N_FIELDS || is_long;
        const char *text = there ? known(&fields[extras[i].field])->text : "";
        FZ_TRY(fz_trace_builder_extra(in->builder, extras[i].column, text, err));
    }
    return FZ_OK;
}

static void note_size(fz_import *in, const fz_csv_field *fields)
{
    double asked = 0, got = 0;
    if (fz_number_real(fields[REQUESTED].text, fields[REQUESTED].length, &asked) == FZ_NUMBER_OK &&
        fz_number_real(fields[ALLOCATED].text, fields[ALLOCATED].length, &got) == FZ_NUMBER_OK && asked > 0 &&
        got > 0 && asked != got)
        fz_import_note(in, "ran on another size than asked for");
}

static fz_status read_row(fz_import *in, const fz_csv_field *fields, bool is_long, fz_error *err)
{
    fz_trace_row row = fz_trace_row_blank();
    fz_time wait = FZ_TIME_NONE;
    in->id_field = &fields[JOB];
    row.job_id = fields[JOB].text;
    row.user = known(&fields[USER])->text;
    row.vc = known(&fields[QUEUE])->text;
    row.state = state_of(&fields[STATUS]);
    FZ_TRY(read_time(in, fields, SUBMIT, "submit time (field 2)", &row.submit, err));
    FZ_TRY(read_time(in, fields, RUN, "run time (field 4)", &row.duration, err));
    FZ_TRY(read_time(in, fields, REQUESTED_TIME, "requested time (field 9)", &row.limit, err));
    FZ_TRY(read_time(in, fields, WAIT, "wait time (field 3)", &wait, err));
    FZ_TRY(read_size(in, fields, &row, err));
    FZ_TRY(read_memory(in, fields, is_long, &row, err));
    FZ_TRY(check_numbers(in, fields, err));
    if (wait >= 0 && row.submit >= 0)
        row.start = row.submit + wait;
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    if (in->skip)
        return FZ_OK;
    note_size(in, fields);
    return add_extras(in, fields, is_long, err);
}

/* ---- file ------------------------------------------------------------------------------------------ */

/* The value of a header line `; Key: value`; NULL if there is none. */
static const char *header_value(const fz_csv *csv, const char *key)
{
    size_t length = strlen(key);
    for (uint32_t i = 0; i < fz_csv_n_comments(csv); i++) {
        const char *line = fz_csv_comment(csv, i);
        if (strncmp(line, key, length) == 0 && line[length] == ':')
            return line + length + 1 + strspn(line + length + 1, " \t");
    }
    return NULL;
}

static fz_status add_clock(fz_import *in, fz_time unix_start, int64_t zone_s, fz_error *err)
{
    char epoch[FZ_WALL_TIME_TEXT], offset[16];
    fz_wall_time_text(unix_start + zone_s * FZ_SECOND, epoch);
    int64_t minutes = llabs(zone_s) / 60;
    (void)snprintf(offset, sizeof offset, "%c%02d:%02d", zone_s < 0 ? '-' : '+', (int)(minutes / 60),
                   (int)(minutes % 60));
    FZ_TRY(fz_trace_builder_header(in->builder, "epoch", epoch, err));
    return fz_trace_builder_header(in->builder, "utc_offset", offset, err);
}

static fz_status add_header(fz_import *in, bool absolute, fz_error *err)
{
    const char *start = header_value(in->csv, "UnixStartTime"), *zone = header_value(in->csv, "TimeZone");
    int64_t start_s = start != NULL ? strtoll(start, NULL, 10) : 0;
    int64_t zone_s = zone != NULL ? strtoll(zone, NULL, 10) : 0;
    FZ_TRY(fz_trace_builder_header(in->builder, "source", "swf", err));
    if (absolute)
        return add_clock(in, fz_trace_builder_rebase(in->builder), 0, err);
    if (start_s > 86400 && start_s < FZ_TIME_LIMIT / FZ_SECOND / 2 && llabs(zone_s) < 86400)
        return add_clock(in, start_s * FZ_SECOND, zone_s, err);
    return FZ_OK;
}

static fz_status read_all(fz_import *in, fz_trace **out, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    bool absolute = header_value(in->csv, "UnixStartTime") == NULL;
    for (;;) {
        FZ_TRY(fz_import_next(in, &fields, &n_fields, err));
        if (fields == NULL)
            break;
        if (n_fields < N_FIELDS) {
            FZ_TRY(fz_import_drop(in, NULL, "fewer than 18 fields", err,
                                  "this row has %u fields; 18 are expected", n_fields));
            continue;
        }
        FZ_TRY(read_row(in, fields, n_fields >= N_FIELDS_LONG, err));
        absolute = absolute && (in->skip || in->latest > YEAR_1990);
    }
    if (in->report->rows_kept > 0)
        FZ_TRY(add_header(in, absolute, err));
    return fz_import_finish(in, NULL, out, err);
}

static fz_status swf_read(const char *path, const fz_import_options *options, fz_trace **out,
                          fz_trace_report *report, fz_error *err)
{
    static const fz_csv_options csv = {.blanks = true, .no_header = true, .comment = ';'};
    fz_import in;
    FZ_TRY(fz_import_open(&in, path, &csv, options, report, err));
    in.rename_ids = true;
    fz_status status = read_all(&in, out, err);
    fz_import_close(&in);
    return status;
}

const fz_trace_format fz_format_swf = {
    .name = "swf",
    .summary = "Standard Workload Format (18 fields; also the 21-field variant)",
    .probe = probe,
    .read = swf_read,
};
