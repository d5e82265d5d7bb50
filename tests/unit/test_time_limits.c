/* Run times that each are valid and together leave the range of int64 microseconds. Numbers by hand:
 * INT64_MAX is 9,223,372,036,854 s; the longest time of an input is 315,576,000,000 s. */
#include <string.h>

#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"

#define LONGEST 315576000000 /* s */

static const char *const policies[] = {"has", "opportunistic", "fifo", "fifo_skip", "sjf", "easy"};
#define N_POLICIES (sizeof(policies) / sizeof(policies[0]))

/* One node under a policy. */
static fz_status run_rows(const char *policy, uint32_t gpus, const test_job *rows, uint32_t n,
                          fz_run_result *result, fz_arena *arena, fz_error *err)
{
    fz_run_spec spec = {
        .trace = test_trace(arena, rows, n),
        .cluster =
            test_cluster(arena, 1, (uint32_t[]){16}, (double[]){1}, 1, (uint32_t[]){0}, (uint32_t[]){gpus}),
        .sched = fz_sched_find(policy),
        .check_invariants = true,
    };
    double *params = FZ_NEW(arena, spec.sched->n_params, double);
    for (uint32_t i = 0; i < spec.sched->n_params; i++)
        params[i] = spec.sched->params[i].fallback;
    spec.sched_params = params;
    return fz_run(arena, &spec, result, err);
}

/* 64 GPUs x 144,115,188,075 s is just below INT64_MAX microseconds, one second more is above. */
static void gpu_time_of_one_job(void)
{
    for (size_t p = 0; p < N_POLICIES; p++) {
        fz_arena *arena = fz_arena_new(NULL);
        fz_run_result result;
        fz_error err = {0};
        test_job row = {.duration_s = 144115188075, .estimate_s = 144115188075, .gpus = 64};
        CU_ASSERT_EQUAL(run_rows(policies[p], 64, &row, 1, &result, arena, &err), FZ_OK);
        CU_ASSERT_EQUAL(result.jobs[0].gpu_time, 64 * 144115188075 * FZ_SECOND);
        row.duration_s += 1;
        CU_ASSERT_EQUAL(run_rows(policies[p], 64, &row, 1, &result, arena, &err), FZ_EPARSE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "290,000 GPU-years"));
        fz_arena_free(arena);
    }
}

/* Jobs that can only run one after the other, each for the longest time. Simulated time
 * ends after 25.2 of them, some 250,000 years. */
static void one_after_the_other(void)
{
    enum { FEW = 25, MANY = 26 };
    for (size_t p = 0; p < N_POLICIES; p++) {
        fz_arena *arena = fz_arena_new(NULL);
        fz_run_result result;
        fz_error err = {0};
        test_job rows[MANY];
        for (uint32_t i = 0; i < MANY; i++)
            rows[i] = (test_job){.duration_s = LONGEST, .estimate_s = LONGEST, .gpus = 2};
        CU_ASSERT_EQUAL(run_rows(policies[p], 2, rows, FEW, &result, arena, &err), FZ_OK);
        CU_ASSERT_EQUAL(run_rows(policies[p], 2, rows, MANY, &result, arena, &err), FZ_EPARSE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "250,000 years"));
        fz_arena_free(arena);
    }
}

int main(void)
{
    static const fz_test tests[] = {
        {"GPU time of one job", gpu_time_of_one_job},
        {"one after the other", one_after_the_other},
    };
    return FZ_TEST_MAIN("time limits", tests);
}
