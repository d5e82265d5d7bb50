#include <frenzy/search.h>

#include <math.h>
#include <stdlib.h>

#include <frenzy/memory_terms.h>
#include <frenzy/step.h>

#include "search_space.h"

#define PIPELINE_MAX 64u
#define TENSOR_MAX   64u

typedef struct searcher {
    const fz_search *search;
    const fz_search_type *types;
    uint32_t n_types;
    fz_memory_basis basis;
    bool selective_helps;
    double room; /* the largest usable memory of the types */
    fz_step_basis speed;
    fz_step_hardware hardware[FZ_MAX_GPU_TYPES];
    fz_search_plan *plans; /* FZ_SEARCH_PER_TYPE of each type */
    uint32_t kept[FZ_MAX_GPU_TYPES];
} searcher;

/* ---- runs ----------------------------------------------------------------------------------------------- */

static uint32_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (uint32_t)a;
}

/* Experts are dealt out over as many data parallel ranks as divide them. */
static uint32_t expert_degree(const fz_search *search, uint32_t data)
{
    uint64_t experts = search->job.model->experts;
    bool split = fz_memory_framework_of(search->job.profile)->traits.splits_models;
    return experts > 0 && split ? common_divisor(experts, data) : 1;
}

fz_training_run fz_search_run(const fz_search *search, const fz_search_plan *plan)
{
    fz_training_run run = search->job;
    uint64_t turn = plan->data * plan->micro_batch;
    turn = turn > 0 ? turn : 1;
    run.data = plan->data;
    run.tensor = plan->tensor;
    run.pipeline = plan->pipeline;
    run.expert = expert_degree(search, plan->data);
    run.sequence_parallel = plan->tensor > 1;
    run.zero = plan->zero;
    run.recompute = plan->recompute;
    run.micro_batch = plan->micro_batch;
    run.micro_batches = (search->global_batch + turn - 1) / turn; /* the last one may be short */
    run.metric = FZ_METRIC_DEVICE;
    run.rank = FZ_RANK_MAX;
    return run;
}

/* 0 where the type's speed is not known. */
static double step_seconds(const searcher *s, const fz_search_plan *plan)
{
    fz_training_run run = fz_search_run(s->search, plan);
    fz_step step;
    if (!(s->hardware[plan->type].matrix_flops > 0))
        return 0;
    fz_step_time(&s->speed, &run, &s->hardware[plan->type], &step);
    return step.seconds;
}

/* ---- rank ----------------------------------------------------------------------------------------------- */

static double gpu_seconds(const fz_search_plan *p)
{
    return p->step_s > 0 ? p->step_s * p->gpus : (double)INFINITY;
}

static double price(const searcher *s, const fz_search_plan *p)
{
    double usd = s->types[p->type].gpu->price_usd_per_h;
    return usd > 0 ? gpu_seconds(p) * usd : (double)INFINITY;
}

static double score_of(const searcher *s, const fz_search_plan *p)
{
    switch (s->search->rank) {
    case FZ_SEARCH_EFFICIENT:
        return gpu_seconds(p);
    case FZ_SEARCH_FEWEST_GPUS:
        return p->gpus;
    case FZ_SEARCH_FASTEST:
        return p->step_s > 0 ? p->step_s : (double)INFINITY;
    case FZ_SEARCH_CHEAPEST:
        break;
    }
    return price(s, p);
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_rank(const void *left, const void *right)
{
    const fz_search_plan *a = left;
    const fz_search_plan *b = right;
    const double keys[][2] = {
        {a->score, b->score}, {a->gpus, b->gpus},     {a->step_s, b->step_s},    {a->hi, b->hi},
        {a->type, b->type},   {a->tensor, b->tensor}, {a->pipeline, b->pipeline}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (order(keys[i][0], keys[i][1]) != 0)
            return order(keys[i][0], keys[i][1]);
    return 0;
}

/* Of two plans on as many GPUs of one type: the faster, else the one that needs less. */
static bool is_better(const fz_search_plan *a, const fz_search_plan *b)
{
    if (a->step_s != b->step_s)
        return a->step_s < b->step_s;
    return a->hi < b->hi;
}

/* Keeps the best plan of a type and number of GPUs. */
static void keep(searcher *s, const fz_search_plan *plan)
{
    fz_search_plan *own = s->plans + (size_t)plan->type * FZ_SEARCH_PER_TYPE;
    uint32_t n = s->kept[plan->type];
    uint32_t worst = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (own[i].gpus == plan->gpus) {
            if (is_better(plan, &own[i]))
                own[i] = *plan;
            return;
        }
        if (by_rank(&own[i], &own[worst]) > 0)
            worst = i;
    }
    if (n < FZ_SEARCH_PER_TYPE)
        own[s->kept[plan->type]++] = *plan;
    else if (by_rank(plan, &own[worst]) < 0)
        own[worst] = *plan;
}

static size_t sort_plans(searcher *s)
{
    size_t n = 0;
    for (uint32_t type = 0; type < s->n_types; type++)
        for (uint32_t i = 0; i < s->kept[type]; i++)
            s->plans[n++] = s->plans[(size_t)type * FZ_SEARCH_PER_TYPE + i];
    qsort(s->plans, n, sizeof *s->plans, by_rank);
    return n;
}

/* ---- one choice of degrees ------------------------------------------------------------------------------ */

static double upper_need(const searcher *s, fz_search_plan *plan)
{
    fz_training_run run = fz_search_run(s->search, plan);
    plan->need = fz_memory_need(&s->basis, &run);
    plan->lo = plan->need * s->basis.lo;
    plan->hi = plan->need * s->basis.hi;
    return plan->hi;
}

static uint32_t widest_tensor(const fz_search_type *type)
{
    return type->tensor_across_nodes ? TENSOR_MAX : type->node_gpus;
}

static bool hosts(const searcher *s, uint32_t type, const fz_search_plan *plan)
{
    const fz_search_type *t = &s->types[type];
    return plan->gpus <= t->gpus && plan->tensor <= widest_tensor(t);
}

/* Offers a plan to every type that can hold it; bit i of `open` is cleared where it fits. */
static fz_type_mask offer(searcher *s, fz_search_plan *plan, fz_type_mask open)
{
    fz_type_mask fitting = 0;
    for (uint32_t type = 0; type < s->n_types; type++) {
        if ((open & FZ_TYPE_BIT(type)) == 0 || plan->hi > (double)s->types[type].gpu->mem_bytes)
            continue;
        plan->type = type;
        plan->step_s = step_seconds(s, plan);
        plan->score = score_of(s, plan);
        keep(s, plan);
        fitting |= FZ_TYPE_BIT(type);
    }
    return fitting;
}

/* Micro-batches of 1, 2, 4, ... as long as they divide what a rank gets and fit somewhere. Memory grows with
 * them, time does not; so each is offered. Returns the types on which some fits. */
static fz_type_mask try_micro_batches(searcher *s, fz_search_plan *plan, fz_type_mask open)
{
    uint64_t share = (s->search->global_batch + plan->data - 1) / plan->data;
    fz_type_mask fitting = 0;
    uint64_t from = s->search->micro_batch > 0 ? s->search->micro_batch : 1;
    uint64_t to = s->search->micro_batch > 0 ? s->search->micro_batch : 64;
    for (uint64_t b = from; b <= to && b <= share && share % b == 0; b *= 2) {
        plan->micro_batch = b;
        if (upper_need(s, plan) > s->room)
            break;
        fitting |= offer(s, plan, open);
    }
    return fitting;
}

static fz_type_mask hosting_types(const searcher *s, const fz_search_plan *plan)
{
    fz_type_mask out = 0;
    for (uint32_t type = 0; type < s->n_types; type++)
        if (hosts(s, type, plan))
            out |= FZ_TYPE_BIT(type);
    return out;
}

/* All ways to save memory under fixed degrees, the fastest first; a type leaves the search with the first that
 * fits it. Returns the types left without any. */
static fz_type_mask try_degrees(searcher *s, fz_search_plan plan)
{
    savings ways = search_savings(s->search, s->selective_helps, s->basis.traits->zero_most, &plan);
    fz_type_mask open = hosting_types(s, &plan);
    for (uint32_t i = 0; i < ways.n && open != 0; i++) {
        plan.zero = ways.at[i].zero;
        plan.recompute = ways.at[i].recompute;
        open &= ~try_micro_batches(s, &plan, open);
    }
    return open;
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

static uint32_t least(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

static uint32_t largest_tensor(const searcher *s)
{
    uint32_t most = 1;
    for (uint32_t type = 0; type < s->n_types; type++) {
        uint32_t tensor = widest_tensor(&s->types[type]);
        most = tensor > most ? tensor : most;
    }
    return most;
}

static uint32_t most_gpus(const searcher *s)
{
    uint32_t most = 0;
    for (uint32_t type = 0; type < s->n_types; type++)
        most = s->types[type].gpus > most ? s->types[type].gpus : most;
    return least(most, s->search->max_gpus);
}

/* Degrees to run through. */
typedef struct degrees {
    divisors tensor, pipeline, data;
    uint32_t most; /* GPUs */
} degrees;

static degrees degrees_of(const searcher *s)
{
    const fz_model *m = s->search->job.model;
    uint32_t most = most_gpus(s);
    bool split = s->basis.traits->splits_models;
    return (degrees){
        .tensor = search_divisors(m->heads, split ? least(TENSOR_MAX, largest_tensor(s)) : 1),
        .pipeline = search_divisors(m->layers, split ? PIPELINE_MAX : 1),
        .data = search_divisors(s->search->exact_gpus > 0 ? s->search->exact_gpus : s->search->global_batch,
                                most),
        .most = most,
    };
}

static fz_search_plan plan_of(const degrees *all, uint32_t t, uint32_t d, uint32_t p)
{
    fz_search_plan plan = {
        .data = all->data.at[d], .tensor = all->tensor.at[t], .pipeline = all->pipeline.at[p]};
    uint64_t gpus = (uint64_t)plan.data * plan.tensor * plan.pipeline;
    plan.gpus = least(gpus, UINT32_MAX);
    return plan;
}

static bool has_wanted_size(const searcher *s, const fz_search_plan *plan)
{
    return s->search->exact_gpus == 0 || plan->gpus == s->search->exact_gpus;
}

static void search_all(searcher *s)
{
    degrees all = degrees_of(s);
    for (uint32_t t = 0; t < all.tensor.n; t++)
        for (uint32_t d = 0; d < all.data.n; d++)
            for (uint32_t p = 0; p < all.pipeline.n; p++) {
                fz_search_plan plan = plan_of(&all, t, d, p);
                if (plan.gpus > all.most)
                    break;
                if (has_wanted_size(s, &plan) && try_degrees(s, plan) == 0)
                    break; /* more stages than needed only add a bubble */
            }
}

static fz_status check(const fz_search *search, uint32_t n_types, fz_error *err)
{
    fz_training_run run = search->job;
    run.micro_batch = 1;
    run.data = run.tensor = run.pipeline = 1;
    run.zero = 0;
    FZ_TRY(fz_memory_check(&run, err));
    if (search->global_batch < 1 || search->global_batch > (uint64_t)1 << 32)
        return fz_fail(err, FZ_EINVAL, "global_batch is %llu, expected 1 to 2^32",
                       (unsigned long long)search->global_batch);
    if (search->max_gpus < 1 || search->max_gpus > FZ_SEARCH_MAX_GPUS)
        return fz_fail(err, FZ_EINVAL, "max_gpus is %u, expected 1 to %u", search->max_gpus,
                       FZ_SEARCH_MAX_GPUS);
    if (n_types > FZ_MAX_GPU_TYPES)
        return fz_fail(err, FZ_EINVAL, "%u GPU types, at most %d", n_types, FZ_MAX_GPU_TYPES);
    return FZ_OK;
}

static fz_status start(searcher *s, fz_error *err)
{
    const fz_search *search = s->search;
    FZ_TRY(check(search, s->n_types, err));
    FZ_TRY(fz_memory_prepare(&search->job, search->confidence, &s->basis, err));
    FZ_TRY(fz_step_prepare(&search->job, search->confidence, &s->speed, err));
    s->selective_helps = !search->job.flash_attention || s->basis.traits->selects_operators;
    for (uint32_t type = 0; type < s->n_types; type++) {
        s->room = fmax(s->room, (double)s->types[type].gpu->mem_bytes);
        s->hardware[type] = fz_step_hardware_of(s->types[type].gpu, s->types[type].node_gpus);
    }
    return FZ_OK;
}

fz_status fz_search_plans(const fz_search *search, const fz_search_type *types, uint32_t n_types,
                          fz_search_plan *plans, size_t *n, fz_error *err)
{
    searcher s = {.search = search, .types = types, .n_types = n_types, .plans = plans};
    *n = 0;
    FZ_TRY(start(&s, err));
    search_all(&s);
    *n = sort_plans(&s);
    return FZ_OK;
}

/* ---- near misses ---------------------------------------------------------------------------------------- */

/* Whatever saves most: the last way, and single sequences. */
static void least_need(const searcher *s, fz_search_plan *plan)
{
    savings ways = search_savings(s->search, s->selective_helps, s->basis.traits->zero_most, plan);
    plan->zero = ways.at[ways.n - 1].zero;
    plan->recompute = ways.at[ways.n - 1].recompute;
    plan->micro_batch = s->search->micro_batch > 0 ? s->search->micro_batch : 1;
    (void)upper_need(s, plan);
}

bool fz_search_near_miss(const fz_search *search, const fz_search_type *type, uint32_t below,
                         fz_search_plan *out)
{
    searcher s = {.search = search, .types = type, .n_types = 1};
    *out = (fz_search_plan){0};
    if (start(&s, NULL) != FZ_OK)
        return false;
    degrees all = degrees_of(&s);
    for (uint32_t t = 0; t < all.tensor.n; t++)
        for (uint32_t d = 0; d < all.data.n; d++)
            for (uint32_t p = 0; p < all.pipeline.n; p++) {
                fz_search_plan plan = plan_of(&all, t, d, p);
                if (plan.gpus > all.most || !has_wanted_size(&s, &plan) ||
                    (below > 0 && plan.gpus >= below) || plan.gpus < out->gpus)
                    continue;
                least_need(&s, &plan);
                if (plan.gpus > out->gpus || plan.hi < out->hi)
                    *out = plan;
            }
    return out->gpus > 0;
}
