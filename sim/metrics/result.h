/* What a run leaves behind: one record a job, the placements, the plans, and the summary. Plain
 * arrays, so that a worker process can send them through a pipe and the store can write them.
 * Everything but `cost` is the same for the same input and seed. */
#ifndef FRENZY_SIM_METRICS_RESULT_H
#define FRENZY_SIM_METRICS_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/place.h>
#include <frenzy/plan.h>
#include <frenzy/units.h>

#include "sim/metrics/timeline.h"

/* State of a job; the last four are final. The order is that of the table `state` in the store. */
#define FZ_JOB_STATE_LIST(X)                                                                                 \
    X(FZ_JOB_WAITING, "WAITING") /* not submitted yet, or in the queue */                                    \
    X(FZ_JOB_RUNNING, "RUNNING")                                                                             \
    X(FZ_JOB_FINISHED, "FINISHED") /* did all its work */                                                    \
    X(FZ_JOB_TIMEOUT, "TIMEOUT")   /* enforce_limit=1 ended it */                                            \
    X(FZ_JOB_OOM, "OOM")           /* ran out of memory on everything that could be tried */                 \
    X(FZ_JOB_REJECTED, "REJECTED") /* fits nowhere in this cluster */

typedef enum fz_job_state {
#define FZ_JOB_STATE_ENUM(name, text) name,
    FZ_JOB_STATE_LIST(FZ_JOB_STATE_ENUM)
#undef FZ_JOB_STATE_ENUM
} fz_job_state;

const char *fz_job_state_name(fz_job_state state);

#define FZ_NO_PLACE UINT32_MAX

typedef struct fz_job_result {
    fz_time start;       /* first start; FZ_TIME_NONE if it never started */
    fz_time end;         /* end in a final state other than REJECTED; FZ_TIME_NONE otherwise */
    fz_time last_start;  /* start of the last attempt; FZ_TIME_NONE if it never started */
    fz_time run;         /* sum of all attempts; wait = end - submit - run */
    fz_time gpu_time;    /* sum of GPUs x run over all attempts */
    uint32_t place;      /* offset into fz_run_result.places of the last attempt, FZ_NO_PLACE if none */
    uint32_t gpus;       /* of the last attempt; 0 if none */
    uint32_t attempts;   /* starts */
    uint16_t plan;       /* index into fz_run_result.plans of the last attempt */
    uint8_t state;       /* fz_job_state */
    uint8_t preemptions; /* at most 255 */
} fz_job_result;

/* Counters and figures of a run: the deterministic part. Definitions: sim/metrics/README.md. -1 where
 * a figure does not exist (no job finished). */
typedef struct fz_summary {
    uint64_t jobs, finished, rejected, timeouts, oom_failed, unfinished;
    uint64_t started;
    double jct_avg_s, jct_p50_s, jct_p90_s, jct_p95_s, jct_p99_s, jct_max_s; /* finished jobs, nearest rank */
    double queue_avg_s; /* first start - submit, over jobs that started */
    double wait_avg_s;  /* all time not running, over finished jobs */
    double makespan_s;  /* last end - first submit */
    double alloc_frac;  /* leased GPU time / GPU time of the cluster, first submit to last end */
    uint64_t ooms, preemptions, decisions, starts, events;
    uint64_t from_marp;  /* serverless jobs that a fixed-size policy sized by MARP's first plan */
    uint64_t gpu_shares; /* jobs that ask for shares of GPUs and are given whole ones */
    uint64_t estimate_user, estimate_limit, estimate_oracle; /* source of the run-time estimates */
    bool memory_stream_drawn;                                /* a random stream was used: seeds matter */
    bool asks_cpus, asks_mem;                                /* the trace asks for what is not placed by */
    bool asks_nodes;                                         /* req_nodes, and the policy looks past it */
} fz_summary;

/* The wall cost of a run; differs from run to run. */
typedef struct fz_cost {
    double wall_s;     /* set-up, engine and summary; not reading files */
    double engine_s;   /* the event loop */
    double jobs_per_s; /* jobs / engine_s */
    double decide_ms_p50, decide_ms_p99, decide_ms_mean, decide_ms_max;
    uint64_t peak_rss_bytes;
} fz_cost;

typedef struct fz_run_result {
    uint32_t n_jobs;
    fz_job_result *jobs;
    uint8_t *places; /* see fz_places_read() */
    uint64_t places_len;
    fz_plan *plans; /* distinct plans by shape; plan 0 is the opaque one */
    uint32_t n_plans;
    fz_timeline_point *timeline; /* averages over bins of timeline_width from timeline_origin on */
    uint32_t n_timeline;
    fz_time timeline_origin, timeline_width, timeline_end; /* the last bin ends at timeline_end */
    fz_summary summary;
    fz_cost cost;
} fz_run_result;

/* Placements are kept as varints in node order: number of parts, then for each part the distance to
 * the node before and the GPUs. Appends `where` (sorted in place by node) to `out`, which has room for
 * 10 * (parts + 1) bytes; returns the bytes written. */
uint32_t fz_places_write(uint8_t *out, fz_placement *where);
/* Reads the placement at `offset` into `where` (with room for all nodes of the cluster); returns the
 * offset behind it. */
uint64_t fz_places_read(const uint8_t *places, uint64_t offset, fz_placement *where);

#endif
