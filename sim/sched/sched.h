/* The policy interface: what a scheduler sees, what it may want, and when it is asked.
 *
 * A policy is one const struct, fz_sched_ops, in one file of sim/sched/ (copy fifo.c). It owns nothing:
 * the engine allocates its state, zeroed, from the run's arena; all memory it needs comes from
 * fz_sched_env.arena in init. It must not print, read files, look at a clock, or keep globals; the same
 * view must lead to the same decision.
 *
 * Time line of one instant:
 *   1. all events of the instant are applied, in the order FINISH < OOM < FAIL < DOWN < ARRIVE < WAKE
 *      < ROUND, each told to notice() if the policy has one;
 *   2. decide() is called once; what it starts is reserved at once, so its later queries see it;
 *   3. the engine commits the decision, all or nothing;
 *   4. a job of length 0 ends at its start: 1 to 3 repeat until the instant has no event left.
 *
 * A decision is a transaction: fz_decision_start() checks and reserves at once, or answers "no room
 * now" and changes nothing. Whatever is not mentioned stays as it is. Misuse (starting a running job,
 * GPUs that a plan may not use) marks the decision as bad: the run stops with FZ_EDECISION, the
 * policy's name and the reason. Nothing is silently repaired.
 *
 * Installed as <frenzy/sched.h>, for policies in shared objects (`frenzy replay --plugin ./mine.so`): see the end.
 *
 * Cost: every call below is O(log n) or better in waiting jobs, running jobs and nodes, unless marked. */
#ifndef FRENZY_SIM_SCHED_SCHED_H
#define FRENZY_SIM_SCHED_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/export.h>
#include <frenzy/place.h>
#include <frenzy/plan.h>
#include <frenzy/status.h>
#include <frenzy/units.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A job by its row in the trace: rows are in order of submission, so row order is queue order. */
typedef uint32_t fz_job;
#define FZ_NO_JOB UINT32_MAX

/* ---- Demand ------------------------------------------------------------------------------------ */

/* Demand class: all jobs that ask for exactly the same. A job changes its class only when it ran out
 * of memory: it then asks for more room. Classes are numbered 0..n-1 and known before the run. */
typedef struct fz_demand {
    /* What MARP proposes: ranked resource plans that the empty cluster can host, each with the types
     * it may use. An opaque job has one: its GPU count on its allowed types. n_plans 0: fits nowhere. */
    const fz_plan *plans;
    uint32_t n_plans;
    /* What a fixed-size policy runs: the user's GPU count on the user's types, without knowledge of
     * memory; MARP's first plan where the user gave none. gpus 0: fits nowhere on a single type. */
    fz_plan fixed;
    uint32_t req_nodes; /* the user wants exactly so many nodes, with the same number of GPUs on each; 0: any
                           spread. Only policies with FZ_SCHED_NODES look at it */
    bool opaque;        /* no model: a GPU count and a duration */
    bool from_marp;     /* `fixed` is MARP's choice */
} fz_demand;

/* ---- View -------------------------------------------------------------------------------------- */

typedef struct fz_view fz_view;

FZ_API fz_time fz_view_now(const fz_view *view);

/* Idle GPUs and nodes, including what this decision has reserved: <frenzy/cluster.h>. */
FZ_API const fz_cluster *fz_view_cluster(const fz_view *view);

/* What changed since the last decision. Arrivals are jobs that came, or came back after a preemption
 * or an out-of-memory event, in the order of the events. Jobs that fit nowhere are not among them: the engine
 * rejects them on arrival. */
typedef struct fz_job_list {
    const fz_job *jobs;
    uint32_t n_jobs;
} fz_job_list;
FZ_API fz_job_list fz_view_arrived(const fz_view *view);
FZ_API fz_type_mask fz_view_grown(const fz_view *view); /* types on which GPUs became idle */

/* A job. `class` is its demand class now; the estimate is the believed run time (est_s, else limit_s,
 * else the true duration, on the slowest allowed type where types differ). Observed facts only. */
FZ_API uint32_t fz_view_class(const fz_view *view, fz_job job);
FZ_API const fz_demand *fz_view_demand(const fz_view *view, fz_job job);
FZ_API fz_time fz_view_submit(const fz_view *view, fz_job job);
FZ_API fz_time fz_view_estimate(const fz_view *view, fz_job job);
FZ_API bool fz_view_running(const fz_view *view, fz_job job);
FZ_API fz_time fz_view_run(const fz_view *view, fz_job job); /* executed so far, all attempts */
FZ_API fz_time fz_view_end(const fz_view *view, fz_job job); /* running: believed end, at least now + 1 us */
FZ_API const fz_plan *fz_view_plan(const fz_view *view, fz_job job); /* running: its plan, else NULL */

/* Believed seconds of work left for `job` under `plan` on GPUs of `type`; < 0 when not known. */
FZ_API double fz_view_time_left_s(const fz_view *view, fz_job job, const fz_plan *plan, uint32_t type);

/* When are `gpus` GPUs of `type` idle, going by the believed ends of running jobs? `*when` is the
 * earliest such instant (now if they are idle already), `*idle_then` the number idle at it, all jobs
 * ending by then counted. False when the type never has so many. A job past its believed end counts
 * as ending at now + 1 us. Needs FZ_SCHED_ENDS. */
FZ_API bool fz_view_when_idle(const fz_view *view, uint32_t type, uint32_t gpus, fz_time *when,
                              uint32_t *idle_then);

/* All running jobs by ascending row: first with row >= `from`, FZ_NO_JOB at the end. O(n) over a walk. */
FZ_API fz_job fz_view_next_running(const fz_view *view, fz_job from);

/* ---- Decision ---------------------------------------------------------------------------------- */

typedef struct fz_decision fz_decision;

typedef enum fz_verdict {
    FZ_PLACED,  /* reserved */
    FZ_NO_ROOM, /* not now: some GPU of the placement is not idle */
    FZ_REFUSED, /* misuse, or the engine failed (no memory); the decision is bad, return at once */
} fz_verdict;

/* A scratch placement with room for every node, free to use between calls. */
FZ_API fz_placement *fz_decision_scratch(fz_decision *decision);

/* Starts a waiting job under `plan` on `where`. The plan must be one of the job's own (a pointer into
 * its fz_demand, or a copy with the same shape), `where` must hold plan->gpus GPUs of plan->types. */
FZ_API fz_verdict fz_decision_start(fz_decision *decision, fz_job job, const fz_plan *plan,
                                    const fz_placement *where);

/* Stops a running job: it keeps its progress and waits again; its GPUs are idle at once. It is in the
 * arrivals of the next decision unless this decision starts it again (a move or a resize): starting
 * after the first attempt costs `restart_s` without progress. */
FZ_API fz_verdict fz_decision_stop(fz_decision *decision, fz_job job);

/* Refuses a waiting job for good: it fits nowhere. */
FZ_API fz_verdict fz_decision_reject(fz_decision *decision, fz_job job);

/* ---- Policy ------------------------------------------------------------------------------------ */

typedef enum fz_param_kind {
    FZ_PARAM_FLAG,   /* 0 or 1 */
    FZ_PARAM_NUMBER, /* within [min, max] */
    FZ_PARAM_CHOICE, /* one of `choices`, stored as its index */
} fz_param_kind;

/* One `--set name=value` of a policy. Values reach the policy as doubles, in the order of the table. */
typedef struct fz_param {
    const char *name;
    fz_param_kind kind;
    double fallback; /* default: number, flag, or index of the choice */
    double min, max;
    const char *choices; /* "first|last" */
    const char *help;
} fz_param;

#define FZ_MAX_PARAMS 32 /* of a policy */

/* What a policy may rely on, and what the engine must keep up for it. */
typedef enum fz_sched_caps {
    FZ_SCHED_ENDS = 1 << 0,    /* uses fz_view_when_idle(): the engine keeps running jobs by end */
    FZ_SCHED_PLANS = 1 << 1,   /* chooses among MARP's plans; without it: fixed-size */
    FZ_SCHED_PREEMPT = 1 << 2, /* may stop running jobs */
    FZ_SCHED_NODES = 1 << 3    /* places by fz_demand.req_nodes */
} fz_sched_caps;

/* Everything known before the first event; valid for the whole run. */
typedef struct fz_sched_env {
    fz_arena *arena;
    const fz_cluster *cluster;
    uint32_t n_jobs;
    const fz_demand *demands;
    uint32_t n_demands;
    const fz_time *estimates; /* by job, as fz_view_estimate() */
    /* By job, its class now: the engine's live array, so the class it arrives with until an out-of-memory
     * event gives it another. */
    const uint32_t *classes;
    const double *params; /* values of the ops' parameter table */
    const void *data;     /* fz_sched_ops.data */
} fz_sched_env;

/* This version raises FINISH, OOM, FAIL, ARRIVE and WAKE. FAIL is an enforced limit; hardware does not fail
 * yet, so DOWN never comes, and a round is a WAKE, so ROUND never comes either. */
typedef enum fz_event_kind {
    FZ_EVENT_PROGRESS, /* the engine's own: policies are not told */
    FZ_EVENT_FINISH,
    FZ_EVENT_OOM,
    FZ_EVENT_FAIL,
    FZ_EVENT_DOWN,
    FZ_EVENT_ARRIVE,
    FZ_EVENT_WAKE,
    FZ_EVENT_ROUND,
} fz_event_kind;

typedef struct fz_event {
    fz_time time;
    fz_event_kind kind;
    fz_job job; /* FZ_NO_JOB for WAKE */
} fz_event;

typedef struct fz_sched_ops {
    const char *name;    /* key on the command line and in the results database */
    const char *summary; /* one line for `frenzy schedulers` */
    const char *manual;  /* source of the rules and known deviations, for `frenzy schedulers NAME` */
    const fz_param *params;
    uint32_t n_params;
    uint32_t caps;     /* fz_sched_caps */
    size_t state_size; /* bytes; the engine allocates them, zeroed */
    const void *data;  /* optional: handed to init, so that the same functions can serve several policies */
    /* Of a policy from outside: where it comes from, with a digest. It is part of the key of a run, as the program's
     * version is. NULL: built in. Set by the program, not by plug-ins. */
    const char *origin;

    /* Optional. Once, before the first event. Fails with FZ_ENOMEM or, for parameters that do not go
     * together, FZ_EUSAGE. */
    fz_status (*init)(void *state, const fz_sched_env *env, fz_error *err);
    /* Optional. After each event has been applied; must not decide anything. */
    void (*notice)(void *state, const fz_view *view, const fz_event *event);
    /* Required. May read the view, write its state and the decision; nothing else. */
    fz_status (*decide)(void *state, const fz_view *view, fz_decision *decision, fz_error *err);
    /* Optional. The next instant > now at which to be asked without an event, FZ_TIME_MAX for never;
     * called after each decision. Rounds are multiples of a period from t = 0. A run ends, its waiting jobs
     * unfinished, after 1,000 wake-ups in a row with an empty cluster and no job to come. */
    fz_time (*next_wakeup)(const void *state, const fz_view *view);
    /* Optional. Once, after the run or a failed init, on the same thread: foreign handles only (an LP). Also
     * when memory ran out before init: the state is then all zero. */
    void (*fini)(void *state);
} fz_sched_ops;

/* All built-in policies, in the order of the documentation. */
const fz_sched_ops *const *fz_sched_all(uint32_t *count);
const fz_sched_ops *fz_sched_find(const char *name); /* NULL if unknown */

/* ---- Plug-ins ---------------------------------------------------------------------------------- */

/* A policy in a shared object: the same struct, found through one constant of this name and type.
 *
 *     static const fz_sched_ops *const policies[] = {&mine};
 *     const fz_sched_plugin frenzy_plugin = {FZ_SCHED_ABI_HERE, policies, 1};
 *
 * It calls the functions above and those of <frenzy/place.h> and <frenzy/cluster.h>, which the program exports; it
 * links no library of frenzy. `frenzy schedulers --new mine` writes one to start from. */

/* Changes when a plug-in must be compiled again. The sizes tell a header that changed without it. */
#define FZ_SCHED_ABI 1u
#define FZ_SCHED_ABI_HERE                                                                                    \
    {                                                                                                        \
        FZ_SCHED_ABI, sizeof(fz_sched_ops), sizeof(fz_sched_env), sizeof(fz_demand), sizeof(fz_plan)         \
    }
typedef struct fz_sched_abi {
    uint32_t number;                 /* FZ_SCHED_ABI */
    uint32_t ops, env, demand, plan; /* bytes */
} fz_sched_abi;

typedef struct fz_sched_plugin {
    fz_sched_abi abi; /* FZ_SCHED_ABI_HERE */
    const fz_sched_ops *const *policies;
    uint32_t n_policies;
} fz_sched_plugin;

FZ_API extern const fz_sched_plugin frenzy_plugin; /* defined by the plug-in */

#ifdef __cplusplus
}
#endif
#endif
