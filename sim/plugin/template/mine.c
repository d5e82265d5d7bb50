/* mine: a policy for frenzy, as a plug-in.
 *
 * This one is first in, first out; make it yours. <frenzy/sched.h> is the manual: when each function is called, what
 * it may ask of the view, and what a decision is. Build it with the CMakeLists.txt beside it, then
 *
 *     frenzy schedulers mine --plugin ./mine.so
 *     frenzy replay TRACE --cluster CLUSTER --plugin ./mine.so --scheduler mine */
#include <frenzy/sched.h>

/* --set strict=0 */
enum { STRICT, N_PARAMS };

static const fz_param params[N_PARAMS] = {
    [STRICT] = {.name = "strict",
                .kind = FZ_PARAM_FLAG,
                .fallback = 1,
                .max = 1,
                .help = "1: a job that does not fit blocks those behind it; 0: they are tried, too"},
};

/* What the policy remembers; zeroed before each run. */
typedef struct mine {
    fz_job *waiting; /* in order of submission */
    uint32_t n_waiting;
    bool strict;
} mine;

/* Once, before the first event. Memory comes from the arena of the run and is never given back. */
static fz_status mine_init(void *state, const fz_sched_env *env, fz_error *err)
{
    mine *self = state;
    self->strict = env->params[STRICT] != 0;
    self->waiting = FZ_NEW(env->arena, env->n_jobs, fz_job);
    if (self->waiting == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
    return FZ_OK;
}

/* Rows are in order of submission; a job that ran out of memory comes back and takes its old place. */
static void enqueue(mine *self, fz_job job)
{
    uint32_t at = self->n_waiting++;
    for (; at > 0 && self->waiting[at - 1] > job; at--)
        self->waiting[at] = self->waiting[at - 1];
    self->waiting[at] = job;
}

/* On the first GPU type of the cluster file with enough idle GPUs. */
static fz_verdict start(const fz_view *view, fz_decision *decision, fz_job job)
{
    const fz_cluster *cluster = fz_view_cluster(view);
    const fz_plan *plan = &fz_view_demand(view, job)->fixed; /* the user's GPU count and types */
    fz_placement *where = fz_decision_scratch(decision);
    for (uint32_t type = 0; type < fz_cluster_get_spec(cluster)->n_types; type++)
        if ((plan->types & FZ_TYPE_BIT(type)) != 0 && fz_place_packed(cluster, type, plan->gpus, where))
            return fz_decision_start(decision, job, plan, where);
    return FZ_NO_ROOM;
}

/* After all events of an instant. What is started here is reserved at once. */
static fz_status mine_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    mine *self = state;
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++)
        enqueue(self, arrived.jobs[i]);
    uint32_t kept = 0;
    bool blocked = false;
    for (uint32_t i = 0; i < self->n_waiting; i++) {
        fz_job job = self->waiting[i];
        if (!blocked && start(view, decision, job) == FZ_PLACED)
            continue;
        blocked = self->strict;
        self->waiting[kept++] = job;
    }
    self->n_waiting = kept;
    return FZ_OK;
}

static const fz_sched_ops ops = {
    .name = "mine",
    .summary = "first in, first out; a template",
    .manual =
        "Order: submission. Say here where the rules come from, and in what the policy deviates from them.\n",
    .params = params,
    .n_params = N_PARAMS,
    .caps = 0, /* FZ_SCHED_PREEMPT, FZ_SCHED_PLANS, ... */
    .state_size = sizeof(mine),
    .init = mine_init,
    .decide = mine_decide,
};

static const fz_sched_ops *const policies[] = {&ops};

/* What frenzy looks for. */
const fz_sched_plugin frenzy_plugin = {FZ_SCHED_ABI_HERE, policies, 1};
