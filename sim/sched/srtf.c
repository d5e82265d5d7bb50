/* SRTF: the jobs with the shortest remaining time run; longer ones are stopped for them. */
#include <stdlib.h>

#include "sim/sched/fixed.h"

typedef struct candidate {
    double left_s;
    fz_job job;
} candidate;

typedef struct srtf {
    fz_job *active; /* waiting and running */
    uint32_t n_active;
    uint32_t *place_of; /* by job: in `active` */
    uint8_t *type_of;   /* by job: where it runs, or is to run */
    candidate *order;   /* scratch */
    fz_job *starts;     /* scratch: waiting jobs that are to run */
    uint32_t n_types;
} srtf;

static fz_status srtf_init(void *state, const fz_sched_env *env, fz_error *err)
{
    srtf *self = state;
    *self = (srtf){.active = FZ_NEW(env->arena, env->n_jobs, fz_job),
                   .place_of = FZ_NEW(env->arena, env->n_jobs, uint32_t),
                   .type_of = FZ_NEW(env->arena, env->n_jobs, uint8_t),
                   .order = FZ_NEW(env->arena, env->n_jobs, candidate),
                   .starts = FZ_NEW(env->arena, env->n_jobs, fz_job),
                   .n_types = fz_cluster_get_spec(env->cluster)->n_types};
    if (self->active == NULL || self->place_of == NULL || self->type_of == NULL || self->order == NULL ||
        self->starts == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
    return FZ_OK;
}

static void active_remove(srtf *self, fz_job job)
{
    fz_job moved = self->active[--self->n_active];
    self->active[self->place_of[job]] = moved;
    self->place_of[moved] = self->place_of[job];
}

static void srtf_notice(void *state, const fz_view *view, const fz_event *event)
{
    (void)view;
    if (event->kind == FZ_EVENT_FINISH || event->kind == FZ_EVENT_OOM || event->kind == FZ_EVENT_FAIL)
        active_remove(state, event->job);
}

static int compare(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->left_s != b->left_s)
        return a->left_s < b->left_s ? -1 : 1;
    return a->job < b->job ? -1 : a->job > b->job;
}

static void order_make(srtf *self, const fz_view *view)
{
    for (uint32_t i = 0; i < self->n_active; i++) {
        fz_job job = self->active[i];
        const fz_plan *plan = &fz_view_demand(view, job)->fixed;
        uint32_t type =
            fz_view_running(view, job) ? self->type_of[job] : (uint32_t)__builtin_ctzll(plan->types);
        self->order[i] = (candidate){.left_s = fz_view_time_left_s(view, job, plan, type), .job = job};
    }
    qsort(self->order, self->n_active, sizeof *self->order, compare);
}

/* Takes the GPUs of a job out of the budget: a running job stays on its type, a waiting one gets the first type
 * of the file with room. False if there is none. */
static bool grant(srtf *self, const fz_view *view, fz_job job, uint32_t *budget)
{
    const fz_plan *plan = &fz_view_demand(view, job)->fixed;
    fz_type_mask types = fz_view_running(view, job) ? FZ_TYPE_BIT(self->type_of[job]) : plan->types;
    for (; types != 0; types &= types - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(types);
        if (budget[type] >= plan->gpus) {
            budget[type] -= plan->gpus;
            self->type_of[job] = (uint8_t)type;
            return true;
        }
    }
    return false;
}

static fz_status srtf_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    srtf *self = state;
    uint32_t budget[FZ_MAX_GPU_TYPES], n_starts = 0;
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++) {
        self->place_of[arrived.jobs[i]] = self->n_active;
        self->active[self->n_active++] = arrived.jobs[i];
    }
    for (uint32_t type = 0; type < self->n_types; type++)
        budget[type] = fz_cluster_gpus(fz_view_cluster(view), FZ_TYPE_BIT(type));
    order_make(self, view);
    for (uint32_t i = 0, n = self->n_active; i < n; i++) {
        fz_job job = self->order[i].job;
        bool running = fz_view_running(view, job), granted = grant(self, view, job, budget);
        if (granted && !running) {
            self->starts[n_starts++] = job;
        } else if (!granted && running) {
            active_remove(self, job); /* the arrivals of the next decision have it again */
            if (fz_decision_stop(decision, job) != FZ_PLACED)
                return FZ_OK; /* refused: the engine reports why */
        }
    }
    for (uint32_t i = 0; i < n_starts; i++)
        if (fz_fixed_start(view, decision, self->starts[i], self->type_of[self->starts[i]], false) !=
            FZ_PLACED)
            return FZ_OK;
    return FZ_OK;
}

const fz_sched_ops fz_sched_srtf = {
    .name = "srtf",
    .summary = "shortest remaining time first; longer jobs are stopped for shorter ones",
    .manual =
        "At every event all jobs, waiting or running, are taken in order of their believed remaining time, "
        "then\n"
        "of submission; each is granted its GPUs while the cluster has them, and one that does not fit is\n"
        "passed over. Running jobs without a grant are stopped: they keep their progress, and every start "
        "but\n"
        "the first costs `restart_s`, which the order does not look at. A running job stays on its type; a\n"
        "waiting one gets the first of the cluster file with room; GPUs of a type are one pool. Remaining "
        "time:\n"
        "what is left of est_s, else of limit_s, else the truth.\n"
        "Cost: O(n log n) an event in waiting and running jobs; meant for queues of some thousand jobs.",
    .caps = FZ_SCHED_PREEMPT,
    .state_size = sizeof(srtf),
    .init = srtf_init,
    .notice = srtf_notice,
    .decide = srtf_decide,
};
