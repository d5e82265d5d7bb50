#include "sim/store/schema.h"

/* Rows of jobs are numbered (trace or run) * 2^32 + row of the job in its trace. The two tables with a row a
 * job name others without REFERENCES: checking each would double the time of an insert. */
static const char version_1[] =
    "CREATE TABLE trace ("
    " id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, path TEXT NOT NULL, source TEXT NOT NULL,"
    " epoch TEXT NOT NULL, jobs INTEGER NOT NULL) STRICT;"
    "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE trace_job ("
    " key INTEGER PRIMARY KEY, job_id TEXT NOT NULL, submit_us INTEGER NOT NULL, req_gpus INTEGER,"
    " user INTEGER, vc INTEGER, model INTEGER) STRICT;"
    "CREATE TABLE cluster ("
    " id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, name TEXT NOT NULL, path TEXT NOT NULL,"
    " gpus INTEGER NOT NULL, nodes INTEGER NOT NULL) STRICT;"
    "CREATE TABLE state (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
    "CREATE TABLE node_list (id INTEGER PRIMARY KEY, nodes TEXT NOT NULL, gpu_types TEXT NOT NULL) STRICT;"
    "CREATE TABLE plan (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY, trace INTEGER NOT NULL REFERENCES trace, cluster INTEGER NOT NULL REFERENCES "
    "cluster,"
    " scheduler TEXT NOT NULL, seed INTEGER NOT NULL, config TEXT NOT NULL, version TEXT NOT NULL,"
    " added TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
    " jobs INTEGER NOT NULL, finished INTEGER NOT NULL, rejected INTEGER NOT NULL, timeouts INTEGER NOT NULL,"
    " oom_failed INTEGER NOT NULL, unfinished INTEGER NOT NULL, started INTEGER NOT NULL,"
    " jct_avg_s REAL, jct_p50_s REAL, jct_p90_s REAL, jct_p95_s REAL, jct_p99_s REAL, jct_max_s REAL,"
    " queue_avg_s REAL, wait_avg_s REAL, makespan_s REAL, alloc_frac REAL,"
    " ooms INTEGER NOT NULL, preemptions INTEGER NOT NULL, decisions INTEGER NOT NULL, starts INTEGER NOT "
    "NULL,"
    " events INTEGER NOT NULL, from_marp INTEGER NOT NULL, estimate_user INTEGER NOT NULL,"
    " estimate_limit INTEGER NOT NULL, estimate_oracle INTEGER NOT NULL,"
    " wall_s REAL NOT NULL, engine_s REAL NOT NULL, jobs_per_s REAL NOT NULL, decide_ms_p50 REAL NOT NULL,"
    " decide_ms_p99 REAL NOT NULL, decide_ms_mean REAL NOT NULL, decide_ms_max REAL NOT NULL,"
    " peak_rss_bytes INTEGER NOT NULL) STRICT;"
    "CREATE TABLE job ("
    " key INTEGER PRIMARY KEY, start_us INTEGER, end_us INTEGER, run_us INTEGER NOT NULL, gpu_us INTEGER NOT "
    "NULL,"
    " state INTEGER NOT NULL, gpus INTEGER, node_list INTEGER,"
    " plan INTEGER, attempts INTEGER NOT NULL, preemptions INTEGER NOT NULL) STRICT;";

/* Views for people. */
static const char version_2[] =
    "CREATE VIEW v_run AS SELECT run.id AS run_id, scheduler, seed, trace.path AS trace, trace.sha256 AS "
    "trace_sha256,"
    " cluster.name AS cluster, cluster.path AS cluster_path, cluster.sha256 AS cluster_sha256, cluster.gpus "
    "AS gpus,"
    " config, version, added FROM run JOIN trace ON trace.id = run.trace JOIN cluster ON cluster.id = "
    "run.cluster;"

    "CREATE VIEW v_summary AS SELECT run.id AS run_id, scheduler, seed, trace.path AS trace, cluster.name AS "
    "cluster,"
    " run.jobs AS jobs, finished, rejected, timeouts, oom_failed, unfinished, jct_avg_s, jct_p50_s, "
    "jct_p90_s,"
    " jct_p95_s, jct_p99_s, jct_max_s, queue_avg_s, wait_avg_s, makespan_s, alloc_frac, ooms, preemptions, "
    "decisions,"
    " starts, events, from_marp, estimate_user, estimate_limit, estimate_oracle, wall_s, engine_s, "
    "jobs_per_s,"
    " decide_ms_p50, decide_ms_p99, decide_ms_mean, decide_ms_max, peak_rss_bytes"
    " FROM run JOIN trace ON trace.id = run.trace JOIN cluster ON cluster.id = run.cluster;"

    "CREATE VIEW v_job AS SELECT job.key >> 32 AS run_id, run.scheduler AS scheduler, run.seed AS seed,"
    " job.key & 4294967295 AS row, t.job_id AS job_id, u.text AS user, v.text AS vc, m.text AS model,"
    " t.req_gpus AS req_gpus, t.submit_us / 1e6 AS submit_s, job.start_us / 1e6 AS start_s, job.end_us / 1e6 "
    "AS end_s,"
    " state.name AS state, job.gpus AS gpus, n.gpu_types AS gpu_types, n.nodes AS nodes, plan.text AS plan,"
    " job.attempts AS attempts, job.preemptions AS preemptions,"
    " CASE WHEN job.start_us IS NOT NULL THEN (job.start_us - t.submit_us) / 1e6 END AS queue_s,"
    " CASE WHEN job.end_us IS NOT NULL THEN (job.end_us - t.submit_us) / 1e6 END AS jct_s,"
    " CASE WHEN job.end_us IS NOT NULL THEN (job.end_us - t.submit_us - job.run_us) / 1e6 END AS wait_s,"
    " job.run_us / 1e6 AS run_s, job.gpu_us / 1e6 AS gpu_s"
    " FROM job JOIN run ON run.id = job.key >> 32"
    " JOIN trace_job AS t ON t.key = (run.trace << 32) + (job.key & 4294967295)"
    " JOIN state ON state.id = job.state LEFT JOIN node_list AS n ON n.id = job.node_list"
    " LEFT JOIN plan ON plan.id = job.plan LEFT JOIN word AS u ON u.id = t.user LEFT JOIN word AS v ON v.id "
    "= t.vc"
    " LEFT JOIN word AS m ON m.id = t.model;";

/* Sweeps: what a run is called in its experiment, failed runs, timelines. `cell` names a run but for the
 * version of the program, `key` with it: a run of another version replaces the one in its cell. */
static const char version_3[] =
    "ALTER TABLE run ADD COLUMN cell TEXT;"
    "ALTER TABLE run ADD COLUMN key TEXT;"
    "ALTER TABLE run ADD COLUMN experiment TEXT;"
    "ALTER TABLE run ADD COLUMN scenario TEXT;"
    "ALTER TABLE run ADD COLUMN label TEXT;"
    "ALTER TABLE run ADD COLUMN load REAL;"
    "ALTER TABLE run ADD COLUMN submit_scale REAL NOT NULL DEFAULT 1;"
    "ALTER TABLE run ADD COLUMN window_first INTEGER;"
    "ALTER TABLE run ADD COLUMN window_end INTEGER;"
    "CREATE UNIQUE INDEX run_cell ON run(cell);"
    "CREATE TABLE failure ("
    " cell TEXT NOT NULL PRIMARY KEY, key TEXT NOT NULL, experiment TEXT NOT NULL, scenario TEXT NOT NULL,"
    " label TEXT NOT NULL, scheduler TEXT NOT NULL, seed INTEGER NOT NULL, load REAL, trace TEXT NOT NULL,"
    " cluster TEXT NOT NULL, config TEXT NOT NULL, version TEXT NOT NULL, kind TEXT NOT NULL,"
    " reason TEXT NOT NULL, last_words TEXT NOT NULL,"
    " added TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))) STRICT;"
    "CREATE TABLE timeline ("
    " key INTEGER PRIMARY KEY, start_us INTEGER NOT NULL, end_us INTEGER NOT NULL, alloc_gpus REAL NOT NULL,"
    " waiting REAL NOT NULL, running REAL NOT NULL) STRICT;";

/* Views that know of sweeps: the columns of version 2 keep their places. */
static const char version_4[] =
    "DROP VIEW v_run; DROP VIEW v_summary; DROP VIEW v_job;"

    "CREATE VIEW v_run AS SELECT run.id AS run_id, scheduler, seed, trace.path AS trace, trace.sha256 AS "
    "trace_sha256, cluster.name AS cluster, cluster.path AS cluster_path, cluster.sha256 AS cluster_sha256,"
    " cluster.gpus AS gpus, config, version, added, ifnull(experiment, '') AS experiment,"
    " ifnull(scenario, trace.path || ' on ' || cluster.name) AS scenario, ifnull(label, scheduler) AS label,"
    " load, submit_scale, window_first, window_end, substr(key, 1, 12) AS key"
    " FROM run JOIN trace ON trace.id = run.trace JOIN cluster ON cluster.id = run.cluster;"

    "CREATE VIEW v_summary AS SELECT run.id AS run_id, scheduler, seed, trace.path AS trace, cluster.name AS "
    "cluster, run.jobs AS jobs, finished, rejected, timeouts, oom_failed, unfinished, jct_avg_s, jct_p50_s, "
    "jct_p90_s, jct_p95_s, jct_p99_s, jct_max_s, queue_avg_s, wait_avg_s, makespan_s, alloc_frac, ooms, "
    "preemptions, decisions, starts, events, from_marp, estimate_user, estimate_limit, estimate_oracle, "
    "wall_s, engine_s, jobs_per_s, decide_ms_p50, decide_ms_p99, decide_ms_mean, decide_ms_max, "
    "peak_rss_bytes, ifnull(experiment, '') AS experiment,"
    " ifnull(scenario, trace.path || ' on ' || cluster.name) AS scenario, ifnull(label, scheduler) AS label,"
    " load FROM run JOIN trace ON trace.id = run.trace JOIN cluster ON cluster.id = run.cluster;"

    /* The scaled time is worked out as fz_trace_scaled() does. */
    "CREATE VIEW v_job AS WITH j AS (SELECT job.*, run.scheduler, run.seed, run.label, run.window_first,"
    " run.window_end, t.job_id, t.req_gpus, t.user, t.vc, t.model,"
    " CASE WHEN run.submit_scale = 1 THEN t.submit_us"
    " ELSE CAST(t.submit_us * run.submit_scale + 0.5 AS INTEGER) END AS submit_us"
    " FROM job JOIN run ON run.id = job.key >> 32"
    " JOIN trace_job AS t ON t.key = (run.trace << 32) + (job.key & 4294967295))"
    " SELECT j.key >> 32 AS run_id, scheduler, seed, j.key & 4294967295 AS row, job_id, u.text AS user,"
    " v.text AS vc, m.text AS model, req_gpus, submit_us / 1e6 AS submit_s, start_us / 1e6 AS start_s,"
    " end_us / 1e6 AS end_s, state.name AS state, gpus, n.gpu_types AS gpu_types, n.nodes AS nodes,"
    " plan.text AS plan, attempts, preemptions,"
    " CASE WHEN start_us IS NOT NULL THEN (start_us - submit_us) / 1e6 END AS queue_s,"
    " CASE WHEN end_us IS NOT NULL THEN (end_us - submit_us) / 1e6 END AS jct_s,"
    " CASE WHEN end_us IS NOT NULL THEN (end_us - submit_us - run_us) / 1e6 END AS wait_s,"
    " run_us / 1e6 AS run_s, gpu_us / 1e6 AS gpu_s, ifnull(label, scheduler) AS label,"
    " window_end IS NULL OR ((j.key & 4294967295) >= window_first AND (j.key & 4294967295) < window_end) AS "
    "measured"
    " FROM j JOIN state ON state.id = j.state LEFT JOIN node_list AS n ON n.id = j.node_list"
    " LEFT JOIN plan ON plan.id = j.plan LEFT JOIN word AS u ON u.id = j.user"
    " LEFT JOIN word AS v ON v.id = j.vc LEFT JOIN word AS m ON m.id = j.model;"

    "CREATE VIEW v_timeline AS SELECT run.id AS run_id, scheduler, ifnull(label, scheduler) AS label, seed,"
    " start_us / 1e6 AS start_s, end_us / 1e6 AS end_s, alloc_gpus, alloc_gpus / cluster.gpus AS alloc_frac,"
    " waiting, running FROM timeline JOIN run ON run.id = timeline.key >> 32"
    " JOIN cluster ON cluster.id = run.cluster;"

    "CREATE VIEW v_failure AS SELECT experiment, scenario, label, scheduler, seed, load, trace, cluster, "
    "kind,"
    " reason, last_words, config, version, added, substr(key, 1, 12) AS key FROM failure;";

/* The order of schedulers in their experiment; the baseline comes first. */
static const char version_5[] = "ALTER TABLE run ADD COLUMN position INTEGER NOT NULL DEFAULT 0;"
                                "ALTER TABLE job ADD COLUMN last_start_us INTEGER;"; /* NULL: start_us */

const char *const fz_store_schema[] = {version_1, version_2, version_3, version_4, version_5};
const uint32_t fz_store_schema_version = sizeof(fz_store_schema) / sizeof(fz_store_schema[0]);
