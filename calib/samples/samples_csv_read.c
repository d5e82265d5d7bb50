#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calib/samples/fields.h"
#include "calib/samples/samples_csv.h"
#include "core/support/csv.h"
#include "core/support/number.h"

/* Limits, so that a file cannot ask for any amount of memory. */
enum { POINTS_MAX = 20000, SECONDS_MAX = 20000000, ENV_MAX = 1000000, COLUMNS_MAX = 64 };

typedef struct reader {
    fz_csv *csv;
    fz_arena *arena;
    fz_samples *out;
    fz_error *err;
    uint32_t points_capacity, seconds_capacity, env_capacity, facts_capacity;
    const fz_field *fields[COLUMNS_MAX]; /* of a point, by column; NULL: another column */
    int rep, seconds, dropped;           /* columns; -1: absent */
    bool has_seq;
    uint64_t last_rep;
} reader;

static fz_status out_of_memory(fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "out of memory");
}

/* `array` with room for one more of `size` bytes; the arena keeps what was outgrown. NULL: out of memory. */
static void *with_room(fz_arena *arena, void *array, uint32_t n, uint32_t *capacity, size_t size)
{
    if (n < *capacity)
        return array;
    uint32_t grown = *capacity == 0 ? 64 : 2 * *capacity;
    void *copy = fz_arena_alloc(arena, grown, size);
    if (copy == NULL)
        return NULL;
    if (n > 0)
        memcpy(copy, array, n * size);
    *capacity = grown;
    return copy;
}

/* ---- a value out of text -------------------------------------------------------------------------------- */

/* Where a text stands, for messages. */
typedef struct place {
    const char *file;
    uint32_t line, column;
} place;

static fz_status set_number(const fz_field *field, void *object, const char *text, size_t length, place at,
                            fz_error *err)
{
    double real = 0;
    uint64_t whole = 0;
    bool is_real = field->kind == FZ_FIELD_REAL;
    fz_number_result result = is_real ? fz_number_real(text, length, &real)
                                      : fz_number_count(text, length, fz_field_max(field), &whole);
    if (result != FZ_NUMBER_OK)
        return fz_fail_at(err, FZ_EPARSE, at.file, at.line, at.column, "%s: '%.*s' %s; a %s is expected",
                          field->name, (int)(length < 60 ? length : 60), text, fz_number_problem(result),
                          is_real ? "decimal number" : "whole number");
    if (is_real)
        fz_field_set_real(field, object, real);
    else
        fz_field_set_integer(field, object, (int64_t)whole);
    return FZ_OK;
}

static fz_status set_value(reader *r, const fz_field *field, void *object, const char *text, size_t length,
                           place at)
{
    if (length == 0)
        return FZ_OK;
    if (field->kind != FZ_FIELD_TEXT)
        return set_number(field, object, text, length, at, r->err);
    const char *copy = fz_arena_strndup(r->arena, text, length);
    if (copy == NULL)
        return out_of_memory(r->err);
    fz_field_set_text(field, object, copy);
    return FZ_OK;
}

/* ---- lines before the header ---------------------------------------------------------------------------- */

static fz_status read_env(reader *r, const char *text, place at)
{
    fz_samples *out = r->out;
    fz_field_list list = fz_env_fields();
    if (out->n_env == ENV_MAX)
        return fz_fail_at(r->err, FZ_EPARSE, at.file, at.line, at.column, "more than %d samples of env",
                          ENV_MAX);
    out->env = with_room(r->arena, out->env, out->n_env, &r->env_capacity, sizeof *out->env);
    if (out->env == NULL)
        return out_of_memory(r->err);
    fz_env_sample *sample = &out->env[out->n_env++];
    fz_fields_forget(list, sample);
    for (uint32_t i = 0; i < list.n; i++) {
        size_t length = strcspn(text, ",");
        FZ_TRY(set_value(r, &list.fields[i], sample, text, length, at));
        bool last = i + 1 == list.n;
        if ((text[length] == ',') == last)
            return fz_fail_at(r->err, FZ_EPARSE, at.file, at.line, at.column,
                              "%s values than the %u of a sample of env", last ? "more" : "fewer", list.n);
        text += length + !last;
        at.column += (uint32_t)length + 1;
    }
    return FZ_OK;
}

static fz_status read_memory(reader *r, const char *name, size_t length, const char *value, place at)
{
    fz_samples *out = r->out;
    uint64_t bytes = 0;
    fz_number_result result = fz_number_count(value, strlen(value), INT64_MAX, &bytes);
    if (result != FZ_NUMBER_OK || length == 0)
        return fz_fail_at(r->err, FZ_EPARSE, at.file, at.line, at.column,
                          "memory.%.*s: '%.60s' %s; a number of bytes is expected", (int)length, name, value,
                          fz_number_problem(result));
    for (uint32_t i = 0; i < out->n_facts; i++)
        if (strlen(out->facts[i].name) == length && strncmp(out->facts[i].name, name, length) == 0)
            return fz_fail_at(r->err, FZ_EPARSE, at.file, at.line, at.column, "memory.%.*s stands here twice",
                              (int)length, name);
    out->facts = with_room(r->arena, out->facts, out->n_facts, &r->facts_capacity, sizeof *out->facts);
    const char *copy = fz_arena_strndup(r->arena, name, length);
    if (out->facts == NULL || copy == NULL)
        return out_of_memory(r->err);
    out->facts[out->n_facts++] = (fz_mem_fact){copy, (int64_t)bytes};
    return FZ_OK;
}

static fz_status read_format(reader *r, const char *value, place at)
{
    char known[16];
    (void)snprintf(known, sizeof known, "%d", FZ_SAMPLES_FORMAT);
    if (strcmp(value, known) == 0)
        return FZ_OK;
    return fz_fail_at(
        r->err, FZ_EPARSE, at.file, at.line, at.column,
        "samples of format '%.20s'; this frenzy reads format %s: use the one that wrote the file", value,
        known);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* key=value. What is no fact of ours is a remark. */
static fz_status read_fact(reader *r, const char *text, place at)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL)
        return FZ_OK;
    size_t length = (size_t)(equals - text);
    const char *value = equals + 1, *name = memchr(text, '.', length);
    name = name != NULL ? name + 1 : text;
    size_t name_length = (size_t)(equals - name);
    place value_at = {at.file, at.line, at.column + (uint32_t)length + 1};
    bool device = starts(text, "device."), run = starts(text, "run.");
    if (starts(text, "frenzy-samples="))
        return read_format(r, value, value_at);
    if (starts(text, "env="))
        return read_env(r, value, value_at);
    if (starts(text, "memory."))
        return read_memory(r, name, name_length, value, value_at);
    if (!device && !run)
        return FZ_OK;
    char key[64];
    (void)snprintf(key, sizeof key, "%.*s", (int)(name_length < 63 ? name_length : 63), name);
    const fz_field *field = fz_field_find(device ? fz_device_fields() : fz_run_fields(), key);
    if (field == NULL)
        return fz_fail_at(r->err, FZ_EPARSE, at.file, at.line, at.column,
                          "'%.*s' is not a fact of a %s; calib/samples/samples.h lists them", (int)length,
                          text, device ? "device" : "run");
    return set_value(r, field, device ? (void *)&r->out->device : (void *)&r->out->run, value, strlen(value),
                     value_at);
}

static fz_status complete_facts(reader *r)
{
    fz_device_facts *device = &r->out->device;
    const char *file = fz_csv_path(r->csv);
    char uuid[256];
    if (device->name[0] == '\0')
        return fz_fail_at(r->err, FZ_EPARSE, file, 1, 0,
                          "no line '# device.name=NAME' before the header: which device was measured?");
    if (device->backend[0] == '\0')
        device->backend = "recorded";
    if (strcmp(device->backend, "cuda") != 0 && strcmp(device->backend, "host") != 0 &&
        strcmp(device->backend, "recorded") != 0)
        return fz_fail_at(r->err, FZ_EPARSE, file, 1, 0,
                          "device.backend is '%.60s'; cuda, host or recorded is expected", device->backend);
    if (device->uuid[0] == '\0') {
        (void)snprintf(uuid, sizeof uuid, "%s:%s", device->backend, device->name);
        device->uuid = fz_arena_strdup(r->arena, uuid);
    }
    if (r->out->run.status[0] == '\0')
        r->out->run.status = "complete";
    return device->uuid != NULL ? FZ_OK : out_of_memory(r->err);
}

static fz_status read_facts(reader *r)
{
    for (uint32_t i = 0; i < fz_csv_n_comments(r->csv); i++) {
        fz_place at = fz_csv_comment_place(r->csv, i);
        FZ_TRY(read_fact(r, fz_csv_comment(r->csv, i), (place){fz_csv_path(r->csv), at.line, at.column}));
    }
    return complete_facts(r);
}

/* ---- points and their repeats --------------------------------------------------------------------------- */

static fz_status read_header(reader *r)
{
    uint32_t n = fz_csv_n_columns(r->csv);
    if (n > COLUMNS_MAX)
        return fz_fail_at(r->err, FZ_EPARSE, fz_csv_path(r->csv), fz_csv_line(r->csv), 0,
                          "%u columns; at most %d are expected", n, COLUMNS_MAX);
    for (uint32_t i = 0; i < n; i++)
        r->fields[i] = fz_field_find(fz_point_fields(), fz_csv_column_name(r->csv, i));
    r->rep = fz_csv_find_column(r->csv, "rep");
    r->seconds = fz_csv_find_column(r->csv, "seconds");
    r->dropped = fz_csv_find_column(r->csv, "dropped");
    r->has_seq = fz_csv_find_column(r->csv, "seq") >= 0;
    if (r->seconds < 0 || fz_csv_find_column(r->csv, "bench") < 0)
        return fz_fail_at(r->err, FZ_EPARSE, fz_csv_path(r->csv), fz_csv_line(r->csv), 0,
                          "no column '%s'; a recorded run has at least the columns bench and seconds",
                          r->seconds < 0 ? "seconds" : "bench");
    return FZ_OK;
}

/* A text that the row above has too is kept once. */
static fz_status set_cell(reader *r, const fz_field *field, fz_bench_point *point, const fz_csv_field *cell)
{
    const fz_samples *out = r->out;
    if (field->kind == FZ_FIELD_TEXT && out->n_points > 0) {
        const char *above = fz_field_text(field, &out->points[out->n_points - 1]);
        if (strcmp(above, cell->text) == 0) {
            fz_field_set_text(field, point, above);
            return FZ_OK;
        }
    }
    place at = {fz_csv_path(r->csv), fz_csv_line(r->csv), cell->column};
    return set_value(r, field, point, cell->text, cell->length, at);
}

/* The first field in which two points differ, the number apart; NULL: none. */
static const fz_field *difference(const fz_bench_point *a, const fz_bench_point *b, bool with_seq)
{
    fz_field_list list = fz_point_fields();
    for (uint32_t i = 0; i < list.n; i++) {
        const fz_field *field = &list.fields[i];
        bool is_seq = field->offset == offsetof(fz_bench_point, seq);
        if ((with_seq || !is_seq) && !fz_field_equal(field, a, b))
            return field;
    }
    return NULL;
}

static fz_status check_seq(const reader *r, const fz_bench_point *point)
{
    if (point->seq == FZ_UNKNOWN)
        return fz_csv_fail(r->csv, NULL, r->err, "no seq: the number of the point is expected");
    for (uint32_t i = 0; i < r->out->n_points; i++)
        if (r->out->points[i].seq == point->seq)
            return fz_csv_fail(r->csv, NULL, r->err, "the rows of point %d do not stand together",
                               point->seq);
    return FZ_OK;
}

static fz_status begin_point(reader *r, const fz_bench_point *point)
{
    fz_samples *out = r->out;
    if (out->n_points == POINTS_MAX)
        return fz_csv_fail(r->csv, NULL, r->err, "more than %d points", POINTS_MAX);
    if (r->has_seq)
        FZ_TRY(check_seq(r, point));
    out->points = with_room(r->arena, out->points, out->n_points, &r->points_capacity, sizeof *out->points);
    if (out->points == NULL)
        return out_of_memory(r->err);
    fz_bench_point *added = &out->points[out->n_points];
    *added = *point;
    added->first_sample = out->n_seconds;
    added->n_samples = 0;
    if (!r->has_seq)
        added->seq = (int32_t)out->n_points;
    out->n_points++;
    return FZ_OK;
}

/* Finds the point of this row, or begins it. */
static fz_status join_point(reader *r, const fz_bench_point *point, const fz_csv_field *rep, uint64_t number)
{
    fz_samples *out = r->out;
    const fz_bench_point *last = out->n_points > 0 ? &out->points[out->n_points - 1] : NULL;
    bool grows =
        rep == NULL || rep->length == 0 || (last != NULL && last->n_samples > 0 && number > r->last_rep);
    r->last_rep = number;
    if (last == NULL || (r->has_seq && last->seq != point->seq))
        return begin_point(r, point);
    const fz_field *differs = difference(last, point, r->has_seq);
    if (!r->has_seq && (differs != NULL || !grows))
        return begin_point(r, point);
    if (differs != NULL)
        return fz_csv_fail(r->csv, NULL, r->err, "%s differs from the rows above of the same point %d",
                           differs->name, point->seq);
    if (!grows)
        return fz_csv_fail(r->csv, rep, r->err, "rep %llu again; the repeats of a point are numbered upwards",
                           (unsigned long long)number);
    return FZ_OK;
}

static fz_status add_seconds(reader *r, const fz_csv_field *fields)
{
    fz_samples *out = r->out;
    const fz_csv_field *cell = &fields[r->seconds];
    double seconds = 0;
    uint64_t dropped = 0;
    FZ_TRY(fz_csv_number(r->csv, cell, "seconds", &seconds, r->err));
    if (!(seconds > 0))
        return fz_csv_fail(r->csv, cell, r->err, "seconds: '%.60s' is not above 0", cell->text);
    if (r->dropped >= 0 && fields[r->dropped].length > 0)
        FZ_TRY(fz_csv_count(r->csv, &fields[r->dropped], "dropped", 1, &dropped, r->err));
    if (out->n_seconds == SECONDS_MAX)
        return fz_csv_fail(r->csv, NULL, r->err, "more than %d repeats", SECONDS_MAX);
    uint32_t capacity = r->seconds_capacity;
    out->seconds = with_room(r->arena, out->seconds, out->n_seconds, &r->seconds_capacity, sizeof(double));
    out->dropped = with_room(r->arena, out->dropped, out->n_seconds, &capacity, sizeof *out->dropped);
    if (out->seconds == NULL || out->dropped == NULL)
        return out_of_memory(r->err);
    out->seconds[out->n_seconds] = seconds;
    out->dropped[out->n_seconds++] = (uint8_t)dropped;
    out->points[out->n_points - 1].n_samples++;
    return FZ_OK;
}

static fz_status read_row(reader *r, const fz_csv_field *fields)
{
    fz_bench_point point;
    uint64_t number = 0;
    const fz_csv_field *rep = r->rep >= 0 ? &fields[r->rep] : NULL;
    memset(&point, 0, sizeof point);
    fz_fields_forget(fz_point_fields(), &point);
    for (uint32_t i = 0; i < fz_csv_n_columns(r->csv); i++)
        if (r->fields[i] != NULL)
            FZ_TRY(set_cell(r, r->fields[i], &point, &fields[i]));
    if (point.bench[0] == '\0')
        return fz_csv_fail(r->csv, NULL, r->err, "no bench: the name of the benchmark is expected");
    if (rep != NULL && rep->length > 0)
        FZ_TRY(fz_csv_count(r->csv, rep, "rep", INT32_MAX, &number, r->err));
    bool measured = fields[r->seconds].length > 0;
    if (!measured && point.error[0] == '\0')
        return fz_csv_fail(r->csv, &fields[r->seconds], r->err,
                           "no seconds and no error: one of them is expected");
    FZ_TRY(join_point(r, &point, rep, number));
    return measured ? add_seconds(r, fields) : FZ_OK;
}

static fz_status read_all(reader *r)
{
    FZ_TRY(read_facts(r));
    FZ_TRY(read_header(r));
    for (;;) {
        const fz_csv_field *fields = NULL;
        uint32_t n = 0;
        FZ_TRY(fz_csv_next(r->csv, &fields, &n, r->err));
        if (fields == NULL)
            return FZ_OK;
        FZ_TRY(read_row(r, fields));
    }
}

fz_status fz_samples_read(const char *path, fz_arena *arena, fz_samples *out, fz_error *err)
{
    reader r = {.arena = arena, .out = out, .err = err};
    memset(out, 0, sizeof *out);
    fz_fields_forget(fz_device_fields(), &out->device);
    fz_fields_forget(fz_run_fields(), &out->run);
    FZ_TRY(fz_csv_open(path, NULL, &r.csv, err));
    fz_status status = read_all(&r);
    fz_csv_close(r.csv);
    return status;
}
