/* The invariants E1 to E4 of state.h as a function. O(jobs + GPUs): tests only. */
#include "sim/engine/state.h"

static fz_status broken(const fz_view *run, fz_job job, const char *what, fz_error *err)
{
    return fz_fail(err, FZ_EINVAL, "%s: job %s at t = %.6f s", what, fz_trace_job_id(run->trace, job),
                   fz_time_to_s(run->now));
}

/* E1 and E2 for one job. */
static fz_status job_check(fz_view *run, fz_job job, fz_error *err)
{
    bool running = run->jobs[job].state == FZ_JOB_RUNNING;
    bool leased = fz_orch_gpus(run->orch, job, NULL, 0) > 0;
    if (running != leased || running != (run->slot_of[job] != 0))
        return broken(run, job, "E1: running, lease and slot disagree", err);
    if (!running)
        return FZ_OK;
    const fz_attempt *attempt = fz_attempt_of(run, job);
    if (attempt->job != job)
        return broken(run, job, "E1: the slot belongs to another job", err);
    fz_orch_placement(run->orch, job, &run->decision.scratch); /* nobody uses it between decisions */
    const fz_placement *held = &run->decision.scratch;
    for (uint32_t i = 0; i < held->n_parts; i++) {
        uint32_t type = run->spec->cluster->nodes[held->parts[i].node].type;
        if ((attempt->plan->types & FZ_TYPE_BIT(type)) == 0)
            return broken(run, job, "E2: the lease holds a GPU type that the plan does not allow", err);
    }
    return held->gpus == attempt->plan->gpus ? FZ_OK
                                             : broken(run, job, "E2: lease and plan differ in GPUs", err);
}

/* E3: live events are as many as running jobs, each of a running job, none in the past. Two live events
 * of one job would have the same key; the count then betrays a job without one. */
static fz_status events_check(const fz_view *run, uint64_t n_running, fz_error *err)
{
    uint64_t live = 0;
    for (uint32_t i = 0; i < run->events.size; i++) {
        fz_event_key key = run->events.heap[3 + i];
        if (!fz_life_event_live(run, key))
            continue;
        live++;
        if (fz_event_key_time(key) < run->now)
            return broken(run, fz_event_key_row(key), "E3: an event lies in the past", err);
    }
    if (live != n_running)
        return fz_fail(err, FZ_EINVAL, "E3: %llu live events for %llu running jobs", (unsigned long long)live,
                       (unsigned long long)n_running);
    return fz_equeue_check(&run->events) ? FZ_OK : fz_fail(err, FZ_EINVAL, "the event queue is out of order");
}

fz_status fz_state_check(fz_view *run, fz_error *err)
{
    FZ_TRY(fz_orch_check(run->orch, err));
    uint64_t n_running = 0;
    for (fz_job job = 0; job < run->trace->n_jobs; job++) {
        if ((job < run->cursor) != (run->trace->submit[job] <= run->now))
            return broken(run, job, "E4: submitted and not seen, or the other way round", err);
        if (job >= run->cursor)
            continue;
        FZ_TRY(job_check(run, job, err));
        n_running += run->jobs[job].state == FZ_JOB_RUNNING;
    }
    return events_check(run, n_running, err);
}
