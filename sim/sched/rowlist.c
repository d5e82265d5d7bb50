#include "sim/sched/rowlist.h"

fz_status fz_rowlist_init(fz_rowlist *list, const fz_sched_env *env, fz_error *err)
{
    *list =
        (fz_rowlist){.next = FZ_NEW(env->arena, env->n_jobs, fz_job), .first = FZ_NO_JOB, .last = FZ_NO_JOB};
    return list->next != NULL ? FZ_OK
                              : fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
}

fz_job fz_rowlist_behind(const fz_rowlist *list, fz_job before)
{
    return before == FZ_NO_JOB ? list->first : list->next[before];
}

static void link_behind(fz_rowlist *list, fz_job before, fz_job job)
{
    list->next[job] = fz_rowlist_behind(list, before);
    *(before == FZ_NO_JOB ? &list->first : &list->next[before]) = job;
    if (list->next[job] == FZ_NO_JOB)
        list->last = job;
}

void fz_rowlist_push(fz_rowlist *list, fz_job job)
{
    fz_job before = list->last != FZ_NO_JOB && list->last < job ? list->last : FZ_NO_JOB;
    while (fz_rowlist_behind(list, before) < job) /* FZ_NO_JOB is the largest */
        before = fz_rowlist_behind(list, before);
    link_behind(list, before, job);
}

void fz_rowlist_remove_behind(fz_rowlist *list, fz_job before)
{
    fz_job job = fz_rowlist_behind(list, before);
    *(before == FZ_NO_JOB ? &list->first : &list->next[before]) = list->next[job];
    if (list->last == job)
        list->last = before;
}
