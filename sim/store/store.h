/* Results database: SQLite, one file for any number of runs. This folder holds the only SQL of the
 * simulator; README.md describes tables and views for people.
 *
 * One transaction a run: a run is in the database whole or not at all. One writer at a time; a second one
 * waits. Tables hold integers (microseconds, ids); the views v_run, v_job and v_summary show texts and
 * seconds. */
#ifndef FRENZY_SIM_STORE_STORE_H
#define FRENZY_SIM_STORE_STORE_H

#include <stdint.h>

#include <frenzy/cluster.h>
#include <frenzy/status.h>

#include "sim/metrics/result.h"
#include "workloads/trace.h"

typedef struct fz_store fz_store;

/* Opens or makes a database. Errors: FZ_EIO, FZ_EDB in words (no such folder, not a database of frenzy,
 * made by a newer version, locked, disk full). */
fz_status fz_store_open(const char *path, fz_store **out, fz_error *err);
fz_status fz_store_close(fz_store *store, fz_error *err); /* NULL is allowed */

/* What a run was made from. Borrowed for the call. */
typedef struct fz_store_run {
    const fz_trace *trace;
    const fz_cluster_spec *cluster;
    const char *cluster_sha256; /* of the file */
    const char *cluster_path;
    const char *scheduler;
    const char *config;  /* resolved, lines of key=value */
    const char *version; /* of the program */
    uint64_t seed;
} fz_store_run;

/* Adds a run with all its jobs; the trace and the cluster are added when they are new (by SHA-256).
 * `*run_id` (optional) names it in the tables. After an error the database is as it was before. */
fz_status fz_store_add(fz_store *store, const fz_store_run *run, const fz_run_result *result, int64_t *run_id,
                       fz_error *err);

#endif
