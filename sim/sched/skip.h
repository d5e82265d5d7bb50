/* Queue skipping: jobs in queue order, and those that do not fit are passed over. One pass, shared by
 * the fixed-size policies fifo_skip and opportunistic, which differ in the GPU type they take. */
#ifndef FRENZY_SIM_SCHED_SKIP_H
#define FRENZY_SIM_SCHED_SKIP_H

#include "sim/sched/fixed.h"
#include "sim/sched/orderq.h"

/* Queues the arrivals, then starts every waiting job that fits, in queue order. */
fz_status fz_skip_pass(fz_orderq *queue, const fz_view *view, fz_decision *decision, fz_type_choice choice);

#endif
