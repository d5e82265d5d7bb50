/* Reading results: runs with their figures, failures, jobs and timelines, for reports. Nothing is written. */
#ifndef FRENZY_SIM_STORE_READ_H
#define FRENZY_SIM_STORE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>

#include "sim/metrics/result.h"

typedef struct fz_reader fz_reader;

/* A database of an older schema is brought up to date first. Errors as fz_store_open(); the file must exist. */
fz_status fz_reader_open(const char *path, fz_reader **out, fz_error *err);
void fz_reader_close(fz_reader *reader); /* NULL is allowed */

typedef struct fz_run_row {
    int64_t id;
    uint64_t seed;
    const char *scheduler, *label, *scenario, *experiment;
    const char *trace, *trace_sha256, *cluster, *cluster_sha256, *config, *version, *added;
    double load;   /* -1: not known */
    uint32_t gpus; /* of the cluster */
    uint64_t jobs; /* of the trace */
    bool windowed; /* figures are over a window */
    fz_summary summary;
    fz_cost cost;
} fz_run_row;

typedef struct fz_failure_row {
    const char *label, *scenario, *kind, *reason;
    uint64_t seed;
} fz_failure_row;

/* By experiment, scenario (load ascending), label, seed. In `arena`. */
fz_status fz_reader_runs(fz_reader *reader, fz_arena *arena, fz_run_row **rows, uint32_t *n, fz_error *err);
fz_status fz_reader_failures(fz_reader *reader, fz_arena *arena, fz_failure_row **rows, uint32_t *n,
                             fz_error *err);

typedef struct fz_bin_row {
    double start_s, end_s, alloc_frac, waiting, running;
} fz_bin_row;

fz_status fz_reader_timeline(fz_reader *reader, int64_t run, fz_arena *arena, fz_bin_row **rows, uint32_t *n,
                             fz_error *err);

typedef struct fz_job_row {
    const char *job_id, *model, *user, *nodes, *gpu_types, *plan, *state;
    double submit_s, start_s, end_s, run_s, jct_s; /* NAN where there is none */
    double last_start_s;                           /* of the attempt that ran on `nodes` */
    uint32_t row, gpus, req_gpus, attempts, preemptions;
    bool finished, measured;
} fz_job_row;

/* In the order of the trace; called once a job; `job` is valid during the call. */
typedef fz_status (*fz_job_visit)(void *context, const fz_job_row *job, fz_error *err);
fz_status fz_reader_jobs(fz_reader *reader, int64_t run, fz_job_visit visit, void *context, fz_error *err);

/* The run with this number, or whose key begins with this text: 0 if there is none. */
fz_status fz_reader_find(fz_reader *reader, const char *text, int64_t *run, fz_error *err);

#endif
