/* The engine: replays a trace on a modelled cluster under one policy. Same input and seed, same result,
 * byte for byte.
 *
 *     events -> state of jobs -> view -> policy -> decision -> orchestrator -> events
 *
 * Nothing here prints, reads a file or looks at a clock, but for the wall time of decisions, which
 * never reaches the simulated world. Needs no globals: runs may go side by side. */
#ifndef FRENZY_SIM_ENGINE_ENGINE_H
#define FRENZY_SIM_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/model.h>
#include <frenzy/status.h>

#include "sim/engine/predict.h"
#include "sim/metrics/result.h"
#include "sim/sched/sched.h"
#include "workloads/apps/work_tables.h"
#include "workloads/trace.h"

/* What the simulated world does beyond the policy: keys of `--set` that every run knows. */
typedef struct fz_world {
    double mem_error_sigma; /* truth of memory = belief x exp(sigma z), z standard normal by job; 0: exact */
    double oom_after_s;     /* a run that does not fit dies after so long */
    double restart_s;       /* without progress at each start but the first */
    bool enforce_limit;     /* limit_s ends a job, counted from each start */
    fz_predictor_kind predictor; /* of memory and speed of LLM jobs; belief and truth share it */
} fz_world;

/* The parameter table of fz_world (same form as a policy's), and the struct made from its values. */
const fz_param *fz_world_params(uint32_t *count);
fz_world fz_world_from(const double *values);

/* One run. Everything is borrowed and may be shared between runs. */
typedef struct fz_run_spec {
    const fz_trace *trace;
    const fz_cluster_spec *cluster;
    /* Models by text id of the trace (n_texts entries), NULL where the text names no known model; the
     * whole array may be NULL. A job is an LLM job when its model is known and it has steps, a batch
     * and a sequence length; else it is opaque and needs req_gpus and a duration. */
    const fz_model *const *models;
    /* Tables of jobs that name a profile in place of a run time (work_kind `steps` or `target`); may be NULL. */
    const fz_work_tables *tables;
    const fz_sched_ops *sched;
    const double *sched_params; /* values of sched->params */
    fz_world world;
    uint64_t seed;
    /* The measured window: rows [window_first, window_end); both 0: all. The run ends when all jobs of the
     * window are final; the summary is over them. Jobs that still run are cut there and stay RUNNING. */
    uint32_t window_first, window_end;
    uint64_t max_queue; /* overload: more waiting jobs than this end the run with FZ_EUNSTABLE; 0: no limit */
    bool time_decisions; /* measure the wall time of each decide() */
    bool
        check_invariants; /* check the orchestrator and the job table after every instant: tests only, slow */
    /* Optional. Called about once in 65,536 events with the jobs done so far; returning false stops
     * the run with FZ_EINTERRUPTED. */
    bool (*progress)(void *context, uint64_t jobs_done, uint64_t n_jobs, fz_time now);
    void *progress_context;
} fz_run_spec;

/* Runs to the end: all jobs are final or wait for ever. The result lives in `arena`. Errors: FZ_EPARSE
 * for a job that cannot be simulated (named, with what is missing), FZ_EDECISION, FZ_ENOMEM,
 * FZ_EINTERRUPTED, FZ_EUNSTABLE (the queue passed max_queue: says when, and how fast it grew). */
fz_status fz_run(fz_arena *arena, const fz_run_spec *spec, fz_run_result *result, fz_error *err);

#endif
