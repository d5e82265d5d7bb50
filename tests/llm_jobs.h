/* Traces of LLM jobs for tests, over three models whose needs are easy to work out by hand. */
#ifndef FRENZY_TESTS_LLM_JOBS_H
#define FRENZY_TESTS_LLM_JOBS_H

#include "tests/traces.h"

/* No embedding, one LayerNorm pair, 16 heads: W = l (12 h^2 + 13 h) parameters, and 20 W / t bytes of
 * static memory under tensor degree t. With batch and sequence of 1 the activations are below 3 MiB.
 *            h     l        W              20 W
 *   small   1024  12     151,154,688     2.82 GiB
 *   middle  2048  24   1,208,598,528    22.51 GiB
 *   large   4096  12   2,416,558,080    45.01 GiB */
typedef enum test_model { TEST_SMALL, TEST_MIDDLE, TEST_LARGE, TEST_MODELS } test_model;

typedef struct test_llm_job {
    int64_t submit_s;
    test_model model;
    uint32_t global_batch, seq_len;
    double steps;
    uint32_t gpus; /* the user's guess; 0: none */
} test_llm_job;

/* Appends `n_llm` LLM rows to `n_opaque` opaque ones; both in order of submission, merged by it, an opaque
 * row first where they are equal. Sets spec->trace and spec->models. */
void test_trace_llm(fz_arena *arena, fz_run_spec *spec, const test_job *opaque, uint32_t n_opaque,
                    const test_llm_job *llm, uint32_t n_llm);

/* `n` random rows of all models and sizes that some GPUs of 10 to 30 GiB can hold and others not. */
test_llm_job *test_llm_random(fz_arena *arena, fz_random *random, uint32_t n);

#endif
