/* FIFO: jobs start in the order of submission; the head waits until it fits, and nobody passes it. */
#include "sim/sched/head.h"
#include "sim/sched/rowq.h"

typedef struct fifo {
    fz_rowq queue;
    bool consolidate;
} fifo;

static fz_status fifo_init(void *state, const fz_sched_env *env, fz_error *err)
{
    fifo *self = state;
    self->consolidate = env->params[0] != 0;
    return fz_rowq_init(&self->queue, env, err);
}

static fz_status fifo_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    fifo *self = state;
    fz_rowq_push_arrived(&self->queue, view);
    for (fz_job head = fz_rowq_head(&self->queue); head != FZ_NO_JOB; head = fz_rowq_head(&self->queue)) {
        if (fz_head_start(view, decision, head, self->consolidate) != FZ_PLACED)
            break;
        fz_rowq_pop(&self->queue);
    }
    return FZ_OK;
}

const fz_sched_ops fz_sched_fifo = {
    .name = "fifo",
    .summary = "first in, first out; the head of the queue blocks",
    .manual =
        "Order: submit time, then file order. A job starts as soon as enough idle GPUs of one allowed type\n"
        "exist anywhere; it is packed well, but does not wait for a better packing unless consolidate=1.\n"
        "Type: the first of the cluster file with room. Size: the user's req_gpus, else MARP's first plan;\n"
        "memory is not looked at, as a user's guess would not.\n"
        "Checked against: an independent replay of 512 pooled GPUs, every start time equal.",
    .params = fz_head_params,
    .n_params = 1,
    .state_size = sizeof(fifo),
    .init = fifo_init,
    .decide = fifo_decide,
};
