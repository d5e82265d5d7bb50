/* The transaction through which a policy acts. Each call checks and takes effect at once; misuse marks
 * the decision as bad, and run.c then ends the run without a result. */
#include <stdarg.h>
#include <stdio.h>

#include "sim/engine/state.h"

FZ_PRINTF(2, 3) static fz_verdict refuse(fz_decision *decision, const char *format, ...)
{
    char reason[256];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    fz_fail(&decision->own, FZ_EDECISION, "scheduler '%s' made a bad decision at t = %.6f s: it %s",
            decision->run->spec->sched->name, fz_time_to_s(decision->run->now), reason);
    decision->bad = true;
    return FZ_REFUSED;
}

/* Not the policy's fault: the engine could not do it. */
static fz_verdict give_up(fz_decision *decision)
{
    decision->bad = true;
    return FZ_REFUSED;
}

static const char *id_of(const fz_view *run, fz_job job)
{
    return fz_trace_job_id(run->trace, job);
}

static bool is_waiting(const fz_view *run, fz_job job)
{
    return job < run->cursor && run->jobs[job].state == FZ_JOB_WAITING;
}

fz_placement *fz_decision_scratch(fz_decision *decision)
{
    return &decision->scratch;
}

/* The job's own plan of this shape, so that a copy with other types or memory proves nothing. */
static const fz_plan *own_plan(const fz_view *run, fz_job job, const fz_plan *plan)
{
    const fz_demand *demand = fz_view_demand(run, job);
    if (plan == &demand->fixed || (plan >= demand->plans && plan < demand->plans + demand->n_plans))
        return plan;
    if (demand->fixed.gpus > 0 && fz_plan_same_shape(plan, &demand->fixed))
        return &demand->fixed;
    for (uint32_t i = 0; i < demand->n_plans; i++)
        if (fz_plan_same_shape(plan, &demand->plans[i]))
            return &demand->plans[i];
    return NULL;
}

/* NULL, or what is wrong with the placement whatever is idle. */
static const char *placement_fault(const fz_view *run, const fz_plan *plan, const fz_placement *where)
{
    uint64_t gpus = 0;
    for (uint32_t i = 0; i < where->n_parts; i++) {
        const fz_part *part = &where->parts[i];
        if (part->node >= run->spec->cluster->n_nodes)
            return "names a node that does not exist";
        if ((plan->types & FZ_TYPE_BIT(run->spec->cluster->nodes[part->node].type)) == 0)
            return "uses a GPU type that the plan does not allow";
        if (part->gpus == 0)
            return "has a part without GPUs";
        gpus += part->gpus;
    }
    return gpus == plan->gpus ? NULL : "has another number of GPUs than the plan";
}

fz_verdict fz_decision_start(fz_decision *decision, fz_job job, const fz_plan *plan,
                             const fz_placement *where)
{
    fz_view *run = decision->run;
    if (decision->bad)
        return FZ_REFUSED;
    if (!is_waiting(run, job))
        return refuse(decision, "starts job %s, which is not waiting",
                      job < run->cursor ? id_of(run, job) : "unknown");
    const fz_plan *own = own_plan(run, job, plan);
    if (own == NULL)
        return refuse(decision, "starts job %s under a plan that is not its own", id_of(run, job));
    const char *fault = placement_fault(run, own, where);
    if (fault != NULL)
        return refuse(decision, "places job %s wrongly: the placement %s", id_of(run, job), fault);
    if (!fz_orch_lease(run->orch, job, where))
        return FZ_NO_ROOM;
    return fz_life_start(run, job, own, where, &decision->own) == FZ_OK ? FZ_PLACED : give_up(decision);
}

fz_verdict fz_decision_stop(fz_decision *decision, fz_job job)
{
    fz_view *run = decision->run;
    if (decision->bad)
        return FZ_REFUSED;
    if ((run->spec->sched->caps & FZ_SCHED_PREEMPT) == 0)
        return refuse(decision, "stops a job, but does not declare FZ_SCHED_PREEMPT");
    if (!fz_view_running(run, job))
        return refuse(decision, "stops job %s, which is not running",
                      job < run->cursor ? id_of(run, job) : "unknown");
    return fz_life_stop(run, job, &decision->own) == FZ_OK ? FZ_PLACED : give_up(decision);
}

fz_verdict fz_decision_reject(fz_decision *decision, fz_job job)
{
    fz_view *run = decision->run;
    if (decision->bad)
        return FZ_REFUSED;
    if (!is_waiting(run, job))
        return refuse(decision, "rejects job %s, which is not waiting",
                      job < run->cursor ? id_of(run, job) : "unknown");
    fz_life_reject(run, job);
    return FZ_PLACED;
}
