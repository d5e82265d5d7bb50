/* Run times by GPU type: reading the text, and jobs that run for as long as their type says. */
#include <string.h>

#include "sim/engine/run_times.h"
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"
#include "workloads/durations.h"

/* g0 and g1, one node of 4 GPUs each. */
static fz_cluster_spec *two_types(fz_arena *arena)
{
    return test_cluster(arena, 2, (uint32_t[]){40, 16}, (double[]){2, 1}, 2, (uint32_t[]){0, 1},
                        (uint32_t[]){4, 4});
}

static void faults(void)
{
    CU_ASSERT_PTR_NULL(fz_durations_fault("a100:5"));
    CU_ASSERT_PTR_NULL(fz_durations_fault("a100:5|v100:7.5|t4:0"));
    static const char *const bad[] = {
        "", "a100", ":5", "a100:", "a100:x", "a100:5|", "a100:5||b:1", "a100:-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_PTR_NOT_NULL(fz_durations_fault(bad[i]));
}

static void by_type(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_time t[2] = {1, 1};
    const fz_cluster_spec *spec = two_types(arena);
    CU_ASSERT_EQUAL(fz_durations_by_type(spec, "G1:7.5|other:3", t), FZ_TYPE_BIT(1));
    CU_ASSERT(t[0] == FZ_TIME_NONE && t[1] == 7500000);
    CU_ASSERT_EQUAL(fz_durations_by_type(spec, "g0:1|g1:2|g0:9", t), FZ_TYPE_BIT(0) | FZ_TYPE_BIT(1));
    CU_ASSERT(t[0] == FZ_SECOND && t[1] == 2 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_durations_by_type(spec, "p100:2", t), 0);
    fz_arena_free(arena);
}

/* Three jobs; the texts are "", "g0:10|g1:30" and "g1:8". */
static fz_trace *trace_of(fz_arena *arena, const test_job *rows, uint32_t n, const fz_text_id *durations)
{
    static const char *const texts[] = {"", "g0:10|g1:30", "g1:8", "p100:1"};
    fz_trace *trace = test_trace(arena, rows, n);
    trace->texts = texts;
    trace->n_texts = 4;
    trace->durations = durations;
    return trace;
}

/* The reference is the longest, 30 s; on g0 a third of it passes in each second it takes on g1. */
static void work(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    const test_job rows[] = {{.duration_s = 7, .gpus = 1}, {.duration_s = 7, .gpus = 1}};
    const fz_text_id durations[] = {0, 1};
    fz_run_times times;
    CU_ASSERT_EQUAL_FATAL(
        fz_run_times_read(arena, trace_of(arena, rows, 2, durations), two_types(arena), NULL, &times, NULL),
        FZ_OK);
    const fz_type_mask g0 = FZ_TYPE_BIT(0), g1 = FZ_TYPE_BIT(1);
    CU_ASSERT_EQUAL(fz_run_times_work(&times, 0), 7 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_run_times_time(&times, 0, 3, g0), 3);
    CU_ASSERT_EQUAL(fz_run_times_work(&times, 1), 30 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_run_times_on(&times, 1, g0), 10 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_run_times_on(&times, 1, g0 | g1), 30 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_run_times_time(&times, 1, 12 * FZ_SECOND, g0), 4 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_run_times_done(&times, 1, 4 * FZ_SECOND, g0), 12 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_run_times_done(&times, 1, 4 * FZ_SECOND, g1), 4 * FZ_SECOND);
    CU_ASSERT_EQUAL(fz_run_times_done(&times, 1, 11 * FZ_SECOND, g0), 30 * FZ_SECOND); /* no more than all */
    fz_arena_free(arena);
}

/* fifo takes types in the order of the file: job 0 fills g0 for 10 s, job 1 runs on g1 for 30 s, job 2 may
 * run only on g1 and waits for it, job 3 names no type of this cluster. */
static void replayed(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    const test_job rows[] = {{.duration_s = 5, .estimate_s = -1, .gpus = 4},
                             {.duration_s = 5, .estimate_s = -1, .gpus = 4},
                             {.duration_s = 5, .estimate_s = -1, .gpus = 4},
                             {.duration_s = 5, .estimate_s = -1, .gpus = 4}};
    const fz_text_id durations[] = {1, 1, 2, 3};
    fz_run_spec spec = {.trace = trace_of(arena, rows, 4, durations),
                        .cluster = two_types(arena),
                        .sched = fz_sched_find("fifo")};
    fz_run_result result;
    CU_ASSERT_FATAL(test_run(arena, &spec, &result));
    CU_ASSERT(result.jobs[0].start == 0 && result.jobs[0].end == 10 * FZ_SECOND);
    CU_ASSERT(result.jobs[1].start == 0 && result.jobs[1].end == 30 * FZ_SECOND);
    CU_ASSERT(result.jobs[2].start == 30 * FZ_SECOND && result.jobs[2].end == 38 * FZ_SECOND);
    CU_ASSERT_EQUAL(result.jobs[3].state, FZ_JOB_REJECTED);
    fz_arena_free(arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"what is no list of run times", faults},
        {"run times by the types of a cluster", by_type},
        {"work, and how it passes on each type", work},
        {"a replay", replayed},
    };
    return FZ_TEST_MAIN("run times by GPU type", tests);
}
