#include "sim/store/store.h"

#include <stdlib.h>
#include <string.h>

#include "core/support/db.h"
#include "sim/metrics/place_text.h"
#include "sim/store/node_lists.h"
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
    FZ_TRY(fz_db_exec(db, "PRAGMA cache_size = -65536", err));
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

fz_status fz_store_close(fz_store *store, fz_error *err)
{
    if (store == NULL)
        return FZ_OK;
    fz_status status = fz_db_close(store->db, err);
    free(store);
    return status;
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

/* The words that the given columns use: ids by text id, filled on demand. */
static void word_bind(sqlite3_stmt *stmt, int at, fz_db *db, const fz_trace *trace, const fz_text_id *column,
                      uint32_t job, int64_t *ids, fz_status *status, fz_error *err)
{
    fz_text_id text = column != NULL ? column[job] : 0;
    if (text == 0 || *status != FZ_OK) {
        sqlite3_bind_null(stmt, at);
        return;
    }
    if (ids[text] == 0)
        *status = word_id(db, trace->texts[text], &ids[text], err);
    sqlite3_bind_int64(stmt, at, ids[text]);
}

static fz_status trace_jobs_insert(fz_db *db, const fz_trace *trace, int64_t id, int64_t *words,
                                   fz_error *err)
{
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, "INSERT INTO trace_job VALUES (?, ?, ?, ?, ?, ?, ?)", &insert, err));
    fz_status status = FZ_OK;
    for (uint32_t job = 0; status == FZ_OK && job < trace->n_jobs; job++) {
        sqlite3_bind_int64(insert, 1, id << 32 | job);
        sqlite3_bind_text(insert, 2, fz_trace_job_id(trace, job), -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 3, trace->submit[job]);
        if (trace->req_gpus != NULL && trace->req_gpus[job] > 0)
            sqlite3_bind_int64(insert, 4, trace->req_gpus[job]);
        else
            sqlite3_bind_null(insert, 4);
        word_bind(insert, 5, db, trace, trace->user, job, words, &status, err);
        word_bind(insert, 6, db, trace, trace->vc, job, words, &status, err);
        word_bind(insert, 7, db, trace, trace->model, job, words, &status, err);
        if (status == FZ_OK)
            status = fz_db_run(db, insert, err);
    }
    sqlite3_finalize(insert);
    return status;
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
    int64_t *words = calloc(trace->n_texts + 1, sizeof(*words));
    if (words == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the words of a trace");
    status = trace_jobs_insert(db, trace, *id, words, err);
    free(words);
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

static fz_status run_insert(fz_db *db, const fz_store_run *run, const fz_run_result *result, int64_t trace,
                            int64_t cluster, int64_t *id, fz_error *err)
{
    static const char sql[] =
        "INSERT INTO run (trace, cluster, scheduler, seed, config, version, jobs, finished, rejected, "
        "timeouts,"
        " oom_failed, unfinished, started, jct_avg_s, jct_p50_s, jct_p90_s, jct_p95_s, jct_p99_s, jct_max_s,"
        " queue_avg_s, wait_avg_s, makespan_s, alloc_frac, ooms, preemptions, decisions, starts, events, "
        "from_marp,"
        " estimate_user, estimate_limit, estimate_oracle, wall_s, engine_s, jobs_per_s, decide_ms_p50, "
        "decide_ms_p99,"
        " decide_ms_mean, decide_ms_max, peak_rss_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, sql, &insert, err));
    int at = 1;
    sqlite3_bind_int64(insert, at++, trace);
    sqlite3_bind_int64(insert, at++, cluster);
    sqlite3_bind_text(insert, at++, run->scheduler, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, at++, (int64_t)run->seed);
    sqlite3_bind_text(insert, at++, run->config, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, at++, run->version, -1, SQLITE_STATIC);
    summary_bind(insert, &at, &result->summary);
    cost_bind(insert, &at, &result->cost);
    fz_status status = fz_db_run(db, insert, err);
    *id = sqlite3_last_insert_rowid(fz_db_handle(db));
    sqlite3_finalize(insert);
    return status;
}

/* ---- the jobs ------------------------------------------------------------------------------------------- */

/* Everything that adding the jobs of one run needs. */
typedef struct job_writer {
    fz_db *db;
    const fz_store_run *run;
    const fz_run_result *result;
    int64_t run_id;
    int64_t first_list; /* ids of node lists of this run start here */
    int64_t *plan_ids;  /* by plan of the result; 0: not known yet */
    fz_node_lists lists;
    fz_placement where;
    fz_place_text nodes, types;
    sqlite3_stmt *insert_job, *insert_list, *insert_plan;
} job_writer;

static fz_status list_insert(job_writer *writer, uint32_t place, uint32_t number, fz_error *err)
{
    fz_places_read(writer->result->places, place, &writer->where);
    if (!fz_place_text_nodes(&writer->nodes, writer->run->cluster, &writer->where) ||
        !fz_place_text_types(&writer->types, writer->run->cluster, &writer->where))
        return fz_fail(err, FZ_ENOMEM, "no memory for a node list");
    sqlite3_bind_int64(writer->insert_list, 1, writer->first_list + number);
    sqlite3_bind_text(writer->insert_list, 2, writer->nodes.text, (int)writer->nodes.length, SQLITE_STATIC);
    sqlite3_bind_text(writer->insert_list, 3, writer->types.text, (int)writer->types.length, SQLITE_STATIC);
    return fz_db_run(writer->db, writer->insert_list, err);
}

static fz_status plan_id(job_writer *writer, uint16_t plan, int64_t *id, fz_error *err)
{
    *id = writer->plan_ids[plan];
    if (*id != 0)
        return FZ_OK;
    char text[32];
    fz_plan_format(&writer->result->plans[plan], text, sizeof(text));
    FZ_TRY(id_find(writer->db, "SELECT id FROM plan WHERE text = ?", text, id, err));
    if (*id == 0) {
        sqlite3_bind_text(writer->insert_plan, 1, text, -1, SQLITE_STATIC);
        FZ_TRY(fz_db_run(writer->db, writer->insert_plan, err));
        *id = sqlite3_last_insert_rowid(fz_db_handle(writer->db));
    }
    writer->plan_ids[plan] = *id;
    return FZ_OK;
}

static void time_bind(sqlite3_stmt *stmt, int at, fz_time time)
{
    if (time == FZ_TIME_NONE)
        sqlite3_bind_null(stmt, at);
    else
        sqlite3_bind_int64(stmt, at, time);
}

/* Columns 7 to 9: what the last attempt ran on, or NULL if there was none. */
static fz_status attempt_bind(job_writer *writer, const fz_job_result *job, fz_error *err)
{
    sqlite3_stmt *stmt = writer->insert_job;
    for (int at = 7; at <= 9; at++)
        sqlite3_bind_null(stmt, at);
    if (job->gpus > 0)
        sqlite3_bind_int64(stmt, 7, job->gpus);
    if (job->place != FZ_NO_PLACE) {
        uint32_t number = 0;
        bool fresh = false;
        if (!fz_node_lists_number(&writer->lists, job->place, &number, &fresh))
            return fz_fail(err, FZ_ENOMEM, "no memory for the node lists of a run");
        if (fresh)
            FZ_TRY(list_insert(writer, job->place, number, err));
        sqlite3_bind_int64(stmt, 8, writer->first_list + number);
    }
    if (job->plan != 0) {
        int64_t id = 0;
        FZ_TRY(plan_id(writer, job->plan, &id, err));
        sqlite3_bind_int64(stmt, 9, id);
    }
    return FZ_OK;
}

static fz_status job_insert(job_writer *writer, uint32_t row, fz_error *err)
{
    const fz_job_result *job = &writer->result->jobs[row];
    sqlite3_stmt *stmt = writer->insert_job;
    sqlite3_bind_int64(stmt, 1, writer->run_id << 32 | row);
    time_bind(stmt, 2, job->start);
    time_bind(stmt, 3, job->end);
    sqlite3_bind_int64(stmt, 4, job->run);
    sqlite3_bind_int64(stmt, 5, job->gpu_time);
    sqlite3_bind_int(stmt, 6, job->state);
    FZ_TRY(attempt_bind(writer, job, err));
    sqlite3_bind_int64(stmt, 10, job->attempts);
    sqlite3_bind_int(stmt, 11, job->preemptions);
    return fz_db_run(writer->db, stmt, err);
}

static fz_status writer_init(job_writer *writer, fz_error *err)
{
    const fz_cluster_spec *cluster = writer->run->cluster;
    fz_db *db = writer->db;
    writer->lists =
        (fz_node_lists){.places = writer->result->places, .places_len = writer->result->places_len};
    writer->plan_ids = calloc((size_t)writer->result->n_plans + 1, sizeof(*writer->plan_ids));
    writer->where =
        (fz_placement){.parts = calloc(cluster->n_nodes, sizeof(fz_part)), .capacity = cluster->n_nodes};
    if (writer->plan_ids == NULL || writer->where.parts == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory to store a run");
    sqlite3_stmt *last = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(db, "SELECT ifnull(max(id), 0) + 1 FROM node_list", &last, err));
    fz_status status = fz_db_step(db, last, &row, err);
    if (status == FZ_OK && row)
        writer->first_list = sqlite3_column_int64(last, 0);
    sqlite3_finalize(last);
    FZ_TRY(status);
    FZ_TRY(fz_db_prepare(db, "INSERT INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &writer->insert_job,
                         err));
    FZ_TRY(fz_db_prepare(db, "INSERT INTO node_list VALUES (?, ?, ?)", &writer->insert_list, err));
    return fz_db_prepare(db, "INSERT INTO plan (text) VALUES (?)", &writer->insert_plan, err);
}

static void writer_release(job_writer *writer)
{
    sqlite3_finalize(writer->insert_job);
    sqlite3_finalize(writer->insert_list);
    sqlite3_finalize(writer->insert_plan);
    fz_node_lists_release(&writer->lists);
    free(writer->plan_ids);
    free(writer->where.parts);
    free(writer->nodes.text);
    free(writer->types.text);
}

static fz_status jobs_insert(fz_db *db, const fz_store_run *run, const fz_run_result *result, int64_t run_id,
                             fz_error *err)
{
    job_writer writer = {.db = db, .run = run, .result = result, .run_id = run_id};
    fz_status status = writer_init(&writer, err);
    for (uint32_t row = 0; status == FZ_OK && row < result->n_jobs; row++)
        status = job_insert(&writer, row, err);
    writer_release(&writer);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

fz_status fz_store_add(fz_store *store, const fz_store_run *run, const fz_run_result *result, int64_t *run_id,
                       fz_error *err)
{
    int64_t trace = 0;
    int64_t cluster = 0;
    int64_t id = 0;
    FZ_TRY(fz_db_begin(store->db, err));
    fz_status status = trace_add(store->db, run->trace, &trace, err);
    if (status == FZ_OK)
        status = cluster_add(store->db, run, &cluster, err);
    if (status == FZ_OK)
        status = run_insert(store->db, run, result, trace, cluster, &id, err);
    if (status == FZ_OK)
        status = jobs_insert(store->db, run, result, id, err);
    if (status == FZ_OK)
        status = fz_db_commit(store->db, err);
    if (status != FZ_OK)
        fz_db_rollback(store->db);
    else if (run_id != NULL)
        *run_id = id;
    return status;
}
