/* Settings as text, the wire between processes, the worker pool, paired statistics. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/experiment/pool.h"
#include "sim/experiment/settings.h"
#include "sim/experiment/wire.h"
#include "sim/report/paired.h"
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"

/* ---- settings --------------------------------------------------------------------------------------------- */

static bool applies(const char *sched, const char *text, fz_settings *settings, fz_status expected)
{
    bool applied = false;
    fz_error err = {0};
    fz_status status = fz_settings_apply(fz_sched_find(sched), settings, text, &applied, &err);
    CU_ASSERT_EQUAL(status, expected);
    return applied;
}

static void test_settings(void)
{
    fz_settings settings = fz_settings_default(fz_sched_find("has"));
    char text[1024];
    size_t length = fz_settings_text(fz_sched_find("has"), &settings, text, sizeof(text));
    CU_ASSERT_STRING_EQUAL(text,
                           "scheduler=has\nplan_pick=first\norder=submit\nmem_error_sigma=0\noom_after_s=60\n"
                           "restart_s=0\nenforce_limit=0\n");
    CU_ASSERT_EQUAL(length, strlen(text));
    CU_ASSERT_TRUE(applies("has", "plan_pick=last", &settings, FZ_OK));
    CU_ASSERT_TRUE(applies("has", "has.order=estimate", &settings, FZ_OK));
    CU_ASSERT_TRUE(applies("has", "mem_error_sigma=0.25", &settings, FZ_OK));
    CU_ASSERT_FALSE(applies("has", "easy.order=estimate", &settings, FZ_OK)); /* speaks of another */
    CU_ASSERT_FALSE(applies("has", "consolidate=1", &settings, FZ_OK));       /* has none */
    fz_settings_text(fz_sched_find("has"), &settings, text, sizeof(text));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "plan_pick=last\norder=estimate\nmem_error_sigma=0.25\n"));
    CU_ASSERT_EQUAL(fz_settings_text(fz_sched_find("has"), &settings, text, 10),
                    strlen(text) > 0 ? length + 4 : 0);
    CU_ASSERT_EQUAL(strlen(text), 9); /* cut, not overrun */
}

static void test_bad_settings(void)
{
    fz_settings settings = fz_settings_default(fz_sched_find("has"));
    applies("has", "plan_pick", &settings, FZ_EUSAGE);
    applies("has", "=last", &settings, FZ_EUSAGE);
    applies("has", "plan_pick=", &settings, FZ_EUSAGE);
    applies("has", "plan_pick=firs", &settings, FZ_EUSAGE);
    applies("has", "mem_error_sigma=nan", &settings, FZ_EUSAGE);
    applies("has", "mem_error_sigma=-1", &settings, FZ_EUSAGE);
    applies("has", "mem_error_sigma=1x", &settings, FZ_EUSAGE);
    applies("has", "enforce_limit=0.5", &settings, FZ_EUSAGE);
    const fz_sched_ops *has = fz_sched_find("has");
    fz_error err;
    CU_ASSERT_EQUAL(fz_settings_unknown(&has, 1, "has.plan_pik=last", &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "did you mean 'plan_pick'?"));
}

/* ---- wire ------------------------------------------------------------------------------------------------- */

static fz_run_spec spec_of(fz_arena *arena, uint32_t n_jobs, const fz_sched_ops *sched)
{
    const uint32_t mem[] = {40};
    const double rate[] = {1};
    fz_random random = {n_jobs};
    static const double params[4] = {0};
    return (fz_run_spec){.trace = test_trace(arena, test_jobs_random(arena, &random, n_jobs, 8), n_jobs),
                         .cluster =
                             test_cluster(arena, 1, mem, rate, 2, (uint32_t[]){0, 0}, (uint32_t[]){4, 4}),
                         .sched = sched,
                         .sched_params = params};
}

static bool results_equal(const fz_run_result *a, const fz_run_result *b)
{
    return a->n_jobs == b->n_jobs && memcmp(a->jobs, b->jobs, a->n_jobs * sizeof(*a->jobs)) == 0 &&
           a->places_len == b->places_len && memcmp(a->places, b->places, a->places_len) == 0 &&
           a->n_plans == b->n_plans && a->summary.jct_avg_s == b->summary.jct_avg_s &&
           a->summary.finished == b->summary.finished;
}

static void test_wire(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec spec = spec_of(arena, 50, fz_sched_find("easy"));
    fz_run_result result;
    CU_ASSERT_EQUAL_FATAL(fz_run(arena, &spec, &result, NULL), FZ_OK);
    FILE *file = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_TRUE(fz_wire_write(fileno(file), &result, NULL));
    size_t length = (size_t)lseek(fileno(file), 0, SEEK_END);
    char *bytes = malloc(length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    CU_ASSERT_EQUAL(pread(fileno(file), bytes, length, 0), (ssize_t)length);
    fz_run_result read;
    fz_error failure;
    bool failed = true;
    CU_ASSERT_TRUE(fz_wire_read(bytes, length, &read, &failed, &failure));
    CU_ASSERT_FALSE(failed);
    CU_ASSERT_TRUE(results_equal(&result, &read));
    for (size_t cut = 0; cut < length; cut += 1 + length / 97) /* cut short anywhere: no result */
        CU_ASSERT_FALSE(fz_wire_read(bytes, cut, &read, &failed, &failure));
    bytes[0] ^= 1;
    CU_ASSERT_FALSE(fz_wire_read(bytes, length, &read, &failed, &failure));
    free(bytes);
    fclose(file);
    fz_arena_free(arena);
}

/* ---- pool ------------------------------------------------------------------------------------------------- */

enum { RUNS = 7 };

typedef struct seen {
    uint32_t next; /* results must come in order */
    bool ordered;
    uint64_t finished[RUNS];
    char failures[RUNS][sizeof(((fz_error *)0)->message)];
} seen;

static fz_status note(void *context, uint32_t run, const fz_run_result *result, const fz_error *failure,
                      fz_error *err)
{
    (void)err;
    seen *self = context;
    self->ordered &= run == self->next++;
    if (result != NULL)
        self->finished[run] = result->summary.finished;
    else
        snprintf(self->failures[run], sizeof(self->failures[run]), "%s", failure->message);
    return FZ_OK;
}

static fz_status killed_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)state;
    (void)view;
    (void)decision;
    (void)err;
    raise(SIGKILL);
    return FZ_OK;
}

static fz_status failing_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)state;
    (void)view;
    (void)decision;
    return fz_fail(err, FZ_EINVAL, "no decision today");
}

static void test_pool(void)
{
    const fz_sched_ops killed = {.name = "killed", .decide = killed_decide};
    const fz_sched_ops failing = {.name = "failing", .decide = failing_decide};
    fz_arena *arena = fz_arena_new(NULL);
    for (uint32_t workers = 1; workers <= 8; workers *= 2) {
        fz_run_spec specs[RUNS];
        for (uint32_t i = 0; i < RUNS; i++) /* the first is the longest: it ends last */
            specs[i] = spec_of(arena, i == 0 ? 4000 : 10 * i, fz_sched_find("fifo"));
        specs[2].sched = &killed;
        specs[4].sched = &failing;
        seen all = {.ordered = true};
        fz_pool pool = {.workers = workers, .done = note, .context = &all};
        fz_error err = {0};
        CU_ASSERT_EQUAL(fz_pool_run(&pool, specs, RUNS, &err), FZ_OK);
        CU_ASSERT_TRUE(all.ordered && all.next == RUNS);
        CU_ASSERT_EQUAL(all.finished[0], 4000);
        CU_ASSERT_EQUAL(all.finished[6], 60);
        CU_ASSERT_PTR_NOT_NULL(strstr(all.failures[2], "killed by signal 9"));
        CU_ASSERT_STRING_EQUAL(all.failures[4], "no decision today");
    }
    fz_arena_free(arena);
}

static bool yes(void)
{
    return true;
}

static void test_pool_interrupted(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_spec specs[1] = {spec_of(arena, 10, fz_sched_find("fifo"))};
    seen all = {.ordered = true};
    fz_pool pool = {.workers = 1, .done = note, .context = &all, .interrupted = yes};
    CU_ASSERT_EQUAL(fz_pool_run(&pool, specs, 1, NULL), FZ_EINTERRUPTED);
    fz_arena_free(arena);
}

/* ---- statistics ------------------------------------------------------------------------------------------- */

/* 1, 2, 3, 4, 5: mean 3, s = sqrt(2.5), t(0.975, 4) = 2.776445105: half width 1.963243161. */
static void test_estimates(void)
{
    const double values[] = {1, 2, 3, 4, 5};
    fz_estimate five = fz_estimate_of(values, 5);
    CU_ASSERT_TRUE(five.interval);
    CU_ASSERT_DOUBLE_EQUAL(five.mean, 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(five.high - five.mean, 1.963243161, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(five.mean - five.low, 1.963243161, 1e-8);
    fz_estimate four = fz_estimate_of(values, 4); /* too few: the range */
    CU_ASSERT_FALSE(four.interval);
    CU_ASSERT_EQUAL(four.low, 1);
    CU_ASSERT_EQUAL(four.high, 4);
    const double base[] = {10, 20};
    const double other[] = {11, 18}; /* +10 % and -10 %: paired, not the ratio of means */
    fz_estimate paired = fz_paired_relative(base, other, 2);
    CU_ASSERT_DOUBLE_EQUAL(paired.mean, 0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(paired.low, -0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(paired.high, 0.1, 1e-12);
}

int main(void)
{
    const fz_test tests[] = {
        {"settings", test_settings},
        {"bad settings", test_bad_settings},
        {"a result through the wire", test_wire},
        {"the pool: order, a killed and a failing worker", test_pool},
        {"the pool interrupted", test_pool_interrupted},
        {"paired statistics", test_estimates},
    };
    return FZ_TEST_MAIN("experiment", tests);
}
