/* Conservative backfill: every waiting job holds a reservation, and nobody delays an earlier one. */
#include <string.h>

#include "sim/sched/fixed.h"
#include "sim/sched/rowlist.h"

/* From `time` on, until the next step, so many GPUs are idle. */
typedef struct step {
    fz_time time;
    int64_t idle;
} step;

/* One GPU type: idle GPUs over time, from now on; the last step lasts for ever. */
typedef struct profile {
    step *steps;
    uint32_t n, capacity;
} profile;

typedef struct conservative {
    fz_arena *arena;
    fz_rowlist queue;
    profile *profiles; /* by type */
    uint32_t n_types;
    fz_job *running;
    uint32_t n_running;
    uint32_t *place_of; /* by job: in `running` */
    uint8_t *type_of;   /* by job: where it runs */
} conservative;

static fz_status init(void *state, const fz_sched_env *env, fz_error *err)
{
    conservative *self = state;
    self->arena = env->arena;
    self->n_types = fz_cluster_get_spec(env->cluster)->n_types;
    self->profiles = FZ_NEW(env->arena, self->n_types, profile);
    self->running = FZ_NEW(env->arena, fz_cluster_gpus(env->cluster, FZ_ALL_TYPES), fz_job);
    self->place_of = FZ_NEW(env->arena, env->n_jobs, uint32_t);
    self->type_of = FZ_NEW(env->arena, env->n_jobs, uint8_t);
    if (self->profiles == NULL || self->running == NULL || self->place_of == NULL || self->type_of == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
    return fz_rowlist_init(&self->queue, env, err);
}

/* ---- a profile ------------------------------------------------------------------------------------------ */

static fz_status reserve_steps(conservative *self, profile *p, uint32_t more, fz_error *err)
{
    if (p->n + more <= p->capacity)
        return FZ_OK;
    uint32_t capacity = 2 * (p->n + more);
    step *larger = FZ_NEW(self->arena, capacity, step);
    if (larger == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u reservations", capacity);
    if (p->n > 0)
        memcpy(larger, p->steps, p->n * sizeof *larger);
    p->steps = larger;
    p->capacity = capacity;
    return FZ_OK;
}

/* The step that begins at `time`, made if there is none. There must be room, and an earlier or equal step. */
static uint32_t step_at(profile *p, fz_time time)
{
    uint32_t low = 0, high = p->n; /* steps before `low` begin by `time` */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->steps[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (p->steps[low - 1].time == time)
        return low - 1;
    memmove(&p->steps[low + 1], &p->steps[low], (p->n - low) * sizeof *p->steps);
    p->steps[low] = (step){.time = time, .idle = p->steps[low - 1].idle};
    p->n++;
    return low;
}

/* `gpus` fewer are idle in [from, to). */
static fz_status take(conservative *self, uint32_t type, fz_time from, fz_time to, uint32_t gpus,
                      fz_error *err)
{
    profile *p = &self->profiles[type];
    FZ_TRY(reserve_steps(self, p, 2, err));
    uint32_t first = step_at(p, from), end = step_at(p, to);
    for (uint32_t i = first; i < end; i++)
        p->steps[i].idle -= gpus;
    return FZ_OK;
}

/* The first instant from which `gpus` are idle for so long; FZ_TIME_MAX if there is none. */
static fz_time earliest(const profile *p, uint32_t gpus, fz_time length)
{
    for (uint32_t from = 0; from < p->n;) {
        uint32_t i = from;
        while (i < p->n && p->steps[i].idle >= gpus && p->steps[i].time - p->steps[from].time < length)
            i++;
        if (i == p->n || p->steps[i].time - p->steps[from].time >= length)
            return i > from ? p->steps[from].time : FZ_TIME_MAX;
        from = i + 1; /* too few there */
    }
    return FZ_TIME_MAX;
}

/* ---- what runs -------------------------------------------------------------------------------------------- */

static void notice(void *state, const fz_view *view, const fz_event *event)
{
    (void)view;
    conservative *self = state;
    if (event->kind != FZ_EVENT_FINISH && event->kind != FZ_EVENT_OOM && event->kind != FZ_EVENT_FAIL)
        return;
    fz_job moved = self->running[--self->n_running];
    self->running[self->place_of[event->job]] = moved;
    self->place_of[moved] = self->place_of[event->job];
}

static fz_status profiles_make(conservative *self, const fz_view *view, fz_error *err)
{
    fz_time now = fz_view_now(view);
    for (uint32_t type = 0; type < self->n_types; type++) {
        profile *p = &self->profiles[type];
        p->n = 0;
        FZ_TRY(reserve_steps(self, p, 1, err));
        p->steps[p->n++] =
            (step){.time = now, .idle = fz_cluster_gpus(fz_view_cluster(view), FZ_TYPE_BIT(type))};
    }
    for (uint32_t i = 0; i < self->n_running; i++) {
        fz_job job = self->running[i];
        FZ_TRY(
            take(self, self->type_of[job], now, fz_view_end(view, job), fz_view_plan(view, job)->gpus, err));
    }
    return FZ_OK;
}

/* ---- deciding --------------------------------------------------------------------------------------------- */

/* The type that promises the earliest start, the first of the file among equals. */
static uint32_t type_pick(const conservative *self, const fz_plan *plan, fz_time length, fz_time *at)
{
    uint32_t best = FZ_NO_TYPE;
    *at = FZ_TIME_MAX;
    for (fz_type_mask left = plan->types; left != 0; left &= left - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(left);
        fz_time t = earliest(&self->profiles[type], plan->gpus, length);
        if (t < *at) {
            *at = t;
            best = type;
        }
    }
    return best;
}

/* Reserves for the job, and starts it if its time is now. */
static fz_status job_place(conservative *self, const fz_view *view, fz_decision *decision, fz_job job,
                           bool *started, fz_error *err)
{
    const fz_plan *plan = &fz_view_demand(view, job)->fixed;
    fz_time estimate = fz_view_estimate(view, job), length = estimate > 0 ? estimate : 1, at = 0;
    uint32_t type = type_pick(self, plan, length, &at);
    *started = false;
    if (type == FZ_NO_TYPE)
        return FZ_OK;
    fz_time to = length < FZ_TIME_MAX - at ? at + length : FZ_TIME_MAX; /* a long queue may reach it */
    FZ_TRY(take(self, type, at, to, plan->gpus, err));
    if (at > fz_view_now(view) || fz_fixed_start(view, decision, job, type, false) != FZ_PLACED)
        return FZ_OK;
    self->type_of[job] = (uint8_t)type;
    self->place_of[job] = self->n_running;
    self->running[self->n_running++] = job;
    *started = true;
    return FZ_OK;
}

static fz_status decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    conservative *self = state;
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++)
        fz_rowlist_push(&self->queue, arrived.jobs[i]);
    if (self->queue.first == FZ_NO_JOB)
        return FZ_OK;
    FZ_TRY(profiles_make(self, view, err));
    for (fz_job before = FZ_NO_JOB, job = self->queue.first; job != FZ_NO_JOB;
         job = fz_rowlist_behind(&self->queue, before)) {
        bool started = false;
        FZ_TRY(job_place(self, view, decision, job, &started, err));
        if (started)
            fz_rowlist_remove_behind(&self->queue, before);
        else
            before = job;
    }
    return FZ_OK;
}

const fz_sched_ops fz_sched_conservative = {
    .name = "conservative",
    .summary = "conservative backfill: every waiting job holds a reservation that later ones may not delay",
    .manual =
        "Rules (the textbook ones): in order of submission each waiting job is promised the earliest time "
        "at\n"
        "which enough GPUs of one type are idle for as long as its estimate says, going by the estimates of\n"
        "running jobs and by the promises to earlier jobs; it starts if that time is now.\n"
        "Deviation: all promises are made anew at every event, so after an early end a job may be promised\n"
        "a later start than before. A job past its estimate counts as ending a microsecond from now. Type:\n"
        "the earliest promise, the first of the cluster file among equals. GPUs of a type are one pool.\n"
        "Cost: O(waiting x (running + waiting)) an event; meant for queues of some thousand jobs.",
    .state_size = sizeof(conservative),
    .init = init,
    .notice = notice,
    .decide = decide,
};
