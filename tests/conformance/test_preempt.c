/* Stopping, moving and resizing jobs, by hand: a policy that follows a script. */
#include <frenzy/units.h>

#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/llm_jobs.h"
#include "tests/scenarios.h"

/* One line of a script. The script is handed over as the parameters of the policy, hence all doubles. */
typedef enum verb { END, START, STOP, LOOK } verb;
enum { AT_S, VERB, JOB, GPUS, NODE, LEFT_S = GPUS, END_S = NODE, WORDS };

typedef struct actor {
    const double *line; /* the next one to do */
} actor;

static fz_status actor_init(void *state, const fz_sched_env *env, fz_error *err)
{
    (void)err;
    ((actor *)state)->line = env->params;
    return FZ_OK;
}

/* The job's plan of so many GPUs, by rank. */
static const fz_plan *plan_of(const fz_demand *demand, uint32_t gpus)
{
    for (uint32_t i = 0; i < demand->n_plans; i++)
        if (demand->plans[i].gpus == gpus)
            return &demand->plans[i];
    return NULL;
}

/* What a policy is told of a running job: seconds of work left as it runs now, and the end. */
static void look(const fz_view *view, const double *line)
{
    fz_job job = (fz_job)line[JOB];
    CU_ASSERT_DOUBLE_EQUAL(fz_view_time_left_s(view, job, fz_view_plan(view, job), 0), line[LEFT_S], 2.5e-6);
    CU_ASSERT_DOUBLE_EQUAL(fz_time_to_s(fz_view_end(view, job)), line[END_S], 2.5e-6);
}

static void act(const fz_view *view, fz_decision *decision, const double *line)
{
    fz_job job = (fz_job)line[JOB];
    if (line[VERB] == LOOK) {
        look(view, line);
        return;
    }
    if (line[VERB] == STOP) {
        CU_ASSERT_EQUAL(fz_decision_stop(decision, job), FZ_PLACED);
        CU_ASSERT_FALSE(fz_view_running(view, job));
        return;
    }
    fz_placement *where = fz_decision_scratch(decision);
    where->n_parts = 1;
    where->gpus = (uint32_t)line[GPUS];
    where->parts[0] = (fz_part){.node = (uint32_t)line[NODE], .gpus = where->gpus};
    const fz_plan *plan = plan_of(fz_view_demand(view, job), where->gpus);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    CU_ASSERT_EQUAL(fz_decision_start(decision, job, plan, where), FZ_PLACED);
    CU_ASSERT_TRUE(fz_view_running(view, job));
    CU_ASSERT_TRUE(fz_plan_same_shape(fz_view_plan(view, job), plan));
}

static fz_status actor_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    actor *self = state;
    fz_time now = fz_view_now(view);
    for (; self->line[VERB] != END && (fz_time)(self->line[AT_S] * (double)FZ_SECOND) == now;
         self->line += WORDS)
        act(view, decision, self->line);
    return FZ_OK;
}

static fz_time actor_wakeup(const void *state, const fz_view *view)
{
    (void)view;
    const actor *self = state;
    return self->line[VERB] == END ? FZ_TIME_MAX : (fz_time)(self->line[AT_S] * (double)FZ_SECOND);
}

/* Runs the script; `spec` has trace, cluster and models. The result lives in `arena`. */
static fz_run_result perform(fz_arena *arena, fz_run_spec *spec, const double (*script)[WORDS])
{
    const fz_sched_ops ops = {.name = "actor",
                              .caps = FZ_SCHED_PREEMPT | FZ_SCHED_PLANS | FZ_SCHED_ENDS,
                              .state_size = sizeof(actor),
                              .init = actor_init,
                              .decide = actor_decide,
                              .next_wakeup = actor_wakeup};
    fz_error err = {0};
    fz_run_result result = {0};
    spec->sched = &ops;
    spec->sched_params = script[0];
    spec->check_invariants = true;
    CU_ASSERT_EQUAL_FATAL(fz_run(arena, spec, &result, &err), FZ_OK);
    return result;
}

/* ---- opaque jobs: exact to the microsecond ------------------------------------------------------------- */

/* Three nodes of 4 GPUs. Job 0 runs for 100 s, job 1 for 1000 s, both on 4 GPUs. */
static fz_run_spec opaque_world(fz_arena *arena, double restart_s)
{
    const test_job rows[] = {{.duration_s = 100, .estimate_s = 100, .gpus = 4},
                             {.duration_s = 1000, .estimate_s = 1000, .gpus = 4}};
    fz_run_spec spec = {.world = test_world_default()};
    spec.trace = test_trace(arena, rows, 2);
    spec.cluster = test_cluster(arena, 1, (uint32_t[]){40}, (double[]){1}, 3, (uint32_t[]){0, 0, 0},
                                (uint32_t[]){4, 4, 4});
    spec.world.restart_s = restart_s;
    return spec;
}

static void job_is(const fz_run_result *result, int64_t end_s, int64_t run_s, uint32_t attempts,
                   uint32_t node)
{
    const fz_job_result *job = &result->jobs[0];
    fz_part part = {0};
    fz_placement where = {.parts = &part, .capacity = 1};
    CU_ASSERT_EQUAL(job->state, FZ_JOB_FINISHED);
    CU_ASSERT_EQUAL(job->start, 0);
    CU_ASSERT_EQUAL(job->end, end_s * FZ_SECOND);
    CU_ASSERT_EQUAL(job->run, run_s * FZ_SECOND);
    CU_ASSERT_EQUAL(job->gpu_time, 4 * run_s * FZ_SECOND);
    CU_ASSERT_EQUAL(job->attempts, attempts);
    CU_ASSERT_EQUAL(job->preemptions, attempts - 1);
    fz_places_read(result->places, job->place, &where);
    CU_ASSERT_EQUAL(part.node, node);
    CU_ASSERT_EQUAL(part.gpus, 4);
    CU_ASSERT_EQUAL(result->jobs[1].end, 1000 * FZ_SECOND); /* the other job is left alone */
}

/* 30 s done, 20 s in the queue, 5 s of restart, 70 s to do: ends at 30 + 20 + 5 + 70. */
static void test_stop_and_start(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = opaque_world(arena, 5);
    const double script[][WORDS] = {
        {0, START, 0, 4, 0}, {0, START, 1, 4, 2}, {30, STOP, 0}, {50, START, 0, 4, 1}, {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    job_is(&result, 125, 105, 2, 1);
    CU_ASSERT_EQUAL(result.summary.preemptions, 1);
    CU_ASSERT_EQUAL(result.summary.starts, 3);
    CU_ASSERT_EQUAL(result.summary.wait_avg_s, 10); /* (20 + 0) / 2 */
    fz_arena_free(arena);
}

/* Stopped at 53 s, inside the restart that began at 50 s: nothing is gained, nothing is lost. */
static void test_stop_inside_restart(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = opaque_world(arena, 5);
    const double script[][WORDS] = {
        {0, START, 0, 4, 0}, {0, START, 1, 4, 2},  {30, STOP, 0}, {50, START, 0, 4, 1},
        {53, STOP, 0},       {60, START, 0, 4, 0}, {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    job_is(&result, 135, 108, 3, 0); /* 60 + 5 + 70; ran 30 + 3 + 75 */
    fz_arena_free(arena);
}

/* Stopped and started elsewhere in one decision. */
static void test_move(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = opaque_world(arena, 5);
    const double script[][WORDS] = {
        {0, START, 0, 4, 0}, {0, START, 1, 4, 2}, {30, STOP, 0}, {30, START, 0, 4, 1}, {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    job_is(&result, 105, 105, 2, 1);
    CU_ASSERT_EQUAL(result.summary.wait_avg_s, 0);
    fz_arena_free(arena);
}

/* Without a restart cost the pieces add up exactly, however odd the cuts. */
static void test_odd_cuts(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = opaque_world(arena, 0);
    const double script[][WORDS] = {{0, START, 0, 4, 0},
                                    {0, START, 1, 4, 2},
                                    {0.333333, STOP, 0},
                                    {0.333333, START, 0, 4, 1},
                                    {77.777777, STOP, 0},
                                    {77.777778, START, 0, 4, 0},
                                    {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    CU_ASSERT_EQUAL(result.jobs[0].end, 100 * FZ_SECOND + 1);
    CU_ASSERT_EQUAL(result.jobs[0].run, 100 * FZ_SECOND);
    fz_arena_free(arena);
}

/* Nothing runs between 10 s and 20 s, and nothing is to come: only the policy's own wake-up goes on. */
static void test_everything_stopped(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = opaque_world(arena, 0);
    const double script[][WORDS] = {{5, START, 0, 4, 0},  {5, START, 1, 4, 2},  {10, STOP, 0}, {10, STOP, 1},
                                    {20, START, 0, 4, 0}, {20, START, 1, 4, 2}, {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    CU_ASSERT_EQUAL(result.summary.finished, 2);
    CU_ASSERT_EQUAL(result.jobs[0].start, 5 * FZ_SECOND);
    CU_ASSERT_EQUAL(result.jobs[0].end, 115 * FZ_SECOND);
    fz_arena_free(arena);
}

/* Attempts from 0 to 30 s, 50 to 80 and from 90 s on, with 5 s of restart each but the first: 30 + 25 s of
 * work at 90 s, so 45 s are left, and the end is 90 + 5 + 45. */
static void test_belief_knows_restarts(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = opaque_world(arena, 5);
    const double script[][WORDS] = {{0, START, 0, 4, 0},     {0, START, 1, 4, 2},
                                    {10, LOOK, 0, 90, 100},  {30, STOP, 0},
                                    {50, START, 0, 4, 1},    {80, STOP, 0},
                                    {90, START, 0, 4, 1},    {93, LOOK, 0, 45, 140},
                                    {105, LOOK, 0, 35, 140}, {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    CU_ASSERT_EQUAL(result.jobs[0].end, 140 * FZ_SECOND);
    fz_arena_free(arena);
}

/* ---- LLM jobs ------------------------------------------------------------------------------------------- */

/* The small model with batch 4 and 512 tokens: F = 72 B s l h^2 (1 + s / 6h) = 2.010044694528e12 FLOP a
 * step, 100 steps. Node 0 has GPUs of 1 TFLOP/s, node 1 of 2 TFLOP/s: 201.0044694528 s on one slow GPU.
 * Job 1 keeps node 2 busy. */
static fz_run_spec llm_world(fz_arena *arena)
{
    const test_llm_job row = {.model = TEST_SMALL, .global_batch = 4, .seq_len = 512, .steps = 100};
    const test_job other = {.submit_s = 1, .duration_s = 1000, .estimate_s = 1000, .gpus = 1};
    fz_run_spec spec = {.world = test_world_default()};
    test_trace_llm(arena, &spec, &other, 1, &row, 1);
    spec.cluster = test_cluster(arena, 2, (uint32_t[]){40, 40}, (double[]){1, 2}, 3, (uint32_t[]){0, 1, 0},
                                (uint32_t[]){4, 4, 1});
    return spec;
}

static void ends_near(const fz_run_result *result, double end_s)
{
    CU_ASSERT_EQUAL(result->jobs[0].state, FZ_JOB_FINISHED);
    CU_ASSERT_DOUBLE_EQUAL(fz_time_to_s(result->jobs[0].end), end_s, 2.5e-6); /* rounded up, twice */
}

static void test_llm_undisturbed(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = llm_world(arena);
    const double script[][WORDS] = {
        {0, START, 0, 1, 0}, {1, START, 1, 1, 2}, {50, LOOK, 0, 151.0044694528, 201.0044694528}, {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    ends_near(&result, 201.0044694528);
    fz_arena_free(arena);
}

/* From 100 s on twice as fast: 100 + 101.0044694528 / 2. */
static void test_llm_moves_to_faster(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = llm_world(arena);
    const double script[][WORDS] = {
        {0, START, 0, 1, 0}, {1, START, 1, 1, 2}, {100, STOP, 0}, {100, START, 0, 1, 1}, {0, END}};
    fz_run_result result = perform(arena, &spec, script);
    ends_near(&result, 150.5022347264);
    fz_arena_free(arena);
}

/* 1 GPU, from 100 s on 4, with 10 s of restart: 110 + 101.0044694528 / 4; then shrunk to 2 slow ones. */
static void test_llm_resizes(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = llm_world(arena);
    spec.world.restart_s = 10;
    const double grows[][WORDS] = {
        {0, START, 0, 1, 0}, {1, START, 1, 1, 2}, {100, STOP, 0}, {100, START, 0, 4, 0}, {0, END}};
    fz_run_result result = perform(arena, &spec, grows);
    ends_near(&result, 135.2511173632);
    CU_ASSERT_EQUAL(result.jobs[0].gpus, 4);
    CU_ASSERT_EQUAL(result.jobs[0].gpu_time, 100 * FZ_SECOND + 4 * (result.jobs[0].end - 100 * FZ_SECOND));
    const double shrinks[][WORDS] = {{0, START, 0, 1, 0},
                                     {1, START, 1, 1, 2},
                                     {100, STOP, 0},
                                     {100, START, 0, 4, 0},
                                     {120, STOP, 0},
                                     {130, START, 0, 2, 0},
                                     {0, END}}; /* at 120 s: 101.0044694528 - 4 * 10 GPU seconds are left */
    result = perform(arena, &spec, shrinks);
    ends_near(&result, 170.5022347264);
    CU_ASSERT_EQUAL(result.jobs[0].preemptions, 2);
    fz_arena_free(arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"stop and start", test_stop_and_start},
        {"stop inside a restart", test_stop_inside_restart},
        {"move in one decision", test_move},
        {"odd cuts", test_odd_cuts},
        {"everything stopped", test_everything_stopped},
        {"beliefs know restarts", test_belief_knows_restarts},
        {"an LLM job undisturbed", test_llm_undisturbed},
        {"an LLM job moves to a faster type", test_llm_moves_to_faster},
        {"an LLM job grows and shrinks", test_llm_resizes},
    };
    return FZ_TEST_MAIN("preemption", tests);
}
