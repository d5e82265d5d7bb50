#include "sim/cli/plan_request.h"

#include <stdio.h>
#include <string.h>

#include <frenzy/marp.h>
#include <frenzy/memory.h>
#include <frenzy/params.h>

#include "core/support/suggest.h"
#include "workloads/cluster_file.h"
#include "workloads/models.h"

#define NODE_GPUS 8u /* of a --gpu without a cluster */

const fz_option fz_plan_options[FZ_PLAN_OPTIONS] = {
    {"model", "MODEL", "a Hugging Face config.json, its folder, or a bundled model (llama-2-7b)"},
    {"batch", "N", "global batch: sequences in a step over all GPUs"},
    {"seq", "N", "sequence length in tokens"},
    {"gpu", "NAME", "a GPU of the catalog (a100-80g); may come again (default a100-80g and h100)"},
    {"cluster", "FILE", "the GPU types and counts of a cluster"},
    {"profile", "FRAMEWORK",
     "megatron-core, torch-fsdp, deepspeed, transformers, ... (default: what all have in common)"},
    {"precision", "NAME", "bf16-mixed (default), fp16-mixed, fp8, bf16, fp32"},
    {"optimizer", "NAME", "adam (default), adam8bit, muon, sgd"},
    {"zero", "STAGE", "0 to 3, or auto (default)"},
    {"recompute", "HOW", "none, selective, full, or auto (default)"},
    {"micro-batch", "N", "sequences at a time on a GPU, or auto (default)"},
    {"lora", "RANK", "train adapters of this rank on q, k, v and o instead of all weights"},
    {"quant", "NAME", "with --lora: frozen weights in nf4 or int8"},
    {"max-gpus", "N", "of a plan (default 512, or what the cluster has)"},
    {"tensor-across-nodes", NULL, "let tensor parallelism cross nodes"},
    {"rank", "BY", "efficient (fewest GPU-seconds a step, default), fewest-gpus, fastest, cheapest"},
    {"confidence", "SHARE", "of the memory interval whose upper end must fit (default 0.9)"},
    {"estimator", "NAME", "analytic (default), or paper: the published formula"},
    {"explain", NULL, "say what the memory of the first plan consists of, and what the prediction rests on"},
};

/* ---- GPUs ----------------------------------------------------------------------------------------------- */

static fz_status gpu_add(fz_plan_request *r, const char *name, fz_error *err)
{
    const fz_catalog_gpu *found = fz_catalog_find(name);
    if (found == NULL) {
        const char *near = fz_catalog_suggest(name);
        if (near != NULL)
            return fz_fail(err, FZ_EUSAGE, "--gpu: '%s' is not in the catalog (did you mean '%s'?)", name,
                           near);
        return fz_fail(err, FZ_EUSAGE,
                       "--gpu: '%s' is not in the catalog; names are such as a100-80g, h100, v100-32g, t4, "
                       "rtx-4090; any other GPU can be described in a cluster file",
                       name);
    }
    if (found->mem_bytes == 0)
        return fz_fail(err, FZ_EUSAGE, "--gpu: the usable memory of '%s' is not known", found->name);
    for (uint32_t t = 0; t < r->n_targets; t++)
        if (strcmp(r->targets[t].gpu.name, found->name) == 0)
            return fz_fail(err, FZ_EUSAGE, "--gpu: '%s' is named twice (%s)", name, found->name);
    if (r->n_targets == FZ_MAX_GPU_TYPES)
        return fz_fail(err, FZ_EUSAGE, "at most %d GPU types", FZ_MAX_GPU_TYPES);
    r->targets[r->n_targets++] = (fz_plan_target){
        .gpu = fz_catalog_gpu_type(found, found->name), .gpus = UINT32_MAX, .node_gpus = NODE_GPUS};
    return FZ_OK;
}

static fz_status type_add(fz_plan_request *r, const fz_cluster_spec *spec, uint32_t type, fz_error *err)
{
    fz_plan_target target = {.gpu = spec->types[type]};
    if (r->n_targets == FZ_MAX_GPU_TYPES)
        return fz_fail(err, FZ_EUSAGE, "at most %d GPU types", FZ_MAX_GPU_TYPES);
    target.gpu.name =
        fz_arena_strdup(r->arena, target.gpu.name); /* the file is closed before it is printed */
    if (target.gpu.name == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        if (spec->nodes[i].type != type)
            continue;
        target.gpus += spec->nodes[i].gpus;
        target.node_gpus = spec->nodes[i].gpus > target.node_gpus ? spec->nodes[i].gpus : target.node_gpus;
    }
    r->targets[r->n_targets++] = target;
    return FZ_OK;
}

static fz_status cluster_add(fz_plan_request *r, const char *path, fz_error *err)
{
    fz_cluster_file *file = NULL;
    fz_status status = FZ_OK;
    FZ_TRY(fz_cluster_file_read(path, &file, err));
    for (uint32_t type = 0; status == FZ_OK && type < file->spec.n_types; type++)
        status = type_add(r, &file->spec, type, err);
    fz_cluster_file_free(file);
    return status;
}

static fz_status targets_read(fz_plan_request *r, fz_error *err)
{
    const char *name = NULL;
    for (uint32_t k = 0; (name = fz_args_nth(r->args, "gpu", k)) != NULL; k++)
        FZ_TRY(gpu_add(r, name, err));
    const char *cluster = fz_args_get(r->args, "cluster");
    if (cluster != NULL)
        FZ_TRY(cluster_add(r, cluster, err));
    if (r->n_targets > 0)
        return FZ_OK;
    FZ_TRY(gpu_add(r, "a100-80g", err)); /* named neither: the two most common ones */
    return gpu_add(r, "h100", err);
}

/* ---- choices -------------------------------------------------------------------------------------------- */

/* One of `names` by its place in the list; absent: *out stays. */
static fz_status choice(const fz_plan_request *r, const char *option, const char *const *names, uint32_t n,
                        int *out, fz_error *err)
{
    const char *given = fz_args_get(r->args, option);
    char list[160] = "";
    for (uint32_t i = 0; given != NULL && i < n; i++) {
        size_t used = strlen(list);
        if (strcmp(given, names[i]) == 0) {
            *out = (int)i;
            return FZ_OK;
        }
        (void)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    if (given == NULL)
        return FZ_OK;
    const char *near = fz_suggest(given, names, n);
    return fz_fail(err, FZ_EUSAGE, "--%s: unknown '%s'%s%s%s; there are %s", option, given,
                   near != NULL ? " (did you mean '" : "", near != NULL ? near : "",
                   near != NULL ? "'?)" : "", list);
}

/* The first name is "auto": FZ_SEARCH_ANY. */
static fz_status choice_or_any(const fz_plan_request *r, const char *option, const char *const *names,
                               uint32_t n, int *out, fz_error *err)
{
    int at = 0;
    FZ_TRY(choice(r, option, names, n, &at, err));
    *out = at == 0 ? FZ_SEARCH_ANY : at - 1;
    return FZ_OK;
}

static fz_status profile_read(fz_plan_request *r, fz_error *err)
{
    const char *given = fz_args_get(r->args, "profile");
    char list[400] = "";
    if (given == NULL)
        return FZ_OK;
    r->search.job.profile = fz_memory_profile_find(given);
    if (r->search.job.profile != NULL)
        return FZ_OK;
    const char *name = NULL;
    for (uint32_t i = 0; (name = fz_memory_profile_name(i)) != NULL; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", name);
    }
    return fz_fail(err, FZ_EUSAGE, "--profile: unknown '%s'; there are %s", given, list);
}

static fz_status micro_batch_read(fz_plan_request *r, fz_error *err)
{
    const char *given = fz_args_get(r->args, "micro-batch");
    if (given == NULL || strcmp(given, "auto") == 0)
        return FZ_OK;
    FZ_TRY(fz_args_count(r->args, "micro-batch", 1, (uint64_t)1 << 20, &r->search.micro_batch, err));
    if (r->training.global_batch % r->search.micro_batch != 0)
        return fz_fail(err, FZ_EUSAGE, "--micro-batch %llu does not divide --batch %llu",
                       (unsigned long long)r->search.micro_batch,
                       (unsigned long long)r->training.global_batch);
    return FZ_OK;
}

/* Adapters of a rank on queries, keys, values and output: rank (in + out) parameters a matrix. */
static double lora_parameters(const fz_model *m, uint64_t rank)
{
    double h = (double)m->hidden;
    double q = (double)(m->heads * m->head_dim);
    double kv = (double)(m->kv_heads * m->head_dim);
    return (double)m->layers * (double)rank * (2 * (h + q) + 2 * (h + kv));
}

static fz_status tuning_read(fz_plan_request *r, fz_error *err)
{
    static const char *const names[] = {"nf4", "int8"};
    static const double widths[] = {0.56, 1.05};
    uint64_t rank = 0;
    int quant = -1;
    FZ_TRY(fz_args_count(r->args, "lora", 1, 65536, &rank, err));
    FZ_TRY(choice(r, "quant", names, 2, &quant, err));
    if (quant >= 0 && rank == 0)
        return fz_fail(err, FZ_EUSAGE, "--quant freezes the weights: it needs --lora RANK");
    if (rank > 0 && r->model.kv_rank > 0)
        return fz_fail(err, FZ_EUSAGE,
                       "--lora: the adapters of a model with latent attention are not described");
    if (rank > 0) {
        r->search.job.tuning = FZ_TUNE_ADAPTER;
        r->search.job.trainable = lora_parameters(&r->model, rank);
    }
    if (quant >= 0)
        r->search.job.frozen_bytes = widths[quant];
    return FZ_OK;
}

static fz_status choices_read(fz_plan_request *r, fz_error *err)
{
    static const char *const zeros[] = {"auto", "0", "1", "2", "3"};
    static const char *const recomputes[] = {"auto", "none", "selective", "full"};
    static const char *const ranks[] = {"efficient", "fewest-gpus", "fastest", "cheapest"};
    static const char *const precisions[] = {"bf16-mixed", "fp16-mixed", "fp8", "bf16", "fp32"};
    static const char *const optimizers[] = {"adam", "adam8bit", "muon", "sgd"};
    static const char *const estimators[] = {"analytic", "paper"};
    int rank = 0, precision = 0, optimizer = 0, estimator = 0;
    FZ_TRY(choice_or_any(r, "zero", zeros, 5, &r->search.zero, err));
    FZ_TRY(choice_or_any(r, "recompute", recomputes, 4, &r->search.recompute, err));
    FZ_TRY(choice(r, "rank", ranks, 4, &rank, err));
    FZ_TRY(choice(r, "precision", precisions, 5, &precision, err));
    FZ_TRY(choice(r, "optimizer", optimizers, 4, &optimizer, err));
    FZ_TRY(choice(r, "estimator", estimators, 2, &estimator, err));
    r->search.rank = (fz_search_rank)rank;
    r->search.job.precision = (fz_precision)precision;
    r->search.job.optimizer = (fz_optimizer)optimizer;
    r->paper = estimator == 1;
    FZ_TRY(profile_read(r, err));
    FZ_TRY(micro_batch_read(r, err));
    return tuning_read(r, err);
}

/* The published formula knows none of these. */
static fz_status refuse_with_paper(const fz_plan_request *r, fz_error *err)
{
    static const char *const unknown[] = {"profile",    "precision",   "optimizer", "zero",
                                          "recompute",  "micro-batch", "lora",      "quant",
                                          "confidence", "explain",     "rank"};
    for (size_t i = 0; r->paper && i < sizeof unknown / sizeof unknown[0]; i++)
        if (fz_args_has(r->args, unknown[i]))
            return fz_fail(err, FZ_EUSAGE, "--%s means nothing to the published formula (--estimator paper)",
                           unknown[i]);
    return r->paper ? fz_marp_check(&r->model, err) : FZ_OK;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static fz_status required_count(const fz_plan_request *r, const char *name, uint64_t *out, fz_error *err)
{
    if (!fz_args_has(r->args, name))
        return fz_fail(err, FZ_EUSAGE, "--%s N is missing", name);
    return fz_args_count(r->args, name, 1, (uint64_t)1 << 32, out, err);
}

fz_status fz_plan_request_read(const fz_args *args, fz_arena *arena, fz_plan_request *out, fz_error *err)
{
    const char *model = fz_args_get(args, "model");
    uint64_t max_gpus = 512;
    *out = (fz_plan_request){.args = args, .arena = arena};
    if (model == NULL)
        return fz_fail(err, FZ_EUSAGE, "--model MODEL is missing: a config.json, or a bundled model");
    FZ_TRY(required_count(out, "batch", &out->training.global_batch, err));
    FZ_TRY(required_count(out, "seq", &out->training.seq_len, err));
    FZ_TRY(fz_model_find(model, arena, &out->model, err));
    FZ_TRY(fz_training_check(&out->training, err));
    out->search = (fz_search){.global_batch = out->training.global_batch, .confidence = 0.9};
    out->search.job = (fz_training_run){
        .model = &out->model, .seq_len = out->training.seq_len, .flash_attention = true, .micro_batch = 1};
    FZ_TRY(choices_read(out, err));
    FZ_TRY(fz_args_number(args, "confidence", 0.5, 0.98, &out->search.confidence, err));
    FZ_TRY(fz_args_count(args, "max-gpus", 1, FZ_SEARCH_MAX_GPUS, &max_gpus, err));
    out->search.max_gpus = (uint32_t)max_gpus;
    FZ_TRY(refuse_with_paper(out, err));
    FZ_TRY(targets_read(out, err));
    out->tensor_across_nodes = fz_args_has(args, "tensor-across-nodes");
    return FZ_OK;
}

void fz_plan_params_text(const fz_model *model, char *text, size_t size)
{
    unsigned long long all = fz_model_params(model);
    unsigned long long active = fz_model_active_params(model);
    if (active == all)
        (void)snprintf(text, size, "%llu parameters", all);
    else
        (void)snprintf(text, size, "%llu parameters (%llu active)", all, active);
}
