/* Opportunistic: the baseline of the Frenzy paper, as far as it is known. */
#include "sim/sched/skip.h"

static fz_status opportunistic_init(void *state, const fz_sched_env *env, fz_error *err)
{
    return fz_orderq_init(state, env, err);
}

static fz_status opportunistic_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    return fz_skip_pass(state, view, decision, FZ_TYPE_FASTEST_FIRST);
}

const fz_sched_ops fz_sched_opportunistic = {
    .name = "opportunistic",
    .summary = "the user's GPU count on the fastest type with room, falling back to slower ones; skipping",
    .manual =
        "Baseline of Frenzy (arXiv 2412.14479); its exact rules are not published, these are our reading:\n"
        "the user fixes the GPU count; the most powerful type with enough idle GPUs is taken, else the next\n"
        "slower one; submit order, jobs that do not fit are passed over. Memory is not looked at: a job "
        "that\n"
        "does not fit dies after oom_after_s and is tried again on larger memory, then with twice the GPUs.",
    .state_size = sizeof(fz_orderq),
    .init = opportunistic_init,
    .decide = opportunistic_decide,
};
