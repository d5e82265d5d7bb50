/* Traces of opaque jobs for tests, from plain rows, without files. */
#ifndef FRENZY_TESTS_TRACES_H
#define FRENZY_TESTS_TRACES_H

#include "sim/engine/engine.h"
#include "tests/random.h"
#include "workloads/trace.h"

/* Whole seconds. Rows must be in order of submission. */
typedef struct test_job {
    int64_t submit_s, duration_s;
    int64_t estimate_s; /* < 0: not given */
    uint32_t gpus;
    uint32_t mem_gib; /* per GPU; 0: no demand */
} test_job;

fz_trace *test_trace(fz_arena *arena, const test_job *rows, uint32_t n_rows);

/* `n` random rows: 1 to max_gpus GPUs, bursts, equal times, some of length 0, estimates >= durations. */
test_job *test_jobs_random(fz_arena *arena, fz_random *random, uint32_t n, uint32_t max_gpus);

/* Runs a policy with its default parameters and invariants checked after every instant; the caller may
 * have set anything in `spec` but the policy's parameters. A failure is printed. */
bool test_run(fz_arena *arena, fz_run_spec *spec, fz_run_result *result);

#endif
