/* The state of a run. Policies see it as a const fz_view; only the engine's own files include this.
 *
 * Invariants, checked by fz_state_check() after every instant in tests:
 *   E1  a job is RUNNING exactly when it has a lease and an attempt slot;
 *   E2  the leases of running jobs hold as many GPUs as their plans say, on types the plan allows;
 *   E3  every running job has exactly one live event in the queue, not before now;
 *   E4  every job submitted by now is waiting, running or in a final state; none before is. */
#ifndef FRENZY_SIM_ENGINE_STATE_H
#define FRENZY_SIM_ENGINE_STATE_H

#include <frenzy/orch.h>

#include "sim/engine/app_job.h"
#include "sim/engine/demand.h"
#include "sim/engine/ends.h"
#include "sim/engine/engine.h"
#include "sim/engine/equeue.h"
#include "sim/engine/places.h"
#include "sim/engine/plan_table.h"
#include "sim/metrics/histogram.h"

/* A running attempt of a job; one cache line. */
typedef struct fz_attempt {
    fz_job job;
    uint16_t plan_id; /* in the result's table of plans */
    bool doomed;      /* will run out of memory: does no work */
    fz_time start;
    fz_time work_from;    /* start + restart cost: progress counts from here */
    fz_time believed_end; /* what policies are told */
    double step_s;        /* true seconds of a training step; 0: opaque */
    fz_type_mask types;   /* of the GPUs held */
    const fz_plan *plan;  /* the job's own, in run->demands */
} fz_attempt;

/* What is left of a job that was stopped: microseconds of an opaque job, steps of an LLM job. */
typedef union fz_left {
    fz_time time;
    double steps;
} fz_left;

enum { STOPPED = 1, STOPPED_NOW }; /* the latter: in the decision that is being made */

struct fz_decision {
    fz_view *run;
    fz_placement scratch;
    bool bad;     /* refuses everything from here on, for the first of two reasons: */
    fz_error own; /* FZ_EDECISION: misuse by the policy; else the engine's own failure */
};

struct fz_view {
    const fz_run_spec *spec;
    const fz_trace *trace;
    fz_arena *arena;
    fz_orch *orch;
    const fz_cluster *cluster;
    fz_demands demands;
    uint32_t n_types;

    fz_time now;
    fz_equeue events;
    uint32_t cursor;       /* next row to arrive */
    fz_time restart;       /* cost of every start but the first */
    uint32_t vain_wakeups; /* decisions in a row that left the cluster empty with nothing to come */
    fz_time wakeup;        /* asked for by the policy; FZ_TIME_MAX if not */

    fz_job_result *jobs;
    uint32_t *slot_of;      /* by job: slot of its attempt + 1 */
    uint8_t *was_stopped;   /* by job: 0, STOPPED or STOPPED_NOW; NULL until a job was stopped */
    fz_left *left;          /* by job, valid where was_stopped */
    uint32_t *gpus_by_node; /* scratch of life.c, with app_jobs */
    fz_app_job *app_jobs;   /* by job, of those with an application profile; NULL: no job has one */
    fz_attempt *attempts;   /* by slot */
    uint32_t *spare_slots;  /* stack of slots free to use */
    uint32_t n_spare, n_slots;
    fz_ends *ends; /* by type, NULL unless the policy uses them */

    fz_job *arrived; /* since the last decision */
    uint32_t n_arrived, arrived_capacity;
    fz_type_mask grown;

    fz_decision decision;
    void *policy; /* the policy's state */

    fz_places places;
    fz_plan_table plans;
    fz_placement lease_parts; /* scratch of life.c */
    fz_summary counts;        /* the counters; the rest is filled at the end */
    uint64_t jobs_done;
    uint64_t window_left; /* jobs of the measured window that are not final */
    fz_timeline *timeline;
    fz_wide window_gpu_time; /* leased before the first job of the window came */
    fz_histogram *decide_ticks;
};

/* ---- life.c: what happens to a job. Each is one arrow of the table of states. ----------------------- */

fz_status fz_life_arrive(fz_view *run, fz_job job, fz_error *err);
/* The lease of `where` is taken already. */
fz_status fz_life_start(fz_view *run, fz_job job, const fz_plan *plan, const fz_placement *where,
                        fz_error *err);
fz_status fz_life_event(fz_view *run, fz_event_key key, fz_error *err); /* its live event came */
/* The work that is left now, running or not; restarts and attempts that run out of memory do none. */
fz_left fz_life_left(const fz_view *run, fz_job job);
/* Of a job with an application profile: its training up to now, running or not; else app is NULL. */
fz_app_job fz_life_app_job(const fz_view *run, fz_job job);
bool fz_life_estimate_told(const fz_view *run, fz_job job);    /* est_s or limit_s; else it is an oracle */
fz_time fz_life_believed_left(const fz_view *run, fz_job job); /* of the estimate */
fz_status fz_life_stop(fz_view *run, fz_job job, fz_error *err);
void fz_life_reject(fz_view *run, fz_job job);
fz_status fz_life_cut(fz_view *run, fz_job job, fz_error *err); /* the run ends while the job is RUNNING */
bool fz_life_event_live(const fz_view *run, fz_event_key key);

fz_status fz_state_check(fz_view *run, fz_error *err); /* E1 to E4 and the orchestrator's O1 to O4 */

static inline fz_attempt *fz_attempt_of(const fz_view *run, fz_job job)
{
    return &run->attempts[run->slot_of[job] - 1];
}

#endif
