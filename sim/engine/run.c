#include <sys/resource.h>

#include "sim/engine/state.h"
#include "sim/engine/stopwatch.h"
#include "sim/metrics/summary.h"

#define PROGRESS_EVERY 65536u
#define VAIN_WAKEUPS   1000u

/* Simulated time ends here, after some 250,000 years: what starts before it may add a restart, a run time and
 * an estimate, and stays a number. */
#define LAST_INSTANT (FZ_TIME_MAX - 4 * FZ_TIME_LIMIT)

/* ---- setting up --------------------------------------------------------------------------------------- */

static fz_status no_memory(const fz_run_spec *spec, fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for a run of %u jobs", spec->trace->n_jobs);
}

static fz_status tables_new(fz_view *run, fz_error *err)
{
    const fz_run_spec *spec = run->spec;
    uint32_t n_jobs = spec->trace->n_jobs;
    uint32_t n_gpus = fz_cluster_gpus(run->cluster, FZ_ALL_TYPES);
    run->jobs = FZ_NEW(run->arena, n_jobs, fz_job_result);
    run->slot_of = FZ_NEW(run->arena, n_jobs, uint32_t);
    run->attempts = FZ_NEW(run->arena, n_gpus, fz_attempt);
    run->spare_slots = FZ_NEW(run->arena, n_gpus, uint32_t);
    run->arrived_capacity = n_jobs + 64;
    run->arrived = FZ_NEW(run->arena, run->arrived_capacity, fz_job);
    run->decide_ticks = FZ_NEW(run->arena, 1, fz_histogram);
    run->timeline = FZ_NEW(run->arena, 1, fz_timeline);
    run->policy = fz_arena_alloc(run->arena, 1, spec->sched->state_size);
    run->lease_parts = fz_placement_new(run->arena, run->cluster);
    run->decision = (fz_decision){.run = run, .scratch = fz_placement_new(run->arena, run->cluster)};
    if (run->jobs == NULL || run->slot_of == NULL || run->attempts == NULL || run->spare_slots == NULL ||
        run->arrived == NULL || run->decide_ticks == NULL || run->timeline == NULL || run->policy == NULL ||
        run->lease_parts.parts == NULL || run->decision.scratch.parts == NULL ||
        !fz_places_init(&run->places, run->arena, n_jobs) || !fz_plan_table_init(&run->plans, run->arena))
        return no_memory(spec, err);
    return FZ_OK;
}

static fz_status ends_new(fz_view *run, fz_error *err)
{
    if ((run->spec->sched->caps & FZ_SCHED_ENDS) == 0)
        return FZ_OK;
    run->ends = FZ_NEW(run->arena, run->n_types, fz_ends);
    if (run->ends == NULL)
        return no_memory(run->spec, err);
    uint32_t n_slots = fz_cluster_gpus(run->cluster, FZ_ALL_TYPES);
    for (uint32_t type = 0; type < run->n_types; type++)
        if (!fz_ends_init(&run->ends[type], run->arena, fz_cluster_gpus(run->cluster, FZ_TYPE_BIT(type)),
                          n_slots))
            return no_memory(run->spec, err);
    return FZ_OK;
}

/* Jobs with an application profile. */
static fz_status app_jobs_new(fz_view *run, fz_error *err)
{
    const fz_trace *trace = run->trace;
    if (run->demands.times.apps == NULL)
        return FZ_OK;
    run->app_jobs = FZ_NEW(run->arena, trace->n_jobs, fz_app_job);
    run->gpus_by_node = FZ_NEW(run->arena, run->spec->cluster->n_nodes, uint32_t);
    if (run->app_jobs == NULL || run->gpus_by_node == NULL)
        return no_memory(run->spec, err);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        run->app_jobs[job].app = fz_run_times_app(&run->demands.times, job);
        if (run->app_jobs[job].app != NULL)
            run->app_jobs[job].batch = (double)trace->global_batch[job];
    }
    return FZ_OK;
}

static fz_status policy_new(fz_view *run, fz_error *err)
{
    const fz_sched_ops *sched = run->spec->sched;
    fz_sched_env env = {
        .arena = run->arena,
        .cluster = run->cluster,
        .n_jobs = run->trace->n_jobs,
        .demands = run->demands.demands,
        .n_demands = run->demands.n_demands,
        .estimates = run->demands.estimates,
        .classes = run->demands.class_of,
        .params = run->spec->sched_params,
        .data = sched->data,
    };
    return sched->init != NULL ? sched->init(run->policy, &env, err) : FZ_OK;
}

static void counts_start(fz_view *run)
{
    const fz_trace *trace = run->trace;
    run->counts = (fz_summary){
        .estimate_user = run->demands.estimate_user,
        .estimate_limit = run->demands.estimate_limit,
        .estimate_oracle = run->demands.estimate_oracle,
        .asks_cpus = trace->req_cpus != NULL,
        .asks_mem = trace->req_mem != NULL,
        .asks_nodes = trace->req_nodes != NULL && (run->spec->sched->caps & FZ_SCHED_NODES) == 0,
    };
    bool fixed_size = (run->spec->sched->caps & FZ_SCHED_PLANS) == 0;
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        uint32_t class = run->demands.class_of[job];
        run->counts.from_marp += fixed_size && run->demands.demands[class].from_marp;
        run->counts.gpu_shares += trace->req_gpus_exact != NULL && trace->req_gpus_exact[job] > 0;
        run->counts.memory_stream_drawn |= run->demands.facts[class].predictor != NULL;
    }
    run->counts.memory_stream_drawn &= run->spec->world.mem_error_sigma > 0;
}

static fz_status run_init(fz_view *run, fz_arena *arena, const fz_run_spec *spec, fz_error *err)
{
    run->spec = spec;
    run->trace = spec->trace;
    run->arena = arena;
    run->n_types = spec->cluster->n_types;
    run->wakeup = FZ_TIME_MAX;
    run->window_left = spec->window_end - spec->window_first;
    run->restart = (fz_time)(spec->world.restart_s * (double)FZ_SECOND);
    fz_equeue_init(&run->events);
    FZ_TRY(fz_orch_new(arena, spec->cluster, spec->trace->n_jobs, &run->orch, err));
    run->cluster = fz_orch_cluster(run->orch);
    fz_demand_options options = {.chooses_plans = (spec->sched->caps & FZ_SCHED_PLANS) != 0,
                                 .memory_errors = spec->world.mem_error_sigma > 0,
                                 .predictor = spec->world.predictor,
                                 .tables = spec->tables};
    FZ_TRY(fz_demands_build(arena, spec->trace, run->cluster, spec->models, options, &run->demands, err));
    FZ_TRY(tables_new(run, err));
    fz_timeline_start(run->timeline, spec->trace->n_jobs > 0 ? spec->trace->submit[0] : 0);
    FZ_TRY(ends_new(run, err));
    FZ_TRY(app_jobs_new(run, err));
    counts_start(run);
    return policy_new(run, err);
}

/* ---- one instant ---------------------------------------------------------------------------------------- */

static void notice(fz_view *run, fz_event_kind kind, fz_job job)
{
    run->counts.events++;
    if (run->spec->sched->notice != NULL) {
        fz_event event = {.time = run->now, .kind = kind, .job = job};
        run->spec->sched->notice(run->policy, run, &event);
    }
}

/* Drops events of attempts that ended before their time. */
static void stale_drop(fz_view *run)
{
    while (!fz_equeue_empty(&run->events) && !fz_life_event_live(run, fz_equeue_top(&run->events)))
        fz_equeue_pop(&run->events);
}

/* The next instant at which something happens; FZ_TIME_MAX if nothing ever does. */
static fz_time next_instant(fz_view *run)
{
    stale_drop(run);
    fz_time at = run->wakeup;
    if (!fz_equeue_empty(&run->events) && fz_event_key_time(fz_equeue_top(&run->events)) < at)
        at = fz_event_key_time(fz_equeue_top(&run->events));
    if (run->cursor < run->trace->n_jobs && run->trace->submit[run->cursor] < at)
        at = run->trace->submit[run->cursor];
    return at;
}

/* On a large cluster the jobs of coming events are far from the caches: those that may be next but one are
 * fetched, and of the next one all that its end will touch. */
static void next_prefetch(const fz_view *run)
{
    fz_event_key candidates[4];
    uint32_t n = fz_equeue_second(&run->events, candidates);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = fz_event_key_row(candidates[i]);
        __builtin_prefetch(&run->jobs[row]);
        __builtin_prefetch(&run->slot_of[row]);
    }
    if (fz_equeue_empty(&run->events))
        return;
    uint32_t row = fz_event_key_row(fz_equeue_top(&run->events));
    if (run->slot_of[row] != 0)
        __builtin_prefetch(fz_attempt_of(run, row));
    fz_orch_prefetch(run->orch, row);
}

/* `*any` turns true if something came that a policy can see. */
static fz_status events_apply(fz_view *run, bool *any, fz_error *err)
{
    while (!fz_equeue_empty(&run->events)) {
        fz_event_key key = fz_equeue_top(&run->events);
        if (fz_event_key_time(key) != run->now)
            break;
        fz_equeue_pop(&run->events);
        next_prefetch(run);
        if (!fz_life_event_live(run, key))
            continue;
        FZ_TRY(fz_life_event(run, key, err));
        if (fz_event_key_class(key) == FZ_EVENT_PROGRESS)
            continue;
        notice(run, (fz_event_kind)fz_event_key_class(key), fz_event_key_row(key));
        *any = true;
    }
    for (; run->cursor < run->trace->n_jobs && run->trace->submit[run->cursor] == run->now; run->cursor++) {
        if (run->cursor == run->spec->window_first)
            run->window_gpu_time = run->timeline->gpu_time;
        FZ_TRY(fz_life_arrive(run, run->cursor, err));
        notice(run, FZ_EVENT_ARRIVE, run->cursor);
        *any = true;
    }
    if (run->wakeup == run->now) {
        notice(run, FZ_EVENT_WAKE, FZ_NO_JOB);
        *any = true;
    }
    return FZ_OK;
}

/* Arrivals of the next decision: what this one stopped and did not start again. */
static void arrivals_keep(fz_view *run, uint32_t seen)
{
    uint32_t kept = 0;
    for (uint32_t i = seen; i < run->n_arrived; i++) {
        fz_job job = run->arrived[i];
        run->was_stopped[job] = STOPPED;
        if (run->jobs[job].state == FZ_JOB_WAITING)
            run->arrived[kept++] = job;
    }
    run->n_arrived = kept;
}

static fz_status decide(fz_view *run, fz_error *err)
{
    const fz_sched_ops *sched = run->spec->sched;
    uint32_t seen = run->n_arrived;
    uint64_t from = run->spec->time_decisions ? fz_stopwatch_ticks() : 0;
    fz_status status = sched->decide(run->policy, run, &run->decision, err);
    if (run->spec->time_decisions)
        fz_histogram_add(run->decide_ticks, fz_stopwatch_ticks() - from);
    run->counts.decisions++;
    if (status == FZ_OK && run->decision.bad) {
        status = run->decision.own.status;
        if (err != NULL)
            *err = run->decision.own;
    }
    FZ_TRY(status);
    arrivals_keep(run, seen);
    run->grown = 0;
    run->wakeup = sched->next_wakeup != NULL ? sched->next_wakeup(run->policy, run) : FZ_TIME_MAX;
    if (run->wakeup <= run->now)
        return fz_fail(err, FZ_EDECISION, "scheduler '%s' asks to be woken at %.6f s, which is not after now",
                       sched->name, fz_time_to_s(run->wakeup));
    return FZ_OK;
}

/* With nothing running and nothing to come, only a wake-up can start a job: rounds do. A policy that lets
 * so many of them pass never will, and what waits then waits for ever. */
static bool is_over(const fz_view *run)
{
    bool window_done = run->spec->window_end > 0 && run->window_left == 0;
    return run->jobs_done == run->trace->n_jobs || window_done || run->vain_wakeups > VAIN_WAKEUPS;
}

static void vain_wakeups_count(fz_view *run)
{
    bool empty = run->cursor == run->trace->n_jobs && run->n_spare == run->n_slots;
    run->vain_wakeups = empty ? run->vain_wakeups + 1 : 0;
}

/* What holds from this instant on. */
static void levels_note(const fz_view *run)
{
    uint64_t running = run->n_slots - run->n_spare;
    fz_levels levels = {.gpus = fz_cluster_gpus(run->cluster, FZ_ALL_TYPES) -
                                fz_cluster_idle(run->cluster, FZ_ALL_TYPES),
                        .waiting = run->cursor - run->jobs_done - running,
                        .running = running};
    fz_timeline_set(run->timeline, levels);
}

static fz_status overload_check(const fz_view *run, fz_error *err)
{
    uint64_t limit = run->spec->max_queue;
    if (limit == 0 || run->timeline->levels.waiting <= limit)
        return FZ_OK;
    return fz_fail(
        err, FZ_EUNSTABLE,
        "unstable: queue grows by %.4g jobs/h; stopped at t = %.1f h with more than %llu jobs waiting",
        fz_timeline_growth_per_h(run->timeline), fz_time_to_s(run->now) / 3600, (unsigned long long)limit);
}

static fz_status loop(fz_view *run, fz_error *err)
{
    const fz_run_spec *spec = run->spec;
    uint64_t report_at = PROGRESS_EVERY;
    while (!is_over(run)) {
        fz_time at = next_instant(run);
        if (at == FZ_TIME_MAX)
            break;
        if (at > LAST_INSTANT)
            return fz_fail(err, FZ_EPARSE,
                           "the jobs take more than 250,000 years one after the other; are the run times in "
                           "seconds?");
        run->now = at;
        fz_timeline_advance(run->timeline, at);
        bool any = false;
        FZ_TRY(events_apply(run, &any, err));
        if (any)
            FZ_TRY(decide(run, err));
        levels_note(run);
        FZ_TRY(overload_check(run, err));
        vain_wakeups_count(run);
        if (spec->check_invariants)
            FZ_TRY(fz_state_check(run, err));
        if (spec->progress != NULL && run->counts.events >= report_at) {
            report_at = run->counts.events + PROGRESS_EVERY;
            if (!spec->progress(spec->progress_context, run->jobs_done, run->trace->n_jobs, run->now))
                return fz_fail(err, FZ_EINTERRUPTED, "interrupted at t = %.6f s", fz_time_to_s(run->now));
        }
    }
    return FZ_OK;
}

/* ---- result --------------------------------------------------------------------------------------------- */

static void jobs_never_submitted(fz_view *run)
{
    for (fz_job job = run->cursor; job < run->trace->n_jobs; job++)
        run->jobs[job] = (fz_job_result){
            .start = FZ_TIME_NONE, .end = FZ_TIME_NONE, .last_start = FZ_TIME_NONE, .place = FZ_NO_PLACE};
}

static void cost_fill(const fz_view *run, uint64_t engine_ns, uint64_t engine_ticks, fz_cost *cost)
{
    const fz_histogram *ticks = run->decide_ticks;
    double ms_of_tick = engine_ticks > 0 ? (double)engine_ns / (double)engine_ticks / 1e6 : 0;
    cost->engine_s = (double)engine_ns / 1e9;
    cost->jobs_per_s = engine_ns > 0 ? (double)run->trace->n_jobs / cost->engine_s : 0;
    cost->decide_ms_p50 = fz_histogram_percentile(ticks, 0.50) * ms_of_tick;
    cost->decide_ms_p99 = fz_histogram_percentile(ticks, 0.99) * ms_of_tick;
    cost->decide_ms_max = (double)ticks->max * ms_of_tick;
    cost->decide_ms_mean = ticks->count > 0 ? (double)ticks->sum / (double)ticks->count * ms_of_tick : 0;
}

static uint64_t peak_rss(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static fz_status run_measured(fz_view *run, fz_run_result *result, fz_error *err)
{
    uint64_t from_ns = fz_stopwatch_ns();
    uint64_t from_ticks = fz_stopwatch_ticks();
    FZ_TRY(loop(run, err));
    cost_fill(run, fz_stopwatch_ns() - from_ns, fz_stopwatch_ticks() - from_ticks, &result->cost);
    return FZ_OK;
}

/* A run that ends with its window leaves jobs that run. */
static fz_status running_cut(fz_view *run, fz_error *err)
{
    for (fz_job job = 0; job < run->cursor && run->n_slots > run->n_spare; job++)
        if (run->jobs[job].state == FZ_JOB_RUNNING)
            FZ_TRY(fz_life_cut(run, job, err));
    return FZ_OK;
}

static fz_status timeline_fill(const fz_view *run, fz_run_result *result, fz_error *err)
{
    result->timeline = FZ_NEW(run->arena, FZ_TIMELINE_BINS, fz_timeline_point);
    if (result->timeline == NULL)
        return no_memory(run->spec, err);
    result->n_timeline = fz_timeline_points(run->timeline, result->timeline);
    result->timeline_origin = run->timeline->origin;
    result->timeline_width = run->timeline->width;
    result->timeline_end = run->timeline->last;
    return FZ_OK;
}

static fz_status result_fill(const fz_view *run, fz_run_result *result, fz_error *err)
{
    fz_window window = {.first = run->spec->window_first,
                        .end = run->spec->window_end,
                        .until = run->now,
                        .gpu_us = (double)(run->timeline->gpu_time - run->window_gpu_time)};
    FZ_TRY(timeline_fill(run, result, err));
    result->n_jobs = run->trace->n_jobs;
    result->jobs = run->jobs;
    result->places = run->places.bytes;
    result->places_len = run->places.length;
    result->plans = run->plans.plans;
    result->n_plans = run->plans.n_plans;
    result->summary = run->counts;
    return fz_summary_fill(run->arena, run->trace->submit, fz_cluster_gpus(run->cluster, FZ_ALL_TYPES),
                           run->spec->window_end > 0 ? &window : NULL, result, err);
}

fz_status fz_run(fz_arena *arena, const fz_run_spec *spec, fz_run_result *result, fz_error *err)
{
    *result = (fz_run_result){0};
    uint64_t from_ns = fz_stopwatch_ns();
    fz_view *run = FZ_NEW(arena, 1, fz_view);
    if (run == NULL)
        return no_memory(spec, err);
    fz_status status = run_init(run, arena, spec, err);
    if (status == FZ_OK)
        status = run_measured(run, result, err);
    if (status == FZ_OK) {
        jobs_never_submitted(run);
        status = running_cut(run, err);
    }
    if (status == FZ_OK) {
        status = result_fill(run, result, err);
        result->cost.wall_s = (double)(fz_stopwatch_ns() - from_ns) / 1e9;
        result->cost.peak_rss_bytes = peak_rss();
    }
    if (run->policy != NULL && spec->sched->fini != NULL)
        spec->sched->fini(run->policy);
    fz_equeue_release(&run->events);
    return status;
}
