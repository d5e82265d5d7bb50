/* HAS, the heterogeneity-aware scheduler of Frenzy (arXiv 2412.14479), over MARP's resource plans. */
#include "sim/sched/classq.h"
#include "sim/sched/jobheap.h"

enum { PLAN_PICK, ORDER, N_PARAMS };

static const fz_param params[N_PARAMS] = {
    [PLAN_PICK] =
        {.name = "plan_pick",
         .kind = FZ_PARAM_CHOICE,
         .fallback = FZ_PICK_FIRST,
         .choices = "first|last",
         .help = "which feasible plan: first in rank (fewest GPUs, the paper) or last (most GPUs, its code)"},
    [ORDER] = {.name = "order",
               .kind = FZ_PARAM_CHOICE,
               .fallback = 0,
               .choices = "submit|estimate",
               .help = "queue order: submit time, or shortest estimated run time first"},
};

typedef struct has {
    fz_classq queue;
    fz_plan_pick pick;
} has;

static fz_status has_init(void *state, const fz_sched_env *env, fz_error *err)
{
    has *self = state;
    uint32_t *rank = NULL;
    fz_job *job_of = NULL;
    self->pick = (fz_plan_pick)env->params[PLAN_PICK];
    if (env->params[ORDER] != 0)
        FZ_TRY(fz_rank_by_estimate(env, &rank, &job_of, err));
    return fz_classq_init(&self->queue, env, rank, job_of, err);
}

/* Places a job that fits by GPU counts; types may be mixed, so HAS then always finds a placement. */
static fz_verdict has_start(const has *self, const fz_view *view, fz_decision *decision, fz_job job)
{
    const fz_cluster *cluster = fz_view_cluster(view);
    const fz_demand *demand = fz_view_demand(view, job);
    uint32_t pick = fz_has_pick(cluster, demand->plans, demand->n_plans, self->pick);
    if (pick == demand->n_plans)
        return FZ_NO_ROOM;
    const fz_plan *plan = &demand->plans[pick];
    fz_placement *where = fz_decision_scratch(decision);
    if (!fz_place_has(cluster, plan->types, plan->gpus, where))
        return FZ_NO_ROOM;
    return fz_decision_start(decision, job, plan, where);
}

static fz_status has_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    has *self = state;
    const fz_cluster *cluster = fz_view_cluster(view);
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++)
        fz_classq_push(&self->queue, fz_view_class(view, arrived.jobs[i]), arrived.jobs[i]);
    for (fz_job job = fz_classq_first_fitting(&self->queue, cluster); job != FZ_NO_JOB;
         job = fz_classq_first_fitting(&self->queue, cluster)) {
        uint32_t class = fz_view_class(view, job);
        if (has_start(self, view, decision, job) != FZ_PLACED)
            break; /* refused: the engine reports why */
        fz_classq_pop(&self->queue, class);
    }
    return FZ_OK;
}

const fz_sched_ops fz_sched_has = {
    .name = "has",
    .summary =
        "Frenzy: MARP's plans, smallest sufficient memory first, best fit inside a memory level, skipping",
    .manual =
        "Frenzy (arXiv 2412.14479). Queue: submit order (or order=estimate); every waiting job is tried, "
        "one\n"
        "that does not fit is passed over. Plan: the first feasible of MARP's ranked plans (plan_pick=last:\n"
        "the last one, as the public code of the paper does), where a plan of N GPUs is feasible when N "
        "GPUs\n"
        "with enough memory are idle. Placement: for each memory level from the smallest sufficient one: "
        "the\n"
        "tightest node that hosts the rest; else all idle GPUs of the emptiest node, and again. GPU types "
        "may\n"
        "be mixed; a job then runs at the pace of the slowest. req_gpus is ignored where a model is given.\n"
        "Not preemptive. Deviation: GPUs are compared by the memory they report, in bytes.",
    .params = params,
    .n_params = N_PARAMS,
    .caps = FZ_SCHED_PLANS,
    .state_size = sizeof(has),
    .init = has_init,
    .decide = has_decide,
};
