/* Worlds in which every policy must behave: used by the conformance test, so that a policy is tested on
 * the day it is registered. */
#ifndef FRENZY_TESTS_SCENARIOS_H
#define FRENZY_TESTS_SCENARIOS_H

#include "sim/engine/engine.h"
#include "tests/random.h"

typedef struct test_scenario {
    const char *name;
    /* Fills trace, cluster, models, world and seed of a blank `spec`. */
    void (*make)(fz_arena *arena, fz_random *random, fz_run_spec *spec);
} test_scenario;

const test_scenario *test_scenarios(uint32_t *count);

/* What the engine does when nothing is said. */
fz_world test_world_default(void);

#endif
