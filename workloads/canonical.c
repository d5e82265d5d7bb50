#include "workloads/canonical.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/canonical_columns.h"
#include "workloads/durations.h"
#include "workloads/import.h"

/* Limits beyond which a size is taken for a mistake. */
#define MAX_STEPS 1e15
#define MAX_GIB   1e9
#define MAX_CPUS  1e9
#define MAX_BATCH ((uint64_t)1 << 40)
#define MAX_SEQ   ((uint64_t)1 << 31)
#define MAX_EXTRA 1e18

typedef struct reader {
    fz_import in;
    uint32_t n_columns;
    const fz_column **columns; /* of the file; NULL: x_* */
    double tokens;             /* of the current row; 0: none */
} reader;

/* ---- header ---------------------------------------------------------------------------------------- */

static const fz_column *column_find(const char *name)
{
    for (uint32_t i = 0; i < fz_canonical_n_columns; i++)
        if (strcmp(fz_canonical_columns[i].name, name) == 0)
            return &fz_canonical_columns[i];
    return NULL;
}

static fz_status column_unknown(const reader *r, uint32_t column, fz_error *err)
{
    const char *name = fz_csv_column_name(r->in.csv, column), *near = fz_canonical_suggest_column(name);
    const fz_csv_field *field = fz_csv_column_field(r->in.csv, column);
    if (near != NULL)
        return fz_csv_fail(r->in.csv, field, err,
                           "unknown column '%.60s'; did you mean '%s'? (columns of your own begin with x_)",
                           name, near);
    return fz_csv_fail(r->in.csv, field, err, "unknown column '%.60s'; columns of your own begin with x_",
                       name);
}

static fz_status columns_find(reader *r, fz_error *err)
{
    fz_csv *csv = r->in.csv;
    if (fz_csv_n_columns(csv) == 1 && strpbrk(fz_csv_column_name(csv, 0), ";\t") != NULL)
        return fz_csv_fail(csv, NULL, err, "the columns seem to be separated by %s; commas are expected",
                           strchr(fz_csv_column_name(csv, 0), ';') != NULL ? "semicolons" : "tabs");
    if (fz_csv_find_column(csv, "submit_s") < 0)
        return fz_csv_fail(csv, NULL, err,
                           "there is no column submit_s; a header line such as "
                           "job_id,submit_s,duration_s,req_gpus is expected");
    r->n_columns = fz_csv_n_columns(csv);
    r->columns = calloc(r->n_columns, sizeof(fz_column *));
    if (r->columns == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u columns", r->n_columns);
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const char *name = fz_csv_column_name(csv, i);
        r->columns[i] = column_find(name);
        if (r->columns[i] == NULL && strncmp(name, "x_", 2) != 0)
            return column_unknown(r, i, err);
    }
    return FZ_OK;
}

/* `key: value`; other comments say nothing to us. */
static fz_status header_line(reader *r, uint32_t index, fz_error *err)
{
    const char *line = fz_csv_comment(r->in.csv, index);
    char key[64];
    const char *colon = strchr(line, ':'), *value = colon != NULL ? colon + 1 : "";
    size_t length = colon != NULL ? (size_t)(colon - line) : 0;
    if (length == 0 || length >= sizeof key || memchr(line, ' ', length) != NULL)
        return FZ_OK;
    memcpy(key, line, length);
    key[length] = '\0';
    value += strspn(value, " \t");
    if (strcmp(key, "frenzy-trace") != 0)
        return fz_trace_builder_header(r->in.builder, key, value, err);
    if (strcmp(value, "1") == 0)
        return FZ_OK;
    fz_place place = fz_csv_comment_place(r->in.csv, index);
    return fz_fail_at(err, FZ_EUNSUPPORTED, fz_csv_path(r->in.csv), place.line, place.column,
                      "this is version '%.20s' of the trace format; this program reads version 1", value);
}

static fz_status header_read(reader *r, fz_error *err)
{
    for (uint32_t i = 0; i < fz_csv_n_comments(r->in.csv); i++)
        FZ_TRY(header_line(r, i, err));
    return columns_find(r, err);
}

/* ---- cells ----------------------------------------------------------------------------------------- */

static fz_status read_gib(fz_import *in, const fz_csv_field *field, const char *name, uint64_t *out,
                          fz_error *err)
{
    double gib = 0;
    FZ_TRY(fz_import_number(in, field, name, MAX_GIB, &gib, err));
    if (!in->skip)
        *out = (uint64_t)round(gib * (double)FZ_GIB);
    return FZ_OK;
}

static fz_status read_state(fz_import *in, const fz_csv_field *field, fz_trace_state *out, fz_error *err)
{
    if (fz_trace_state_parse(field->text, out))
        return FZ_OK;
    const char *near = fz_trace_state_suggest(field->text);
    return fz_import_drop(in, field, "an unknown state", err, "state: '%.60s' is unknown%s%s%s", field->text,
                          near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                          near != NULL ? "'?" : "");
}

static fz_status read_count32(fz_import *in, const fz_csv_field *field, const char *name, uint32_t *out,
                              fz_error *err)
{
    uint64_t value = 0;
    FZ_TRY(fz_import_count(in, field, name, MAX_SEQ, &value, err));
    *out = (uint32_t)value;
    return FZ_OK;
}

static fz_status read_durations(fz_import *in, const fz_csv_field *field, const char **out, fz_error *err)
{
    const char *fault = fz_durations_fault(field->text);
    if (fault != NULL)
        return fz_import_drop(in, field, "a list of run times that cannot be read", err,
                              "durations_s: '%.60s': %s", field->text, fault);
    *out = field->text;
    return FZ_OK;
}

/* Kept as text: only looked at. */
static fz_status check_extra(fz_import *in, const fz_csv_field *field, const fz_column *column, fz_error *err)
{
    double number = 0;
    uint64_t whole = 0;
    if (column->kind == FZ_COLUMN_EXTRA_NUMBER)
        return fz_import_number(in, field, column->name, MAX_EXTRA, &number, err);
    if (column->kind == FZ_COLUMN_EXTRA_WHOLE)
        return fz_import_count(in, field, column->name, UINT32_MAX, &whole, err);
    if (column->kind == FZ_COLUMN_EXTRA_FLAG)
        return fz_import_count(in, field, column->name, 1, &whole, err);
    return FZ_OK;
}

static fz_status read_work_kind(fz_import *in, const fz_csv_field *field, fz_work_kind *out, fz_error *err)
{
    static const struct {
        const char *name;
        fz_work_kind work;
    } kinds[] = {{"duration", FZ_WORK_UNSAID},
                 {"tokens", FZ_WORK_UNSAID},
                 {"steps", FZ_WORK_STEPS},
                 {"target", FZ_WORK_TARGET}};
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(field->text, kinds[i].name) == 0) {
            *out = kinds[i].work;
            return FZ_OK;
        }
    }
    return fz_import_drop(in, field, "an unknown work_kind", err,
                          "work_kind: '%.60s' is unknown; duration, steps, tokens or target is expected",
                          field->text);
}

static fz_status read_cell(reader *r, const fz_csv_field *field, const fz_column *column, fz_trace_row *row,
                           fz_error *err)
{
    fz_import *in = &r->in;
    void *at = (char *)row + column->in_row;
    switch (column->kind) {
    case FZ_COLUMN_ID:
        row->job_id = field->text;
        in->id_field = field;
        return FZ_OK;
    case FZ_COLUMN_SUBMIT:
        return fz_import_time(in, field, column->name, true, at, err);
    case FZ_COLUMN_TIME:
        return fz_import_time(in, field, column->name, false, at, err);
    case FZ_COLUMN_POINT:
        return fz_import_point(in, field, column->name, at, err);
    case FZ_COLUMN_GPUS:
        return fz_import_gpus(in, field, column->name, row, err);
    case FZ_COLUMN_COUNT32:
        return read_count32(in, field, column->name, at, err);
    case FZ_COLUMN_COUNT64:
        return fz_import_count(in, field, column->name, MAX_BATCH, at, err);
    case FZ_COLUMN_NUMBER:
        return fz_import_number(in, field, column->name, MAX_CPUS, at, err);
    case FZ_COLUMN_STEPS:
        return fz_import_number(in, field, column->name, MAX_STEPS, at, err);
    case FZ_COLUMN_TOKENS:
        return fz_import_number(in, field, column->name, MAX_EXTRA, &r->tokens, err);
    case FZ_COLUMN_GIB:
        return read_gib(in, field, column->name, at, err);
    case FZ_COLUMN_TEXT:
        *(const char **)at = field->text;
        return FZ_OK;
    case FZ_COLUMN_DURATIONS:
        return read_durations(in, field, at, err);
    case FZ_COLUMN_STATE:
        return read_state(in, field, at, err);
    case FZ_COLUMN_EXTRA_WORK:
        return read_work_kind(in, field, &row->work, err);
    case FZ_COLUMN_EXTRA_TEXT:
    case FZ_COLUMN_EXTRA_WHOLE:
    case FZ_COLUMN_EXTRA_NUMBER:
    case FZ_COLUMN_EXTRA_FLAG:
        break;
    }
    return check_extra(in, field, column, err);
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* Tokens are steps x global_batch x seq_len. What cannot be turned into steps stays in r->tokens. */
static fz_status tokens_to_steps(reader *r, fz_trace_row *row, fz_error *err)
{
    double tokens = r->tokens, per_step = (double)row->global_batch * row->seq_len;
    if (tokens <= 0 || per_step <= 0)
        return FZ_OK;
    r->tokens = 0;
    if (row->steps <= 0) {
        row->steps = tokens / per_step;
    } else if (fabs(row->steps * per_step - tokens) > tokens / 1000) {
        return fz_import_drop(&r->in, NULL, "tokens that contradict steps", err,
                              "tokens is %.6g, but steps x global_batch x seq_len is %.6g; leave one out",
                              tokens, row->steps * per_step);
    }
    return FZ_OK;
}

/* Every extra column on every row, so that their order is that of the file. */
static fz_status extras_add(reader *r, const fz_csv_field *fields, fz_error *err)
{
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const fz_column *column = r->columns[i];
        bool tokens = column != NULL && column->kind == FZ_COLUMN_TOKENS;
        if (column != NULL && column->kind < FZ_COLUMN_EXTRA_TEXT && !tokens)
            continue;
        FZ_TRY(fz_trace_builder_extra(r->in.builder, fz_csv_column_name(r->in.csv, i),
                                      tokens && r->tokens <= 0 ? "" : fields[i].text, err));
    }
    return FZ_OK;
}

static fz_status read_row(reader *r, const fz_csv_field *fields, fz_error *err)
{
    fz_trace_row row = fz_trace_row_blank();
    r->tokens = 0;
    for (uint32_t i = 0; i < r->n_columns && !r->in.skip; i++)
        if (r->columns[i] != NULL && fields[i].length > 0)
            FZ_TRY(read_cell(r, &fields[i], r->columns[i], &row, err));
    if (!r->in.skip)
        FZ_TRY(tokens_to_steps(r, &row, err));
    if (!r->in.skip)
        FZ_TRY(fz_import_add(&r->in, &row, err));
    return r->in.skip ? FZ_OK : extras_add(r, fields, err);
}

static fz_status read_all(reader *r, fz_trace **out, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    FZ_TRY(header_read(r, err));
    for (;;) {
        FZ_TRY(fz_import_next(&r->in, &fields, &n_fields, err));
        if (fields == NULL)
            return fz_import_finish(&r->in, NULL, out, err);
        FZ_TRY(read_row(r, fields, err));
    }
}

fz_status fz_trace_read_with(const char *path, const fz_import_options *options, fz_trace **out,
                             fz_trace_report *report, fz_error *err)
{
    reader r = {0};
    fz_import_options strict = *options;
    if (strict.bad_rows == FZ_BAD_ROWS_DEFAULT)
        strict.bad_rows = FZ_BAD_ROWS_FAIL;
    FZ_TRY(fz_import_open(&r.in, path, NULL, &strict, report, err));
    fz_status status = read_all(&r, out, err);
    free(r.columns);
    fz_import_close(&r.in);
    return status;
}

fz_status fz_trace_read(const char *path, fz_bad_rows bad_rows, fz_trace **out, fz_trace_report *report,
                        fz_error *err)
{
    fz_import_options options = {.bad_rows = bad_rows};
    return fz_trace_read_with(path, &options, out, report, err);
}
