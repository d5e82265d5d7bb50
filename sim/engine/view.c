/* What policies see: the readers of sim/sched/sched.h over the state of the run. */
#include <frenzy/speed.h>

#include "sim/engine/state.h"

fz_time fz_view_now(const fz_view *view)
{
    return view->now;
}

const fz_cluster *fz_view_cluster(const fz_view *view)
{
    return view->cluster;
}

fz_job_list fz_view_arrived(const fz_view *view)
{
    return (fz_job_list){.jobs = view->arrived, .n_jobs = view->n_arrived};
}

fz_type_mask fz_view_grown(const fz_view *view)
{
    return view->grown;
}

uint32_t fz_view_class(const fz_view *view, fz_job job)
{
    return view->demands.class_of[job];
}

/* Who asks for a job's demand is about to start it, and in a deep queue it is far from the caches: what a
 * start will touch is fetched meanwhile. */
static void start_prefetch(const fz_view *view, fz_job job)
{
    __builtin_prefetch(&view->jobs[job], 1);
    __builtin_prefetch(&view->slot_of[job], 1);
    if (view->trace->duration != NULL)
        __builtin_prefetch(&view->trace->duration[job]);
    if (view->trace->estimate != NULL)
        __builtin_prefetch(&view->trace->estimate[job]);
}

const fz_demand *fz_view_demand(const fz_view *view, fz_job job)
{
    start_prefetch(view, job);
    return &view->demands.demands[view->demands.class_of[job]];
}

fz_time fz_view_submit(const fz_view *view, fz_job job)
{
    return view->trace->submit[job];
}

fz_time fz_view_estimate(const fz_view *view, fz_job job)
{
    return view->demands.estimates[job];
}

bool fz_view_running(const fz_view *view, fz_job job)
{
    return job < view->cursor && view->jobs[job].state == FZ_JOB_RUNNING;
}

fz_time fz_view_run(const fz_view *view, fz_job job)
{
    if (job >= view->cursor)
        return 0;
    fz_time run = view->jobs[job].run;
    return fz_view_running(view, job) ? run + view->now - fz_attempt_of(view, job)->start : run;
}

fz_time fz_view_end(const fz_view *view, fz_job job)
{
    fz_time end = fz_attempt_of(view, job)->believed_end;
    return end > view->now ? end : view->now + 1;
}

const fz_plan *fz_view_plan(const fz_view *view, fz_job job)
{
    return fz_view_running(view, job) ? fz_attempt_of(view, job)->plan : NULL;
}

/* An estimate is the same on all types; the oracle knows the run time on each. */
static double opaque_left_s(const fz_view *view, fz_job job, uint32_t type)
{
    const fz_run_times *times = &view->demands.times;
    if ((fz_run_times_types(times, job) & FZ_TYPE_BIT(type)) == 0)
        return -1;
    if (fz_life_estimate_told(view, job))
        return fz_time_to_s(fz_life_believed_left(view, job));
    fz_time left = fz_run_times_time(times, job, fz_life_left(view, job).time, FZ_TYPE_BIT(type));
    return fz_time_to_s(left);
}

/* Belief and truth share the speed model. */
double fz_view_time_left_s(const fz_view *view, fz_job job, const fz_plan *plan, uint32_t type)
{
    const fz_predictor *predictor = view->demands.facts[view->demands.class_of[job]].predictor;
    if (predictor == NULL)
        return opaque_left_s(view, job, type);
    double step_s = fz_predictor_step_s(predictor, view->cluster, plan, FZ_TYPE_BIT(type));
    return step_s > 0 ? fz_life_left(view, job).steps * step_s : -1;
}

bool fz_view_when_idle(const fz_view *view, uint32_t type, uint32_t gpus, fz_time *when, uint32_t *idle_then)
{
    uint32_t idle = fz_cluster_idle_of(view->cluster, type);
    *when = view->now;
    *idle_then = idle;
    if (gpus <= idle)
        return true;
    fz_ends *ends = &view->ends[type]; /* a question may move entries inside */
    if (!fz_ends_when(ends, gpus - idle, when))
        return false;
    if (*when <= view->now)
        *when = view->now + 1; /* past its believed end: any moment now */
    *idle_then = idle + fz_ends_by(ends, *when);
    return true;
}

fz_job fz_view_next_running(const fz_view *view, fz_job from)
{
    for (fz_job job = from; job < view->cursor; job++)
        if (view->jobs[job].state == FZ_JOB_RUNNING)
            return job;
    return FZ_NO_JOB;
}
