#include "sim/sched/jobheap.h"

#include <stdlib.h>

static uint32_t rank_of(const fz_jobheap *heap, fz_job job)
{
    return heap->rank != NULL ? heap->rank[job] : job;
}

void fz_jobheap_push(fz_jobheap *heap, fz_job job)
{
    uint32_t at = heap->n_jobs++;
    for (; at > 0 && rank_of(heap, job) < rank_of(heap, heap->jobs[(at - 1) / 2]); at = (at - 1) / 2)
        heap->jobs[at] = heap->jobs[(at - 1) / 2];
    heap->jobs[at] = job;
}

void fz_jobheap_pop(fz_jobheap *heap)
{
    fz_job job = heap->jobs[--heap->n_jobs];
    uint32_t at = 0;
    for (uint32_t child = 1; child < heap->n_jobs; child = 2 * at + 1) {
        if (child + 1 < heap->n_jobs &&
            rank_of(heap, heap->jobs[child + 1]) < rank_of(heap, heap->jobs[child]))
            child++;
        if (rank_of(heap, job) <= rank_of(heap, heap->jobs[child]))
            break;
        heap->jobs[at] = heap->jobs[child];
        at = child;
    }
    heap->jobs[at] = job;
}

typedef struct timed {
    fz_time estimate;
    fz_job job;
} timed;

static int by_estimate(const void *a, const void *b)
{
    const timed *x = a;
    const timed *y = b;
    if (x->estimate != y->estimate)
        return x->estimate < y->estimate ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

fz_status fz_rank_by_estimate(const fz_sched_env *env, uint32_t **rank, fz_job **job_of, fz_error *err)
{
    timed *order = malloc(((size_t)env->n_jobs + 1) * sizeof(*order));
    *rank = FZ_NEW(env->arena, env->n_jobs, uint32_t);
    if (job_of != NULL)
        *job_of = FZ_NEW(env->arena, env->n_jobs, fz_job);
    if (order == NULL || *rank == NULL || (job_of != NULL && *job_of == NULL)) {
        free(order);
        return fz_fail(err, FZ_ENOMEM, "no memory to sort %u jobs by estimate", env->n_jobs);
    }
    for (fz_job job = 0; job < env->n_jobs; job++)
        order[job] = (timed){.estimate = env->estimates[job], .job = job};
    qsort(order, env->n_jobs, sizeof(*order), by_estimate);
    for (uint32_t i = 0; i < env->n_jobs; i++) {
        (*rank)[order[i].job] = i;
        if (job_of != NULL)
            (*job_of)[i] = order[i].job;
    }
    free(order);
    return FZ_OK;
}
