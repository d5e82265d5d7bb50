/* The life cycle of a job, as arrows between states. Everything that happens to a job goes through
 * move_to(), which knows which arrows exist. */
#include <assert.h>
#include <frenzy/speed.h>
#include <math.h>
#include <string.h>

#include "core/support/rng.h"
#include "sim/engine/state.h"

enum {
    ARROW_START,
    ARROW_FINISH,
    ARROW_OUT_OF_MEMORY,
    ARROW_GIVE_UP,
    ARROW_TIME_OUT,
    ARROW_STOP,
    ARROW_REJECT
};

static void move_to(fz_job_result *job, int arrow)
{
    static const struct {
        fz_job_state from, to;
    } arrows[] = {
        [ARROW_START] = {FZ_JOB_WAITING, FZ_JOB_RUNNING},
        [ARROW_FINISH] = {FZ_JOB_RUNNING, FZ_JOB_FINISHED},
        [ARROW_OUT_OF_MEMORY] = {FZ_JOB_RUNNING, FZ_JOB_WAITING}, /* to be planned again with more room */
        [ARROW_GIVE_UP] = {FZ_JOB_RUNNING, FZ_JOB_OOM},           /* nothing larger is left to try */
        [ARROW_TIME_OUT] = {FZ_JOB_RUNNING, FZ_JOB_TIMEOUT},
        [ARROW_STOP] = {FZ_JOB_RUNNING, FZ_JOB_WAITING},
        [ARROW_REJECT] = {FZ_JOB_WAITING, FZ_JOB_REJECTED},
    };
    assert(job->state == arrows[arrow].from);
    job->state = (uint8_t)arrows[arrow].to;
}

/* The job is in a final state. */
static void done_count(fz_view *run, fz_job job)
{
    run->jobs_done++;
    run->window_left -= job >= run->spec->window_first && job < run->spec->window_end;
}

/* ---- arriving --------------------------------------------------------------------------------------- */

static fz_status arrived_add(fz_view *run, fz_job job, fz_error *err)
{
    if (run->n_arrived == run->arrived_capacity) {
        uint32_t capacity = 2 * run->arrived_capacity;
        fz_job *larger = FZ_NEW(run->arena, capacity, fz_job);
        if (larger == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for %u arrivals", capacity);
        memcpy(larger, run->arrived, run->n_arrived * sizeof(*larger));
        run->arrived = larger;
        run->arrived_capacity = capacity;
    }
    run->arrived[run->n_arrived++] = job;
    return FZ_OK;
}

/* Could the empty cluster host the job at all, the way this policy places? */
static bool fits_somewhere(const fz_view *run, fz_job job)
{
    const fz_demand *demand = &run->demands.demands[run->demands.class_of[job]];
    bool chooses_plans = (run->spec->sched->caps & FZ_SCHED_PLANS) != 0;
    return chooses_plans ? demand->n_plans > 0 : demand->fixed.gpus > 0;
}

fz_status fz_life_arrive(fz_view *run, fz_job job, fz_error *err)
{
    run->jobs[job] = (fz_job_result){
        .start = FZ_TIME_NONE, .end = FZ_TIME_NONE, .last_start = FZ_TIME_NONE, .place = FZ_NO_PLACE};
    if (!fits_somewhere(run, job)) {
        fz_life_reject(run, job);
        return FZ_OK;
    }
    return arrived_add(run, job, err);
}

void fz_life_reject(fz_view *run, fz_job job)
{
    move_to(&run->jobs[job], ARROW_REJECT);
    done_count(run, job);
}

/* ---- starting --------------------------------------------------------------------------------------- */

static uint64_t smallest_memory(const fz_view *run, fz_type_mask types)
{
    uint64_t smallest = UINT64_MAX;
    for (; types != 0; types &= types - 1) {
        uint64_t mem = run->spec->cluster->types[__builtin_ctzll(types)].mem_bytes;
        if (mem < smallest)
            smallest = mem;
    }
    return smallest;
}

/* The truth about memory: belief times the job's own error, the same in every attempt. */
static double true_need(const fz_view *run, fz_job job, const fz_plan *plan)
{
    double sigma = run->spec->world.mem_error_sigma;
    double believed = (double)(plan->expected_bytes > 0 ? plan->expected_bytes : plan->mem_bytes);
    if (sigma <= 0)
        return believed;
    double z = fz_rng_once_normal(run->spec->seed, 0, "memory", job);
    return believed * (round(exp(sigma * z) * 1e9) / 1e9);
}

static bool is_llm(const fz_view *run, fz_job job)
{
    return run->demands.facts[run->demands.class_of[job]].predictor != NULL;
}

/* ---- jobs with an application profile ------------------------------------------------------------------ */

static bool has_app(const fz_view *run, fz_job job)
{
    return run->app_jobs != NULL && run->app_jobs[job].app != NULL;
}

fz_app_job fz_life_app_job(const fz_view *run, fz_job job)
{
    if (!has_app(run, job))
        return (fz_app_job){0};
    fz_app_job training = run->app_jobs[job];
    if (fz_view_running(run, job))
        (void)fz_app_job_run(&training, run->now);
    return training;
}

/* The slowest of the types. */
static uint32_t slowest_type(const fz_view *run, fz_job job, fz_type_mask types)
{
    uint32_t slowest = (uint32_t)__builtin_ctzll(types);
    fz_time longest = -1;
    for (fz_type_mask left = types; left != 0; left &= left - 1) {
        fz_time on = fz_run_times_on(&run->demands.times, job, left & -left);
        if (on > longest)
            slowest = (uint32_t)__builtin_ctzll(left);
        longest = on > longest ? on : longest;
    }
    return slowest;
}

static const fz_app_gpu *app_gpu(const fz_view *run, fz_job job, uint32_t type)
{
    return fz_table_times_gpu(&run->demands.times.tables, run->app_jobs[job].app, type);
}

/* Of all types held the slowest counts for all GPUs. */
static fz_app_place app_place(const fz_view *run, fz_job job, const fz_placement *where, fz_type_mask types)
{
    uint32_t *by_node = run->gpus_by_node;
    for (uint32_t i = 0; i < where->n_parts; i++)
        by_node[i] = where->parts[i].gpus;
    return fz_app_place_of(app_gpu(run, job, slowest_type(run, job, types)), by_node, where->n_parts);
}

/* What is left, as the run time on the slowest type where the job can run, packed. */
static fz_time app_left(const fz_view *run, fz_job job)
{
    const fz_run_times *times = &run->demands.times;
    fz_app_job training = fz_life_app_job(run, job);
    uint32_t type = slowest_type(run, job, fz_run_times_types(times, job));
    fz_app_place place = fz_app_place_packed(app_gpu(run, job, type), run->trace->req_gpus[job],
                                             times->tables.node_gpus[type]);
    fz_app_split split = fz_app_split_batch(training.app, &place, training.batch);
    return (fz_time)(fz_app_time_left(training.app, &place, split, training.at) * (double)FZ_SECOND);
}

/* What was left when the job last began to wait. */
static fz_left work_left(const fz_view *run, fz_job job)
{
    if (has_app(run, job))
        return (fz_left){.time = app_left(run, job)};
    if (run->was_stopped != NULL && run->was_stopped[job])
        return run->left[job];
    if (is_llm(run, job))
        return (fz_left){.steps = run->trace->steps[job]};
    return (fz_left){.time = fz_run_times_work(&run->demands.times, job)};
}

/* Adds up, saturating at the end of time. */
static fz_time later(fz_time at, fz_time by)
{
    return by > FZ_TIME_LIMIT ? at + FZ_TIME_LIMIT : at + by;
}

/* What ends this attempt: the first of done, out of memory, and the limit if enforced. */
static fz_event_key outcome_of(const fz_view *run, const fz_attempt *attempt, fz_time done)
{
    bool ends = true;
    fz_job job = attempt->job;
    const fz_job_result *record = &run->jobs[job];
    fz_time at = has_app(run, job) ? fz_app_job_next(&run->app_jobs[job], run->now, &ends) : done;
    fz_event_kind kind = ends ? FZ_EVENT_FINISH : FZ_EVENT_PROGRESS;
    if (attempt->step_s > 0 &&
        true_need(run, job, attempt->plan) > (double)smallest_memory(run, attempt->types)) {
        kind = FZ_EVENT_OOM;
        at = later(attempt->start, (fz_time)(run->spec->world.oom_after_s * (double)FZ_SECOND));
    }
    if (run->spec->world.enforce_limit && run->trace->limit != NULL && run->trace->limit[job] >= 0 &&
        later(attempt->start, run->trace->limit[job]) < at) {
        kind = FZ_EVENT_FAIL;
        at = later(attempt->start, run->trace->limit[job]);
    }
    return fz_event_key_make(at, (uint32_t)kind, job, record->attempts);
}

/* The part of the estimate that is left: less the work done of an opaque job, in proportion to the steps
 * left of an LLM job. */
fz_time fz_life_believed_left(const fz_view *run, fz_job job)
{
    fz_time estimate = run->demands.estimates[job];
    fz_left left = fz_life_left(run, job);
    if (is_llm(run, job))
        return (fz_time)((double)estimate * (left.steps / run->trace->steps[job]));
    fz_time rest = estimate - (fz_run_times_work(&run->demands.times, job) - left.time);
    return rest > 0 ? rest : 0;
}

bool fz_life_estimate_told(const fz_view *run, fz_job job)
{
    const fz_trace *trace = run->trace;
    return (trace->estimate != NULL && trace->estimate[job] >= 0) ||
           (trace->limit != NULL && trace->limit[job] >= 0);
}

/* The believed end: what the estimate leaves, or the truth where the estimate is an oracle. */
static fz_time believed_end(const fz_view *run, const fz_attempt *attempt, fz_time done)
{
    fz_job job = attempt->job;
    if (!fz_life_estimate_told(run, job))
        return done;
    return later(attempt->work_from, fz_life_believed_left(run, job));
}

static uint32_t slot_take(fz_view *run)
{
    return run->n_spare > 0 ? run->spare_slots[--run->n_spare] : run->n_slots++;
}

static uint32_t gpus_of_type(const fz_view *run, const fz_placement *where, uint32_t type)
{
    uint32_t gpus = 0;
    for (uint32_t i = 0; i < where->n_parts; i++)
        if (run->spec->cluster->nodes[where->parts[i].node].type == type)
            gpus += where->parts[i].gpus;
    return gpus;
}

static void ends_add(fz_view *run, uint32_t slot, const fz_placement *where)
{
    const fz_attempt *attempt = &run->attempts[slot];
    bool mixed = (attempt->types & (attempt->types - 1)) != 0;
    for (fz_type_mask left = run->ends != NULL ? attempt->types : 0; left != 0; left &= left - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(left);
        uint32_t gpus = mixed ? gpus_of_type(run, where, type) : attempt->plan->gpus;
        fz_ends_add(&run->ends[type], slot, attempt->believed_end, attempt->job, gpus);
    }
}

static void ends_remove(fz_view *run, uint32_t slot)
{
    const fz_attempt *attempt = &run->attempts[slot];
    for (fz_type_mask left = run->ends != NULL ? attempt->types : 0; left != 0; left &= left - 1)
        fz_ends_remove(&run->ends[__builtin_ctzll(left)], slot, attempt->believed_end, attempt->job);
}

static fz_type_mask types_of(const fz_view *run, const fz_placement *where)
{
    fz_type_mask types = 0;
    for (uint32_t i = 0; i < where->n_parts; i++)
        types |= FZ_TYPE_BIT(run->spec->cluster->nodes[where->parts[i].node].type);
    return types;
}

static fz_time work_time(const fz_view *run, const fz_attempt *attempt, fz_left left)
{
    if (attempt->step_s > 0)
        return fz_speed_time(left.steps, attempt->step_s);
    return fz_run_times_time(&run->demands.times, attempt->job, left.time, attempt->types);
}

/* When the attempt would be done; sets when its work begins. */
static fz_time work_begin(fz_view *run, fz_attempt *attempt, const fz_placement *where)
{
    fz_job job = attempt->job;
    if (has_app(run, job)) {
        fz_app_job *training = &run->app_jobs[job];
        fz_app_place place = app_place(run, job, where, attempt->types);
        bool moved = run->was_stopped != NULL && run->was_stopped[job] == STOPPED_NOW;
        fz_app_job_start(training, &place, moved, run->now);
        attempt->work_from = training->ready > run->now ? training->ready : run->now;
        return fz_app_job_end(training);
    }
    attempt->work_from = later(run->now, run->jobs[job].attempts > 0 ? run->restart : 0);
    return later(attempt->work_from, work_time(run, attempt, work_left(run, job)));
}

fz_status fz_life_start(fz_view *run, fz_job job, const fz_plan *plan, const fz_placement *where,
                        fz_error *err)
{
    fz_job_result *record = &run->jobs[job];
    fz_attempt attempt = {.job = job, .plan = plan, .start = run->now, .types = types_of(run, where)};
    attempt.plan_id = fz_plan_table_id(&run->plans, plan);
    const fz_predictor *predictor = run->demands.facts[run->demands.class_of[job]].predictor;
    if (predictor != NULL)
        attempt.step_s = fz_predictor_step_s(predictor, run->cluster, plan, attempt.types);
    fz_time done = work_begin(run, &attempt, where);
    attempt.believed_end = believed_end(run, &attempt, done);

    move_to(record, ARROW_START);
    record->attempts++;
    run->counts.starts++;
    record->gpus = plan->gpus;
    record->plan = attempt.plan_id;
    if (record->start == FZ_TIME_NONE)
        record->start = run->now;
    record->last_start = run->now;
    fz_event_key outcome = outcome_of(run, &attempt, done);
    attempt.doomed = fz_event_key_class(outcome) == FZ_EVENT_OOM;
    uint32_t slot = slot_take(run);
    run->attempts[slot] = attempt;
    run->slot_of[job] = slot + 1;
    ends_add(run, slot, where);
    if (attempt.plan_id == FZ_NO_PLAN_ID || !fz_equeue_push(&run->events, outcome))
        return fz_fail(err, FZ_ENOMEM, "no memory for one more running job");
    return FZ_OK;
}

/* ---- ending an attempt ------------------------------------------------------------------------------- */

/* Gives back the GPUs and books the time. The job is in its next state already. */
static fz_status attempt_close(fz_view *run, fz_job job, fz_error *err)
{
    fz_job_result *record = &run->jobs[job];
    fz_attempt *attempt = fz_attempt_of(run, job);
    fz_time ran = run->now - attempt->start;
    fz_time gpu_time = 0;
    if (__builtin_mul_overflow(ran, (fz_time)attempt->plan->gpus, &gpu_time) ||
        __builtin_add_overflow(record->gpu_time, gpu_time, &record->gpu_time))
        return fz_fail(err, FZ_EPARSE,
                       "a job holds %u GPUs for more than 290,000 GPU-years in all; are the run times in "
                       "seconds?",
                       attempt->plan->gpus);
    record->run += ran;
    fz_orch_placement(run->orch, job, &run->lease_parts);
    ends_remove(run, run->slot_of[job] - 1);
    record->place = fz_places_append(&run->places, &run->lease_parts);
    run->spare_slots[run->n_spare++] = run->slot_of[job] - 1;
    run->slot_of[job] = 0;
    run->grown |= fz_orch_release(run->orch, job);
    if (record->place == FZ_NO_PLACE)
        return fz_fail(err, FZ_ENOMEM, "no memory for the placements of all jobs (at most 4 GiB)");
    return FZ_OK;
}

static fz_status end_for_good(fz_view *run, fz_job job, int arrow, fz_error *err)
{
    move_to(&run->jobs[job], arrow);
    run->jobs[job].end = run->now;
    done_count(run, job);
    return attempt_close(run, job, err);
}

static fz_status run_out_of_memory(fz_view *run, fz_job job, fz_error *err)
{
    const fz_attempt *attempt = fz_attempt_of(run, job);
    uint32_t next = fz_demands_after_oom(&run->demands, run->demands.class_of[job], attempt->plan,
                                         smallest_memory(run, attempt->types));
    run->counts.ooms++;
    if (next == FZ_NO_CLASS)
        return end_for_good(run, job, ARROW_GIVE_UP, err);
    move_to(&run->jobs[job], ARROW_OUT_OF_MEMORY);
    FZ_TRY(attempt_close(run, job, err));
    run->demands.class_of[job] = next;
    return arrived_add(run, job, err);
}

bool fz_life_event_live(const fz_view *run, fz_event_key key)
{
    const fz_job_result *job = &run->jobs[fz_event_key_row(key)];
    return job->state == FZ_JOB_RUNNING && job->attempts == fz_event_key_attempt(key);
}

static fz_status stride_end(fz_view *run, fz_job job, fz_error *err)
{
    (void)fz_app_job_run(&run->app_jobs[job], run->now);
    if (!fz_equeue_push(&run->events, outcome_of(run, fz_attempt_of(run, job), 0)))
        return fz_fail(err, FZ_ENOMEM, "no memory for one more event");
    return FZ_OK;
}

fz_status fz_life_event(fz_view *run, fz_event_key key, fz_error *err)
{
    fz_job job = fz_event_key_row(key);
    switch ((fz_event_kind)fz_event_key_class(key)) {
    case FZ_EVENT_PROGRESS:
        return stride_end(run, job, err);
    case FZ_EVENT_FINISH:
        return end_for_good(run, job, ARROW_FINISH, err);
    case FZ_EVENT_OOM:
        return run_out_of_memory(run, job, err);
    default: /* FZ_EVENT_FAIL: the enforced limit */
        return end_for_good(run, job, ARROW_TIME_OUT, err);
    }
}

/* ---- stopping ---------------------------------------------------------------------------------------- */

static fz_status left_reserve(fz_view *run, fz_error *err)
{
    if (run->was_stopped != NULL)
        return FZ_OK;
    run->was_stopped = FZ_NEW(run->arena, run->trace->n_jobs, uint8_t);
    run->left = FZ_NEW(run->arena, run->trace->n_jobs, fz_left);
    if (run->was_stopped == NULL || run->left == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the progress of %u jobs", run->trace->n_jobs);
    return FZ_OK;
}

/* Exact for opaque jobs. */
fz_left fz_life_left(const fz_view *run, fz_job job)
{
    fz_left left = work_left(run, job);
    if (has_app(run, job) || !fz_view_running(run, job) || fz_attempt_of(run, job)->doomed)
        return left;
    const fz_attempt *attempt = fz_attempt_of(run, job);
    fz_time worked = run->now > attempt->work_from ? run->now - attempt->work_from : 0;
    if (attempt->step_s <= 0)
        return (fz_left){.time =
                             left.time - fz_run_times_done(&run->demands.times, job, worked, attempt->types)};
    double steps = left.steps - fz_time_to_s(worked) / attempt->step_s;
    return (fz_left){.steps = steps > 0 ? steps : 0};
}

fz_status fz_life_stop(fz_view *run, fz_job job, fz_error *err)
{
    FZ_TRY(left_reserve(run, err));
    fz_left left = fz_life_left(run, job);
    bool listed = run->was_stopped[job] == STOPPED_NOW; /* stopped, started and stopped in one decision */
    run->left[job] = left;
    if (has_app(run, job))
        (void)fz_app_job_run(&run->app_jobs[job], run->now);
    run->was_stopped[job] = STOPPED_NOW;
    fz_job_result *record = &run->jobs[job];
    move_to(record, ARROW_STOP);
    run->counts.preemptions++;
    record->preemptions = (uint8_t)(record->preemptions < UINT8_MAX ? record->preemptions + 1 : UINT8_MAX);
    FZ_TRY(attempt_close(run, job, err));
    return listed ? FZ_OK : arrived_add(run, job, err);
}

fz_status fz_life_cut(fz_view *run, fz_job job, fz_error *err)
{
    return attempt_close(run, job, err);
}
