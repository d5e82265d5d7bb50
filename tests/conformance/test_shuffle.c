/* A policy that stops, moves and resizes at random, in all scenarios: the invariants hold after each
 * instant, arrivals are told exactly once, the queries of the view agree with what the policy knows, and
 * no work is lost or gained. */
#include <frenzy/units.h>
#include <stdio.h>
#include <string.h>

#include "sim/engine/classes.h"
#include "tests/harness.h"
#include "tests/scenarios.h"

enum { SEEDS = 8 };

/* Stops and decisions with a next round allowed in a run; afterwards jobs run to their end. */
#define STOPS  500u
#define ROUNDS 1000u
#define PERIOD (7 * FZ_SECOND)

typedef struct shuffler {
    fz_random random;
    uint32_t stops;
    uint32_t rounds;
    bool stopped; /* something in this decision: it must be asked again */
    uint32_t n_jobs;
    bool *waits; /* by job: told as arrived and not started since */
    uint32_t n_types;
    bool plans; /* chooses among MARP's plans; else the fixed one */
} shuffler;

static fz_status shuffler_init(void *state, const fz_sched_env *env, fz_error *err)
{
    shuffler *self = state;
    *self = (shuffler){.random = {(uint64_t)env->params[0]},
                       .stops = STOPS,
                       .rounds = ROUNDS,
                       .n_jobs = env->n_jobs,
                       .waits = FZ_NEW(env->arena, env->n_jobs, bool),
                       .n_types = fz_cluster_get_spec(env->cluster)->n_types,
                       .plans = env->params[1] != 0};
    return self->waits != NULL ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory");
}

/* ---- what the view says ---------------------------------------------------------------------------------- */

static fz_status arrivals_take(shuffler *self, const fz_view *view, fz_error *err)
{
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++) {
        fz_job job = arrived.jobs[i];
        if (self->waits[job] || fz_view_running(view, job) || fz_view_submit(view, job) > fz_view_now(view))
            return fz_fail(err, FZ_EINVAL, "job %u is told to arrive, but is there already", job);
        self->waits[job] = true;
    }
    return FZ_OK;
}

/* GPUs idle at `then` in a cluster of one type, going by the believed ends. */
static uint32_t idle_by(const fz_view *view, fz_time then)
{
    uint32_t idle = fz_cluster_idle_of(fz_view_cluster(view), 0);
    for (fz_job job = fz_view_next_running(view, 0); job != FZ_NO_JOB;
         job = fz_view_next_running(view, job + 1))
        idle += fz_view_end(view, job) <= then ? fz_view_plan(view, job)->gpus : 0;
    return idle;
}

/* fz_view_when_idle() against all running jobs one by one. */
static fz_status ends_check(shuffler *self, const fz_view *view, fz_error *err)
{
    uint32_t total = fz_cluster_gpus(fz_view_cluster(view), FZ_ALL_TYPES);
    uint32_t gpus = fz_random_between(&self->random, 1, total + 1);
    fz_time when = 0;
    uint32_t idle = 0;
    if (self->n_types > 1)
        return FZ_OK;
    bool ever = fz_view_when_idle(view, 0, gpus, &when, &idle);
    if (ever != (gpus <= total))
        return fz_fail(err, FZ_EINVAL, "when_idle: %u of %u GPUs, %d", gpus, total, ever);
    if (ever && (idle_by(view, when) != idle || idle < gpus ||
                 (when > fz_view_now(view) && idle_by(view, when - 1) >= gpus)))
        return fz_fail(err, FZ_EINVAL, "when_idle: %u GPUs are said to be idle at %lld", idle,
                       (long long)when);
    return FZ_OK;
}

/* ---- what the policy does -------------------------------------------------------------------------------- */

static const fz_plan *plan_draw(shuffler *self, const fz_view *view, fz_job job)
{
    const fz_demand *demand = fz_view_demand(view, job);
    return self->plans ? &demand->plans[fz_random_below(&self->random, demand->n_plans)] : &demand->fixed;
}

static bool start(shuffler *self, const fz_view *view, fz_decision *decision, fz_job job)
{
    const fz_plan *plan = plan_draw(self, view, job);
    fz_placement *where = fz_decision_scratch(decision);
    return fz_place_has(fz_view_cluster(view), plan->types, plan->gpus, where) &&
           fz_decision_start(decision, job, plan, where) == FZ_PLACED;
}

/* Stops some running jobs, now and then all of them; half of them start again at once, where and as chance
 * will have it. */
static void running_shuffle(shuffler *self, const fz_view *view, fz_decision *decision)
{
    for (fz_job job = fz_view_next_running(view, 0); job != FZ_NO_JOB;
         job = fz_view_next_running(view, job + 1)) {
        if (self->stops == 0 || self->rounds == 0 || fz_random_below(&self->random, 3) > 0)
            continue;
        self->stops--;
        self->stopped = true;
        fz_decision_stop(decision, job);
        if (fz_random_below(&self->random, 2) == 0 || !start(self, view, decision, job))
            continue;
        if (fz_random_below(&self->random, 4) == 0) /* changes its mind: the job still arrives but once */
            fz_decision_stop(decision, job);
    }
}

static void waiting_start(shuffler *self, const fz_view *view, fz_decision *decision)
{
    for (fz_job job = 0; job < self->n_jobs; job++)
        if (self->waits[job] && start(self, view, decision, job))
            self->waits[job] = false;
}

static fz_status shuffler_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    shuffler *self = state;
    self->rounds -= self->rounds > 0;
    self->stopped = false;
    FZ_TRY(arrivals_take(self, view, err));
    FZ_TRY(ends_check(self, view, err));
    running_shuffle(self, view, decision);
    FZ_TRY(ends_check(self, view, err));
    waiting_start(self, view, decision);
    return ends_check(self, view, err);
}

/* Rounds, at multiples of a period from t = 0; in the end events will do. */
static fz_time shuffler_wakeup(const void *state, const fz_view *view)
{
    const shuffler *self = state;
    bool again = self->stopped || (self->stops > 0 && self->rounds > 0);
    return again ? (fz_view_now(view) / PERIOD + 1) * PERIOD : FZ_TIME_MAX;
}

/* ---- what must come out ---------------------------------------------------------------------------------- */

typedef struct trial {
    const test_scenario *scenario;
    uint64_t seed;
    bool plans;
    fz_run_spec spec;
    fz_run_result result;
} trial;

static bool fault(const trial *t, const char *what, fz_job job)
{
    printf("scenario '%s', seed %llu, plans %d, job %u: %s\n", t->scenario->name, (unsigned long long)t->seed,
           t->plans, job, what);
    return false;
}

/* Work plus at most one restart for each start but the first; exactly the work where restarts are free. */
static bool work_right(const trial *t, fz_job job)
{
    const fz_job_result *record = &t->result.jobs[job];
    fz_time work = t->spec.trace->duration[job];
    fz_time restarts = (fz_time)(t->spec.world.restart_s * (double)FZ_SECOND) * (record->attempts - 1);
    if (record->run < work || record->run > work + restarts)
        return fault(t, "work was lost or gained", job);
    if (record->gpu_time != record->run * t->spec.trace->req_gpus[job])
        return fault(t, "its GPU time is not its GPUs times its run time", job);
    return true;
}

static bool result_right(const trial *t)
{
    const fz_summary *sum = &t->result.summary;
    uint64_t again = 0;
    if (sum->unfinished != 0)
        return fault(t, "some jobs are in no final state", 0);
    for (fz_job job = 0; job < t->result.n_jobs; job++) {
        const fz_job_result *record = &t->result.jobs[job];
        again += record->attempts;
        again -= record->attempts > 0 && record->state != FZ_JOB_OOM;
        if (record->state != FZ_JOB_FINISHED)
            continue;
        if (record->end - t->spec.trace->submit[job] < record->run)
            return fault(t, "ran longer than it was there", job);
        if (!fz_job_is_llm(t->spec.trace, t->spec.models, job) && !work_right(t, job))
            return false;
    }
    return again == sum->ooms + sum->preemptions || fault(t, "attempts are not the counted ones", 0);
}

static bool trial_run(trial *t, fz_arena *arena, fz_run_result *result)
{
    const double params[] = {(double)t->seed, t->plans};
    const fz_sched_ops ops = {.name = "shuffler",
                              .caps = FZ_SCHED_PREEMPT | FZ_SCHED_ENDS |
                                      (t->plans ? (uint32_t)FZ_SCHED_PLANS : 0u),
                              .state_size = sizeof(shuffler),
                              .init = shuffler_init,
                              .decide = shuffler_decide,
                              .next_wakeup = shuffler_wakeup};
    fz_error err = {0};
    t->spec.sched = &ops;
    t->spec.sched_params = params;
    return fz_run(arena, &t->spec, result, &err) == FZ_OK || fault(t, err.message, 0);
}

/* Returns the preemptions, or UINT64_MAX after a fault. */
static uint64_t trial_make(trial *t, double restart_s)
{
    fz_random random = {t->seed};
    fz_arena *arena = fz_arena_new(NULL);
    t->spec = (fz_run_spec){.world = test_world_default(), .check_invariants = true};
    t->scenario->make(arena, &random, &t->spec);
    t->spec.world.restart_s = restart_s;
    fz_run_result again;
    bool right = trial_run(t, arena, &t->result) && result_right(t) && trial_run(t, arena, &again);
    if (right && memcmp(again.jobs, t->result.jobs, again.n_jobs * sizeof(*again.jobs)) != 0)
        right = fault(t, "a second run differs", 0);
    uint64_t preemptions = right ? t->result.summary.preemptions : UINT64_MAX;
    fz_arena_free(arena);
    return preemptions;
}

static void shuffle_all(bool plans, double restart_s)
{
    uint32_t count = 0;
    uint64_t preemptions = 0;
    const test_scenario *all = test_scenarios(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            trial t = {.scenario = &all[i], .seed = seed, .plans = plans};
            uint64_t n = trial_make(&t, restart_s);
            CU_ASSERT_NOT_EQUAL(n, UINT64_MAX);
            preemptions += n;
        }
    CU_ASSERT_TRUE(preemptions > 10000); /* else this test tests little */
}

static void test_fixed(void)
{
    shuffle_all(false, 0);
}

static void test_fixed_with_restarts(void)
{
    shuffle_all(false, 3.5);
}

static void test_plans(void)
{
    shuffle_all(true, 0);
}

static void test_plans_with_restarts(void)
{
    shuffle_all(true, 3.5);
}

int main(void)
{
    const fz_test tests[] = {
        {"fixed sizes", test_fixed},
        {"fixed sizes, restarts cost time", test_fixed_with_restarts},
        {"plans", test_plans},
        {"plans, restarts cost time", test_plans_with_restarts},
    };
    return FZ_TEST_MAIN("shuffle", tests);
}
