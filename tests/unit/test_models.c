#include "workloads/models.h"

#include <frenzy/params.h>

#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"

/* ---- bundled models -------------------------------------------------------------------------------- */

/* Parameters of the whole and of what a token passes through. The former are those of the model cards, of
 * the files' own metadata or of the papers (pythia); of falcon without the copy of the tied head that its
 * files hold (41,835,970,560 with it), of deepseek-v3 without the layer that predicts a further token. The
 * latter by hand: less (experts - chosen) * layers with experts * 3 h ffn_e. */
static void published_parameter_counts(void)
{
    static const struct {
        const char *name;
        uint64_t parameters, active;
    } published[] = {
        {"bert-base", 109482240, 109482240},
        {"bert-large", 335141888, 335141888},
        {"bloom-176b", 176247271424, 176247271424},
        {"bloom-560m", 559214592, 559214592},
        {"bloom-7b1", 7069016064, 7069016064},
        {"deepseek-v2", 235741434880, 21375800320},
        {"deepseek-v2-lite", 15706484224, 2661150208},
        {"deepseek-v3", 671026419200, 37552297472},
        {"falcon-40b", 41303293952, 41303293952},
        {"falcon-7b", 6921720704, 6921720704},
        {"gemma-2-27b", 27227128320, 27227128320},
        {"gemma-2-9b", 9241705984, 9241705984},
        {"gemma-2b", 2506172416, 2506172416},
        {"gemma-7b", 8537680896, 8537680896},
        {"gpt-neox-20b", 20554567680, 20554567680},
        {"gpt2", 124439808, 124439808},
        {"gpt2-large", 774030080, 774030080},
        {"gpt2-medium", 354823168, 354823168},
        {"gpt2-xl", 1557611200, 1557611200},
        {"llama-2-13b", 13015864320, 13015864320},
        {"llama-2-70b", 68976648192, 68976648192},
        {"llama-2-7b", 6738415616, 6738415616},
        {"llama-3-70b", 70553706496, 70553706496},
        {"llama-3-8b", 8030261248, 8030261248},
        {"llama-3.1-405b", 405853388800, 405853388800},
        {"llama-3.1-70b", 70553706496, 70553706496},
        {"llama-3.1-8b", 8030261248, 8030261248},
        {"llama-3.2-1b", 1235814400, 1235814400},
        {"mistral-7b", 7241732096, 7241732096},
        {"mixtral-8x22b", 140620634112, 39152031744},
        {"mixtral-8x7b", 46702792704, 12879925248},
        {"mpt-30b", 29957200896, 29957200896},
        {"mpt-7b", 6649286656, 6649286656},
        {"opt-1.3b", 1315758080, 1315758080},
        {"opt-125m", 125239296, 125239296},
        {"opt-30b", 29974540288, 29974540288},
        {"opt-6.7b", 6658473984, 6658473984},
        {"phi-3-mini", 3821079552, 3821079552},
        {"pythia-1.4b", 1414647808, 1414647808},
        {"pythia-6.9b", 6857302016, 6857302016},
        {"qwen1.5-moe-a2.7b", 14315784192, 2689173504},
        {"qwen2-0.5b", 494032768, 494032768},
        {"qwen2-72b", 72706203648, 72706203648},
        {"qwen2-7b", 7615616512, 7615616512},
        {"qwen2.5-72b", 72706203648, 72706203648},
        {"qwen2.5-7b", 7615616512, 7615616512},
        {"qwen3-30b-a3b", 30532122624, 3353032704},
        {"qwen3-8b", 8190735360, 8190735360},
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
        CU_ASSERT_EQUAL(fz_model_params(&model), published[i].parameters);
        CU_ASSERT_EQUAL(fz_model_active_params(&model), published[i].active);
        if (fz_model_params(&model) != published[i].parameters)
            printf("\n%s: %llu parameters\n", names[i], (unsigned long long)fz_model_params(&model));
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
    CU_ASSERT_STRING_EQUAL(err.message, "no bundled model and no file is called '/nowhere/config.json'; give "
                                        "the path of a config.json, or a bundled model (`frenzy models` "
                                        "lists them)");
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
