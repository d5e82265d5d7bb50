#include "workloads/import.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/support/number.h"

void fz_trace_report_add(fz_trace_report *report, const char *cause, char what, uint32_t line)
{
    fz_finding *finding = report->findings;
    fz_finding *end = finding + report->n_findings;
    while (finding < end && (finding->what != what || strcmp(finding->cause, cause) != 0))
        finding++;
    if (finding == end) {
        if (report->n_findings == FZ_MAX_FINDINGS)
            return;
        *finding = (fz_finding){.cause = cause, .first_line = line, .what = what};
        report->n_findings++;
    }
    finding->rows++;
}

/* ---- file and rows --------------------------------------------------------------------------------- */

const fz_bundled *fz_import_bundled(const char *path)
{
    return fz_bundled_of_path(FZ_BUNDLED_TRACE, path);
}

fz_status fz_import_begin(fz_import *in, const char *path, const fz_import_options *options,
                          fz_trace_report *report, fz_error *err)
{
    *in = (fz_import){.path = path, .cpu_jobs = options->cpu_jobs, .latest = -1};
    in->lines = options->lines;
    in->rejected = options->rejected;
    in->policy = options->bad_rows != FZ_BAD_ROWS_DEFAULT ? options->bad_rows : FZ_BAD_ROWS_DROP;
    in->report = report != NULL ? report : &in->own;
    *in->report = (fz_trace_report){0};
    in->builder = fz_trace_builder_new();
    return in->builder != NULL ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory to read %s", path);
}

fz_status fz_import_open(fz_import *in, const char *path, const fz_csv_options *csv,
                         const fz_import_options *options, fz_trace_report *report, fz_error *err)
{
    FZ_TRY(fz_import_begin(in, path, options, report, err));
    const fz_bundled *bundled = fz_import_bundled(path);
    fz_status status = bundled != NULL ? fz_csv_open_bytes(bundled->file, bundled->bytes, bundled->length,
                                                           csv, &in->csv, err)
                                       : fz_csv_open(path, csv, &in->csv, err);
    if (status != FZ_OK)
        fz_trace_builder_free(in->builder);
    else
        in->path = fz_csv_path(in->csv);
    return status;
}

void fz_import_close(fz_import *in)
{
    fz_csv_close(in->csv);
    fz_trace_builder_free(in->builder);
}

fz_status fz_import_next(fz_import *in, const fz_csv_field **fields, uint32_t *n_fields, fz_error *err)
{
    in->skip = false;
    in->id_field = in->gpus_field = NULL;
    FZ_TRY(fz_csv_next(in->csv, fields, n_fields, err));
    in->report->rows_read += *fields != NULL;
    in->fields = *fields;
    in->n_fields = *n_fields;
    return FZ_OK;
}

void fz_import_row(fz_import *in, uint32_t line)
{
    in->skip = false;
    in->id_field = in->gpus_field = NULL;
    in->line = line;
    in->report->rows_read++;
}

uint32_t fz_import_line(const fz_import *in)
{
    return in->csv != NULL ? fz_csv_line(in->csv) : in->line;
}

static fz_status fail_at(const fz_import *in, const fz_csv_field *field, fz_error *err, const char *format,
                         va_list args)
{
    char message[sizeof err->message];
    (void)vsnprintf(message, sizeof message, format, args);
    if (in->csv != NULL)
        return fz_csv_fail(in->csv, field, err, "%s", message);
    return fz_fail_at(err, FZ_EPARSE, in->path, in->line, field != NULL ? field->column : 1, "%s", message);
}

fz_status fz_import_fail(const fz_import *in, const fz_csv_field *field, fz_error *err, const char *format,
                         ...)
{
    va_list args;
    va_start(args, format);
    fz_status status = fail_at(in, field, err, format, args);
    va_end(args);
    return status;
}

/* ---- bad rows -------------------------------------------------------------------------------------- */

static void leave_out(fz_import *in, const char *cause, const char *reason)
{
    fz_trace_report_add(in->report, cause, 'd', fz_import_line(in));
    if (in->rejected != NULL)
        fz_rejected_add(in->rejected, in->path, fz_import_line(in), reason, in->fields, in->n_fields);
    in->skip = true;
}

static fz_status bad_row(fz_import *in, const fz_csv_field *field, const char *cause, fz_error *err,
                         const char *format, va_list args)
{
    if (in->policy == FZ_BAD_ROWS_FAIL)
        return fail_at(in, field, err, format, args);
    char reason[sizeof err->message];
    (void)vsnprintf(reason, sizeof reason, format, args);
    leave_out(in, cause, reason);
    return FZ_OK;
}

void fz_import_skip(fz_import *in, const char *cause)
{
    leave_out(in, cause, cause);
}

fz_status fz_import_drop(fz_import *in, const fz_csv_field *field, const char *cause, fz_error *err,
                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fz_status status = bad_row(in, field, cause, err, format, args);
    va_end(args);
    return status;
}

fz_status fz_import_clamp(fz_import *in, const fz_csv_field *field, const char *cause, bool *change,
                          fz_error *err, const char *format, ...)
{
    *change = in->policy == FZ_BAD_ROWS_CLAMP;
    if (*change) {
        fz_import_changed(in, cause);
        return FZ_OK;
    }
    va_list args;
    va_start(args, format);
    fz_status status = bad_row(in, field, cause, err, format, args);
    va_end(args);
    return status;
}

void fz_import_note(fz_import *in, const char *cause)
{
    fz_trace_report_add(in->report, cause, 'n', fz_import_line(in));
}

void fz_import_changed(fz_import *in, const char *cause)
{
    fz_trace_report_add(in->report, cause, 'c', fz_import_line(in));
}

/* ---- values ---------------------------------------------------------------------------------------- */

static fz_status bad_number(fz_import *in, const fz_csv_field *field, const char *what,
                            fz_number_result result, const char *expected, fz_error *err)
{
    const char *cause = result == FZ_NUMBER_LARGE      ? "an absurd size"
                        : result == FZ_NUMBER_NEGATIVE ? "a negative number"
                        : result == FZ_NUMBER_FRACTION ? "a fraction where a whole number belongs"
                                                       : "text where a number belongs";
    return fz_import_drop(in, field, cause, err, "%s: '%.60s' %s; %s", what, field->text,
                          fz_number_problem(result), expected);
}

fz_status fz_import_point(fz_import *in, const fz_csv_field *field, const char *what, fz_time *out,
                          fz_error *err)
{
    if (field->length == 0)
        return FZ_OK;
    fz_number_result result = fz_number_time(field->text, field->length, out);
    return result == FZ_NUMBER_OK ? FZ_OK
                                  : bad_number(in, field, what, result, "decimal seconds are expected", err);
}

fz_status fz_import_time(fz_import *in, const fz_csv_field *field, const char *what, bool zero, fz_time *out,
                         fz_error *err)
{
    fz_time t = *out;
    bool change = false;
    FZ_TRY(fz_import_point(in, field, what, &t, err));
    if (field->length == 0 || in->skip)
        return FZ_OK;
    if (t < 0 && zero)
        FZ_TRY(fz_import_clamp(in, field, "a negative time", &change, err,
                               "%s: '%.60s' is negative; seconds from the epoch are expected", what,
                               field->text));
    else if (t < 0)
        FZ_TRY(fz_import_drop(in, field, "a negative time", err,
                              "%s: '%.60s' is negative; seconds of at least 0 are expected", what,
                              field->text));
    *out = change ? 0 : t;
    return FZ_OK;
}

static fz_status read_fraction(fz_import *in, const fz_csv_field *field, const char *what, fz_trace_row *row,
                               fz_error *err)
{
    double value = 0;
    fz_number_result result = fz_number_real(field->text, field->length, &value);
    if (result == FZ_NUMBER_OK && value > FZ_IMPORT_MAX_GPUS)
        result = FZ_NUMBER_LARGE;
    if (result != FZ_NUMBER_OK)
        return bad_number(in, field, what, result, "a number of GPUs is expected", err);
    row->req_gpus_exact = value;
    row->req_gpus = (uint32_t)ceil(value);
    return FZ_OK;
}

fz_status fz_import_gpus(fz_import *in, const fz_csv_field *field, const char *what, fz_trace_row *row,
                         fz_error *err)
{
    if (field->length == 0)
        return FZ_OK;
    uint64_t gpus = 0;
    in->gpus_field = field;
    fz_number_result result = fz_number_count(field->text, field->length, FZ_IMPORT_MAX_GPUS, &gpus);
    if (result == FZ_NUMBER_FRACTION)
        return read_fraction(in, field, what, row, err);
    if (result != FZ_NUMBER_OK)
        return bad_number(in, field, what, result, "a number of GPUs is expected", err);
    row->req_gpus = (uint32_t)gpus;
    row->cpu_only = gpus == 0;
    if (row->cpu_only && !in->cpu_jobs)
        fz_import_skip(in, "no GPU asked for");
    return FZ_OK;
}

fz_status fz_import_count(fz_import *in, const fz_csv_field *field, const char *what, uint64_t max,
                          uint64_t *out, fz_error *err)
{
    if (field->length == 0)
        return FZ_OK;
    uint64_t value = 0;
    fz_number_result result = fz_number_count(field->text, field->length, max, &value);
    if (result != FZ_NUMBER_OK)
        return bad_number(in, field, what, result, "a whole number is expected", err);
    *out = value;
    return FZ_OK;
}

fz_status fz_import_number(fz_import *in, const fz_csv_field *field, const char *what, double max,
                           double *out, fz_error *err)
{
    if (field->length == 0)
        return FZ_OK;
    double value = 0;
    fz_number_result result = fz_number_real(field->text, field->length, &value);
    if (result == FZ_NUMBER_OK && value < 0)
        result = FZ_NUMBER_NEGATIVE;
    if (result == FZ_NUMBER_OK && value > max)
        result = FZ_NUMBER_LARGE;
    if (result != FZ_NUMBER_OK)
        return bad_number(in, field, what, result, "a number of at least 0 is expected", err);
    *out = value;
    return FZ_OK;
}
