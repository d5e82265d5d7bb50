/* Conservative backfill on cases worked out by hand: one pool of 8 GPUs. */
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"

static void replay(const char *policy, const test_job *rows, uint32_t n, const int64_t *starts)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = {.trace = test_trace(arena, rows, n),
                        .cluster = test_cluster(arena, 1, (uint32_t[]){40}, (double[]){1}, 2,
                                                (uint32_t[]){0, 0}, (uint32_t[]){4, 4}),
                        .sched = fz_sched_find(policy)};
    fz_run_result result;
    CU_ASSERT_FATAL(test_run(arena, &spec, &result));
    for (uint32_t job = 0; job < n; job++)
        CU_ASSERT_EQUAL(result.jobs[job].start, starts[job] * FZ_SECOND);
    fz_arena_free(arena);
}

/* Job 0 has 6 GPUs until 10. Job 1 wants 8: promised [10, 20). Job 2 wants 4 for 10: [20, 30). Job 3 wants 6 for
 * 10: the 4 left at 20 are too few: [30, 40). Job 4 has 2 for 10: [1, 11) crosses the promise at 10, at 20
 * 4 are idle: [20, 30). Job 5 has 2 for 5: [5, 10) at once. EASY holds to job 1 only, and ends the same way. */
static void promises(void)
{
    const test_job rows[] = {
        {.submit_s = 0, .duration_s = 10, .estimate_s = 10, .gpus = 6},
        {.submit_s = 1, .duration_s = 10, .estimate_s = 10, .gpus = 8},
        {.submit_s = 1, .duration_s = 10, .estimate_s = 10, .gpus = 4},
        {.submit_s = 1, .duration_s = 10, .estimate_s = 10, .gpus = 6},
        {.submit_s = 1, .duration_s = 10, .estimate_s = 10, .gpus = 2},
        {.submit_s = 5, .duration_s = 5, .estimate_s = 5, .gpus = 2},
    };
    replay("conservative", rows, 6, (int64_t[]){0, 10, 20, 30, 20, 5});
}

/* Job 0 has 4 until 10, job 1 has 2 until 20; 2 are idle. Job 2 wants 6: at 10. Job 3 wants 8: at 30. Job 4
 * wants 2 for 40: [1, 41) crosses both promises, and at 10 no GPU is spare: 40. Job 5 wants 2 for 9: [1, 10). */
static void spare(void)
{
    const test_job rows[] = {
        {.submit_s = 0, .duration_s = 10, .estimate_s = 10, .gpus = 4},
        {.submit_s = 0, .duration_s = 20, .estimate_s = 20, .gpus = 2},
        {.submit_s = 1, .duration_s = 20, .estimate_s = 20, .gpus = 6},
        {.submit_s = 1, .duration_s = 10, .estimate_s = 10, .gpus = 8},
        {.submit_s = 1, .duration_s = 40, .estimate_s = 40, .gpus = 2},
        {.submit_s = 1, .duration_s = 9, .estimate_s = 9, .gpus = 2},
    };
    /* At 20 job 1 ends. EASY's head is then job 3 (8 GPUs, at 30), job 4 would end at 60: it waits for 40. */
    replay("easy", rows, 6, (int64_t[]){0, 0, 10, 30, 40, 1});
    replay("conservative", rows, 6, (int64_t[]){0, 0, 10, 30, 40, 1});
}

/* Job 0 has 7 until 10. Job 1 wants 2 for 10 at 1: promised 10. Job 2 wants 8 for 10: promised 20. Job 3 wants 1
 * for 25 at 2: EASY's head is job 1, which leaves 6 spare at 10: it starts at 2, ends at 27 and delays job 2 to
 * 27. Conservative holds to job 2's promise: job 3 waits until 30. */
static void second_promise(void)
{
    const test_job rows[] = {
        {.submit_s = 0, .duration_s = 10, .estimate_s = 10, .gpus = 7},
        {.submit_s = 1, .duration_s = 10, .estimate_s = 10, .gpus = 2},
        {.submit_s = 1, .duration_s = 10, .estimate_s = 10, .gpus = 8},
        {.submit_s = 2, .duration_s = 25, .estimate_s = 25, .gpus = 1},
    };
    replay("easy", rows, 4, (int64_t[]){0, 10, 27, 2});
    replay("conservative", rows, 4, (int64_t[]){0, 10, 20, 30});
}

/* Job 0 ends at 4 instead of 10: the promises are made anew, job 1 starts at 4. */
static void early_end(void)
{
    const test_job rows[] = {
        {.submit_s = 0, .duration_s = 4, .estimate_s = 10, .gpus = 8},
        {.submit_s = 1, .duration_s = 5, .estimate_s = 5, .gpus = 8},
        {.submit_s = 1, .duration_s = 5, .estimate_s = 5, .gpus = 1},
    };
    replay("conservative", rows, 3, (int64_t[]){0, 4, 9});
}

int main(void)
{
    const fz_test tests[] = {
        {"every job has a promise", promises},
        {"as EASY where one promise is enough", spare},
        {"the second promise holds", second_promise},
        {"a job that ends early", early_end},
    };
    return FZ_TEST_MAIN("conservative backfill", tests);
}
