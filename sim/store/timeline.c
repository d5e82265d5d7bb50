#include "sim/store/jobs.h"
#include "sim/store/rows.h"

typedef struct bin_rows {
    const fz_run_result *result;
    int64_t run_id;
} bin_rows;

/* timeline: key, start_us, end_us, alloc_gpus, waiting, running. */
static void bin_column(const void *context, uint64_t row, int column, sqlite3_context *out)
{
    const bin_rows *rows = context;
    const fz_run_result *result = rows->result;
    const fz_timeline_point *point = &result->timeline[row];
    fz_time start = result->timeline_origin + (fz_time)row * result->timeline_width;
    fz_time end = start + result->timeline_width;
    switch (column) {
    case 0:
        sqlite3_result_int64(out, rows->run_id << 32 | (int64_t)row);
        break;
    case 1:
        sqlite3_result_int64(out, start);
        break;
    case 2:
        sqlite3_result_int64(out, end < result->timeline_end ? end : result->timeline_end);
        break;
    case 3:
        sqlite3_result_double(out, point->gpus);
        break;
    case 4:
        sqlite3_result_double(out, point->waiting);
        break;
    default:
        sqlite3_result_double(out, point->running);
        break;
    }
}

fz_status fz_store_timeline_insert(fz_db *db, const fz_run_result *result, int64_t run_id, fz_error *err)
{
    bin_rows rows = {.result = result, .run_id = run_id};
    fz_rows source = {.n_rows = result->n_timeline, .context = &rows, .column = bin_column};
    return fz_rows_insert(db, "INSERT INTO timeline SELECT c0, c1, c2, c3, c4, c5 FROM fz_rows", &source,
                          err);
}
