/* frenzy models: the models that come with the program, or those of files, with their exact sizes. */
#include <stdio.h>

#include <frenzy/params.h>

#include "sim/cli/commands.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"
#include "workloads/models.h"

static void header_print(void)
{
    printf("%-20s %15s %15s %6s %6s %5s %8s %6s %6s %9s\n", "model", "parameters", "active", "layers",
           "hidden", "heads", "kv heads", "ffn", "vocab", "experts");
}

static void model_print(const fz_model *m)
{
    char experts[48] = "-";
    if (m->experts > 0)
        (void)snprintf(experts, sizeof(experts), "%llu of %llu", (unsigned long long)m->experts_per_token,
                       (unsigned long long)m->experts);
    printf("%-20s %15llu %15llu %6llu %6llu %5llu %8llu %6llu %6llu %9s\n", m->name,
           (unsigned long long)fz_model_params(m), (unsigned long long)fz_model_active_params(m),
           (unsigned long long)m->layers, (unsigned long long)m->hidden, (unsigned long long)m->heads,
           (unsigned long long)m->kv_heads, (unsigned long long)m->ffn, (unsigned long long)m->vocab,
           experts);
}

static void model_json(fz_json *json, const fz_model *m)
{
    fz_json_open(json, NULL);
    fz_json_text(json, "name", m->name);
    fz_json_count(json, "params", fz_model_params(m));
    fz_json_count(json, "active_params", fz_model_active_params(m));
    fz_json_count(json, "layers", m->layers);
    fz_json_count(json, "hidden", m->hidden);
    fz_json_count(json, "heads", m->heads);
    fz_json_count(json, "kv_heads", m->kv_heads);
    fz_json_count(json, "head_dim", m->head_dim);
    fz_json_count(json, "ffn", m->ffn);
    fz_json_count(json, "vocab", m->vocab);
    fz_json_count(json, "max_seq", m->max_seq);
    fz_json_bool(json, "gated_mlp", m->gated_mlp);
    fz_json_bool(json, "tied_head", !m->untied_head);
    fz_json_count(json, "experts", m->experts);
    fz_json_count(json, "experts_per_token", m->experts_per_token);
    fz_json_count(json, "expert_ffn", m->expert_ffn);
    fz_json_count(json, "shared_ffn", m->shared_ffn);
    fz_json_count(json, "dense_layers", m->dense_layers);
    fz_json_count(json, "q_rank", m->q_rank);
    fz_json_count(json, "kv_rank", m->kv_rank);
    fz_json_close(json);
}

/* All are read before the first is printed: bad input prints nothing. */
static fz_status models_read(const char *const *names, uint32_t count, fz_arena *arena, fz_model **out,
                             fz_error *err)
{
    fz_model *models = FZ_NEW(arena, count, fz_model);
    if (models == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u models", count);
    for (uint32_t i = 0; i < count; i++)
        FZ_TRY(fz_model_find(names[i], arena, &models[i], err));
    *out = models;
    return FZ_OK;
}

static void show(const fz_model *models, uint32_t count, bool as_json)
{
    if (!as_json) {
        header_print();
        for (uint32_t i = 0; i < count; i++)
            model_print(&models[i]);
        return;
    }
    fz_json json = fz_json_start(stdout, "frenzy-models-1");
    fz_json_open_list(&json, "models");
    for (uint32_t i = 0; i < count; i++)
        model_json(&json, &models[i]);
    fz_json_close_list(&json);
    fz_json_end(&json);
}

static int models_run(const fz_args *args)
{
    uint32_t count = args->n_rest;
    const char *const *names = (const char *const *)args->rest;
    if (count == 0)
        names = fz_model_names(&count);
    fz_arena *arena = fz_arena_new(NULL);
    fz_model *models = NULL;
    fz_error err;
    fz_status status = arena != NULL ? models_read(names, count, arena, &models, &err)
                                     : fz_fail(&err, FZ_ENOMEM, "no memory for models");
    if (models != NULL)
        show(models, count, fz_args_has(args, "json"));
    fz_arena_free(arena);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_input_error(&err);
}

const fz_command fz_command_models = {
    .name = "models",
    .summary = "list models with their exact parameter counts: bundled ones, or config.json files",
    .arguments = "[MODEL]... [--json]",
    .examples = "  frenzy models\n  frenzy models mixtral-8x7b path/to/config.json --json\n",
    .notes =
        "MODEL is a bundled name, a Hugging Face config.json, or a folder that holds one. Parameters are "
        "those of\n"
        "model cards; active ones are what a token passes through in a mixture of experts.\n",
    .options = NULL,
    .n_options = 0,
    .min_rest = 0,
    .max_rest = 256,
    .run = models_run,
};
