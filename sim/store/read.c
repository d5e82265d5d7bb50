#include "sim/store/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/db.h"
#include "sim/store/schema.h"
#include "sim/store/store.h"

struct fz_reader {
    fz_db *db;
};

/* ---- opening -------------------------------------------------------------------------------------------- */

static fz_status number(fz_db *db, const char *sql, int64_t *out, fz_error *err)
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

/* Is it a results database, and of this schema? */
static fz_status schema_check(fz_db *db, bool *current, fz_error *err)
{
    int64_t id = 0;
    int64_t version = 0;
    FZ_TRY(number(db, "PRAGMA application_id", &id, err));
    FZ_TRY(number(db, "PRAGMA user_version", &version, err));
    if (id != FZ_STORE_APPLICATION_ID)
        return fz_fail_at(err, FZ_EDB, fz_db_path(db), 0, 0, "this is no results database of frenzy");
    *current = version == (int64_t)fz_store_schema_version;
    return FZ_OK;
}

static fz_status update(const char *path, fz_error *err)
{
    fz_store *store = NULL;
    FZ_TRY(fz_store_open(path, &store, err));
    return fz_store_close(store, err);
}

static fz_status open_current(const char *path, fz_db **db, fz_error *err)
{
    bool current = false;
    FZ_TRY(fz_db_open_readonly(path, db, err));
    FZ_TRY(schema_check(*db, &current, err));
    if (current)
        return FZ_OK;
    FZ_TRY(fz_db_close(*db, err));
    *db = NULL;
    FZ_TRY(update(path, err));
    return fz_db_open_readonly(path, db, err);
}

fz_status fz_reader_open(const char *path, fz_reader **out, fz_error *err)
{
    fz_reader *reader = calloc(1, sizeof(*reader));
    if (reader == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory to open %s", path);
    fz_status status = open_current(path, &reader->db, err);
    if (status != FZ_OK) {
        (void)fz_db_close(reader->db, NULL);
        free(reader);
        return status;
    }
    *out = reader;
    return FZ_OK;
}

void fz_reader_close(fz_reader *reader)
{
    if (reader == NULL)
        return;
    (void)fz_db_close(reader->db, NULL);
    free(reader);
}

/* ---- columns -------------------------------------------------------------------------------------------- */

/* Reads the columns of a row one after the other. */
typedef struct cursor {
    sqlite3_stmt *stmt;
    int at;
    fz_arena *arena; /* NULL: texts are valid until the next row */
    bool out_of_memory;
} cursor;

static const char *text_next(cursor *self)
{
    const char *text = (const char *)sqlite3_column_text(self->stmt, self->at++);
    if (text == NULL || self->arena == NULL)
        return text != NULL ? text : "";
    size_t size = strlen(text) + 1;
    char *copy = FZ_NEW(self->arena, size, char);
    if (copy == NULL) {
        self->out_of_memory = true;
        return "";
    }
    memcpy(copy, text, size);
    return copy;
}

static int64_t count_next(cursor *self)
{
    return sqlite3_column_int64(self->stmt, self->at++);
}

static double real_next(cursor *self, double absent)
{
    bool none = sqlite3_column_type(self->stmt, self->at) == SQLITE_NULL;
    double value = sqlite3_column_double(self->stmt, self->at++);
    return none ? absent : value;
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

static void summary_read(cursor *self, fz_summary *s)
{
    uint64_t *counts[] = {&s->jobs,        &s->finished,      &s->rejected,       &s->timeouts,
                          &s->oom_failed,  &s->unfinished,    &s->started,        &s->ooms,
                          &s->preemptions, &s->decisions,     &s->starts,         &s->events,
                          &s->from_marp,   &s->estimate_user, &s->estimate_limit, &s->estimate_oracle};
    double *figures[] = {&s->jct_avg_s, &s->jct_p50_s,   &s->jct_p90_s,  &s->jct_p95_s,  &s->jct_p99_s,
                         &s->jct_max_s, &s->queue_avg_s, &s->wait_avg_s, &s->makespan_s, &s->alloc_frac};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        *counts[i] = (uint64_t)count_next(self);
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
        *figures[i] = real_next(self, -1);
}

static void cost_read(cursor *self, fz_cost *c)
{
    double *costs[] = {&c->wall_s,        &c->engine_s,       &c->jobs_per_s,   &c->decide_ms_p50,
                       &c->decide_ms_p99, &c->decide_ms_mean, &c->decide_ms_max};
    for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++)
        *costs[i] = real_next(self, 0);
    c->peak_rss_bytes = (uint64_t)count_next(self);
}

static void run_read(cursor *self, fz_run_row *row)
{
    const char **texts[] = {&row->scheduler, &row->label,        &row->scenario, &row->experiment,
                            &row->trace,     &row->trace_sha256, &row->cluster,  &row->cluster_sha256,
                            &row->config,    &row->version,      &row->added};
    row->id = count_next(self);
    row->seed = (uint64_t)count_next(self);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = text_next(self);
    row->load = real_next(self, -1);
    row->gpus = (uint32_t)count_next(self);
    row->jobs = (uint64_t)count_next(self);
    row->windowed = count_next(self) != 0;
    summary_read(self, &row->summary);
    cost_read(self, &row->cost);
}

static fz_status rows_count(fz_reader *reader, const char *sql, uint32_t *n, fz_error *err)
{
    int64_t rows = 0;
    FZ_TRY(number(reader->db, sql, &rows, err));
    *n = (uint32_t)rows;
    return FZ_OK;
}

fz_status fz_reader_runs(fz_reader *reader, fz_arena *arena, fz_run_row **rows, uint32_t *n, fz_error *err)
{
    static const char sql[] =
        "SELECT r.run_id, r.seed, r.scheduler, r.label, r.scenario, r.experiment, r.trace, r.trace_sha256,"
        " r.cluster, r.cluster_sha256, r.config, r.version, r.added, r.load, r.gpus,"
        " (SELECT jobs FROM trace WHERE sha256 = r.trace_sha256), r.window_end IS NOT NULL,"
        " s.jobs, s.finished, s.rejected, s.timeouts, s.oom_failed, s.unfinished, run.started, s.ooms, "
        "s.preemptions, s.decisions, s.starts, s.events, s.from_marp, s.estimate_user, s.estimate_limit, "
        "s.estimate_oracle, s.jct_avg_s, s.jct_p50_s, s.jct_p90_s, s.jct_p95_s, s.jct_p99_s, s.jct_max_s, "
        "s.queue_avg_s, s.wait_avg_s, s.makespan_s, s.alloc_frac, s.wall_s, s.engine_s, s.jobs_per_s, "
        "s.decide_ms_p50, s.decide_ms_p99, s.decide_ms_mean, s.decide_ms_max, s.peak_rss_bytes"
        " FROM v_run AS r JOIN v_summary AS s USING (run_id) JOIN run ON run.id = r.run_id"
        " ORDER BY r.experiment, r.trace, r.cluster, r.load, r.scenario, run.position, r.label, r.seed, "
        "r.run_id";
    uint32_t room = 0;
    FZ_TRY(rows_count(reader, "SELECT count(*) FROM run", &room, err));
    *n = 0;
    *rows = FZ_NEW(arena, room, fz_run_row);
    if (*rows == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u runs", room);
    sqlite3_stmt *select = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(reader->db, sql, &select, err));
    fz_status status = FZ_OK;
    while (*n < room && (status = fz_db_step(reader->db, select, &row, err)) == FZ_OK && row) {
        cursor self = {.stmt = select, .arena = arena};
        run_read(&self, &(*rows)[(*n)++]);
        if (self.out_of_memory)
            status = fz_fail(err, FZ_ENOMEM, "no memory for %u runs", room);
        if (status != FZ_OK)
            break;
    }
    sqlite3_finalize(select);
    return status;
}

fz_status fz_reader_failures(fz_reader *reader, fz_arena *arena, fz_failure_row **rows, uint32_t *n,
                             fz_error *err)
{
    uint32_t room = 0;
    FZ_TRY(rows_count(reader, "SELECT count(*) FROM failure", &room, err));
    *n = 0;
    *rows = FZ_NEW(arena, room, fz_failure_row);
    if (*rows == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u failed runs", room);
    sqlite3_stmt *select = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(
        reader->db,
        "SELECT label, scenario, kind, reason, seed FROM failure ORDER BY scenario, label, seed, cell",
        &select, err));
    fz_status status = FZ_OK;
    while (*n < room && (status = fz_db_step(reader->db, select, &row, err)) == FZ_OK && row) {
        cursor self = {.stmt = select, .arena = arena};
        fz_failure_row *out = &(*rows)[(*n)++];
        out->label = text_next(&self);
        out->scenario = text_next(&self);
        out->kind = text_next(&self);
        out->reason = text_next(&self);
        out->seed = (uint64_t)count_next(&self);
    }
    sqlite3_finalize(select);
    return status;
}

/* ---- one run -------------------------------------------------------------------------------------------- */

fz_status fz_reader_timeline(fz_reader *reader, int64_t run, fz_arena *arena, fz_bin_row **rows, uint32_t *n,
                             fz_error *err)
{
    sqlite3_stmt *select = NULL;
    bool row = false;
    *n = 0;
    *rows = FZ_NEW(arena, FZ_TIMELINE_BINS, fz_bin_row);
    if (*rows == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a timeline");
    FZ_TRY(
        fz_db_prepare(reader->db,
                      "SELECT t.start_us / 1e6, t.end_us / 1e6, alloc_gpus / cluster.gpus, waiting, running"
                      " FROM timeline AS t JOIN run ON run.id = ?1 JOIN cluster ON cluster.id = run.cluster"
                      " WHERE t.key >= ?1 << 32 AND t.key < (?1 + 1) << 32 ORDER BY t.key",
                      &select, err));
    sqlite3_bind_int64(select, 1, run);
    fz_status status = FZ_OK;
    while (*n < FZ_TIMELINE_BINS && (status = fz_db_step(reader->db, select, &row, err)) == FZ_OK && row) {
        cursor self = {.stmt = select};
        fz_bin_row *bin = &(*rows)[(*n)++];
        bin->start_s = real_next(&self, 0);
        bin->end_s = real_next(&self, 0);
        bin->alloc_frac = real_next(&self, 0);
        bin->waiting = real_next(&self, 0);
        bin->running = real_next(&self, 0);
    }
    sqlite3_finalize(select);
    return status;
}

static void job_read(cursor *self, fz_job_row *job)
{
    const char **texts[] = {&job->job_id,    &job->model, &job->user, &job->nodes,
                            &job->gpu_types, &job->plan,  &job->state};
    double *times[] = {&job->submit_s, &job->start_s,      &job->end_s,
                       &job->run_s,    &job->last_start_s, &job->jct_s};
    uint32_t *counts[] = {&job->row, &job->gpus, &job->req_gpus, &job->attempts, &job->preemptions};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = text_next(self);
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        *times[i] = real_next(self, NAN);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        *counts[i] = (uint32_t)count_next(self);
    job->measured = count_next(self) != 0;
    job->finished = strcmp(job->state, "FINISHED") == 0;
}

fz_status fz_reader_jobs(fz_reader *reader, int64_t run, fz_job_visit visit, void *context, fz_error *err)
{
    /* By key rather than by run_id: v_job works that out of the key, which no index helps with. */
    static const char sql[] =
        "SELECT t.job_id, m.text, u.text, n.nodes, n.gpu_types, p.text, s.name,"
        " (CASE WHEN r.submit_scale = 1 THEN t.submit_us"
        "  ELSE CAST(t.submit_us * r.submit_scale + 0.5 AS INTEGER) END) / 1e6 AS submit,"
        " j.start_us / 1e6, j.end_us / 1e6, j.run_us / 1e6,"
        " ifnull(j.last_start_us, j.start_us) / 1e6, (j.end_us - CASE WHEN r.submit_scale = 1 THEN "
        "t.submit_us"
        "  ELSE CAST(t.submit_us * r.submit_scale + 0.5 AS INTEGER) END) / 1e6,"
        " j.key & 4294967295, j.gpus, t.req_gpus, j.attempts, j.preemptions,"
        " r.window_end IS NULL OR ((j.key & 4294967295) >= r.window_first AND (j.key & 4294967295) < "
        "r.window_end)"
        " FROM job AS j JOIN run AS r ON r.id = ?1"
        " JOIN trace_job AS t ON t.key = (r.trace << 32) + (j.key & 4294967295)"
        " JOIN state AS s ON s.id = j.state LEFT JOIN node_list AS n ON n.id = j.node_list"
        " LEFT JOIN plan AS p ON p.id = j.plan LEFT JOIN word AS u ON u.id = t.user"
        " LEFT JOIN word AS m ON m.id = t.model"
        " WHERE j.key >= ?1 << 32 AND j.key < (?1 + 1) << 32 ORDER BY j.key";
    sqlite3_stmt *select = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(reader->db, sql, &select, err));
    sqlite3_bind_int64(select, 1, run);
    fz_status status = FZ_OK;
    while ((status = fz_db_step(reader->db, select, &row, err)) == FZ_OK && row) {
        cursor self = {.stmt = select};
        fz_job_row job;
        job_read(&self, &job);
        status = visit(context, &job, err);
        if (status != FZ_OK)
            break;
    }
    sqlite3_finalize(select);
    return status;
}

fz_status fz_reader_find(fz_reader *reader, const char *text, int64_t *run, fz_error *err)
{
    sqlite3_stmt *select = NULL;
    bool row = false;
    *run = 0;
    FZ_TRY(fz_db_prepare(
        reader->db,
        "SELECT id FROM run WHERE CAST(id AS TEXT) = ?1"
        " OR (length(?1) >= 7 AND (substr(key, 1, length(?1)) = ?1 OR substr(cell, 1, length(?1)) = ?1))"
        " ORDER BY CAST(id AS TEXT) <> ?1 LIMIT 1",
        &select, err));
    sqlite3_bind_text(select, 1, text, -1, SQLITE_STATIC);
    fz_status status = fz_db_step(reader->db, select, &row, err);
    if (status == FZ_OK && row)
        *run = sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    if (status == FZ_OK && *run == 0)
        return fz_fail(err, FZ_EUSAGE,
                       "no run '%s' in %s; name its number or the first digits of its key (v_run)", text,
                       fz_db_path(reader->db));
    return status;
}
