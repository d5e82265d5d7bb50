/* FIFO with skipping: queue order, but whatever fits now starts now. */
#include "sim/sched/skip.h"

static fz_status fifo_skip_init(void *state, const fz_sched_env *env, fz_error *err)
{
    return fz_orderq_init(state, env, err);
}

static fz_status fifo_skip_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    return fz_skip_pass(state, view, decision, FZ_TYPE_FILE_ORDER);
}

const fz_sched_ops fz_sched_fifo_skip = {
    .name = "fifo_skip",
    .summary = "submit order; jobs that do not fit now are passed over",
    .manual =
        "Order: submit time, then file order. Every waiting job is tried in that order; one that does not\n"
        "fit is passed over, without a reservation (large jobs may starve). Type: the first of the cluster\n"
        "file with room. Size as fifo.\n"
        "Checked against: an independent replay of 512 pooled GPUs, every start time equal.",
    .state_size = sizeof(fz_orderq),
    .init = fifo_skip_init,
    .decide = fifo_skip_decide,
};
