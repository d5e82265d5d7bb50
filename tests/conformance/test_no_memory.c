/* Every policy with an arena that fails at its n-th block, for each n: the run ends with FZ_ENOMEM or, once
 * there is enough, with the same result as ever. Nothing crashes, nothing leaks. */
#include <frenzy/units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/scenarios.h"
#include "tests/traces.h"

/* Counts blocks down; at 0 there is no more. */
typedef struct ration {
    uint32_t left;
    uint32_t held; /* blocks given out and not given back */
} ration;

static void *ration_zalloc(void *context, size_t bytes)
{
    ration *self = context;
    if (self->left == 0)
        return NULL;
    self->left--;
    self->held++;
    return calloc(1, bytes);
}

static void ration_free(void *context, void *block)
{
    ration *self = context;
    self->held--;
    free(block);
}

/* Runs with `blocks` blocks for the run itself; the trace and the cluster lie elsewhere. */
static fz_status run_with(const fz_run_spec *spec, uint32_t blocks, fz_summary *summary)
{
    ration own = {.left = blocks};
    const fz_allocator allocator = {.zalloc = ration_zalloc, .free = ration_free, .context = &own};
    fz_arena *arena = fz_arena_new(&allocator);
    if (arena == NULL)
        return FZ_ENOMEM;
    fz_run_result result = {0};
    fz_error err = {0};
    fz_status status = fz_run(arena, spec, &result, &err);
    *summary = result.summary;
    CU_ASSERT_TRUE(status == FZ_OK || strstr(err.message, "no memory") != NULL);
    fz_arena_free(arena);
    CU_ASSERT_EQUAL(own.held, 0);
    return status;
}

static void starve(const fz_sched_ops *sched, const test_scenario *scenario)
{
    fz_random random = {1};
    fz_arena *arena = fz_arena_new(NULL);
    double *params = FZ_NEW(arena, sched->n_params, double);
    for (uint32_t i = 0; i < sched->n_params; i++)
        params[i] = sched->params[i].fallback;
    fz_run_spec spec = {.sched = sched, .sched_params = params, .world = test_world_default()};
    scenario->make(arena, &random, &spec);
    fz_summary full = {0};
    fz_summary last = {0};
    CU_ASSERT_EQUAL_FATAL(run_with(&spec, UINT32_MAX, &full), FZ_OK);
    fz_status status = FZ_ENOMEM;
    uint32_t blocks = 0;
    for (; status == FZ_ENOMEM && blocks < 1000; blocks++)
        status = run_with(&spec, blocks, &last);
    if (status != FZ_OK)
        printf("scheduler %s, scenario '%s', %u blocks: %s\n", sched->name, scenario->name, blocks,
               fz_status_name(status));
    CU_ASSERT_EQUAL(status, FZ_OK);
    CU_ASSERT_EQUAL(last.events, full.events);
    fz_arena_free(arena);
}

static void test_all(void)
{
    uint32_t n_scheds = 0;
    uint32_t n_scenarios = 0;
    const fz_sched_ops *const *scheds = fz_sched_all(&n_scheds);
    const test_scenario *scenarios = test_scenarios(&n_scenarios);
    for (uint32_t i = 0; i < n_scheds; i++)
        for (uint32_t k = 0; k < n_scenarios; k++)
            starve(scheds[i], &scenarios[k]);
}

int main(void)
{
    const fz_test tests[] = {{"every policy, every block", test_all}};
    return FZ_TEST_MAIN("no memory", tests);
}
