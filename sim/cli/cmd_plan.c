/* frenzy plan: will this training job fit, on which GPUs, how many, under which parallelism (MARP). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frenzy/marp.h>
#include <frenzy/params.h>
#include <frenzy/speed.h>
#include <frenzy/units.h>

#include "sim/cli/commands.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"
#include "workloads/cluster_file.h"
#include "workloads/models.h"

#define MAX_SHOWN 5u /* plans a GPU type in the table */

/* A GPU type to plan for, and how many of it there are. */
typedef struct target {
    fz_gpu_type gpu;
    uint32_t gpus;
} target;

typedef struct planning {
    const fz_args *args;
    fz_arena *arena;
    fz_model model;
    fz_training training;
    target targets[FZ_MAX_GPU_TYPES];
    uint32_t n_targets;
    fz_plan *plans; /* all, ranked */
    size_t n_plans;
} planning;

/* ---- reading -------------------------------------------------------------------------------------------- */

static fz_status gpu_add(planning *p, const char *name, fz_error *err)
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
    for (uint32_t t = 0; t < p->n_targets; t++)
        if (strcmp(p->targets[t].gpu.name, found->name) == 0)
            return fz_fail(err, FZ_EUSAGE, "--gpu: '%s' is named twice (%s)", name, found->name);
    if (p->n_targets == FZ_MAX_GPU_TYPES)
        return fz_fail(err, FZ_EUSAGE, "at most %d GPU types", FZ_MAX_GPU_TYPES);
    p->targets[p->n_targets++] = (target){.gpu = fz_catalog_gpu_type(found, found->name), .gpus = UINT32_MAX};
    return FZ_OK;
}

static fz_status cluster_add(planning *p, const char *path, fz_error *err)
{
    fz_cluster_file *file = NULL;
    FZ_TRY(fz_cluster_file_read(path, &file, err));
    for (uint32_t type = 0; type < file->spec.n_types && p->n_targets < FZ_MAX_GPU_TYPES; type++) {
        target *own = &p->targets[p->n_targets++];
        *own = (target){.gpu = file->spec.types[type]};
        own->gpu.name =
            fz_arena_strdup(p->arena, own->gpu.name); /* the file is closed before it is printed */
        for (uint32_t i = 0; i < file->spec.n_nodes; i++)
            own->gpus += file->spec.nodes[i].type == type ? file->spec.nodes[i].gpus : 0;
        if (own->gpu.name == NULL)
            own->gpu.name = "?";
    }
    fz_cluster_file_free(file);
    return FZ_OK;
}

static fz_status targets_read(planning *p, fz_error *err)
{
    const char *name = NULL;
    for (uint32_t k = 0; (name = fz_args_nth(p->args, "gpu", k)) != NULL; k++)
        FZ_TRY(gpu_add(p, name, err));
    const char *cluster = fz_args_get(p->args, "cluster");
    if (cluster != NULL)
        FZ_TRY(cluster_add(p, cluster, err));
    if (p->n_targets > 0)
        return FZ_OK;
    FZ_TRY(gpu_add(p, "a100-80g", err)); /* named neither: the two most common ones */
    return gpu_add(p, "h100", err);
}

static fz_status required_count(const planning *p, const char *name, uint64_t *out, fz_error *err)
{
    if (!fz_args_has(p->args, name))
        return fz_fail(err, FZ_EUSAGE, "--%s N is missing", name);
    return fz_args_count(p->args, name, 1, (uint64_t)1 << 32, out, err);
}

static fz_status planning_read(planning *p, fz_error *err)
{
    const char *model = fz_args_get(p->args, "model");
    if (model == NULL)
        return fz_fail(err, FZ_EUSAGE, "--model MODEL is missing: a config.json, or a bundled model");
    FZ_TRY(required_count(p, "batch", &p->training.global_batch, err));
    FZ_TRY(required_count(p, "seq", &p->training.seq_len, err));
    FZ_TRY(fz_model_find(model, p->arena, &p->model, err));
    FZ_TRY(fz_training_check(&p->training, err));
    FZ_TRY(fz_marp_check(&p->model, err));
    return targets_read(p, err);
}

/* ---- planning ------------------------------------------------------------------------------------------- */

static bool fits(const planning *p, const fz_plan *plan, uint32_t t)
{
    return plan->mem_bytes <= p->targets[t].gpu.mem_bytes && plan->gpus <= p->targets[t].gpus;
}

static double gib(double bytes)
{
    return bytes / (double)FZ_GIB;
}

static double tokens_per_s(const planning *p, const fz_plan *plan, uint32_t t)
{
    double flop = fz_speed_step_flop(&p->model, &p->training);
    double step = fz_speed_step_s(flop, plan, p->targets[t].gpu.flops_per_s);
    return step > 0 ? (double)p->training.global_batch * (double)p->training.seq_len / step : 0;
}

/* Why a plan does not run on a type, in words. */
static void why_not(const planning *p, const fz_plan *plan, uint32_t t, char *text, size_t size)
{
    double over = (double)plan->mem_bytes - (double)p->targets[t].gpu.mem_bytes;
    if (over > 0)
        snprintf(text, size, "needs %.1f GiB per GPU, %.1f over", gib((double)plan->mem_bytes), gib(over));
    else
        snprintf(text, size, "needs %u GPUs, the cluster has %u of this type", plan->gpus,
                 p->targets[t].gpus);
}

/* The last plan in rank that does not fit before the first that does: the nearest miss. */
static const fz_plan *near_miss(const planning *p, uint32_t t)
{
    const fz_plan *miss = NULL;
    for (size_t i = 0; i < p->n_plans && !fits(p, &p->plans[i], t); i++)
        miss = &p->plans[i];
    return miss;
}

static bool fits_anywhere(const planning *p)
{
    for (size_t i = 0; i < p->n_plans; i++)
        for (uint32_t t = 0; t < p->n_targets; t++)
            if (fits(p, &p->plans[i], t))
                return true;
    return false;
}

/* ---- printing ------------------------------------------------------------------------------------------- */

static void plan_print(const planning *p, const fz_plan *plan, uint32_t t)
{
    fz_marp_parts parts;
    char text[32], rate[32];
    fz_marp_need(&p->model, &p->training, plan->tensor, plan->data, &parts);
    fz_plan_format(plan, text, sizeof(text));
    double tokens = tokens_per_s(p, plan, t);
    if (tokens > 0)
        snprintf(rate, sizeof(rate), "%.0f", tokens);
    else
        snprintf(rate, sizeof(rate), "-");
    printf("  %-18s %5u  %-14s %7.1f / %-7.1f %8.1f %6.1f %6.1f %6.1f %12s\n", p->targets[t].gpu.name,
           plan->gpus, text, gib((double)plan->mem_bytes), gib((double)p->targets[t].gpu.mem_bytes),
           gib(parts.weights), gib(parts.gradients), gib(parts.optimizer), gib(parts.activations), rate);
}

static void target_print(const planning *p, uint32_t t)
{
    uint32_t shown = 0;
    for (size_t i = 0; i < p->n_plans && shown < MAX_SHOWN; i++)
        if (fits(p, &p->plans[i], t)) {
            plan_print(p, &p->plans[i], t);
            shown++;
        }
    const fz_plan *miss = near_miss(p, t);
    if (miss != NULL) {
        char why[128];
        why_not(p, miss, t, why, sizeof(why));
        printf("  %-18s %5u  why not: %s\n", p->targets[t].gpu.name, miss->gpus, why);
    }
}

/* "6738415616 parameters", and for mixtures of experts how many of them are active. */
static void params_text(const fz_model *model, char *text, size_t size)
{
    unsigned long long all = fz_model_params(model);
    unsigned long long active = fz_model_active_params(model);
    if (active == all)
        snprintf(text, size, "%llu parameters", all);
    else
        snprintf(text, size, "%llu parameters (%llu active)", all, active);
}

static void table_print(const planning *p)
{
    char params[96];
    params_text(&p->model, params, sizeof(params));
    printf("%s  %s, mixed precision + Adam, global batch %llu, seq %llu (published formula)\n\n",
           p->model.name, params, (unsigned long long)p->training.global_batch,
           (unsigned long long)p->training.seq_len);
    printf("  %-18s %5s  %-14s %7s / %-7s %8s %6s %6s %6s %12s\n", "GPU", "GPUs", "plan", "need", "usable",
           "weights", "grads", "optim", "activ", "tokens/s");
    for (uint32_t t = 0; t < p->n_targets; t++)
        target_print(p, t);
    printf("\nGiB per GPU; fewest GPUs first, then least memory; at most %u plans a GPU type. Speed without "
           "communication.\n",
           MAX_SHOWN);
}

static void plan_json(fz_json *json, const planning *p, const fz_plan *plan, uint32_t t)
{
    fz_marp_parts parts;
    char text[32];
    fz_marp_need(&p->model, &p->training, plan->tensor, plan->data, &parts);
    fz_plan_format(plan, text, sizeof(text));
    fz_json_open(json, NULL);
    fz_json_text(json, "gpu", p->targets[t].gpu.name);
    fz_json_count(json, "n", plan->gpus);
    fz_json_count(json, "d", plan->data);
    fz_json_count(json, "t", plan->tensor);
    fz_json_count(json, "p", plan->pipeline);
    fz_json_count(json, "zero", plan->zero);
    fz_json_text(json, "plan", text);
    fz_json_count(json, "need_bytes", plan->mem_bytes);
    fz_json_count(json, "usable_bytes", p->targets[t].gpu.mem_bytes);
    fz_json_bool(json, "fits", true);
    fz_json_open(json, "parts");
    fz_json_number(json, "weights", parts.weights);
    fz_json_number(json, "gradients", parts.gradients);
    fz_json_number(json, "optimizer", parts.optimizer);
    fz_json_number(json, "activations", parts.activations);
    fz_json_close(json);
    double tokens = tokens_per_s(p, plan, t);
    fz_json_figure(json, "tokens_per_s", tokens > 0 ? tokens : -1);
    fz_json_text(json, "speed_origin", fz_origin_name(p->targets[t].gpu.flops_origin));
    fz_json_close(json);
}

static void rejected_json(fz_json *json, const planning *p, const fz_plan *plan, uint32_t t)
{
    char why[128];
    why_not(p, plan, t, why, sizeof(why));
    fz_json_open(json, NULL);
    fz_json_text(json, "gpu", p->targets[t].gpu.name);
    fz_json_count(json, "n", plan->gpus);
    fz_json_count(json, "need_bytes", plan->mem_bytes);
    fz_json_text(json, "why", why);
    fz_json_close(json);
}

static void all_json(const planning *p)
{
    fz_json json = fz_json_start(stdout, "frenzy-plan-1");
    fz_json_text(&json, "model", p->model.name);
    fz_json_text(&json, "estimator", "paper");
    fz_json_count(&json, "params", fz_model_params(&p->model));
    fz_json_count(&json, "active_params", fz_model_active_params(&p->model));
    fz_json_open_list(&json, "plans");
    for (uint32_t t = 0; t < p->n_targets; t++)
        for (size_t i = 0; i < p->n_plans; i++)
            if (fits(p, &p->plans[i], t))
                plan_json(&json, p, &p->plans[i], t);
    fz_json_close_list(&json);
    fz_json_open_list(&json, "rejected");
    for (uint32_t t = 0; t < p->n_targets; t++)
        for (size_t i = 0; i < p->n_plans; i++)
            if (!fits(p, &p->plans[i], t))
                rejected_json(&json, p, &p->plans[i], t);
    fz_json_close_list(&json);
    fz_json_end(&json);
}

static int plan_all(planning *p)
{
    fz_error err;
    p->plans = FZ_NEW(p->arena, FZ_MARP_MAX_PLANS, fz_plan);
    if (p->plans == NULL) {
        fz_fail(&err, FZ_ENOMEM, "no memory for plans");
        return fz_say_error(&err);
    }
    if (planning_read(p, &err) != FZ_OK)
        return err.status == FZ_EUSAGE ? fz_say_error(&err) : fz_say_input_error(&err);
    p->n_plans = fz_marp_plans(&p->model, &p->training, p->plans);
    if (fz_args_has(p->args, "json"))
        all_json(p);
    else
        table_print(p);
    if (fits_anywhere(p))
        return FZ_EXIT_DONE;
    fz_say_warning("it fits nowhere: no plan for %s fits any of these GPUs", p->model.name);
    return FZ_EXIT_NOWHERE;
}

static int plan_run(const fz_args *args)
{
    planning *p = calloc(1, sizeof(*p));
    fz_arena *arena = fz_arena_new(NULL);
    int code = FZ_EXIT_FAILED;
    if (p != NULL && arena != NULL) {
        p->args = args;
        p->arena = arena;
        code = plan_all(p);
    }
    fz_arena_free(arena);
    free(p);
    return code;
}

static const fz_option options[] = {
    {"model", "MODEL", "a Hugging Face config.json, its folder, or a bundled model (llama-2-7b)"},
    {"batch", "N", "global batch: sequences in a step over all GPUs"},
    {"seq", "N", "sequence length in tokens"},
    {"gpu", "NAME", "a GPU of the catalog (a100-80g); may come again (default a100-80g and h100)"},
    {"cluster", "FILE", "the GPU types and counts of a cluster"},
};

const fz_command fz_command_plan = {
    .name = "plan",
    .summary = "will this training job fit, on which GPUs, how many, under which parallelism (MARP)",
    .arguments = "--model MODEL --batch N --seq N [--gpu NAME]... [--cluster FILE] [--json]",
    .examples = "  frenzy plan --model llama-2-7b --batch 4 --seq 2048 --gpu a100-80g --gpu v100-32g\n"
                "  frenzy plan --model path/to/config.json --batch 512 --seq 4096 --cluster sia-64 --json\n",
    .notes = "Exit code 6: it fits nowhere. Memory is predicted by the published formula of Frenzy, which "
             "knows tensor\n"
             "and data parallelism with mixed precision and Adam, without ZeRO, pipeline or recomputation.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .run = plan_run,
};
