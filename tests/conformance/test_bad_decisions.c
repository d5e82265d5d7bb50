/* A policy for each kind of misuse: the run must stop with FZ_EDECISION, the policy's name and the
 * reason, and leave no result. What is no misuse ("no room now") must change nothing. */
#include <frenzy/units.h>
#include <string.h>

#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"

typedef enum misuse {
    START_RUNNING,
    START_NOT_SUBMITTED,
    START_NO_SUCH_JOB,
    START_AGAIN_AFTER_REJECT,
    FOREIGN_PLAN,
    NO_SUCH_NODE,
    WRONG_TYPE,
    EMPTY_PART,
    TOO_FEW_GPUS,
    TOO_MANY_GPUS,
    STOP_WAITING,
    STOP_NO_SUCH_JOB,
    STOP_WITHOUT_CAPABILITY,
    REJECT_RUNNING,
    REJECT_NOT_SUBMITTED,
    FIRST_OF_TWO_FAULTS,
    WAKE_NOW,
    WAKE_IN_THE_PAST,
    OWN_ERROR,
    NO_ROOM,
} misuse;

/* The world: node 0 with 4 GPUs of type 0 (16 GiB), node 1 with 4 of type 1 (40 GiB). Jobs 0 and 1 come at
 * 0 s and need 2 GPUs of 20 GiB, so type 1; job 2 comes at 10 s. */
static fz_run_spec world(fz_arena *arena)
{
    const test_job rows[] = {
        {.submit_s = 0, .duration_s = 50, .estimate_s = 50, .gpus = 2, .mem_gib = 20},
        {.submit_s = 0, .duration_s = 50, .estimate_s = 50, .gpus = 2, .mem_gib = 20},
        {.submit_s = 10, .duration_s = 50, .estimate_s = 50, .gpus = 1, .mem_gib = 20},
    };
    return (fz_run_spec){.trace = test_trace(arena, rows, 3),
                         .cluster = test_cluster(arena, 2, (uint32_t[]){16, 40}, (double[]){1, 1}, 2,
                                                 (uint32_t[]){0, 1}, (uint32_t[]){4, 4}),
                         .check_invariants = true};
}

typedef struct culprit {
    misuse kind;
    uint32_t decisions;
} culprit;

static fz_status culprit_init(void *state, const fz_sched_env *env, fz_error *err)
{
    (void)err;
    ((culprit *)state)->kind = (misuse)env->params[0];
    return FZ_OK;
}

/* Starts `job` under `plan` (NULL: its own) on one or two parts. */
static fz_verdict start_on(const fz_view *view, fz_decision *decision, fz_job job, const fz_plan *plan,
                           uint32_t n_parts, const fz_part *parts)
{
    fz_placement *where = fz_decision_scratch(decision);
    where->n_parts = n_parts;
    where->gpus = 0;
    for (uint32_t i = 0; i < n_parts; i++) {
        where->parts[i] = parts[i];
        where->gpus += parts[i].gpus;
    }
    return fz_decision_start(decision, job, plan != NULL ? plan : &fz_view_demand(view, job)->fixed, where);
}

static fz_verdict misplace(const fz_view *view, fz_decision *decision, misuse kind)
{
    fz_plan foreign = fz_view_demand(view, 1)->fixed;
    foreign.gpus = 3;
    switch (kind) {
    case FOREIGN_PLAN:
        return start_on(view, decision, 1, &foreign, 1, (fz_part[]){{1, 3}});
    case NO_SUCH_NODE:
        return start_on(view, decision, 1, NULL, 1, (fz_part[]){{2, 2}});
    case WRONG_TYPE:
        return start_on(view, decision, 1, NULL, 1, (fz_part[]){{0, 2}});
    case EMPTY_PART:
        return start_on(view, decision, 1, NULL, 2, (fz_part[]){{1, 2}, {1, 0}});
    case TOO_FEW_GPUS:
        return start_on(view, decision, 1, NULL, 1, (fz_part[]){{1, 1}});
    default: /* TOO_MANY_GPUS */
        return start_on(view, decision, 1, NULL, 1, (fz_part[]){{1, 3}});
    }
}

/* Job 0 runs, job 1 waits, job 2 is to come. */
static fz_verdict misbehave(const fz_view *view, fz_decision *decision, misuse kind)
{
    const fz_part right[] = {{1, 2}};
    switch (kind) {
    case START_RUNNING:
        return start_on(view, decision, 0, NULL, 1, right);
    case START_NOT_SUBMITTED:
        return start_on(view, decision, 2, NULL, 1, (fz_part[]){{1, 1}});
    case START_NO_SUCH_JOB:
        return start_on(view, decision, FZ_NO_JOB, &fz_view_demand(view, 0)->fixed, 1, right);
    case START_AGAIN_AFTER_REJECT:
        fz_decision_reject(decision, 1);
        return start_on(view, decision, 1, NULL, 1, right);
    case STOP_WAITING:
        return fz_decision_stop(decision, 1);
    case STOP_NO_SUCH_JOB:
        return fz_decision_stop(decision, 3);
    case STOP_WITHOUT_CAPABILITY:
        return fz_decision_stop(decision, 0);
    case REJECT_RUNNING:
        return fz_decision_reject(decision, 0);
    case REJECT_NOT_SUBMITTED:
        return fz_decision_reject(decision, 2);
    case FIRST_OF_TWO_FAULTS:
        fz_decision_reject(decision, 0);
        return start_on(view, decision, 1, NULL, 1, right); /* right, but too late */
    default:
        return misplace(view, decision, kind);
    }
}

/* Takes the rest of the node; what the decision has reserved shows in its own queries. */
static void fill_node(const fz_view *view, fz_decision *decision)
{
    CU_ASSERT_EQUAL(start_on(view, decision, 1, NULL, 1, (fz_part[]){{1, 2}}), FZ_PLACED);
    CU_ASSERT_EQUAL(fz_cluster_idle_of(fz_view_cluster(view), 1), 0);
    CU_ASSERT_TRUE(fz_view_running(view, 1));
}

static fz_status culprit_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    culprit *self = state;
    if (self->decisions++ > 0) {
        bool freed = fz_view_now(view) == 50 * FZ_SECOND; /* until then both jobs hold the whole node */
        if (freed || fz_view_now(view) == 10 * FZ_SECOND)
            CU_ASSERT_EQUAL(start_on(view, decision, 2, NULL, 1, (fz_part[]){{1, 1}}),
                            freed ? FZ_PLACED : FZ_NO_ROOM);
        return FZ_OK;
    }
    CU_ASSERT_EQUAL(start_on(view, decision, 0, NULL, 1, (fz_part[]){{1, 2}}), FZ_PLACED);
    if (self->kind == OWN_ERROR)
        return fz_fail(err, FZ_EUNSUPPORTED, "the solver found no solution");
    if (self->kind == NO_ROOM)
        fill_node(view, decision);
    else if (self->kind != WAKE_NOW && self->kind != WAKE_IN_THE_PAST)
        CU_ASSERT_EQUAL(misbehave(view, decision, self->kind), FZ_REFUSED);
    return FZ_OK;
}

static fz_time culprit_wakeup(const void *state, const fz_view *view)
{
    switch (((const culprit *)state)->kind) {
    case WAKE_NOW:
        return fz_view_now(view);
    case WAKE_IN_THE_PAST:
        return fz_view_now(view) - 1;
    default:
        return FZ_TIME_MAX;
    }
}

static fz_sched_ops culprit_ops(uint32_t caps)
{
    return (fz_sched_ops){.name = "culprit",
                          .caps = caps,
                          .state_size = sizeof(culprit),
                          .init = culprit_init,
                          .decide = culprit_decide,
                          .next_wakeup = culprit_wakeup};
}

static fz_status misuse_run(fz_arena *arena, misuse kind, fz_run_result *result, fz_error *err)
{
    uint32_t caps = kind == STOP_WITHOUT_CAPABILITY ? 0 : FZ_SCHED_PREEMPT;
    const fz_sched_ops ops = culprit_ops(caps);
    const double params[] = {kind};
    fz_run_spec spec = world(arena);
    spec.sched = &ops;
    spec.sched_params = params;
    return fz_run(arena, &spec, result, err);
}

#define AT_0 "scheduler 'culprit' made a bad decision at t = 0.000000 s: it "

static void test_each_misuse(void)
{
    static const struct {
        misuse kind;
        const char *message;
    } cases[] = {
        {START_RUNNING, AT_0 "starts job 0, which is not waiting"},
        {START_NOT_SUBMITTED, AT_0 "starts job unknown, which is not waiting"},
        {START_NO_SUCH_JOB, AT_0 "starts job unknown, which is not waiting"},
        {START_AGAIN_AFTER_REJECT, AT_0 "starts job 1, which is not waiting"},
        {FOREIGN_PLAN, AT_0 "starts job 1 under a plan that is not its own"},
        {NO_SUCH_NODE, AT_0 "places job 1 wrongly: the placement names a node that does not exist"},
        {WRONG_TYPE, AT_0 "places job 1 wrongly: the placement uses a GPU type that the plan does not allow"},
        {EMPTY_PART, AT_0 "places job 1 wrongly: the placement has a part without GPUs"},
        {TOO_FEW_GPUS, AT_0 "places job 1 wrongly: the placement has another number of GPUs than the plan"},
        {TOO_MANY_GPUS, AT_0 "places job 1 wrongly: the placement has another number of GPUs than the plan"},
        {STOP_WAITING, AT_0 "stops job 1, which is not running"},
        {STOP_NO_SUCH_JOB, AT_0 "stops job unknown, which is not running"},
        {STOP_WITHOUT_CAPABILITY, AT_0 "stops a job, but does not declare FZ_SCHED_PREEMPT"},
        {REJECT_RUNNING, AT_0 "rejects job 0, which is not waiting"},
        {REJECT_NOT_SUBMITTED, AT_0 "rejects job unknown, which is not waiting"},
        {FIRST_OF_TWO_FAULTS, AT_0 "rejects job 0, which is not waiting"},
        {WAKE_NOW, "scheduler 'culprit' asks to be woken at 0.000000 s, which is not after now"},
        {WAKE_IN_THE_PAST, "scheduler 'culprit' asks to be woken at -0.000001 s, which is not after now"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fz_arena *arena = fz_arena_new(NULL);
        fz_run_result result;
        fz_error err = {0};
        CU_ASSERT_EQUAL(misuse_run(arena, cases[i].kind, &result, &err), FZ_EDECISION);
        CU_ASSERT_STRING_EQUAL(err.message, cases[i].message);
        CU_ASSERT_PTR_NULL(result.jobs); /* no half a result */
        CU_ASSERT_EQUAL(result.n_jobs, 0);
        fz_arena_free(arena);
    }
}

/* An error of the policy's own passes through as it is. */
static void test_own_error(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_result result;
    fz_error err = {0};
    CU_ASSERT_EQUAL(misuse_run(arena, OWN_ERROR, &result, &err), FZ_EUNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(err.message, "the solver found no solution");
    CU_ASSERT_PTR_NULL(result.jobs);
    fz_arena_free(arena);
}

/* Job 2 finds no room at 10 s; jobs 0 and 1 end at 50 s, and it runs from there. */
static void test_no_room_is_no_misuse(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_result result;
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(misuse_run(arena, NO_ROOM, &result, &err), FZ_OK);
    CU_ASSERT_EQUAL(result.summary.finished, 3);
    CU_ASSERT_EQUAL(result.jobs[2].start, 50 * FZ_SECOND);
    CU_ASSERT_EQUAL(result.jobs[2].end, 100 * FZ_SECOND);
    fz_arena_free(arena);
}

/* ---- policies that do nothing, or fail before the first event ---------------------------------------------- */

static fz_status idle_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)state;
    (void)view;
    (void)decision;
    (void)err;
    return FZ_OK;
}

static fz_status failing_init(void *state, const fz_sched_env *env, fz_error *err)
{
    (void)state;
    (void)env;
    return fz_fail(err, FZ_EUSAGE, "alpha and beta do not go together");
}

static void test_failed_init(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    const fz_sched_ops ops = {.name = "broken", .init = failing_init, .decide = idle_decide};
    fz_run_spec spec = world(arena);
    spec.sched = &ops;
    fz_run_result result;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_run(arena, &spec, &result, &err), FZ_EUSAGE);
    CU_ASSERT_STRING_EQUAL(err.message, "alpha and beta do not go together");
    fz_arena_free(arena);
}

/* fini is told once, whatever happened. The counter is the one thing that outlives the arena. */
static uint32_t n_finis;

static void counting_fini(void *state)
{
    (void)state;
    n_finis++;
}

static void test_fini(void)
{
    const misuse kinds[] = {NO_ROOM, START_RUNNING, OWN_ERROR};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        fz_arena *arena = fz_arena_new(NULL);
        fz_sched_ops ops = culprit_ops(FZ_SCHED_PREEMPT);
        ops.fini = counting_fini;
        const double params[] = {kinds[i]};
        fz_run_spec spec = world(arena);
        spec.sched = &ops;
        spec.sched_params = params;
        fz_run_result result;
        n_finis = 0;
        fz_run(arena, &spec, &result, NULL);
        CU_ASSERT_EQUAL(n_finis, 1);
        ops.init = failing_init;
        fz_run(arena, &spec, &result, NULL);
        CU_ASSERT_EQUAL(n_finis, 2);
        fz_arena_free(arena);
    }
}

/* Jobs that nobody ever starts are unfinished; the run ends all the same. */
static void test_lazy_policy(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    const fz_sched_ops ops = {.name = "lazy", .decide = idle_decide};
    fz_run_spec spec = world(arena);
    spec.sched = &ops;
    fz_run_result result;
    CU_ASSERT_TRUE_FATAL(test_run(arena, &spec, &result));
    CU_ASSERT_EQUAL(result.summary.unfinished, 3);
    CU_ASSERT_EQUAL(result.summary.decisions, 2);
    CU_ASSERT_EQUAL(result.summary.makespan_s, -1);
    CU_ASSERT_EQUAL(result.jobs[0].start, FZ_TIME_NONE);
    CU_ASSERT_EQUAL(result.jobs[0].end, FZ_TIME_NONE);
    fz_arena_free(arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"each kind of misuse", test_each_misuse},
        {"an error of its own", test_own_error},
        {"no room is no misuse", test_no_room_is_no_misuse},
        {"a failed init", test_failed_init},
        {"fini", test_fini},
        {"a policy that never starts anything", test_lazy_policy},
    };
    return FZ_TEST_MAIN("bad decisions", tests);
}
