#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/number.h"
#include "workloads/canonical_columns.h"
#include "workloads/ops/change.h"
#include "workloads/ops/rewrite.h"

typedef enum comparison { EQUAL, DIFFERENT, LESS, AT_MOST, MORE, AT_LEAST } comparison;

/* Longer ones first, so that <= is not read as <. */
static const struct {
    const char *text;
    comparison how;
} operators[] = {{"!=", DIFFERENT}, {"<=", AT_MOST}, {">=", AT_LEAST},
                 {"=", EQUAL},      {"<", LESS},     {">", MORE}};

typedef struct condition {
    const fz_column *column; /* NULL: an extra */
    const fz_text_id *extra; /* values of the extra; NULL: no job has any */
    comparison how;
    const char *value;
    double number;
    bool is_number; /* the value */
} condition;

typedef struct filter {
    const fz_trace *trace;
    condition *conditions;
    uint32_t n;
} filter;

/* ---- reading a condition --------------------------------------------------------------------------- */

static const fz_column *column_named(const char *name)
{
    for (uint32_t i = 0; i < fz_canonical_n_columns; i++)
        if (strcmp(fz_canonical_columns[i].name, name) == 0)
            return &fz_canonical_columns[i];
    return NULL;
}

/* By its name, or without req_ in front, or without _s behind. */
static const fz_column *column_find(const char *name)
{
    char longer[80];
    const fz_column *column = column_named(name);
    (void)snprintf(longer, sizeof longer, "req_%.60s", name);
    if (column == NULL)
        column = column_named(longer);
    (void)snprintf(longer, sizeof longer, "%.60s_s", name);
    return column != NULL ? column : column_named(longer);
}

static const fz_text_id *extra_find(const fz_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->n_extras; i++)
        if (strcmp(trace->extras[i].name, name) == 0)
            return trace->extras[i].values;
    return NULL;
}

static bool is_text(const condition *c)
{
    return c->column != NULL &&
           (c->column->kind == FZ_COLUMN_ID || c->column->kind == FZ_COLUMN_TEXT ||
            c->column->kind == FZ_COLUMN_STATE || c->column->kind == FZ_COLUMN_EXTRA_TEXT);
}

static fz_status value_check(const char *text, condition *c, fz_error *err)
{
    fz_trace_state state;
    bool order = c->how != EQUAL && c->how != DIFFERENT;
    size_t length = strlen(c->value);
    c->is_number = length > 0 && fz_number_real(c->value, length, &c->number) == FZ_NUMBER_OK;
    if (is_text(c) && order)
        return fz_fail(err, FZ_EINVAL, "'%.100s': %s is a text; only = and != are possible", text,
                       c->column->name);
    if (c->column != NULL && c->column->kind == FZ_COLUMN_STATE && length > 0 &&
        !fz_trace_state_parse(c->value, &state)) {
        const char *near = fz_trace_state_suggest(c->value);
        return fz_fail(err, FZ_EINVAL, "'%.100s': there is no state '%.40s'%s%s%s", text, c->value,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "");
    }
    bool wants_number = order || (c->column != NULL && !is_text(c) && length > 0);
    if (wants_number && !c->is_number)
        return fz_fail(err, FZ_EINVAL, "'%.100s': '%.40s' is not a number", text, c->value);
    return FZ_OK;
}

static fz_status condition_read(const fz_trace *trace, const char *text, condition *c, fz_error *err)
{
    char name[64];
    size_t length = strcspn(text, "=!<>");
    size_t op = 0, n_ops = sizeof operators / sizeof *operators;
    while (op < n_ops && strncmp(text + length, operators[op].text, strlen(operators[op].text)) != 0)
        op++;
    if (length == 0 || length >= sizeof name || op == n_ops)
        return fz_fail(err, FZ_EINVAL,
                       "'%.100s' is no condition; such as gpus>=8, vc=a or state!=FAILED is expected", text);
    memcpy(name, text, length);
    name[length] = '\0';
    c->how = operators[op].how;
    c->value = text + length + strlen(operators[op].text);
    c->column = column_find(name);
    bool extra =
        c->column == NULL || c->column->kind >= FZ_COLUMN_EXTRA_TEXT || c->column->kind == FZ_COLUMN_TOKENS;
    if (extra)
        c->extra = extra_find(trace, c->column != NULL ? c->column->name : name);
    if (c->column == NULL && c->extra == NULL) {
        const char *near = fz_canonical_suggest_column(name);
        return fz_fail(err, FZ_EINVAL, "'%.100s': there is no column '%s'%s%s%s", text, name,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "");
    }
    return value_check(text, c, err);
}

/* ---- values of a job ------------------------------------------------------------------------------- */

static const void *data_of(const fz_trace *trace, const fz_column *column)
{
    const void *data = NULL;
    memcpy(&data, (const char *)trace + column->in_trace, sizeof data);
    return data;
}

static const char *text_value(const filter *f, const condition *c, uint32_t job)
{
    if (c->column == NULL || c->column->kind >= FZ_COLUMN_EXTRA_TEXT || c->column->kind == FZ_COLUMN_TOKENS)
        return c->extra != NULL ? f->trace->texts[c->extra[job]] : "";
    if (c->column->kind == FZ_COLUMN_ID)
        return fz_trace_job_id(f->trace, job);
    const void *data = data_of(f->trace, c->column);
    if (data == NULL)
        return "";
    if (c->column->kind == FZ_COLUMN_STATE)
        return fz_trace_state_text((fz_trace_state)((const uint8_t *)data)[job]);
    return f->trace->texts[((const fz_text_id *)data)[job]];
}

/* A time, a count or a number; false: the job has none. */
static bool number_value(const filter *f, const fz_column *column, uint32_t job, double *out)
{
    const void *data = data_of(f->trace, column);
    bool cpu = f->trace->cpu_only != NULL && f->trace->cpu_only[job] != 0;
    if (column->kind == FZ_COLUMN_GPUS) {
        *out = fz_trace_gpus(f->trace, job);
        return cpu || *out > 0;
    }
    if (data == NULL)
        return false;
    if (column->kind == FZ_COLUMN_SUBMIT || column->kind == FZ_COLUMN_TIME ||
        column->kind == FZ_COLUMN_POINT) {
        fz_time t = ((const fz_time *)data)[job];
        *out = fz_time_to_s(t);
        return t != FZ_TIME_NONE;
    }
    if (column->kind == FZ_COLUMN_COUNT32)
        *out = ((const uint32_t *)data)[job];
    else if (column->kind == FZ_COLUMN_COUNT64)
        *out = (double)((const uint64_t *)data)[job];
    else if (column->kind == FZ_COLUMN_GIB)
        *out = (double)((const uint64_t *)data)[job] / (double)FZ_GIB;
    else
        *out = ((const double *)data)[job];
    return *out > 0;
}

static bool compare(comparison how, double a, double b)
{
    bool less = a<b, more = a> b;
    switch (how) {
    case EQUAL:
        return !less && !more;
    case DIFFERENT:
        return less || more;
    case LESS:
        return less;
    case AT_MOST:
        return !more;
    case MORE:
        return more;
    case AT_LEAST:
        break;
    }
    return !less;
}

static bool holds(const filter *f, const condition *c, uint32_t job)
{
    double number = 0;
    bool own_text = is_text(c), kept_text = c->column == NULL || c->column->kind >= FZ_COLUMN_EXTRA_TEXT ||
                                            c->column->kind == FZ_COLUMN_TOKENS;
    const char *text = own_text || kept_text ? text_value(f, c, job) : "";
    bool known = own_text || kept_text ? text[0] != '\0' : number_value(f, c->column, job, &number);
    if (c->value[0] == '\0')
        return known == (c->how == DIFFERENT);
    if (!known)
        return false;
    if (kept_text && !own_text && c->is_number && fz_number_real(text, strlen(text), &number) == FZ_NUMBER_OK)
        return compare(c->how, number, c->number);
    if (own_text || kept_text)
        return c->how == EQUAL || c->how == DIFFERENT ? (strcmp(text, c->value) == 0) == (c->how == EQUAL)
                                                      : false;
    return compare(c->how, number, c->number);
}

static fz_status filter_job(void *context, uint32_t job, fz_trace_row *row, bool *keep, fz_error *err)
{
    const filter *f = context;
    (void)row;
    (void)err;
    for (uint32_t i = 0; i < f->n && *keep; i++)
        *keep = holds(f, &f->conditions[i], job);
    return FZ_OK;
}

static void history_make(char *text, size_t size, const char *const *conditions, uint32_t n)
{
    size_t length = (size_t)snprintf(text, size, "trace filter");
    for (uint32_t i = 0; i < n && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, " --where %s", conditions[i]);
}

fz_status fz_trace_filter(const fz_trace *trace, const char *const *conditions, uint32_t n, fz_trace **out,
                          fz_error *err)
{
    char history[400];
    filter f = {.trace = trace, .conditions = calloc((size_t)n + 1, sizeof *f.conditions), .n = n};
    fz_status status = FZ_OK;
    if (f.conditions == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u conditions", n);
    for (uint32_t i = 0; i < n && status == FZ_OK; i++)
        status = condition_read(trace, conditions[i], &f.conditions[i], err);
    history_make(history, sizeof history, conditions, n);
    fz_rewrite edit = {.context = &f, .job = filter_job, .history = history};
    if (status == FZ_OK)
        status = fz_trace_rewrite(trace, &edit, out, err);
    free(f.conditions);
    return status;
}
