/* frenzy plan --estimator paper: plans by the published formula. */
#include <stdio.h>

#include <frenzy/marp.h>
#include <frenzy/params.h>
#include <frenzy/speed.h>
#include <frenzy/units.h>

#include "sim/cli/json.h"
#include "sim/cli/plan_views.h"
#include "sim/cli/say.h"

#define MAX_SHOWN 5u /* plans a GPU type in the table */

typedef struct planning {
    const fz_plan_request *r;
    fz_plan *plans; /* all, ranked */
    size_t n_plans;
} planning;

/* ---- planning ------------------------------------------------------------------------------------------- */

static bool fits(const planning *p, const fz_plan *plan, uint32_t t)
{
    return plan->mem_bytes <= p->r->targets[t].gpu.mem_bytes && plan->gpus <= p->r->targets[t].gpus &&
           plan->gpus <= p->r->search.max_gpus;
}

static double gib(double bytes)
{
    return bytes / (double)FZ_GIB;
}

static double tokens_per_s(const planning *p, const fz_plan *plan, uint32_t t)
{
    double flop = fz_speed_step_flop(&p->r->model, &p->r->training);
    double step = fz_speed_step_s(flop, plan, p->r->targets[t].gpu.flops_per_s);
    return step > 0 ? (double)p->r->training.global_batch * (double)p->r->training.seq_len / step : 0;
}

/* Why a plan does not run on a type, in words. */
static void why_not(const planning *p, const fz_plan *plan, uint32_t t, char *text, size_t size)
{
    double over = (double)plan->mem_bytes - (double)p->r->targets[t].gpu.mem_bytes;
    if (over > 0)
        snprintf(text, size, "needs %.1f GiB per GPU, %.1f over", gib((double)plan->mem_bytes), gib(over));
    else
        snprintf(text, size, "needs %u GPUs, the cluster has %u of this type", plan->gpus,
                 p->r->targets[t].gpus);
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
        for (uint32_t t = 0; t < p->r->n_targets; t++)
            if (fits(p, &p->plans[i], t))
                return true;
    return false;
}

/* ---- printing ------------------------------------------------------------------------------------------- */

static void plan_print(const planning *p, const fz_plan *plan, uint32_t t)
{
    fz_marp_parts parts;
    char text[32], rate[32];
    fz_marp_need(&p->r->model, &p->r->training, plan->tensor, plan->data, &parts);
    fz_plan_format(plan, text, sizeof(text));
    double tokens = tokens_per_s(p, plan, t);
    if (tokens > 0)
        snprintf(rate, sizeof(rate), "%.0f", tokens);
    else
        snprintf(rate, sizeof(rate), "-");
    printf("  %-18s %5u  %-14s %7.1f / %-7.1f %8.1f %6.1f %6.1f %6.1f %12s\n", p->r->targets[t].gpu.name,
           plan->gpus, text, gib((double)plan->mem_bytes), gib((double)p->r->targets[t].gpu.mem_bytes),
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
        printf("  %-18s %5u  why not: %s\n", p->r->targets[t].gpu.name, miss->gpus, why);
    }
}

static void table_print(const planning *p)
{
    char params[96];
    fz_plan_params_text(&p->r->model, params, sizeof(params));
    printf("%s  %s, mixed precision + Adam, global batch %llu, seq %llu (published formula)\n\n",
           p->r->model.name, params, (unsigned long long)p->r->training.global_batch,
           (unsigned long long)p->r->training.seq_len);
    printf("  %-18s %5s  %-14s %7s / %-7s %8s %6s %6s %6s %12s\n", "GPU", "GPUs", "plan", "need", "usable",
           "weights", "grads", "optim", "activ", "tokens/s");
    for (uint32_t t = 0; t < p->r->n_targets; t++)
        target_print(p, t);
    printf("\nGiB per GPU; fewest GPUs first, then least memory; at most %u plans a GPU type. Speed without "
           "communication.\n",
           MAX_SHOWN);
}

static void plan_json(fz_json *json, const planning *p, const fz_plan *plan, uint32_t t)
{
    fz_marp_parts parts;
    char text[32];
    fz_marp_need(&p->r->model, &p->r->training, plan->tensor, plan->data, &parts);
    fz_plan_format(plan, text, sizeof(text));
    fz_json_open(json, NULL);
    fz_json_text(json, "gpu", p->r->targets[t].gpu.name);
    fz_json_count(json, "n", plan->gpus);
    fz_json_count(json, "d", plan->data);
    fz_json_count(json, "t", plan->tensor);
    fz_json_count(json, "p", plan->pipeline);
    fz_json_count(json, "zero", plan->zero);
    fz_json_text(json, "plan", text);
    fz_json_count(json, "need_bytes", plan->mem_bytes);
    fz_json_count(json, "usable_bytes", p->r->targets[t].gpu.mem_bytes);
    fz_json_bool(json, "fits", true);
    fz_json_open(json, "parts");
    fz_json_number(json, "weights", parts.weights);
    fz_json_number(json, "gradients", parts.gradients);
    fz_json_number(json, "optimizer", parts.optimizer);
    fz_json_number(json, "activations", parts.activations);
    fz_json_close(json);
    double tokens = tokens_per_s(p, plan, t);
    fz_json_figure(json, "tokens_per_s", tokens > 0 ? tokens : -1);
    fz_json_text(json, "speed_origin", fz_origin_name(p->r->targets[t].gpu.flops_origin));
    fz_json_close(json);
}

static void rejected_json(fz_json *json, const planning *p, const fz_plan *plan, uint32_t t)
{
    char why[128];
    why_not(p, plan, t, why, sizeof(why));
    fz_json_open(json, NULL);
    fz_json_text(json, "gpu", p->r->targets[t].gpu.name);
    fz_json_count(json, "n", plan->gpus);
    fz_json_count(json, "need_bytes", plan->mem_bytes);
    fz_json_text(json, "why", why);
    fz_json_close(json);
}

static void all_json(const planning *p)
{
    fz_json json = fz_json_start(stdout, "frenzy-plan-1");
    fz_json_text(&json, "model", p->r->model.name);
    fz_json_text(&json, "estimator", "paper");
    fz_json_count(&json, "params", fz_model_params(&p->r->model));
    fz_json_count(&json, "active_params", fz_model_active_params(&p->r->model));
    fz_json_open_list(&json, "plans");
    for (uint32_t t = 0; t < p->r->n_targets; t++)
        for (size_t i = 0; i < p->n_plans; i++)
            if (fits(p, &p->plans[i], t))
                plan_json(&json, p, &p->plans[i], t);
    fz_json_close_list(&json);
    fz_json_open_list(&json, "rejected");
    for (uint32_t t = 0; t < p->r->n_targets; t++)
        for (size_t i = 0; i < p->n_plans; i++)
            if (!fits(p, &p->plans[i], t))
                rejected_json(&json, p, &p->plans[i], t);
    fz_json_close_list(&json);
    fz_json_end(&json);
}

int fz_plan_show_paper(const fz_plan_request *request)
{
    planning p = {.r = request};
    fz_error err;
    p.plans = FZ_NEW(request->arena, FZ_MARP_MAX_PLANS, fz_plan);
    if (p.plans == NULL) {
        fz_fail(&err, FZ_ENOMEM, "no memory for plans");
        return fz_say_error(&err);
    }
    p.n_plans = fz_marp_plans(&request->model, &request->training, p.plans);
    if (fz_args_has(request->args, "json"))
        all_json(&p);
    else
        table_print(&p);
    if (fits_anywhere(&p))
        return FZ_EXIT_DONE;
    fz_say_warning("it fits nowhere: no plan for %s fits any of these GPUs", request->model.name);
    return FZ_EXIT_NOWHERE;
}
