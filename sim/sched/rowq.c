#include "sim/sched/rowq.h"

#include "sim/sched/jobheap.h"

fz_status fz_rowq_init(fz_rowq *queue, const fz_sched_env *env, fz_error *err)
{
    *queue = (fz_rowq){.rows = FZ_NEW(env->arena, env->n_jobs, fz_job),
                       .returned = {.jobs = FZ_NEW(env->arena, env->n_jobs, fz_job)}};
    if (queue->rows == NULL || queue->returned.jobs == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
    return FZ_OK;
}

void fz_rowq_push(fz_rowq *queue, fz_job job)
{
    if (queue->end == 0 || job > queue->rows[queue->end - 1])
        queue->rows[queue->end++] = job;
    else
        fz_jobheap_push(&queue->returned, job);
}

void fz_rowq_push_arrived(fz_rowq *queue, const fz_view *view)
{
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++)
        fz_rowq_push(queue, arrived.jobs[i]);
}

static fz_job next_in_order(const fz_rowq *queue)
{
    return queue->first < queue->end ? queue->rows[queue->first] : FZ_NO_JOB;
}

fz_job fz_rowq_head(const fz_rowq *queue)
{
    fz_job in_order = next_in_order(queue);
    fz_job returned = fz_jobheap_top(&queue->returned);
    return returned < in_order ? returned : in_order; /* FZ_NO_JOB is the largest */
}

void fz_rowq_pop(fz_rowq *queue)
{
    if (fz_jobheap_top(&queue->returned) < next_in_order(queue))
        fz_jobheap_pop(&queue->returned);
    else
        queue->first++;
}
