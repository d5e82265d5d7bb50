/* Queue in row order, the order of submission. Jobs normally arrive in ascending rows: an array and two
 * cursors. A job that comes back (preempted, out of memory) takes its old place: a small heap on the
 * side. Push and pop are O(1) for the former, O(log returned) for the latter. */
#ifndef FRENZY_SIM_SCHED_ROWQ_H
#define FRENZY_SIM_SCHED_ROWQ_H

#include "sim/sched/jobheap.h"
#include "sim/sched/sched.h"

typedef struct fz_rowq {
    fz_job *rows; /* arrived in ascending order: rows[first .. end) wait */
    uint32_t first, end;
    fz_jobheap returned;
} fz_rowq;

fz_status fz_rowq_init(fz_rowq *queue, const fz_sched_env *env, fz_error *err);
void fz_rowq_push(fz_rowq *queue, fz_job job);
void fz_rowq_push_arrived(fz_rowq *queue, const fz_view *view); /* all arrivals of this decision */
fz_job fz_rowq_head(const fz_rowq *queue);                      /* FZ_NO_JOB when empty */
void fz_rowq_pop(fz_rowq *queue);

#endif
