/* Merging: rows of another database, attached as `other`, copied run by run in one transaction. */
#include <stdio.h>
#include <string.h>

#include "sim/store/cells.h"
#include "sim/store/schema.h"

/* All columns of `run` but id, trace and cluster. */
#define RUN_COLUMNS                                                                                          \
    "scheduler, seed, config, version, added, jobs, finished, rejected, timeouts, oom_failed, unfinished, "  \
    "started, jct_avg_s, jct_p50_s, jct_p90_s, jct_p95_s, jct_p99_s, jct_max_s, queue_avg_s, wait_avg_s, "   \
    "makespan_s, alloc_frac, ooms, preemptions, decisions, starts, events, from_marp, estimate_user, "       \
    "estimate_limit, estimate_oracle, wall_s, engine_s, jobs_per_s, decide_ms_p50, decide_ms_p99, "          \
    "decide_ms_mean, decide_ms_max, peak_rss_bytes, cell, key, experiment, scenario, label, load, "          \
    "submit_scale, window_first, window_end, position"

/* What all runs share, by content. */
static const char shared_sql[] =
    "INSERT INTO main.trace (sha256, path, source, epoch, jobs)"
    " SELECT sha256, path, source, epoch, jobs FROM other.trace AS o"
    " WHERE id IN (SELECT trace FROM other.run WHERE cell IS NOT NULL)"
    " AND NOT EXISTS (SELECT 1 FROM main.trace AS m WHERE m.sha256 = o.sha256) ORDER BY id;"
    "INSERT OR IGNORE INTO main.word (text) SELECT text FROM other.word ORDER BY id;"
    "INSERT OR IGNORE INTO main.plan (text) SELECT text FROM other.plan ORDER BY id;"
    "INSERT INTO main.trace_job"
    " SELECT (m.id << 32) + (t.key & 4294967295), t.job_id, t.submit_us, t.req_gpus, mu.id, mv.id, mm.id"
    " FROM other.trace AS o JOIN main.trace AS m ON m.sha256 = o.sha256"
    " JOIN other.trace_job AS t ON t.key >= o.id << 32 AND t.key < (o.id + 1) << 32"
    " LEFT JOIN other.word AS u ON u.id = t.user LEFT JOIN main.word AS mu ON mu.text = u.text"
    " LEFT JOIN other.word AS v ON v.id = t.vc LEFT JOIN main.word AS mv ON mv.text = v.text"
    " LEFT JOIN other.word AS w ON w.id = t.model LEFT JOIN main.word AS mm ON mm.text = w.text"
    " WHERE NOT EXISTS (SELECT 1 FROM main.trace_job AS k WHERE k.key >= m.id << 32 AND k.key < (m.id + 1) "
    "<< 32)"
    " ORDER BY m.id, t.key;"
    "INSERT INTO main.cluster (sha256, name, path, gpus, nodes)"
    " SELECT sha256, name, path, gpus, nodes FROM other.cluster AS o"
    " WHERE id IN (SELECT cluster FROM other.run WHERE cell IS NOT NULL)"
    " AND NOT EXISTS (SELECT 1 FROM main.cluster AS m WHERE m.sha256 = o.sha256) ORDER BY id;";

/* One run: ?1 is its number there, ?2 here, ?3 what is added to the numbers of its node lists. */
static const char *const run_sql[] = {
    "INSERT INTO main.run (id, trace, cluster, " RUN_COLUMNS ")"
    " SELECT ?2, (SELECT m.id FROM main.trace AS m JOIN other.trace AS o ON o.sha256 = m.sha256 WHERE o.id = "
    "run.trace), (SELECT m.id FROM main.cluster AS m JOIN other.cluster AS o ON o.sha256 = m.sha256"
    " WHERE o.id = run.cluster), " RUN_COLUMNS " FROM other.run AS run WHERE id = ?1",
    "INSERT INTO main.node_list SELECT id + ?3, nodes, gpu_types FROM other.node_list WHERE id IN"
    " (SELECT node_list FROM other.job WHERE key >= ?1 << 32 AND key < (?1 + 1) << 32)",
    "INSERT INTO main.job SELECT (?2 << 32) + (key & 4294967295), start_us, end_us, run_us, gpu_us, state,"
    " gpus, node_list + ?3, mp.id, attempts, preemptions, last_start_us FROM other.job"
    " LEFT JOIN other.plan AS p ON p.id = job.plan LEFT JOIN main.plan AS mp ON mp.text = p.text"
    " WHERE key >= ?1 << 32 AND key < (?1 + 1) << 32 ORDER BY key",
    "INSERT INTO main.timeline SELECT (?2 << 32) + (key & 4294967295), start_us, end_us, alloc_gpus, waiting,"
    " running FROM other.timeline WHERE key >= ?1 << 32 AND key < (?1 + 1) << 32 ORDER BY key",
};

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

/* ---- checks --------------------------------------------------------------------------------------------- */

static fz_status other_check(fz_db *db, const char *path, fz_error *err)
{
    int64_t id = 0;
    int64_t version = 0;
    FZ_TRY(number(db, "PRAGMA other.application_id", &id, err));
    FZ_TRY(number(db, "PRAGMA other.user_version", &version, err));
    if (id != FZ_STORE_APPLICATION_ID)
        return fz_fail_at(err, FZ_EDB, path, 0, 0, "this is no results database of frenzy");
    if (version != (int64_t)fz_store_schema_version)
        return fz_fail_at(err, FZ_EDB, path, 0, 0,
                          "its schema is version %lld, this program's %u; run `frenzy sweep` on it with this "
                          "program first, which brings it up to date",
                          (long long)version, fz_store_schema_version);
    return FZ_OK;
}

/* Runs of one cell by two versions of the program are not mixed. */
static fz_status conflicts_check(fz_db *db, const char *path, fz_error *err)
{
    static const char sql[] =
        "SELECT o.label, o.scenario, o.seed, o.version, m.version FROM other.run AS o JOIN main.run AS m"
        " ON m.cell = o.cell AND m.key <> o.key ORDER BY o.id LIMIT 1";
    sqlite3_stmt *select = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(db, sql, &select, err));
    fz_status status = fz_db_step(db, select, &row, err);
    if (status == FZ_OK && row)
        status = fz_fail_at(
            err, FZ_EDB, path, 0, 0,
            "%s, %s, seed %lld was made here by version %s, but by version %s in what was merged "
            "before; run one of them again",
            (const char *)sqlite3_column_text(select, 0), (const char *)sqlite3_column_text(select, 1),
            (long long)sqlite3_column_int64(select, 2), (const char *)sqlite3_column_text(select, 3),
            (const char *)sqlite3_column_text(select, 4));
    sqlite3_finalize(select);
    return status;
}

/* ---- copying -------------------------------------------------------------------------------------------- */

/* The number of the first node list of a run there. */
static fz_status first_list(fz_db *db, int64_t there, int64_t *out, fz_error *err)
{
    sqlite3_stmt *select = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(db,
                         "SELECT ifnull(min(node_list), 1) FROM other.job"
                         " WHERE key >= ?1 << 32 AND key < (?1 + 1) << 32",
                         &select, err));
    sqlite3_bind_int64(select, 1, there);
    fz_status status = fz_db_step(db, select, &row, err);
    if (status == FZ_OK && row)
        *out = sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    return status;
}

static fz_status run_copy(fz_db *db, int64_t there, const char *cell, fz_error *err)
{
    int64_t here = 0;
    int64_t lists = 0;
    int64_t first = 1;
    FZ_TRY(fz_cell_number(db, cell, &here, err));
    FZ_TRY(number(db, "SELECT ifnull(max(id), 0) FROM main.node_list", &lists, err));
    FZ_TRY(first_list(db, there, &first, err));
    const int64_t values[] = {there, here, lists + 1 - first};
    FZ_TRY(fz_cell_run(db, run_sql[0], values, 2, err));
    FZ_TRY(fz_cell_run(db, run_sql[1], values, 3, err));
    FZ_TRY(fz_cell_run(db, run_sql[2], values, 3, err));
    return fz_cell_run(db, run_sql[3], values, 2, err);
}

static fz_status runs_copy(fz_db *db, fz_store_merged *merged, fz_error *err)
{
    sqlite3_stmt *select = NULL;
    bool row = false;
    FZ_TRY(fz_db_prepare(db,
                         "SELECT id, cell FROM other.run AS o WHERE cell IS NOT NULL AND NOT EXISTS"
                         " (SELECT 1 FROM main.run AS m WHERE m.cell = o.cell) ORDER BY id",
                         &select, err));
    fz_status status = FZ_OK;
    while ((status = fz_db_step(db, select, &row, err)) == FZ_OK && row) {
        status =
            run_copy(db, sqlite3_column_int64(select, 0), (const char *)sqlite3_column_text(select, 1), err);
        if (status != FZ_OK)
            break;
        merged->added++;
    }
    sqlite3_finalize(select);
    return status;
}

/* A failure is worth knowing only where there is no result. */
static fz_status failures_copy(fz_db *db, fz_store_merged *merged, fz_error *err)
{
    FZ_TRY(
        fz_db_exec(db, "INSERT OR IGNORE INTO main.failure SELECT * FROM other.failure ORDER BY cell", err));
    merged->failures = (uint64_t)sqlite3_changes(fz_db_handle(db));
    return fz_db_exec(db,
                      "DELETE FROM main.failure WHERE EXISTS"
                      " (SELECT 1 FROM main.run WHERE run.cell = failure.cell AND run.key = failure.key)",
                      err);
}

static fz_status everything_copy(fz_db *db, const char *path, fz_store_merged *merged, fz_error *err)
{
    int64_t with = 0;
    int64_t without = 0;
    FZ_TRY(other_check(db, path, err));
    FZ_TRY(conflicts_check(db, path, err));
    FZ_TRY(number(db, "SELECT count(*) FROM other.run WHERE cell IS NULL", &without, err));
    FZ_TRY(number(db, "SELECT count(*) FROM other.run WHERE cell IS NOT NULL", &with, err));
    FZ_TRY(fz_db_exec(db, shared_sql, err));
    FZ_TRY(runs_copy(db, merged, err));
    merged->without = (uint64_t)without;
    merged->present = (uint64_t)with - merged->added;
    return failures_copy(db, merged, err);
}

static fz_status attach(fz_db *db, const char *path, fz_error *err)
{
    sqlite3_stmt *stmt = NULL;
    char name[4096];
    snprintf(name, sizeof(name), "%s%s", path[0] == '/' ? "" : "./", path); /* "file:" is a name here, too */
    FZ_TRY(fz_db_prepare(db, "ATTACH ? AS other", &stmt, err));
    sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    fz_status status = fz_db_run(db, stmt, err);
    sqlite3_finalize(stmt);
    return status;
}

fz_status fz_store_merge(fz_store *store, const char *path, fz_store_merged *merged, fz_error *err)
{
    fz_db *db = fz_store_db(store);
    fz_db *probe = NULL;
    *merged = (fz_store_merged){0};
    FZ_TRY(fz_db_open_readonly(path, &probe, err)); /* says in words what is wrong with the file */
    FZ_TRY(fz_db_close(probe, err));
    FZ_TRY(attach(db, path, err));
    fz_status status = fz_db_begin(db, err);
    if (status == FZ_OK)
        status = everything_copy(db, path, merged, err);
    if (status == FZ_OK)
        status = fz_db_commit(db, err);
    if (status != FZ_OK)
        fz_db_rollback(db);
    fz_status detached = fz_db_exec(db, "DETACH other", status == FZ_OK ? err : NULL);
    return status != FZ_OK ? status : detached;
}
