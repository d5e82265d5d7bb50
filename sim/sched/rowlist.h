/* Waiting jobs in row order, the order of submission, as a linked list: for policies that walk the whole queue
 * and take jobs out of its middle. `before` is the job in front of the place that is meant; FZ_NO_JOB: the
 * front. Push is O(1) for new arrivals; a job that comes back finds its old place from the front. */
#ifndef FRENZY_SIM_SCHED_ROWLIST_H
#define FRENZY_SIM_SCHED_ROWLIST_H

#include "sim/sched/sched.h"

typedef struct fz_rowlist {
    fz_job *next; /* by job: the one behind it */
    fz_job first, last;
} fz_rowlist;

fz_status fz_rowlist_init(fz_rowlist *list, const fz_sched_env *env, fz_error *err);
void fz_rowlist_push(fz_rowlist *list, fz_job job);
fz_job fz_rowlist_behind(const fz_rowlist *list, fz_job before); /* FZ_NO_JOB at the end */
void fz_rowlist_remove_behind(fz_rowlist *list, fz_job before);  /* there must be one */

#endif
