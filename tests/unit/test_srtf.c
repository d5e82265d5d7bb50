/* Shortest remaining time first, on cases worked out by hand: one pool of 4 GPUs. */
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"

typedef struct expected {
    int64_t start_s, end_s;
    uint32_t preemptions;
} expected;

static void replay(double restart_s, const test_job *rows, uint32_t n, const expected *want)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = {.trace = test_trace(arena, rows, n),
                        .cluster = test_cluster(arena, 1, (uint32_t[]){40}, (double[]){1}, 1, (uint32_t[]){0},
                                                (uint32_t[]){4}),
                        .sched = fz_sched_find("srtf")};
    fz_run_result result;
    spec.world.restart_s = restart_s;
    CU_ASSERT_FATAL(test_run(arena, &spec, &result));
    for (uint32_t job = 0; job < n; job++) {
        CU_ASSERT_EQUAL(result.jobs[job].start, want[job].start_s * FZ_SECOND);
        CU_ASSERT_EQUAL(result.jobs[job].end, want[job].end_s * FZ_SECOND);
        CU_ASSERT_EQUAL(result.jobs[job].preemptions, want[job].preemptions);
    }
    fz_arena_free(arena);
}

/* At 10 job 0 has 90 left; job 1 (20, 4 GPUs) takes all. At 12 job 2 (5, 2 GPUs) is shorter than the 18 that job 1
 * has left and takes 2: job 1 does not fit beside it and stops, job 0 (2 GPUs, 90 left) fits and goes on. At 17
 * job 1 (18) stops job 0 (85) and runs till 35, job 0 from 35 to 120. */
static const test_job rows[] = {
    {.submit_s = 0, .duration_s = 100, .estimate_s = -1, .gpus = 2},
    {.submit_s = 10, .duration_s = 20, .estimate_s = -1, .gpus = 4},
    {.submit_s = 12, .duration_s = 5, .estimate_s = -1, .gpus = 2},
};

static void shorter_first(void)
{
    replay(0, rows, 3, (expected[]){{0, 120, 2}, {10, 35, 1}, {12, 17, 0}});
}

/* Every start but the first costs 3 s: job 0 restarts at 12 and works from 15 to 17: 88 left. Job 1 restarts at
 * 17, works from 20 and ends at 38; job 0 restarts at 38 and works from 41 to 129. */
static void restart_costs(void)
{
    replay(3, rows, 3, (expected[]){{0, 129, 2}, {10, 38, 1}, {12, 17, 0}});
}

/* Equal times: the order of submission, and nobody is stopped. */
static void ties(void)
{
    const test_job equal[] = {{.duration_s = 10, .estimate_s = -1, .gpus = 3},
                              {.duration_s = 10, .estimate_s = -1, .gpus = 3},
                              {.duration_s = 10, .estimate_s = -1, .gpus = 1}};
    replay(0, equal, 3, (expected[]){{0, 10, 0}, {10, 20, 0}, {0, 10, 0}});
}

int main(void)
{
    const fz_test tests[] = {
        {"shorter jobs first", shorter_first},
        {"restarts cost", restart_costs},
        {"ties", ties},
    };
    return FZ_TEST_MAIN("shortest remaining time first", tests);
}
