#include "sim/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/db.h"
#include "sim/store/cells.h"
#include "sim/store/jobs.h"
#include "sim/store/rows.h"
#include "sim/store/schema.h"

struct fz_store {
    fz_db *db;
};

/* ---- opening -------------------------------------------------------------------------------------------- */

static fz_status states_fill(fz_db *db, fz_error *err)
{
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, "INSERT OR IGNORE INTO state VALUES (?, ?)", &insert, err));
    fz_status status = FZ_OK;
    for (int state = FZ_JOB_WAITING; status == FZ_OK && state <= FZ_JOB_REJECTED; state++) {
        sqlite3_bind_int(insert, 1, state);
        sqlite3_bind_text(insert, 2, fz_job_state_name((fz_job_state)state), -1, SQLITE_STATIC);
        status = fz_db_run(db, insert, err);
    }
    sqlite3_finalize(insert);
    return status;
}

static fz_status store_prepare(fz_db *db, fz_error *err)
{
    FZ_TRY(fz_db_exec(db, "PRAGMA cache_size = -131072", err));
    FZ_TRY(fz_db_migrate(db, FZ_STORE_APPLICATION_ID, fz_store_schema, fz_store_schema_version, err));
    return states_fill(db, err);
}

fz_status fz_store_open(const char *path, fz_store **out, fz_error *err)
{
    fz_store *store = calloc(1, sizeof(*store));
    if (store == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory to open %s", path);
    fz_status status = fz_db_open(path, &store->db, err);
    if (status == FZ_OK)
        status = store_prepare(store->db, err);
    if (status != FZ_OK) {
        fz_db_close(store->db, NULL);
        free(store);
        return status;
    }
    *out = store;
    return FZ_OK;
}

enum { UNSHARED_MIB = 48 };

void fz_store_fork_often(void)
{
    fz_db_fork_often((size_t)UNSHARED_MIB << 20);
}

/* A little below, for the slots hold more than the pages. */
fz_status fz_store_small_cache(fz_store *store, fz_error *err)
{
    char sql[64];
    snprintf(sql, sizeof(sql), "PRAGMA cache_size = -%d", (UNSHARED_MIB - 4) * 1024);
    return fz_db_exec(store->db, sql, err);
}

fz_status fz_store_close(fz_store *store, fz_error *err)
{
    if (store == NULL)
        return FZ_OK;
    fz_status status = fz_db_close(store->db, err);
    free(store);
    return status;
}

fz_db *fz_store_db(fz_store *store)
{
    return store->db;
}

/* ---- trace and cluster ---------------------------------------------------------------------------------- */

/* The id of the row of `table` with this text in `column`; 0 if there is none. */
static fz_status id_find(fz_db *db, const char *sql, const char *text, int64_t *id, fz_error *err)
{
    sqlite3_stmt *select = NULL;
    bool row = false;
    *id = 0;
    FZ_TRY(fz_db_prepare(db, sql, &select, err));
    sqlite3_bind_text(select, 1, text, -1, SQLITE_STATIC);
    fz_status status = fz_db_step(db, select, &row, err);
    if (status == FZ_OK && row)
        *id = sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    return status;
}

/* The id of a word, added if new. */
static fz_status word_id(fz_db *db, const char *text, int64_t *id, fz_error *err)
{
    FZ_TRY(id_find(db, "SELECT id FROM word WHERE text = ?", text, id, err));
    if (*id != 0)
        return FZ_OK;
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, "INSERT INTO word (text) VALUES (?)", &insert, err));
    sqlite3_bind_text(insert, 1, text, -1, SQLITE_STATIC);
    fz_status status = fz_db_run(db, insert, err);
    *id = sqlite3_last_insert_rowid(fz_db_handle(db));
    sqlite3_finalize(insert);
    return status;
}

/* The trace's jobs as rows: ids of words by text id. */
typedef struct trace_rows {
    const fz_trace *trace;
    int64_t id;
    int64_t *words;
} trace_rows;

static void word_result(const trace_rows *rows, const fz_text_id *column, uint64_t job, sqlite3_context *out)
{
    if (column != NULL && column[job] != 0)
        sqlite3_result_int64(out, rows->words[column[job]]);
}

/* trace_job: key, job_id, submit_us, req_gpus, user, vc, model. A value not set is NULL. */
static void trace_column(const void *context, uint64_t job, int column, sqlite3_context *out)
{
    const trace_rows *rows = context;
    const fz_trace *trace = rows->trace;
    switch (column) {
    case 0:
        sqlite3_result_int64(out, rows->id << 32 | (int64_t)job);
        break;
    case 1:
        sqlite3_result_text(out, fz_trace_job_id(trace, (uint32_t)job), -1, SQLITE_STATIC);
        break;
    case 2:
        sqlite3_result_int64(out, trace->submit[job]);
        break;
    case 3:
        if (trace->req_gpus != NULL && trace->req_gpus[job] > 0)
            sqlite3_result_int64(out, trace->req_gpus[job]);
        break;
    case 4:
        word_result(rows, trace->user, job, out);
        break;
    case 5:
        word_result(rows, trace->vc, job, out);
        break;
    default:
        word_result(rows, trace->model, job, out);
        break;
    }
}

/* Gives an id to every word that a column uses. */
static fz_status words_add(fz_db *db, trace_rows *rows, const fz_text_id *column, fz_error *err)
{
    for (uint32_t job = 0; column != NULL && job < rows->trace->n_jobs; job++)
        if (column[job] != 0 && rows->words[column[job]] == 0)
            FZ_TRY(word_id(db, rows->trace->texts[column[job]], &rows->words[column[job]], err));
    return FZ_OK;
}

static fz_status trace_jobs_insert(fz_db *db, trace_rows *rows, fz_error *err)
{
    FZ_TRY(words_add(db, rows, rows->trace->user, err));
    FZ_TRY(words_add(db, rows, rows->trace->vc, err));
    FZ_TRY(words_add(db, rows, rows->trace->model, err));
    fz_rows source = {.n_rows = rows->trace->n_jobs, .context = rows, .column = trace_column};
    return fz_rows_insert(db, "INSERT INTO trace_job SELECT c0, c1, c2, c3, c4, c5, c6 FROM fz_rows", &source,
                          err);
}

static fz_status trace_insert(fz_db *db, const fz_trace *trace, int64_t *id, fz_error *err)
{
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, "INSERT INTO trace (sha256, path, source, epoch, jobs) VALUES (?, ?, ?, ?, ?)",
                         &insert, err));
    sqlite3_bind_text(insert, 1, trace->sha256, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, trace->path, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, trace->source, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, trace->epoch, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 5, trace->n_jobs);
    fz_status status = fz_db_run(db, insert, err);
    *id = sqlite3_last_insert_rowid(fz_db_handle(db));
    sqlite3_finalize(insert);
    FZ_TRY(status);
    trace_rows rows = {.trace = trace, .id = *id, .words = calloc(trace->n_texts + 1, sizeof(int64_t))};
    if (rows.words == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the words of a trace");
    status = trace_jobs_insert(db, &rows, err);
    free(rows.words);
    return status;
}

static fz_status trace_add(fz_db *db, const fz_trace *trace, int64_t *id, fz_error *err)
{
    FZ_TRY(id_find(db, "SELECT id FROM trace WHERE sha256 = ?", trace->sha256, id, err));
    return *id != 0 ? FZ_OK : trace_insert(db, trace, id, err);
}

static uint64_t spec_gpus(const fz_cluster_spec *spec)
{
    uint64_t gpus = 0;
    for (uint32_t i = 0; i < spec->n_nodes; i++)
        gpus += spec->nodes[i].gpus;
    return gpus;
}

static fz_status cluster_add(fz_db *db, const fz_store_run *run, int64_t *id, fz_error *err)
{
    FZ_TRY(id_find(db, "SELECT id FROM cluster WHERE sha256 = ?", run->cluster_sha256, id, err));
    if (*id != 0)
        return FZ_OK;
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, "INSERT INTO cluster (sha256, name, path, gpus, nodes) VALUES (?, ?, ?, ?, ?)",
                         &insert, err));
    sqlite3_bind_text(insert, 1, run->cluster_sha256, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, run->cluster->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, run->cluster_path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 4, (int64_t)spec_gpus(run->cluster));
    sqlite3_bind_int64(insert, 5, run->cluster->n_nodes);
    fz_status status = fz_db_run(db, insert, err);
    *id = sqlite3_last_insert_rowid(fz_db_handle(db));
    sqlite3_finalize(insert);
    return status;
}

/* ---- the run row ---------------------------------------------------------------------------------------- */

/* -1 stands for "does not exist" in a summary. */
static void figure_bind(sqlite3_stmt *stmt, int *at, double value)
{
    if (value < 0)
        sqlite3_bind_null(stmt, (*at)++);
    else
        sqlite3_bind_double(stmt, (*at)++, value);
}

static void counts_bind(sqlite3_stmt *stmt, int *at, const uint64_t *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sqlite3_bind_int64(stmt, (*at)++, (int64_t)counts[i]);
}

static void summary_bind(sqlite3_stmt *stmt, int *at, const fz_summary *s)
{
    const uint64_t jobs[] = {s->jobs,       s->finished,   s->rejected, s->timeouts,
                             s->oom_failed, s->unfinished, s->started};
    const double figures[] = {s->jct_avg_s, s->jct_p50_s,   s->jct_p90_s,  s->jct_p95_s,  s->jct_p99_s,
                              s->jct_max_s, s->queue_avg_s, s->wait_avg_s, s->makespan_s, s->alloc_frac};
    const uint64_t events[] = {s->ooms,          s->preemptions,    s->decisions,
                               s->starts,        s->events,         s->from_marp,
                               s->estimate_user, s->estimate_limit, s->estimate_oracle};
    counts_bind(stmt, at, jobs, sizeof(jobs) / sizeof(jobs[0]));
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
        figure_bind(stmt, at, figures[i]);
    counts_bind(stmt, at, events, sizeof(events) / sizeof(events[0]));
}

static void cost_bind(sqlite3_stmt *stmt, int *at, const fz_cost *c)
{
    const double costs[] = {c->wall_s,        c->engine_s,       c->jobs_per_s,   c->decide_ms_p50,
                            c->decide_ms_p99, c->decide_ms_mean, c->decide_ms_max};
    for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++)
        sqlite3_bind_double(stmt, (*at)++, costs[i]);
    sqlite3_bind_int64(stmt, (*at)++, (int64_t)c->peak_rss_bytes);
}

/* The columns of a sweep; NULL for other runs. */
static void names_bind(sqlite3_stmt *stmt, int *at, const fz_store_run *run)
{
    const char *texts[] = {run->cell, run->key, run->experiment, run->scenario, run->label};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        sqlite3_bind_text(stmt, (*at)++, texts[i], -1, SQLITE_STATIC); /* NULL is NULL */
    figure_bind(stmt, at, run->load > 0 ? run->load : -1);
    sqlite3_bind_double(stmt, (*at)++, run->submit_scale > 0 ? run->submit_scale : 1);
    figure_bind(stmt, at, run->window_end > 0 ? (double)run->window_first : -1);
    figure_bind(stmt, at, run->window_end > 0 ? (double)run->window_end : -1);
    sqlite3_bind_int64(stmt, (*at)++, run->position);
}

static fz_status run_insert(fz_db *db, const fz_store_run *run, const fz_run_result *result, int64_t trace,
                            int64_t cluster, int64_t *id, fz_error *err)
{
    static const char sql[] =
        "INSERT INTO run (id, trace, cluster, scheduler, seed, config, version, jobs, finished, rejected, "
        "timeouts,"
        " oom_failed, unfinished, started, jct_avg_s, jct_p50_s, jct_p90_s, jct_p95_s, jct_p99_s, jct_max_s,"
        " queue_avg_s, wait_avg_s, makespan_s, alloc_frac, ooms, preemptions, decisions, starts, events, "
        "from_marp,"
        " estimate_user, estimate_limit, estimate_oracle, wall_s, engine_s, jobs_per_s, decide_ms_p50, "
        "decide_ms_p99,"
        " decide_ms_mean, decide_ms_max, peak_rss_bytes, cell, key, experiment, scenario, label, load,"
        " submit_scale, window_first, window_end, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, sql, &insert, err));
    int at = 1;
    sqlite3_bind_int64(insert, at++, *id);
    sqlite3_bind_int64(insert, at++, trace);
    sqlite3_bind_int64(insert, at++, cluster);
    sqlite3_bind_text(insert, at++, run->scheduler, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, at++, (int64_t)run->seed);
    sqlite3_bind_text(insert, at++, run->config, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, at++, run->version, -1, SQLITE_STATIC);
    summary_bind(insert, &at, &result->summary);
    cost_bind(insert, &at, &result->cost);
    names_bind(insert, &at, run);
    fz_status status = fz_db_run(db, insert, err);
    sqlite3_finalize(insert);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static fz_status everything_add(fz_store *store, const fz_store_run *run, const fz_run_result *result,
                                int64_t *id, fz_error *err)
{
    int64_t trace = 0;
    int64_t cluster = 0;
    FZ_TRY(trace_add(store->db, run->trace, &trace, err));
    FZ_TRY(cluster_add(store->db, run, &cluster, err));
    FZ_TRY(fz_cell_number(store->db, run->cell, id, err));
    FZ_TRY(run_insert(store->db, run, result, trace, cluster, id, err));
    FZ_TRY(fz_store_timeline_insert(store->db, result, *id, err));
    return fz_store_jobs_insert(store->db, run, result, *id, err);
}

fz_status fz_store_add(fz_store *store, const fz_store_run *run, const fz_run_result *result, int64_t *run_id,
                       fz_error *err)
{
    int64_t id = 0;
    FZ_TRY(fz_db_begin(store->db, err));
    fz_status status = everything_add(store, run, result, &id, err);
    if (status == FZ_OK)
        status = fz_db_commit(store->db, err);
    if (status != FZ_OK)
        fz_db_rollback(store->db);
    else if (run_id != NULL)
        *run_id = id;
    return status;
}

/* In a transaction: makes room in the cell, then adds, unless the same run is there. */
static fz_status put(fz_store *store, const fz_store_run *run, const fz_run_result *result, bool replace,
                     fz_error *err)
{
    bool present = false;
    int64_t id = 0;
    FZ_TRY(fz_cell_clear(store->db, run, replace, &present, err));
    return present ? FZ_OK : everything_add(store, run, result, &id, err);
}

fz_status fz_store_put(fz_store *store, const fz_store_run *run, const fz_run_result *result, bool replace,
                       fz_error *err)
{
    FZ_TRY(fz_db_begin(store->db, err));
    fz_status status = put(store, run, result, replace, err);
    if (status == FZ_OK)
        status = fz_db_commit(store->db, err);
    if (status != FZ_OK)
        fz_db_rollback(store->db);
    return status;
}
