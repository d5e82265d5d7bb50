/* What fixed-size policies share: a job runs on its `fixed` plan, on one GPU type. */
#ifndef FRENZY_SIM_SCHED_FIXED_H
#define FRENZY_SIM_SCHED_FIXED_H

#include <stdbool.h>

#include "sim/sched/sched.h"

#define FZ_NO_TYPE UINT32_MAX

/* Which type a job takes when several have room. */
typedef enum fz_type_choice {
    FZ_TYPE_FILE_ORDER,    /* the first of the cluster file */
    FZ_TYPE_FASTEST_FIRST, /* highest compute rate, falling back to slower ones */
} fz_type_choice;

/* The type among `plan->types` on which the plan has enough idle GPUs now; FZ_NO_TYPE if none. */
uint32_t fz_fixed_type(const fz_cluster *cluster, const fz_plan *plan, fz_type_choice choice);

/* Starts `job` on `type`, packed, if there is room; with `consolidate`, only on as few nodes as the job
 * can ever have. */
fz_verdict fz_fixed_start(const fz_view *view, fz_decision *decision, fz_job job, uint32_t type,
                          bool consolidate);

#endif
