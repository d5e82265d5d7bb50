#include "sim/store/jobs.h"

#include <stdlib.h>

#include "sim/metrics/place_text.h"
#include "sim/store/node_lists.h"
#include "sim/store/rows.h"

#define NO_LIST UINT32_MAX

typedef struct job_rows {
    const fz_store_run *run;
    const fz_run_result *result;
    int64_t run_id;
    int64_t first_list; /* ids of node lists of this run start here */
    uint32_t *list_of;  /* by job: number of its node list, NO_LIST if it never ran */
    int64_t *plan_ids;  /* by plan of the result; 0: opaque */
    fz_node_lists lists;
    fz_placement *where; /* scratch */
    fz_place_text *text; /* scratch */
} job_rows;

/* ---- node lists ------------------------------------------------------------------------------------------ */

static fz_status lists_number(job_rows *rows, fz_error *err)
{
    const fz_run_result *result = rows->result;
    rows->lists = (fz_node_lists){.places = result->places, .places_len = result->places_len};
    for (uint32_t job = 0; job < result->n_jobs; job++) {
        rows->list_of[job] = NO_LIST;
        if (result->jobs[job].place != FZ_NO_PLACE &&
            !fz_node_lists_number(&rows->lists, result->jobs[job].place, &rows->list_of[job]))
            return fz_fail(err, FZ_ENOMEM, "no memory for the node lists of a run");
    }
    return FZ_OK;
}

/* node_list: id, nodes, gpu_types. */
static void list_column(const void *context, uint64_t row, int column, sqlite3_context *out)
{
    const job_rows *rows = context;
    if (column == 0) {
        sqlite3_result_int64(out, rows->first_list + (int64_t)row);
        return;
    }
    fz_places_read(rows->result->places, rows->lists.offsets[row], rows->where);
    bool written = column == 1 ? fz_place_text_nodes(rows->text, rows->run->cluster, rows->where)
                               : fz_place_text_types(rows->text, rows->run->cluster, rows->where);
    if (written)
        sqlite3_result_text(out, rows->text->text, (int)rows->text->length, SQLITE_TRANSIENT);
    else
        sqlite3_result_error_nomem(out);
}

static fz_status number_read(fz_db *db, const char *sql, int64_t *out, fz_error *err)
{
    sqlite3_stmt *select = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(db, sql, &select, err));
    fz_status status = fz_db_step(db, select, &row, err);
    if (status == FZ_OK && row)
        *out = sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    return status;
}

static fz_status lists_insert(fz_db *db, job_rows *rows, fz_error *err)
{
    FZ_TRY(lists_number(rows, err));
    FZ_TRY(number_read(db, "SELECT ifnull(max(id), 0) + 1 FROM node_list", &rows->first_list, err));
    fz_rows source = {.n_rows = rows->lists.n_lists, .context = rows, .column = list_column};
    return fz_rows_insert(db, "INSERT INTO node_list SELECT c0, c1, c2 FROM fz_rows", &source, err);
}

/* ---- plans ----------------------------------------------------------------------------------------------- */

static fz_status plan_add(fz_db *db, sqlite3_stmt *insert, sqlite3_stmt *select, const fz_plan *plan,
                          int64_t *id, fz_error *err)
{
    char text[32];
    bool row = false;
    fz_plan_format(plan, text, sizeof(text));
    sqlite3_bind_text(insert, 1, text, -1, SQLITE_TRANSIENT);
    FZ_TRY(fz_db_run(db, insert, err));
    sqlite3_bind_text(select, 1, text, -1, SQLITE_TRANSIENT);
    FZ_TRY(fz_db_step(db, select, &row, err));
    *id = row ? sqlite3_column_int64(select, 0) : 0;
    sqlite3_reset(select);
    return FZ_OK;
}

static fz_status plans_insert(fz_db *db, job_rows *rows, fz_error *err)
{
    sqlite3_stmt *insert = NULL;
    sqlite3_stmt *select = NULL;
    fz_status status = fz_db_prepare(db, "INSERT OR IGNORE INTO plan (text) VALUES (?)", &insert, err);
    if (status == FZ_OK)
        status = fz_db_prepare(db, "SELECT id FROM plan WHERE text = ?", &select, err);
    for (uint32_t i = 1; status == FZ_OK && i < rows->result->n_plans; i++)
        status = plan_add(db, insert, select, &rows->result->plans[i], &rows->plan_ids[i], err);
    sqlite3_finalize(insert);
    sqlite3_finalize(select);
    return status;
}

/* ---- jobs ------------------------------------------------------------------------------------------------ */

static void time_result(sqlite3_context *out, fz_time time)
{
    if (time != FZ_TIME_NONE)
        sqlite3_result_int64(out, time);
}

/* job: key, start_us, end_us, run_us, gpu_us, state, gpus, node_list, plan, attempts, preemptions,
 * last_start_us where it is not the first one. A value not set is NULL. */
static void job_column(const void *context, uint64_t row, int column, sqlite3_context *out)
{
    const job_rows *rows = context;
    const fz_job_result *job = &rows->result->jobs[row];
    switch (column) {
    case 0:
        sqlite3_result_int64(out, rows->run_id << 32 | (int64_t)row);
        break;
    case 1:
        time_result(out, job->start);
        break;
    case 2:
        time_result(out, job->end);
        break;
    case 3:
        sqlite3_result_int64(out, job->run);
        break;
    case 4:
        sqlite3_result_int64(out, job->gpu_time);
        break;
    case 5:
        sqlite3_result_int(out, job->state);
        break;
    case 6:
        if (job->gpus > 0)
            sqlite3_result_int64(out, job->gpus);
        break;
    case 7:
        if (rows->list_of[row] != NO_LIST)
            sqlite3_result_int64(out, rows->first_list + rows->list_of[row]);
        break;
    case 8:
        if (rows->plan_ids[job->plan] != 0)
            sqlite3_result_int64(out, rows->plan_ids[job->plan]);
        break;
    case 9:
        sqlite3_result_int64(out, job->attempts);
        break;
    case 10:
        sqlite3_result_int(out, job->preemptions);
        break;
    default:
        if (job->attempts > 1)
            time_result(out, job->last_start);
        break;
    }
}

static fz_status everything_insert(fz_db *db, job_rows *rows, fz_error *err)
{
    FZ_TRY(lists_insert(db, rows, err));
    FZ_TRY(plans_insert(db, rows, err));
    fz_rows source = {.n_rows = rows->result->n_jobs, .context = rows, .column = job_column};
    return fz_rows_insert(
        db, "INSERT INTO job SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 FROM fz_rows", &source,
        err);
}

fz_status fz_store_jobs_insert(fz_db *db, const fz_store_run *run, const fz_run_result *result,
                               int64_t run_id, fz_error *err)
{
    fz_placement where = {.parts = calloc(run->cluster->n_nodes, sizeof(fz_part)),
                          .capacity = run->cluster->n_nodes};
    fz_place_text text = {0};
    job_rows rows = {.run = run, .result = result, .run_id = run_id, .where = &where, .text = &text};
    rows.list_of = calloc((size_t)result->n_jobs + 1, sizeof(*rows.list_of));
    rows.plan_ids = calloc((size_t)result->n_plans + 1, sizeof(*rows.plan_ids));
    fz_status status = FZ_OK;
    if (where.parts == NULL || rows.list_of == NULL || rows.plan_ids == NULL)
        status = fz_fail(err, FZ_ENOMEM, "no memory to store a run of %u jobs", result->n_jobs);
    else
        status = everything_insert(db, &rows, err);
    fz_node_lists_release(&rows.lists);
    free(rows.list_of);
    free(rows.plan_ids);
    free(where.parts);
    free(text.text);
    return status;
}
