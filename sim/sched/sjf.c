/* SJF: the job with the shortest estimated run time first; it waits until it fits, and nobody passes. */
#include "sim/sched/head.h"
#include "sim/sched/jobheap.h"

typedef struct sjf {
    fz_jobheap queue;
    bool consolidate;
} sjf;

static fz_status sjf_init(void *state, const fz_sched_env *env, fz_error *err)
{
    sjf *self = state;
    uint32_t *rank = NULL;
    self->consolidate = env->params[0] != 0;
    FZ_TRY(fz_rank_by_estimate(env, &rank, NULL, err));
    self->queue = (fz_jobheap){.jobs = FZ_NEW(env->arena, env->n_jobs, fz_job), .rank = rank};
    if (self->queue.jobs == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
    return FZ_OK;
}

static fz_status sjf_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    sjf *self = state;
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++)
        fz_jobheap_push(&self->queue, arrived.jobs[i]);
    while (self->queue.n_jobs > 0) {
        if (fz_head_start(view, decision, fz_jobheap_top(&self->queue), self->consolidate) != FZ_PLACED)
            break;
        fz_jobheap_pop(&self->queue);
    }
    return FZ_OK;
}

const fz_sched_ops fz_sched_sjf = {
    .name = "sjf",
    .summary = "shortest estimated run time first; the head of the queue blocks; no preemption",
    .manual =
        "Order: estimated run time (est_s, else limit_s, else the true duration), then submit order, among\n"
        "the jobs that wait. Placement, type and size as fifo.\n"
        "Checked against: an independent replay of 512 pooled GPUs, every start time equal.",
    .params = fz_head_params,
    .n_params = 1,
    .state_size = sizeof(sjf),
    .init = sjf_init,
    .decide = sjf_decide,
};
