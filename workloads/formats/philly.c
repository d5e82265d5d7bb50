/* Philly, flattened: `timestamp,duration,num_gpus,gpu_time,cluster`, as the Sia simulator publishes it.
 *
 * timestamp is local wall time without a zone; duration is in seconds; gpu_time = duration x num_gpus;
 * cluster is the virtual cluster. Rows are in no order and have no id: a job is named by its line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/formats/formats.h"
#include "workloads/hash_index.h"

static const char header[] = "timestamp,duration,num_gpus,gpu_time,cluster";

enum { TIMESTAMP, DURATION, NUM_GPUS, GPU_TIME, CLUSTER, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"timestamp", "duration", "num_gpus", "gpu_time", "cluster"};

/* What two rows must share to be taken for one job written twice. */
typedef struct row_key {
    fz_time submit, duration;
    uint64_t cluster_hash, gpus;
} row_key;

typedef struct reader {
    fz_import in;
    fz_wall_clock clock;
    uint32_t at[N_COLUMNS];
    row_key *keys;
    uint32_t n_keys, capacity;
    fz_hash_index index;
} reader;

/* The job log itself: a list of maps that speak of attempts or ids of jobs. */
static bool is_json(const char *head, uint64_t length)
{
    static const char *const keys[] = {"\"attempts\"", "\"jobid\"", "\"submitted_time\""};
    uint64_t n = 0;
    const char *line = fz_head_line(head, length, '#', &n);
    if (line == NULL || line[strspn(line, " \t")] != '[')
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (uint64_t at = 0; at + strlen(keys[i]) <= length; at++)
            if (memcmp(head + at, keys[i], strlen(keys[i])) == 0)
                return true;
    return false;
}

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, header) || is_json(head, length);
}

/* Remembers the row; *seen if it was there before. */
static fz_status row_remember(reader *r, const fz_trace_row *row, bool *seen, fz_error *err)
{
    row_key key = {row->submit, row->duration, fz_hash_bytes(row->vc, strlen(row->vc)), row->req_gpus};
    uint64_t hash = fz_hash_bytes(&key, sizeof key), step = 0;
    uint32_t found = 0;
    while (!*seen && fz_hash_index_next(&r->index, hash, &step, &found))
        *seen = memcmp(&r->keys[found], &key, sizeof key) == 0;
    if (*seen)
        return FZ_OK;
    if (r->n_keys == r->capacity) {
        uint32_t capacity = r->capacity > 0 ? 2 * r->capacity : 1024;
        row_key *grown = realloc(r->keys, capacity * sizeof *grown);
        if (grown == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for %u rows", capacity);
        r->keys = grown;
        r->capacity = capacity;
    }
    r->keys[r->n_keys] = key;
    return fz_hash_index_add(&r->index, hash, r->n_keys++) ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory");
}

static fz_status note_oddities(reader *r, const fz_trace_row *row, double gpu_time, fz_error *err)
{
    bool seen = false;
    double expected = fz_time_to_s(row->duration) * row->req_gpus;
    if (gpu_time >= 0 && fabs(gpu_time - expected) > 1e-6 * expected)
        fz_import_note(&r->in, "a gpu_time other than duration x num_gpus");
    FZ_TRY(row_remember(r, row, &seen, err));
    if (seen)
        fz_import_note(&r->in, "the same row as an earlier one");
    return FZ_OK;
}

static fz_status read_row(reader *r, const fz_csv_field *fields, fz_error *err)
{
    fz_import *in = &r->in;
    fz_trace_row row = fz_trace_row_blank();
    double gpu_time = -1;
    row.vc = fields[r->at[CLUSTER]].text;
    FZ_TRY(fz_import_wall_time(in, &r->clock, &fields[r->at[TIMESTAMP]], "timestamp", &row.submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, &fields[r->at[DURATION]], "duration", false, &row.duration, err));
    if (!in->skip)
        FZ_TRY(fz_import_gpus(in, &fields[r->at[NUM_GPUS]], "num_gpus", &row, err));
    if (!in->skip)
        FZ_TRY(fz_import_number(in, &fields[r->at[GPU_TIME]], "gpu_time", 1e18, &gpu_time, err));
    if (!in->skip)
        FZ_TRY(fz_import_add(in, &row, err));
    return in->skip ? FZ_OK : note_oddities(r, &row, gpu_time, err);
}

static fz_status finish(reader *r, fz_trace **out, fz_error *err)
{
    FZ_TRY(fz_import_wall_clock_end(&r->in, &r->clock, NULL, err));
    FZ_TRY(fz_trace_builder_header(r->in.builder, "source", "philly", err));
    return fz_import_finish(&r->in, NULL, out, err);
}

static fz_status read_all(reader *r, fz_trace **out, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    FZ_TRY(fz_import_columns(&r->in, names, N_COLUMNS, r->at, err));
    for (;;) {
        FZ_TRY(fz_import_next(&r->in, &fields, &n_fields, err));
        if (fields == NULL)
            return finish(r, out, err);
        FZ_TRY(read_row(r, fields, err));
    }
}

/* Looks at the first bytes. Standard input cannot be read twice, and is taken for the flattened log. */
static fz_status begins_as_list(const char *path, bool *out, fz_error *err)
{
    char head[4096];
    uint64_t length = 0, n = 0;
    *out = false;
    if (strcmp(path, "-") == 0)
        return FZ_OK;
    FZ_TRY(fz_head_read(path, head, sizeof head - 1, &length, err));
    head[length] = '\0';
    const char *line = fz_head_line(head, length, '#', &n);
    *out = line != NULL && line[strspn(line, " \t")] == '[';
    return FZ_OK;
}

static fz_status philly_read(const char *path, const fz_import_options *options, fz_trace **out,
                             fz_trace_report *report, fz_error *err)
{
    reader r = {0};
    bool json = false;
    FZ_TRY(begins_as_list(path, &json, err));
    if (json)
        return fz_philly_json_read(path, options, out, report, err);
    if (options->attempts != NULL)
        return fz_fail(err, FZ_EUSAGE,
                       "--attempts: the flattened log tells no attempts; the job log (JSON) does");
    FZ_TRY(fz_import_open(&r.in, path, NULL, options, report, err));
    fz_status status = read_all(&r, out, err);
    free(r.keys);
    fz_hash_index_release(&r.index);
    fz_import_close(&r.in);
    return status;
}

const fz_trace_format fz_format_philly = {
    .name = "philly",
    .summary = "Microsoft Philly 2017: the job log (JSON), or flattened (timestamp,duration,num_gpus,...)",
    .has_attempts = true,
    .probe = probe,
    .read = philly_read,
};
