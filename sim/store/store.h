/* Results database: SQLite, one file for any number of runs. This folder holds the only SQL of the
 * simulator; README.md describes tables and views for people.
 *
 * One transaction a run: a run is in the database whole or not at all. One writer at a time; a second one
 * waits. Tables hold integers (microseconds, ids); the views v_run, v_job, v_summary and v_timeline show
 * texts and seconds. */
#ifndef FRENZY_SIM_STORE_STORE_H
#define FRENZY_SIM_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/cluster.h>
#include <frenzy/status.h>

#include "core/support/db.h"
#include "sim/metrics/result.h"
#include "workloads/trace.h"

typedef struct fz_store fz_store;

/* Opens or makes a database. Errors: FZ_EIO, FZ_EDB in words (no such folder, not a database of frenzy,
 * made by a newer version, locked, disk full). */
fz_status fz_store_open(const char *path, fz_store **out, fz_error *err);
/* For programs that fork often: call it before the first fz_store_open(), and fz_store_small_cache() after each, so
 * that the pages of the database stay in memory that children do not share. */
void fz_store_fork_often(void);
fz_status fz_store_small_cache(fz_store *store, fz_error *err);
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

    /* A run of a sweep; all NULL or 0 for others. */
    const char *cell;                  /* hash that names the run but for the program's version, hex */
    const char *key;                   /* the same with it */
    const char *experiment;            /* name of the experiment */
    const char *scenario;              /* what runs that may be compared with each other share */
    const char *label;                 /* of the scheduler with its parameters */
    uint32_t position;                 /* of the scheduler in tables; 0 is the baseline */
    double load;                       /* 0: as in the trace */
    double submit_scale;               /* submit times were multiplied by it; 0 stands for 1 */
    uint32_t window_first, window_end; /* both 0: all jobs are measured */
} fz_store_run;

/* Adds a run with all its jobs; the trace and the cluster are added when they are new (by SHA-256).
 * `*run_id` (optional) names it in the tables. After an error the database is as it was before.
 *
 * With a cell, the run's number follows from it, so that it does not depend on the order of runs. A run of the
 * same cell is replaced if its key differs or `replace` is set; with the same key it stays, and nothing is
 * added: somebody else was faster. What failed before in that cell is forgotten. */
fz_status fz_store_add(fz_store *store, const fz_store_run *run, const fz_run_result *result, int64_t *run_id,
                       fz_error *err);
fz_status fz_store_put(fz_store *store, const fz_store_run *run, const fz_run_result *result, bool replace,
                       fz_error *err);

/* A run of a sweep that failed: why, and the last words of its process. Replaces what failed before in its
 * cell; changes nothing if the cell has a result of the same key. */
fz_status fz_store_fail(fz_store *store, const fz_store_run *run, const char *kind, const char *reason,
                        const char *last_words, fz_error *err);

/* Has this cell a result of this key? `*wall_s` (optional) receives what the run took. */
fz_status fz_store_has(fz_store *store, const char *cell, const char *key, bool *has, double *wall_s,
                       fz_error *err);
/* Gives a run that is there its names in another experiment. */
fz_status fz_store_rename(fz_store *store, const fz_store_run *run, fz_error *err);

/* What merging a file did. */
typedef struct fz_store_merged {
    uint64_t added;    /* runs */
    uint64_t present;  /* were there already, by key */
    uint64_t failures; /* failed runs taken over */
    uint64_t without;  /* runs without a key (of replay): left out, for they cannot be told apart */
} fz_store_merged;

/* Takes over the runs of another database, all or none. FZ_EDB: another schema, not a results database, or
 * runs of the same cell made by another version of the program. */
fz_status fz_store_merge(fz_store *store, const char *path, fz_store_merged *merged, fz_error *err);

fz_db *fz_store_db(fz_store *store); /* for the other files of this folder */

#endif
