/* Slurm's sched/backfill: conservative, with reservations of whole nodes. */
#include <stdlib.h>
#include <string.h>

#include "sim/sched/rowlist.h"
#include "sim/sched/slurm_nodes.h"

enum { BF_INTERVAL, BF_WINDOW, BF_MAX_JOB_TEST, N_PARAMS };

static const fz_param params[N_PARAMS] = {
    [BF_INTERVAL] = {.name = "bf_interval",
                     .kind = FZ_PARAM_NUMBER,
                     .fallback = 30,
                     .min = 0,
                     .max = 1e6,
                     .help = "seconds between backfill passes, at its multiples; 0: a pass at every event"},
    [BF_WINDOW] = {.name = "bf_window",
                   .kind = FZ_PARAM_NUMBER,
                   .fallback = 1440,
                   .min = 1,
                   .max = 1e7,
                   .help = "minutes that a pass looks ahead; what would start later holds no reservation"},
    [BF_MAX_JOB_TEST] = {.name = "bf_max_job_test",
                         .kind = FZ_PARAM_NUMBER,
                         .fallback = 500,
                         .min = 1,
                         .max = 1e9,
                         .help = "jobs that a pass looks at, from the front of the queue"},
};

/* GPUs of a node that come back at `end`, by belief. */
typedef struct release {
    fz_time end;
    uint32_t node, gpus;
} release;

/* A node closed to all lower jobs in [from, to). */
typedef struct closure {
    fz_time from, to;
    uint32_t node;
} closure;

/* What a running job has on a node; a chain for each job. */
typedef struct hold {
    uint32_t node, gpus;
    uint32_t next; /* index + 1; 0: the last */
} hold;

typedef struct slurm_backfill {
    fz_slurm_nodes nodes;
    fz_arena *arena;
    fz_time interval, window;
    uint32_t max_test;
    bool due; /* something happened since the last pass */

    fz_rowlist queue;

    /* Running jobs and what they hold; a job holds at least one GPU on each of its nodes. */
    fz_job *running;
    uint32_t n_running;
    uint32_t *place_of; /* by job: in `running` */
    uint32_t *held_by;  /* by job: its first hold + 1 */
    hold *holds;
    uint32_t n_holds, spare_hold; /* spare_hold: index + 1 of a chain of free ones */

    /* Of one pass. */
    release *releases; /* by end */
    uint32_t n_releases;
    closure *closures;
    uint32_t n_closures, closures_capacity;
} slurm_backfill;

static fz_status init(void *state, const fz_sched_env *env, fz_error *err)
{
    slurm_backfill *self = state;
    uint32_t n_gpus = fz_cluster_gpus(env->cluster, FZ_ALL_TYPES);
    FZ_TRY(fz_slurm_nodes_init(&self->nodes, env, err));
    self->arena = env->arena;
    self->interval = (fz_time)(env->params[BF_INTERVAL] * (double)FZ_SECOND);
    self->window = (fz_time)(env->params[BF_WINDOW] * 60 * (double)FZ_SECOND);
    self->max_test = (uint32_t)env->params[BF_MAX_JOB_TEST];
    FZ_TRY(fz_rowlist_init(&self->queue, env, err));
    self->place_of = FZ_NEW(env->arena, env->n_jobs, uint32_t);
    self->held_by = FZ_NEW(env->arena, env->n_jobs, uint32_t);
    self->running = FZ_NEW(env->arena, n_gpus, fz_job);
    self->holds = FZ_NEW(env->arena, n_gpus, hold);
    self->releases = FZ_NEW(env->arena, n_gpus, release);
    if (self->place_of == NULL || self->held_by == NULL || self->running == NULL || self->holds == NULL ||
        self->releases == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
    return FZ_OK;
}

/* ---- queue ------------------------------------------------------------------------------------------- */

static void arrivals_take(slurm_backfill *self, const fz_view *view, fz_decision *decision)
{
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++) {
        fz_job job = arrived.jobs[i];
        if (fz_slurm_nodes_ever(&self->nodes, fz_view_demand(view, job), fz_decision_scratch(decision)))
            fz_rowlist_push(&self->queue, job);
        else
            (void)fz_decision_reject(decision, job);
    }
}

/* ---- what runs where ----------------------------------------------------------------------------------- */

static void running_add(slurm_backfill *self, fz_job job, const fz_placement *where)
{
    self->place_of[job] = self->n_running;
    self->running[self->n_running++] = job;
    self->held_by[job] = 0;
    for (uint32_t i = 0; i < where->n_parts; i++) {
        uint32_t at = self->spare_hold > 0 ? self->spare_hold - 1 : self->n_holds;
        if (self->spare_hold > 0)
            self->spare_hold = self->holds[at].next;
        else
            self->n_holds++;
        self->holds[at] =
            (hold){.node = where->parts[i].node, .gpus = where->parts[i].gpus, .next = self->held_by[job]};
        self->held_by[job] = at + 1;
    }
}

static void running_remove(slurm_backfill *self, fz_job job)
{
    fz_job moved = self->running[--self->n_running];
    self->running[self->place_of[job]] = moved;
    self->place_of[moved] = self->place_of[job];
    for (uint32_t at = self->held_by[job]; at != 0;) {
        hold *h = &self->holds[at - 1];
        uint32_t next = h->next;
        h->next = self->spare_hold;
        self->spare_hold = at;
        at = next;
    }
    self->held_by[job] = 0;
}

static void notice(void *state, const fz_view *view, const fz_event *event)
{
    (void)view;
    slurm_backfill *self = state;
    self->due = self->due || event->kind != FZ_EVENT_WAKE;
    if (event->kind == FZ_EVENT_FINISH || event->kind == FZ_EVENT_OOM || event->kind == FZ_EVENT_FAIL)
        running_remove(self, event->job);
}

static fz_verdict start(slurm_backfill *self, const fz_view *view, fz_decision *decision, fz_job job,
                        const fz_placement *where)
{
    fz_verdict verdict = fz_decision_start(decision, job, &fz_view_demand(view, job)->fixed, where);
    if (verdict == FZ_PLACED)
        running_add(self, job, where);
    return verdict;
}

/* ---- the main loop of Slurm: heads while they fit ------------------------------------------------------- */

static void heads_start(slurm_backfill *self, const fz_view *view, fz_decision *decision)
{
    fz_placement *where = fz_decision_scratch(decision);
    while (self->queue.first != FZ_NO_JOB) {
        fz_slurm_nodes_now(&self->nodes, fz_view_cluster(view));
        if (!fz_slurm_nodes_pick(&self->nodes, fz_view_demand(view, self->queue.first), where) ||
            start(self, view, decision, self->queue.first, where) != FZ_PLACED)
            return;
        fz_rowlist_remove_behind(&self->queue, FZ_NO_JOB);
    }
}

/* ---- a backfill pass --------------------------------------------------------------------------------------- */

static int release_compare(const void *left, const void *right)
{
    const release *a = left, *b = right;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static void releases_of(slurm_backfill *self, const fz_view *view, fz_job job)
{
    for (uint32_t at = self->held_by[job]; at != 0; at = self->holds[at - 1].next)
        self->releases[self->n_releases++] = (release){.end = fz_view_end(view, job),
                                                       .node = self->holds[at - 1].node,
                                                       .gpus = self->holds[at - 1].gpus};
}

static void releases_sort(slurm_backfill *self)
{
    qsort(self->releases, self->n_releases, sizeof *self->releases, release_compare);
}

static fz_status closures_reserve(slurm_backfill *self, uint32_t more, fz_error *err)
{
    if (self->n_closures + more <= self->closures_capacity)
        return FZ_OK;
    uint32_t capacity = 2 * (self->n_closures + more);
    closure *larger = FZ_NEW(self->arena, capacity, closure);
    if (larger == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u reservations", capacity);
    if (self->n_closures > 0)
        memcpy(larger, self->closures, self->n_closures * sizeof *larger);
    self->closures = larger;
    self->closures_capacity = capacity;
    return FZ_OK;
}

static fz_status closures_add(slurm_backfill *self, const fz_placement *where, fz_time from, fz_time to,
                              fz_error *err)
{
    FZ_TRY(closures_reserve(self, where->n_parts, err));
    for (uint32_t i = 0; i < where->n_parts; i++)
        self->closures[self->n_closures++] = (closure){.from = from, .to = to, .node = where->parts[i].node};
    return FZ_OK;
}

/* nodes->idle as it will be at `t`, without the nodes that are closed in some part of [t, t + length). */
static void idle_at(slurm_backfill *self, const fz_view *view, fz_time t, fz_time length)
{
    uint32_t *idle = self->nodes.idle;
    fz_slurm_nodes_now(&self->nodes, fz_view_cluster(view));
    for (uint32_t i = 0; i < self->n_releases && self->releases[i].end <= t; i++)
        idle[self->releases[i].node] += self->releases[i].gpus;
    for (uint32_t i = 0; i < self->n_closures; i++)
        if (self->closures[i].from < t + length && self->closures[i].to > t)
            idle[self->closures[i].node] = 0;
}

/* The first instant after `t` at which a node gets GPUs back or is open again. */
static fz_time next_change(const slurm_backfill *self, fz_time t)
{
    fz_time next = FZ_TIME_MAX;
    for (uint32_t i = 0; i < self->n_releases && next == FZ_TIME_MAX; i++)
        if (self->releases[i].end > t)
            next = self->releases[i].end;
    for (uint32_t i = 0; i < self->n_closures; i++)
        if (self->closures[i].to > t && self->closures[i].to < next)
            next = self->closures[i].to;
    return next;
}

/* The earliest start within the window, and where; FZ_TIME_MAX if there is none. */
static fz_time earliest(slurm_backfill *self, const fz_view *view, fz_job job, fz_time length,
                        fz_placement *where)
{
    fz_time last = fz_view_now(view) + self->window;
    for (fz_time t = fz_view_now(view); t <= last; t = next_change(self, t)) {
        idle_at(self, view, t, length);
        if (fz_slurm_nodes_pick(&self->nodes, fz_view_demand(view, job), where))
            return t;
    }
    return FZ_TIME_MAX;
}

/* Starts the job or reserves for it. */
static fz_status job_test(slurm_backfill *self, const fz_view *view, fz_decision *decision, fz_job job,
                          bool *started, fz_error *err)
{
    fz_placement *where = fz_decision_scratch(decision);
    fz_time estimate = fz_view_estimate(view, job), length = estimate > 0 ? estimate : 1;
    fz_time at = earliest(self, view, job, length, where);
    *started = false;
    if (at == FZ_TIME_MAX)
        return FZ_OK;
    if (at > fz_view_now(view))
        return closures_add(self, where, at, at + length, err);
    *started = start(self, view, decision, job, where) == FZ_PLACED;
    if (*started) {
        releases_of(self, view, job);
        releases_sort(self);
    }
    return FZ_OK;
}

static fz_status backfill(slurm_backfill *self, const fz_view *view, fz_decision *decision, fz_error *err)
{
    fz_job before = FZ_NO_JOB;
    self->n_releases = self->n_closures = 0;
    for (uint32_t i = 0; i < self->n_running; i++)
        releases_of(self, view, self->running[i]);
    releases_sort(self);
    for (uint32_t tested = 0; tested < self->max_test; tested++) {
        fz_job job = fz_rowlist_behind(&self->queue, before);
        bool started = false;
        if (job == FZ_NO_JOB)
            break;
        FZ_TRY(job_test(self, view, decision, job, &started, err));
        if (started)
            fz_rowlist_remove_behind(&self->queue, before);
        else
            before = job;
    }
    return FZ_OK;
}

static fz_status decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    slurm_backfill *self = state;
    arrivals_take(self, view, decision);
    heads_start(self, view, decision);
    if (self->interval > 0 && fz_view_now(view) % self->interval != 0)
        return FZ_OK;
    self->due = false;
    return self->queue.first != FZ_NO_JOB ? backfill(self, view, decision, err) : FZ_OK;
}

/* A pass in which nothing is new starts nobody: all that has changed is that time went by. */
static fz_time next_wakeup(const void *state, const fz_view *view)
{
    const slurm_backfill *self = state;
    if (!self->due || self->queue.first == FZ_NO_JOB || self->interval == 0)
        return FZ_TIME_MAX;
    return (fz_view_now(view) / self->interval + 1) * self->interval;
}

const fz_sched_ops fz_sched_slurm_backfill = {
    .name = "slurm_backfill",
    .summary = "Slurm's sched/backfill: every waiting job holds whole nodes from its earliest start on",
    .manual =
        "Source: Slurm's documentation of sched/backfill with priority/basic and select/cons_tres; measured\n"
        "on Slurm 22.05.8. At every event the heads of the queue start while they fit, as in slurm_fifo. A\n"
        "backfill pass walks the queue in order of submission: each job gets the earliest time at which\n"
        "enough nodes have the GPUs, running jobs ending at start + limit_s and a node being closed while a\n"
        "higher job has reserved it; it starts if that time is now, else it reserves those nodes whole, "
        "even\n"
        "where it leaves GPUs idle. Nodes, req_nodes and what is rejected as in slurm_fifo.\n"
        "Deviations: as slurm_fifo; est_s, where given, stands for limit_s; the resolution of the map is a\n"
        "microsecond; a pass takes no time and looks at all it may.\n"
        "Cost: O(jobs tested x changes until each fits x (nodes + running + reservations)) a pass; meant "
        "for\n"
        "hundreds of nodes.\n"
        "Checked against: jobs measured on a real Slurm (results/slurm-validation).",
    .params = params,
    .n_params = N_PARAMS,
    .caps = FZ_SCHED_NODES,
    .state_size = sizeof(slurm_backfill),
    .init = init,
    .notice = notice,
    .decide = decide,
    .next_wakeup = next_wakeup,
};
