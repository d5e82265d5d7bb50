/* Every start time of ../shared/data/queueing-reference: two job lists on 512 pooled GPUs, replayed by an
 * independent program; this test reads its answers from starts_*.csv. */
#include <stdio.h>

#include "core/support/csv.h"
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"
#include "workloads/canonical.h"

#define FOLDER FZ_SHARED_DATA "/queueing-reference/"

static fz_cluster_spec *pool_of_512(fz_arena *arena)
{
    const uint32_t mem[] = {40};
    const double rate[] = {1};
    uint32_t types[64] = {0};
    uint32_t gpus[64];
    for (uint32_t i = 0; i < 64; i++)
        gpus[i] = 8;
    return test_cluster(arena, 1, mem, rate, 64, types, gpus);
}

static bool row_equal(fz_csv *csv, const fz_csv_field *fields, int column, const fz_trace *trace,
                      const fz_run_result *result, uint32_t job)
{
    fz_time start = 0;
    if (fz_csv_time(csv, &fields[column], "start", &start, NULL) != FZ_OK)
        return false;
    bool equal = result->jobs[job].start == start;
    if (!equal)
        printf("job %s: starts at %lld us, expected %lld\n", fz_trace_job_id(trace, job),
               (long long)result->jobs[job].start, (long long)start);
    return equal;
}

/* Rows of both files are in the same order. Returns how many were equal. */
static uint32_t compare(const char *path, const char *policy, const fz_trace *trace,
                        const fz_run_result *result)
{
    char column_name[64];
    snprintf(column_name, sizeof(column_name), "%s_start_s", policy);
    fz_csv *csv = NULL;
    fz_error err = {0};
    uint32_t equal = 0;
    if (fz_csv_open(path, NULL, &csv, &err) != FZ_OK)
        printf("%s\n", err.message);
    int column = csv != NULL ? fz_csv_find_column(csv, column_name) : -1;
    for (uint32_t job = 0; column >= 0 && job < trace->n_jobs; job++) {
        const fz_csv_field *fields = NULL;
        uint32_t n_fields = 0;
        if (fz_csv_next(csv, &fields, &n_fields, &err) != FZ_OK || fields == NULL ||
            !row_equal(csv, fields, column, trace, result, job))
            break;
        equal++;
    }
    fz_csv_close(csv);
    return equal;
}

static void replay(const char *list, const char *policy)
{
    char jobs[512];
    char starts[512];
    snprintf(jobs, sizeof(jobs), FOLDER "jobs_%s.csv", list);
    snprintf(starts, sizeof(starts), FOLDER "starts_%s.csv", list);
    fz_trace *trace = NULL;
    fz_trace_report report = {0};
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(fz_trace_read(jobs, FZ_BAD_ROWS_DEFAULT, &trace, &report, &err), FZ_OK);
    fz_arena *arena = fz_arena_new(NULL);
    double params[4] = {0};
    fz_run_spec spec = {.trace = trace,
                        .cluster = pool_of_512(arena),
                        .sched = fz_sched_find(policy),
                        .sched_params = params};
    fz_run_result result;
    fz_status status = fz_run(arena, &spec, &result, &err);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    CU_ASSERT_EQUAL(compare(starts, policy, trace, &result), trace->n_jobs);
    fz_arena_free(arena);
    fz_trace_free(trace);
}

static void both_lists(const char *policy)
{
    replay("a", policy);
    replay("b", policy);
}

static void test_fifo(void)
{
    both_lists("fifo");
}

static void test_fifo_skip(void)
{
    both_lists("fifo_skip");
}

static void test_sjf(void)
{
    both_lists("sjf");
}

static void test_easy(void)
{
    both_lists("easy");
}

int main(void)
{
    if (!fz_test_have(FOLDER "jobs_a.csv"))
        return FZ_TEST_SKIPPED;
    const fz_test tests[] = {
        {"fifo: every start", test_fifo},
        {"fifo_skip: every start", test_fifo_skip},
        {"sjf: every start", test_sjf},
        {"easy: every start", test_easy},
    };
    return FZ_TEST_MAIN("queueing reference", tests);
}
