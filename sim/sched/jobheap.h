/* Binary heap of jobs by a rank, smallest first. */
#ifndef FRENZY_SIM_SCHED_JOBHEAP_H
#define FRENZY_SIM_SCHED_JOBHEAP_H

#include "sim/sched/sched.h"

/* `rank` by job; NULL: the row itself. `jobs` has room for all that may be inside at once. */
typedef struct fz_jobheap {
    fz_job *jobs;
    uint32_t n_jobs;
    const uint32_t *rank;
} fz_jobheap;

void fz_jobheap_push(fz_jobheap *heap, fz_job job);
void fz_jobheap_pop(fz_jobheap *heap); /* must not be empty */
static inline fz_job fz_jobheap_top(const fz_jobheap *heap)
{
    return heap->n_jobs > 0 ? heap->jobs[0] : FZ_NO_JOB;
}

/* Ranks of all jobs by (estimate, row), and optionally the job of each rank. */
fz_status fz_rank_by_estimate(const fz_sched_env *env, uint32_t **rank, fz_job **job_of, fz_error *err);

#endif
