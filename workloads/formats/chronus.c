/* Chronus (SoCC 2021): `job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,
 * expect_time_list,expect_value_list,best_effort,job_type`.
 *
 * Times are whole minutes. expect_time_list counts from the submission: one deadline, or several joined by '-'
 * whose values fall (soft deadlines); the first becomes deadline_s, all of them value_curve. Best-effort jobs hold
 * their submit time in its place, so they have no deadline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/formats/formats.h"

enum {
    JOB_ID,
    USER,
    NUM_GPU,
    SUBMIT,
    DURATION,
    EXPECT_TIME,
    EXPECT_VALUE,
    JOB_TYPE,
    N_REQUIRED,
    ITERATIONS = N_REQUIRED,
    MODEL,
    BEST_EFFORT,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {"job_id",
                                             "user",
                                             "num_gpu",
                                             "submit_time",
                                             "duration",
                                             "expect_time_list",
                                             "expect_value_list",
                                             "job_type",
                                             "iterations",
                                             "model_name",
                                             "best_effort"};

enum { MINUTE = 60, CURVE_TEXT = 512 };
static const int64_t max_minutes = FZ_TIME_LIMIT / FZ_SECOND / MINUTE / 4;

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length,
                      "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval");
}

static fz_status read_minutes(fz_import *in, const fz_csv_field *field, const char *what, bool zero,
                              fz_time *out, fz_error *err)
{
    FZ_TRY(fz_import_time(in, field, what, zero, out, err));
    if (in->skip || *out == FZ_TIME_NONE)
        return FZ_OK;
    if (*out > max_minutes * FZ_SECOND)
        return fz_import_drop(in, field, "a time out of range", err, "%s '%.60s' is no number of minutes",
                              what, field->text);
    *out *= MINUTE;
    return FZ_OK;
}

/* One number of a list joined by '-'; *at moves behind it. */
static bool take(const char **at, double *value)
{
    char *end = NULL;
    *value = strtod(*at, &end);
    bool good = end != *at && *value >= 0 && *value <= (double)max_minutes && (*end == '\0' || *end == '-');
    *at = good && *end == '-' ? end + 1 : end;
    return good;
}

/* `s:value;s:value` of the two lists; false unless they are lists of the same length. */
static bool curve_read(const char *times, const char *values, char text[CURVE_TEXT], fz_time *first)
{
    size_t length = 0;
    double t = 0, value = 0;
    *first = FZ_TIME_NONE;
    do {
        if (!take(&times, &t) || !take(&values, &value) || (*times == '\0') != (*values == '\0'))
            return false;
        if (*first == FZ_TIME_NONE)
            *first = (fz_time)(t * MINUTE * FZ_SECOND);
        int n = snprintf(text + length, CURVE_TEXT - length, "%s%.10g:%.10g", length > 0 ? ";" : "",
                         t * MINUTE, value);
        if (n < 0 || (size_t)n >= CURVE_TEXT - length)
            return false;
        length += (size_t)n;
    } while (*times != '\0');
    return true;
}

static void read_deadline(fz_table *t, fz_trace_row *row, char curve[CURVE_TEXT])
{
    fz_time first = FZ_TIME_NONE;
    if (!curve_read(t->cells[EXPECT_TIME]->text, t->cells[EXPECT_VALUE]->text, curve, &first)) {
        fz_import_note(&t->in, "lists of deadlines that cannot be read");
        curve[0] = '\0';
        return;
    }
    if (first < row->duration)
        fz_import_note(&t->in, "a deadline below the run time");
    if (strcmp(t->cells[JOB_TYPE]->text, "best") == 0)
        curve[0] = '\0';
    else
        row->deadline = row->submit + first;
}

static fz_status add_extras(fz_table *t, const char *curve, fz_error *err)
{
    fz_trace_builder *builder = t->in.builder;
    FZ_TRY(fz_trace_builder_extra(builder, "value_curve", curve, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_job_type", t->cells[JOB_TYPE]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_best_effort", t->cells[BEST_EFFORT]->text, err));
    FZ_TRY(fz_trace_builder_extra(builder, "x_expect_time_list_min", t->cells[EXPECT_TIME]->text, err));
    return fz_trace_builder_extra(builder, "x_expect_value_list", t->cells[EXPECT_VALUE]->text, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    fz_import *in = &t->in;
    char curve[CURVE_TEXT] = "";
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[JOB_ID]->text;
    in->id_field = t->cells[JOB_ID];
    row.user = row.vc = t->cells[USER]->text;
    row.model = t->cells[MODEL]->text;
    FZ_TRY(fz_import_gpus(in, t->cells[NUM_GPU], "num_gpu", &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, t->cells[ITERATIONS], "iterations", 1e15, &row.steps, err));
    if (!in->skip)
        FZ_TRY(read_minutes(in, t->cells[SUBMIT], "submit_time", true, &row.submit, err));
    if (!in->skip)
        FZ_TRY(read_minutes(in, t->cells[DURATION], "duration", false, &row.duration, err));
    if (in->skip)
        return FZ_OK;
    if (row.submit != FZ_TIME_NONE && row.duration != FZ_TIME_NONE)
        read_deadline(t, &row, curve);
    FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : add_extras(t, curve, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    return fz_import_relative_clock_end(&t->in, err);
}

static fz_status chronus_read(const char *path, const fz_import_options *options, fz_trace **out,
                              fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "chronus",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .row = read_row,
                                           .end = end};
    fz_table t = {0};
    return fz_table_read(&t, &format, path, options, out, report, err);
}

const fz_trace_format fz_format_chronus = {
    .name = "chronus",
    .summary = "Chronus 2021, times in minutes (job_id,user,num_gpu,...,expect_time_list,...)",
    .probe = probe,
    .read = chronus_read,
};
