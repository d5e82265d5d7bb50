#include "tests/llm_jobs.h"

#include <frenzy/units.h>

static const fz_model *const *models_make(fz_arena *arena)
{
    static const uint64_t shapes[TEST_MODELS][2] = {
        [TEST_SMALL] = {1024, 12}, [TEST_MIDDLE] = {2048, 24}, [TEST_LARGE] = {4096, 12}};
    fz_model *models = FZ_NEW(arena, TEST_MODELS, fz_model);
    const fz_model **by_text = FZ_NEW(arena, TEST_MODELS + 1, const fz_model *);
    for (uint32_t i = 0; i < TEST_MODELS; i++) {
        models[i] = (fz_model){.name = "test",
                               .hidden = shapes[i][0],
                               .layers = shapes[i][1],
                               .heads = 16,
                               .attention_bias = true,
                               .mlp_bias = true};
        fz_model_complete(&models[i], NULL);
        by_text[1 + i] = &models[i];
    }
    return by_text;
}

/* The LLM columns of a merged trace. */
typedef struct columns {
    fz_text_id *model;
    uint32_t *seq_len;
    uint64_t *batch;
    double *steps;
    uint32_t *gpus;
} columns;

static void llm_columns_fill(const columns *to, uint32_t row, const test_llm_job *job)
{
    to->model[row] = 1 + (fz_text_id)job->model;
    to->seq_len[row] = job->seq_len;
    to->batch[row] = job->global_batch;
    to->steps[row] = job->steps;
    to->gpus[row] = job->gpus;
}

void test_trace_llm(fz_arena *arena, fz_run_spec *spec, const test_job *opaque, uint32_t n_opaque,
                    const test_llm_job *llm, uint32_t n_llm)
{
    static const char *const texts[TEST_MODELS + 1] = {"", "small", "middle", "large"};
    uint32_t n = n_opaque + n_llm;
    test_job *rows = FZ_NEW(arena, n, test_job);
    columns to = {FZ_NEW(arena, n, fz_text_id), FZ_NEW(arena, n, uint32_t), FZ_NEW(arena, n, uint64_t),
                  FZ_NEW(arena, n, double), FZ_NEW(arena, n, uint32_t)};
    fz_time *duration = FZ_NEW(arena, n, fz_time);
    uint32_t a = 0;
    uint32_t b = 0;
    for (uint32_t row = 0; row < n; row++) {
        if (b == n_llm || (a < n_opaque && opaque[a].submit_s <= llm[b].submit_s)) {
            rows[row] = opaque[a++];
            to.gpus[row] = rows[row].gpus;
            duration[row] = rows[row].duration_s * FZ_SECOND;
            continue;
        }
        rows[row] = (test_job){.submit_s = llm[b].submit_s, .estimate_s = -1};
        duration[row] = FZ_TIME_NONE;
        llm_columns_fill(&to, row, &llm[b++]);
    }
    fz_trace *trace = test_trace(arena, rows, n);
    trace->texts = texts;
    trace->n_texts = TEST_MODELS + 1;
    trace->duration = duration;
    trace->req_gpus = to.gpus;
    trace->model = to.model;
    trace->seq_len = to.seq_len;
    trace->global_batch = to.batch;
    trace->steps = to.steps;
    spec->trace = trace;
    spec->models = models_make(arena);
}

test_llm_job *test_llm_random(fz_arena *arena, fz_random *random, uint32_t n)
{
    test_llm_job *rows = FZ_NEW(arena, n, test_llm_job);
    int64_t now = 0;
    for (uint32_t i = 0; i < n; i++) {
        now += fz_random_below(random, 3) == 0 ? fz_random_below(random, 200) : 0;
        rows[i] = (test_llm_job){
            .submit_s = now,
            .model = (test_model)fz_random_below(random, TEST_MODELS),
            .global_batch = fz_random_between(random, 1, 16),
            .seq_len = 128u << fz_random_below(random, 4),
            .steps = fz_random_between(random, 1, 50),
            .gpus = fz_random_below(random, 3) == 0 ? 0 : 1u << fz_random_below(random, 4),
        };
    }
    return rows;
}
