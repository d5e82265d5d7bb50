/* frenzy plan: the search over parallel plans, by the analytic estimator. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <frenzy/memory_terms.h>
#include <frenzy/params.h>
#include <frenzy/units.h>

#include "sim/cli/json.h"
#include "sim/cli/plan_views.h"
#include "sim/cli/say.h"

#define MAX_SHOWN 5u /* plans a GPU type in the table */

typedef struct planning {
    const fz_plan_request *r;
    fz_search_type types[FZ_MAX_GPU_TYPES];
    fz_search_plan *plans; /* ranked */
    size_t n_plans;
    fz_search_plan misses[FZ_MAX_GPU_TYPES]; /* gpus 0: none */
} planning;

static const char *recompute_name(fz_recompute recompute)
{
    static const char *const names[] = {"none", "selective", "full"};
    return names[recompute];
}

static double gib(double bytes)
{
    return bytes / (double)FZ_GIB;
}

static double usable(const planning *p, uint32_t type)
{
    return (double)p->r->targets[type].gpu.mem_bytes;
}

static double tokens_per_s(const planning *p, const fz_search_plan *plan)
{
    double tokens = (double)p->r->training.global_batch * (double)p->r->training.seq_len;
    return plan->step_s > 0 ? tokens / plan->step_s : 0;
}

static fz_memory memory_of(const planning *p, const fz_search_plan *plan)
{
    fz_training_run run = fz_search_run(&p->r->search, plan);
    fz_memory memory = {0};
    (void)fz_memory_estimate(&run, p->r->search.confidence, &memory, NULL); /* the search accepted it */
    return memory;
}

static void plan_text(const fz_search_plan *plan, char *text, size_t size)
{
    const fz_plan shape = {.gpus = plan->gpus,
                           .data = plan->data,
                           .tensor = (uint16_t)plan->tensor,
                           .pipeline = (uint16_t)plan->pipeline,
                           .zero = plan->zero};
    (void)fz_plan_format(&shape, text, size);
}

static void why_not(const planning *p, uint32_t type, const fz_search_plan *miss, char *text, size_t size)
{
    (void)snprintf(text, size, "needs %.1f GiB per GPU, %.1f over", gib(miss->hi),
                   gib(miss->hi - usable(p, type)));
}

/* ---- table ---------------------------------------------------------------------------------------------- */

static void row_print(const planning *p, const fz_search_plan *plan)
{
    fz_memory m = memory_of(p, plan);
    char text[32], rate[32] = "-";
    plan_text(plan, text, sizeof text);
    if (plan->step_s > 0)
        (void)snprintf(rate, sizeof rate, "%.0f", tokens_per_s(p, plan));
    printf("  %-18s %5u  %-12s %-9s %5llu %6.1f %5.1f-%-5.1f %6.1f %6.1f", p->r->targets[plan->type].gpu.name,
           plan->gpus, text, recompute_name(plan->recompute), (unsigned long long)plan->micro_batch,
           gib(m.need), gib(m.lo), gib(m.hi), gib(usable(p, plan->type)), gib(usable(p, plan->type) - m.hi));
    printf(" %6.1f %6.1f %6.1f %6.1f %10s\n", gib(m.parts.weights + m.parts.gradients + m.parts.optimizer),
           gib(m.parts.activations), gib(m.parts.logits),
           gib(m.parts.buffers + m.parts.context + m.parts.fragmentation), rate);
}

/* The smallest number of GPUs of a type that a plan needs, 0 without one. */
static uint32_t smallest_plan(const planning *p, uint32_t type)
{
    uint32_t least = 0;
    for (size_t i = 0; i < p->n_plans; i++)
        if (p->plans[i].type == type && (least == 0 || p->plans[i].gpus < least))
            least = p->plans[i].gpus;
    return least;
}

/* The best in rank, and in any case the one on fewest GPUs. */
static void type_print(const planning *p, uint32_t type)
{
    uint32_t shown = 0;
    uint32_t smallest = smallest_plan(p, type);
    for (size_t i = 0; i < p->n_plans; i++) {
        const fz_search_plan *plan = &p->plans[i];
        if (plan->type == type && (shown < MAX_SHOWN || plan->gpus == smallest)) {
            row_print(p, plan);
            shown++;
        }
    }
    if (p->misses[type].gpus > 0) {
        char why[128];
        why_not(p, type, &p->misses[type], why, sizeof why);
        printf("  %-18s %5u  why not: %s\n", p->r->targets[type].gpu.name, p->misses[type].gpus, why);
    }
}

static void head_print(const planning *p)
{
    const fz_training_run *job = &p->r->search.job;
    char params[96];
    fz_plan_params_text(&p->r->model, params, sizeof params);
    printf("%s  %s, %s, %s, global batch %llu, seq %llu\n\n", p->r->model.name, params,
           fz_precision_name(job->precision), job->profile != NULL ? job->profile : "any framework",
           (unsigned long long)p->r->training.global_batch, (unsigned long long)p->r->training.seq_len);
    printf("  %-18s %5s  %-12s %-9s %5s %6s %-11s %6s %6s %6s %6s %6s %6s %10s\n", "GPU", "GPUs", "plan",
           "recompute", "batch", "need", "interval", "usable", "margin", "states", "activ", "logits", "other",
           "tokens/s");
}

static void table_print(const planning *p)
{
    head_print(p);
    for (uint32_t type = 0; type < p->r->n_targets; type++)
        type_print(p, type);
    printf("\nGiB per GPU; a plan d2t4p1z1 is data 2 x tensor 4 x pipeline 1 with ZeRO stage 1; batch is the "
           "micro-batch. "
           "The\nbest %u of a GPU type and the one on fewest GPUs; a plan fits when the upper end of its "
           "%.0f %% interval does.\n",
           MAX_SHOWN, 100 * p->r->search.confidence);
}

/* ---- explanation ---------------------------------------------------------------------------------------- */

static void part_print(const char *name, double bytes, const char *what)
{
    printf("  %-14s %8.2f GiB  %s\n", name, gib(bytes), what);
}

static void explain_print(const planning *p)
{
    const fz_search_plan *plan = &p->plans[0];
    fz_memory m = memory_of(p, plan);
    char text[32], node_text[64];
    fz_training_run run = fz_search_run(&p->r->search, plan);
    const fz_fitted_node *constants = fz_fitted_of(fz_memory_table(), &run);
    const fz_fitted_node *spread = fz_fitted_spread_of(fz_memory_table(), &run, run.tuning);
    plan_text(plan, text, sizeof text);
    fz_fitted_name(&run, node_text, sizeof node_text);
    printf("\n%s on %u x %s: %.2f GiB on pipeline stage %u\n", text, plan->gpus,
           p->r->targets[plan->type].gpu.name, gib(m.need), m.stage);
    part_print("weights", m.parts.weights, "parameters on this GPU");
    part_print("gradients", m.parts.gradients, "");
    part_print("optimizer", m.parts.optimizer, "master copy and moments, sharded by ZeRO");
    part_print("activations", m.parts.activations,
               "kept for the backward pass, over the micro-batches in flight");
    part_print("logits", m.parts.logits, "what the loss keeps (last stage)");
    part_print("buffers", m.parts.buffers, "gathered weights, work space, buckets");
    part_print("context", m.parts.context, "CUDA context and communicators");
    part_print("fragmentation", m.parts.fragmentation, "held by the allocator, not in use");
    printf("  constants of '%s' (asked: '%s'); interval from %u left-out runs of '%s'\n", constants->name,
           node_text, spread->rows[run.tuning], spread->name);
}

/* ---- JSON ----------------------------------------------------------------------------------------------- */

static void bytes_json(fz_json *json, const char *key, double bytes)
{
    fz_json_count(json, key, bytes > 0 ? (uint64_t)llround(fmin(bytes, 0x1p63)) : 0);
}

static void parts_json(fz_json *json, const fz_memory_parts *parts)
{
    fz_json_open(json, "parts");
    bytes_json(json, "weights", parts->weights);
    bytes_json(json, "gradients", parts->gradients);
    bytes_json(json, "optimizer", parts->optimizer);
    bytes_json(json, "activations", parts->activations);
    bytes_json(json, "logits", parts->logits);
    bytes_json(json, "buffers", parts->buffers);
    bytes_json(json, "context", parts->context);
    bytes_json(json, "fragmentation", parts->fragmentation);
    fz_json_close(json);
}

static void plan_json(fz_json *json, const planning *p, const fz_search_plan *plan)
{
    fz_memory m = memory_of(p, plan);
    char text[32];
    plan_text(plan, text, sizeof text);
    fz_json_open(json, NULL);
    fz_json_text(json, "gpu", p->r->targets[plan->type].gpu.name);
    fz_json_count(json, "n", plan->gpus);
    fz_json_count(json, "d", plan->data);
    fz_json_count(json, "t", plan->tensor);
    fz_json_count(json, "p", plan->pipeline);
    fz_json_count(json, "ep", fz_search_run(&p->r->search, plan).expert);
    fz_json_count(json, "zero", plan->zero);
    fz_json_text(json, "recompute", recompute_name(plan->recompute));
    fz_json_count(json, "micro_batch", plan->micro_batch);
    fz_json_text(json, "plan", text);
    bytes_json(json, "need_bytes", m.need);
    bytes_json(json, "lo_bytes", m.lo);
    bytes_json(json, "hi_bytes", m.hi);
    fz_json_count(json, "usable_bytes", p->r->targets[plan->type].gpu.mem_bytes);
    fz_json_bool(json, "fits", true);
    parts_json(json, &m.parts);
    fz_json_figure(json, "step_s", plan->step_s > 0 ? plan->step_s : -1);
    fz_json_figure(json, "tokens_per_s", plan->step_s > 0 ? tokens_per_s(p, plan) : -1);
    fz_json_text(json, "speed_origin", fz_origin_name(plan->step_s > 0 ? FZ_ORIGIN_CATALOG : FZ_ORIGIN_NONE));
    fz_json_close(json);
}

static void miss_json(fz_json *json, const planning *p, uint32_t type)
{
    const fz_search_plan *miss = &p->misses[type];
    char why[128];
    why_not(p, type, miss, why, sizeof why);
    fz_json_open(json, NULL);
    fz_json_text(json, "gpu", p->r->targets[type].gpu.name);
    fz_json_count(json, "n", miss->gpus);
    bytes_json(json, "need_bytes", miss->need);
    bytes_json(json, "hi_bytes", miss->hi);
    fz_json_text(json, "why", why);
    fz_json_close(json);
}

static void all_json(const planning *p)
{
    fz_json json = fz_json_start(stdout, "frenzy-plan-2");
    fz_json_text(&json, "model", p->r->model.name);
    fz_json_text(&json, "estimator", "analytic");
    fz_json_text(&json, "profile", p->r->search.job.profile != NULL ? p->r->search.job.profile : "all");
    fz_json_number(&json, "confidence", p->r->search.confidence);
    fz_json_count(&json, "params", fz_model_params(&p->r->model));
    fz_json_count(&json, "active_params", fz_model_active_params(&p->r->model));
    fz_json_open_list(&json, "plans");
    for (size_t i = 0; i < p->n_plans; i++)
        plan_json(&json, p, &p->plans[i]);
    fz_json_close_list(&json);
    fz_json_open_list(&json, "rejected");
    for (uint32_t type = 0; type < p->r->n_targets; type++)
        if (p->misses[type].gpus > 0)
            miss_json(&json, p, type);
    fz_json_close_list(&json);
    fz_json_end(&json);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static fz_status search(planning *p, fz_error *err)
{
    const fz_plan_request *r = p->r;
    for (uint32_t type = 0; type < r->n_targets; type++)
        p->types[type] = (fz_search_type){.gpu = &r->targets[type].gpu,
                                          .gpus = r->targets[type].gpus,
                                          .node_gpus = r->targets[type].node_gpus,
                                          .tensor_across_nodes = r->tensor_across_nodes};
    p->plans = FZ_NEW(r->arena, (size_t)r->n_targets * FZ_SEARCH_PER_TYPE, fz_search_plan);
    if (p->plans == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for plans");
    FZ_TRY(fz_search_plans(&r->search, p->types, r->n_targets, p->plans, &p->n_plans, err));
    for (uint32_t type = 0; type < r->n_targets; type++)
        (void)fz_search_near_miss(&r->search, &p->types[type], smallest_plan(p, type), &p->misses[type]);
    return FZ_OK;
}

int fz_plan_show_analytic(const fz_plan_request *request)
{
    planning *p = FZ_NEW(request->arena, 1, planning);
    fz_error err = {0};
    fz_status status = p != NULL ? FZ_OK : fz_fail(&err, FZ_ENOMEM, "no memory for plans");
    if (status == FZ_OK) {
        p->r = request;
        status = search(p, &err);
    }
    if (status != FZ_OK)
        return fz_say_error(&err);
    if (fz_args_has(request->args, "json"))
        all_json(p);
    else
        table_print(p);
    if (!fz_args_has(request->args, "json") && fz_args_has(request->args, "explain") && p->n_plans > 0)
        explain_print(p);
    if (p->n_plans > 0)
        return FZ_EXIT_DONE;
    fz_say_warning("it fits nowhere: no plan for %s fits any of these GPUs", request->model.name);
    return FZ_EXIT_NOWHERE;
}
