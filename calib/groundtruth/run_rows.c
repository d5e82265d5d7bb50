#include "calib/groundtruth/run_rows.h"

#include <assert.h>
#include <string.h>

#include "calib/groundtruth/run_row.h"

/* ---- groups --------------------------------------------------------------------------------------------- */

/* What a configuration is: all but who measured it on what, and the result. */
static bool is_configuration(const char *column)
{
    static const char *const not [] = {"id",           "source_ref",       "license",
                                       "gpu",          "gpu_mem_gib",      "mem_gib",
                                       "mem_reported", "mem_unit",         "framework",
                                       "metric",       "outcome",          "notes",
                                       "rank",         "tokens_per_s_gpu", "samples_per_s_total",
                                       "tflops_gpu",   "mfu_pct",          "sec_per_iter",
                                       "tflops_def"};
    for (size_t i = 0; i < sizeof not / sizeof not [0]; i++)
        if (strcmp(column, not [i]) == 0)
            return false;
    return true;
}

static uint64_t configuration_hash(const fz_csv *csv, const fz_csv_field *fields)
{
    uint64_t hash = 1469598103934665603u;
    for (uint32_t i = 0; i < fz_csv_n_columns(csv); i++) {
        if (!is_configuration(fz_csv_column_name(csv, i)))
            continue;
        for (const char *c = fields[i].text; *c != '\0'; c++)
            hash = (hash ^ (uint8_t)*c) * 1099511628211u;
        hash = (hash ^ 0xff) * 1099511628211u;
    }
    return hash;
}

static uint32_t group_of(uint64_t *hashes, uint32_t *n, uint64_t hash)
{
    for (uint32_t i = 0; i < *n; i++)
        if (hashes[i] == hash)
            return i;
    hashes[*n] = hash;
    return (*n)++;
}

/* ---- the file ------------------------------------------------------------------------------------------- */

static fz_status check_columns(const fz_csv *csv, fz_run_kind kind, fz_error *err)
{
    static const char *const needed[] = {"layers",  "hidden",      "heads",     "ffn",      "vocab",
                                         "seq_len", "micro_batch", "precision", "framework"};
    static const char *const results[][3] = {{"mem_gib", "mem_gib", "mem_gib"},
                                             {"tokens_per_s_gpu", "sec_per_iter", "samples_per_s_total"}};
    bool measured = false;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (fz_csv_find_column(csv, needed[i]) < 0)
            return fz_fail_at(err, FZ_EPARSE, fz_csv_path(csv), 1, 1,
                              "no column '%s': a table of measured runs has it", needed[i]);
    for (int i = 0; i < 3; i++)
        measured = measured || fz_csv_find_column(csv, results[kind][i]) >= 0;
    return measured ? FZ_OK
                    : fz_fail_at(err, FZ_EPARSE, fz_csv_path(csv), 1, 1,
                                 "no column with a measurement, such as '%s'", results[kind][0]);
}

enum { ROWS_MAX = 100000, ROWS_FIRST = 64 };

/* Room for `capacity` rows and as many groups; rows point to their own models. */
static fz_status rows_reserve(fz_run_rows *out, uint64_t **hashes, uint32_t capacity, fz_arena *arena,
                              fz_error *err)
{
    fz_run_row *rows = FZ_NEW(arena, capacity, fz_run_row);
    uint64_t *grown = FZ_NEW(arena, capacity, uint64_t);
    if (rows == NULL || grown == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; out->rows != NULL && i < out->n_rows; i++) {
        rows[i] = out->rows[i];
        rows[i].run.model = &rows[i].model;
    }
    if (*hashes != NULL)
        memcpy(grown, *hashes, out->n_groups * sizeof **hashes);
    out->rows = rows;
    *hashes = grown;
    return FZ_OK;
}

static fz_status read_all(fz_csv *csv, fz_run_kind kind, fz_arena *arena, fz_run_rows *out, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0, capacity = ROWS_FIRST;
    uint64_t *hashes = NULL;
    FZ_TRY(check_columns(csv, kind, err));
    FZ_TRY(rows_reserve(out, &hashes, capacity, arena, err));
    for (;;) {
        FZ_TRY(fz_csv_next(csv, &fields, &n_fields, err));
        if (fields == NULL && out->n_rows == 0)
            return fz_fail_at(err, FZ_EPARSE, fz_csv_path(csv), 1, 1,
                              "there are no rows below the header; a measured run a row is expected");
        if (fields == NULL)
            return FZ_OK;
        if (out->n_rows == ROWS_MAX)
            return fz_csv_fail(csv, NULL, err, "more than %d rows", ROWS_MAX);
        if (out->n_rows == capacity) {
            capacity *= 2;
            FZ_TRY(rows_reserve(out, &hashes, capacity, arena, err));
        }
        assert(hashes != NULL && out->rows != NULL);
        fz_row_fields f = {csv, fields, arena, err, FZ_OK};
        fz_run_row *row = &out->rows[out->n_rows++];
        FZ_TRY(fz_run_row_read(&f, kind, row));
        row->group = group_of(hashes, &out->n_groups, configuration_hash(csv, fields));
    }
}

fz_status fz_run_rows_read(const char *path, fz_run_kind kind, fz_arena *arena, fz_run_rows *out,
                           fz_error *err)
{
    fz_csv *csv = NULL;
    *out = (fz_run_rows){0};
    FZ_TRY(fz_csv_open(path, NULL, &csv, err));
    fz_status status = read_all(csv, kind, arena, out, err);
    fz_csv_close(csv);
    return status;
}
