#include "workloads/models.h"

#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"

/* ---- bundled models -------------------------------------------------------------------------------- */

/* Parameters of the stack, counted here without the library: embedding and positions, per layer attention,
 * MLP and norms, the last norm, the head if it is not tied. */
static uint64_t count_parameters(const fz_model *m)
{
    uint64_t queries = m->heads * m->head_dim, keys = m->kv_heads * m->head_dim;
    uint64_t attention = 2 * m->hidden * queries + 2 * m->hidden * keys;
    uint64_t mlp = (m->gated_mlp ? 3 : 2) * m->hidden * m->ffn;
    uint64_t biases = 0;
    if (m->attention_bias)
        biases += queries + 2 * keys + m->hidden;
    if (m->mlp_bias)
        biases += (m->gated_mlp ? 2 : 1) * m->ffn + m->hidden;
    uint64_t layer = attention + mlp + biases + m->norms * m->hidden;
    uint64_t last_norm = m->norms / 2 * m->hidden;
    return (m->untied_head ? 2 : 1) * m->vocab * m->hidden + m->positions * m->hidden + m->layers * layer +
           last_norm;
}

/* Published counts (model cards; for BERT the stack with its embedding norm in place of a last norm, less
 * the 2 token types and the pooler: 109,482,240 - 2 * 768 - 768 * 769, likewise for large). */
static void published_parameter_counts(void)
{
    static const struct {
        const char *name;
        uint64_t parameters;
    } published[] = {
        {"bert-base", 109482240 - 2 * 768 - 768 * 769},
        {"bert-large", 335141888 - 2 * 1024 - 1024 * 1025},
        {"gpt2", 124439808},
        {"gpt2-large", 774030080},
        {"gpt2-medium", 354823168},
        {"gpt2-xl", 1557611200},
        {"llama-2-13b", 13015864320},
        {"llama-2-70b", 68976648192},
        {"llama-2-7b", 6738415616},
        {"llama-3-70b", 70553706496},
        {"llama-3-8b", 8030261248},
        {"mistral-7b", 7241732096},
    };
    uint32_t count;
    const char *const *names = fz_model_names(&count);
    CU_ASSERT_EQUAL_FATAL(count, sizeof published / sizeof published[0]);
    fz_arena *arena = fz_arena_new(NULL);
    for (uint32_t i = 0; i < count; i++) {
        fz_model model = {0};
        fz_error err = {0};
        CU_ASSERT_STRING_EQUAL(names[i], published[i].name);
        CU_ASSERT_EQUAL(fz_model_find(names[i], arena, &model, &err), FZ_OK);
        CU_ASSERT_STRING_EQUAL(model.name, published[i].name);
        CU_ASSERT_EQUAL(count_parameters(&model), published[i].parameters);
    }
    fz_arena_free(arena);
}

/* ---- finding --------------------------------------------------------------------------------------- */

static void by_name_and_path(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_temp temp;
    fz_temp_open(&temp);
    fz_model model = {0};
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_model_find("LLaMA-2-7B", arena, &model, &err), FZ_OK);
    CU_ASSERT_EQUAL(model.layers, 32);
    CU_ASSERT_EQUAL(model.ffn, 11008);
    CU_ASSERT(model.gated_mlp && model.untied_head);
    const char *path =
        fz_temp_text(&temp, "config.json",
                     "{\"_name_or_path\": \"mine\", \"model_type\": \"gpt2\", \"n_layer\": 3,\n"
                     " \"n_embd\": 64, \"n_head\": 4, \"n_positions\": 128, \"vocab_size\": 100}\n");
    CU_ASSERT_EQUAL(fz_model_find(path, arena, &model, &err), FZ_OK);
    CU_ASSERT_EQUAL(model.layers, 3);
    CU_ASSERT_EQUAL(fz_model_find(temp.folder, arena, &model, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(model.name, "mine");
    fz_temp_close(&temp);
    fz_arena_free(arena);
}

static void unknown_models(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_model model = {0};
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_model_find("lama-2-7b", arena, &model, &err), FZ_ENOTFOUND);
    CU_ASSERT_STRING_EQUAL(err.message,
                           "no bundled model and no file is called 'lama-2-7b'; did you mean 'llama-2-7b'?");
    CU_ASSERT_EQUAL(fz_model_find("/nowhere/config.json", arena, &model, &err), FZ_ENOTFOUND);
    CU_ASSERT_STRING_EQUAL(
        err.message, "no bundled model and no file is called '/nowhere/config.json'; give the path of a "
                     "config.json, or one of bert-base, bert-large, gpt2, gpt2-large, gpt2-medium, "
                     "gpt2-xl, llama-2-13b, llama-2-70b, llama-2-7b, llama-3-70b, llama-3-8b, "
                     "mistral-7b");
    CU_ASSERT_EQUAL(fz_model_find("", arena, &model, &err), FZ_ENOTFOUND);
    fz_arena_free(arena);
}

/* ---- of a trace ------------------------------------------------------------------------------------ */

/* A trace of jobs of these models. */
static fz_trace trace_of(const char *const *texts, uint32_t n_texts, const fz_text_id *model, uint32_t n_jobs)
{
    return (fz_trace){.path = "t.csv", .n_jobs = n_jobs, .texts = texts, .n_texts = n_texts, .model = model};
}

static void models_of_a_trace(void)
{
    static const char *const texts[] = {"",          "gpt2",        "user",      "resnet50",
                                        "BERT-base", "meta/of-old", "mistral-7b"};
    static const fz_text_id jobs[] = {1, 4, 0, 3, 1, 5};
    fz_arena *arena = fz_arena_new(NULL);
    fz_trace trace = trace_of(texts, 7, jobs, 6);
    const fz_model *const *models = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_models_of_trace(&trace, arena, &models, &err), FZ_OK);
    CU_ASSERT_PTR_NOT_NULL(models);
    static const char *const expected[] = {NULL, "gpt2", NULL, NULL, "bert-base", NULL, NULL};
    for (uint32_t i = 0; models != NULL && i < 7; i++) {
        CU_ASSERT_EQUAL(models[i] != NULL, expected[i] != NULL);
        if (models[i] != NULL && expected[i] != NULL)
            CU_ASSERT_STRING_EQUAL(models[i]->name, expected[i]);
    }
    trace.model = NULL;
    CU_ASSERT_EQUAL(fz_models_of_trace(&trace, arena, &models, &err), FZ_OK);
    CU_ASSERT_PTR_NULL(models);
    fz_arena_free(arena);
}

static void a_trace_may_name_paths(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    char good[160], bad[160];
    (void)snprintf(good, sizeof good, "%s",
                   fz_temp_text(&temp, "good.json",
                                "{\"model_type\": \"gpt2\", \"n_layer\": 3, \"n_embd\": 64, \"n_head\": 4,"
                                " \"n_positions\": 128, \"vocab_size\": 100}\n"));
    (void)snprintf(bad, sizeof bad, "%s", fz_temp_text(&temp, "bad.json", "{\"model_type\": \n"));
    const char *const texts[] = {"", good, bad};
    static const fz_text_id first[] = {1}, both[] = {1, 2};
    fz_arena *arena = fz_arena_new(NULL);
    fz_trace trace = trace_of(texts, 3, first, 1);
    const fz_model *const *models = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_models_of_trace(&trace, arena, &models, &err), FZ_OK);
    CU_ASSERT(models != NULL && models[1] != NULL && models[1]->layers == 3);
    trace.model = both;
    trace.n_jobs = 2;
    CU_ASSERT_EQUAL(fz_models_of_trace(&trace, arena, &models, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.file, bad);
    fz_arena_free(arena);
    fz_temp_close(&temp);
}

int main(void)
{
    static const fz_test tests[] = {
        {"published parameter counts", published_parameter_counts},
        {"by name and path", by_name_and_path},
        {"unknown models", unknown_models},
        {"models of a trace", models_of_a_trace},
        {"a trace may name paths", a_trace_may_name_paths},
    };
    return FZ_TEST_MAIN("models", tests);
}
