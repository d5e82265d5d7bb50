/* Head-of-line blocking: the parameters and the step that FIFO and SJF share. */
#ifndef FRENZY_SIM_SCHED_HEAD_H
#define FRENZY_SIM_SCHED_HEAD_H

#include "sim/sched/fixed.h"

/* The parameter table of such policies: consolidate=0|1. */
extern const fz_param fz_head_params[1];

/* Starts the head of a queue on the first type of the cluster file that has room (with `consolidate`:
 * room on as few nodes as possible). FZ_NO_ROOM: the head blocks. */
fz_verdict fz_head_start(const fz_view *view, fz_decision *decision, fz_job head, bool consolidate);

#endif
