#include "sim/engine/demand.h"

#include <frenzy/speed.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/classes.h"
#include "workloads/req_types.h"

/* How MARP's need grows from one variant to the next after an out-of-memory event, and how many times
 * at the most: 1.15^16 is 9.4, far above any error worth simulating. */
#define SCALE_STEP     1.15
#define SCALE_VARIANTS 16u

typedef struct builder {
    fz_arena *arena;
    const fz_trace *trace;
    const fz_cluster *cluster;
    const fz_model *const *models;
    fz_demand_options options;
    fz_demands *out;
    uint32_t capacity;       /* of out->demands and out->facts */
    fz_plan *scratch;        /* fz_predictor_most_plans() */
    fz_search_plan *found;   /* of a search */
    fz_predictor *predictor; /* of the class at hand */
    fz_type_mask *masks;     /* by text id: allowed types + valid flag below */
    bool *mask_known;
    uint32_t req_nodes; /* of the class at hand */
} builder;

/* ---- types ----------------------------------------------------------------------------------------- */

static fz_type_mask types_allowed(builder *b, fz_text_id text)
{
    if (!b->mask_known[text]) {
        b->mask_known[text] = true;
        b->masks[text] = fz_req_types_mask(fz_cluster_get_spec(b->cluster), b->trace->texts[text]);
    }
    return b->masks[text] & fz_cluster_types(b->cluster);
}

/* The types of `mask` that have at least `gpus` GPUs each. */
static fz_type_mask types_holding(const fz_cluster *cluster, fz_type_mask mask, uint32_t gpus)
{
    fz_type_mask out = 0;
    for (fz_type_mask left = mask; left != 0; left &= left - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(left);
        if (fz_cluster_gpus(cluster, FZ_TYPE_BIT(type)) >= gpus)
            out |= FZ_TYPE_BIT(type);
    }
    return out;
}

/* Types with a known speed: others run opaque jobs only. */
static fz_type_mask types_with_speed(const fz_cluster *cluster)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    fz_type_mask out = 0;
    for (uint32_t type = 0; type < spec->n_types; type++)
        if (spec->types[type].flops_per_s > 0)
            out |= FZ_TYPE_BIT(type);
    return out;
}

/* ---- one class ------------------------------------------------------------------------------------- */

static fz_status classes_reserve(builder *b, fz_error *err)
{
    fz_demands *out = b->out;
    if (out->n_demands < b->capacity)
        return FZ_OK;
    uint32_t capacity = b->capacity > 0 ? 2 * b->capacity : 64;
    fz_demand *demands = FZ_NEW(b->arena, capacity, fz_demand);
    fz_class_facts *facts = FZ_NEW(b->arena, capacity, fz_class_facts);
    if (demands == NULL || facts == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u demand classes", capacity);
    if (b->capacity > 0) {
        memcpy(demands, out->demands, out->n_demands * sizeof(*demands));
        memcpy(facts, out->facts, out->n_demands * sizeof(*facts));
    }
    out->demands = demands;
    out->facts = facts;
    b->capacity = capacity;
    return FZ_OK;
}

/* Adds a class; `plans` are copied. */
static fz_status class_add(builder *b, fz_demand demand, fz_class_facts facts, const fz_plan *plans,
                           size_t n_plans, fz_error *err)
{
    demand.req_nodes = b->req_nodes;
    FZ_TRY(classes_reserve(b, err));
    fz_plan *kept = FZ_NEW(b->arena, n_plans, fz_plan);
    if (kept == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %zu resource plans", n_plans);
    if (n_plans > 0)
        memcpy(kept, plans, n_plans * sizeof(*kept));
    demand.plans = kept;
    demand.n_plans = (uint32_t)n_plans;
    b->out->demands[b->out->n_demands] = demand;
    b->out->facts[b->out->n_demands++] = facts;
    return FZ_OK;
}

static fz_status opaque_class(builder *b, const fz_class_key *key, fz_error *err)
{
    fz_plan plan = {.gpus = key->req_gpus, .mem_bytes = key->req_gpu_mem};
    plan.types =
        types_allowed(b, key->types) & key->run_types & fz_cluster_types_with(b->cluster, key->req_gpu_mem);
    fz_demand demand = {.opaque = true, .fixed = plan};
    demand.fixed.types = types_holding(b->cluster, plan.types, plan.gpus);
    if (demand.fixed.types == 0)
        demand.fixed.gpus = 0;
    bool fits = plan.gpus <= fz_cluster_gpus(b->cluster, plan.types);
    return class_add(b, demand, (fz_class_facts){.mem_scale = 1}, &plan, fits ? 1 : 0, err);
}

/* MARP's plans for the class in `b->scratch`, bound to the cluster under a learned scale. */
static size_t marp_bound(builder *b, const fz_class_key *key, double scale)
{
    fz_type_mask allowed = types_allowed(b, key->types) & types_with_speed(b->cluster) &
                           fz_cluster_types_with(b->cluster, key->req_gpu_mem);
    size_t n = fz_predictor_plans(b->predictor, b->cluster, allowed, scale, b->scratch, b->found);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (b->scratch[i].gpus <= fz_cluster_gpus(b->cluster, b->scratch[i].types))
            b->scratch[kept++] = b->scratch[i];
    return kept;
}

/* The first-ranked plan that one type alone can host. */
static fz_plan marp_fixed(const fz_cluster *cluster, const fz_plan *plans, size_t n_plans)
{
    for (size_t i = 0; i < n_plans; i++) {
        fz_plan plan = plans[i];
        plan.types = types_holding(cluster, plan.types, plan.gpus);
        if (plan.types != 0)
            return plan;
    }
    return (fz_plan){0};
}

/* A variant sized by MARP under a learned scale. False in `*useful` when nothing fits. */
static fz_status marp_variant(builder *b, const fz_class_key *key, double scale, bool *useful, fz_error *err)
{
    size_t n_plans = marp_bound(b, key, scale);
    fz_plan fixed = marp_fixed(b->cluster, b->scratch, n_plans);
    *useful = b->options.chooses_plans ? n_plans > 0 : fixed.gpus > 0;
    return class_add(b, (fz_demand){.fixed = fixed, .from_marp = true}, (fz_class_facts){.mem_scale = scale},
                     b->scratch, n_plans, err);
}

/* A variant sized by a user who does not know about memory. */
static fz_status user_variant(builder *b, const fz_class_key *key, uint32_t gpus, uint64_t min_mem,
                              bool *useful, fz_error *err)
{
    uint64_t mem = min_mem > key->req_gpu_mem ? min_mem : key->req_gpu_mem;
    fz_type_mask allowed =
        types_allowed(b, key->types) & types_with_speed(b->cluster) & fz_cluster_types_with(b->cluster, mem);
    fz_plan fixed = fz_predictor_plan_for(b->predictor, b->cluster, allowed, gpus, b->found);
    fixed.types = allowed;
    fixed.types = types_holding(b->cluster, fixed.types, gpus);
    *useful = fixed.types != 0;
    if (!*useful)
        fixed.gpus = 0;
    fz_class_facts facts = {.mem_scale = 1, .from_user_gpus = gpus, .min_mem_bytes = min_mem};
    return class_add(b, (fz_demand){.fixed = fixed}, facts, &fixed, *useful ? 1 : 0, err);
}

/* The variants of a user who gave a GPU count: first on any type, then on ever larger memory, then
 * with twice the GPUs on the largest, four times, ... while the cluster has so many. The data degree may
 * then exceed the batch, as fz_marp_plan_for() allows: real division, as in the published formula. */
static fz_status user_variants(builder *b, const fz_class_key *key, fz_error *err)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(b->cluster);
    uint32_t n_levels = fz_cluster_levels(b->cluster);
    uint64_t most = fz_cluster_gpus(b->cluster, FZ_ALL_TYPES);
    uint64_t gpus = key->req_gpus;
    for (uint32_t step = 0; gpus <= most; step++) {
        uint32_t level = step < n_levels ? step : n_levels - 1;
        uint32_t type = (uint32_t)__builtin_ctzll(fz_cluster_level_types(b->cluster, level));
        if (step >= n_levels)
            gpus *= 2;
        bool useful = false;
        uint32_t before = b->out->n_demands;
        if (gpus > most)
            break;
        FZ_TRY(
            user_variant(b, key, (uint32_t)gpus, step == 0 ? 0 : spec->types[type].mem_bytes, &useful, err));
        if (!useful && step > 0)
            b->out->n_demands = before; /* nothing to try there; the next step may have something */
    }
    return FZ_OK;
}

static fz_status marp_variants(builder *b, const fz_class_key *key, fz_error *err)
{
    uint32_t n = b->options.memory_errors ? SCALE_VARIANTS : 1;
    double scale = 1;
    for (uint32_t i = 0; i < n; i++) {
        bool useful = false;
        uint32_t before = b->out->n_demands;
        FZ_TRY(marp_variant(b, key, scale, &useful, err));
        if (!useful) {
            b->out->n_demands = i > 0 ? before : before + 1;
            break;
        }
        scale *= SCALE_STEP;
    }
    return FZ_OK;
}

static fz_status llm_class(builder *b, const fz_class_key *key, fz_error *err)
{
    uint32_t first = b->out->n_demands;
    if (!b->options.chooses_plans && key->req_gpus > 0)
        FZ_TRY(user_variants(b, key, err));
    else
        FZ_TRY(marp_variants(b, key, err));
    if (b->out->n_demands == first) { /* the user asks for more than the cluster has */
        bool useful = false;
        FZ_TRY(user_variant(b, key, key->req_gpus, UINT64_MAX, &useful, err));
    }
    for (uint32_t class = first; class < b->out->n_demands; class ++) {
        b->out->facts[class].predictor = b->predictor;
        b->out->facts[class].variants_left = b->out->n_demands - 1 - class;
    }
    return FZ_OK;
}

/* ---- estimates ------------------------------------------------------------------------------------- */

/* The true run time under the fixed (or first) plan on the slowest allowed type. */
static fz_time oracle(const builder *b, uint32_t job)
{
    uint32_t class = b->out->class_of[job];
    const fz_demand *demand = &b->out->demands[class];
    if (demand->opaque)
        return fz_run_times_on(&b->out->times, job, demand->fixed.types);
    const fz_plan *plan =
        b->options.chooses_plans && demand->n_plans > 0 ? &demand->plans[0] : &demand->fixed;
    if (plan->gpus == 0)
        return 0; /* fits nowhere: rejected on arrival */
    double step_s = fz_predictor_step_s(b->out->facts[class].predictor, b->cluster, plan, plan->types);
    return fz_speed_time(b->trace->steps[job], step_s);
}

static fz_time known(const fz_time *column, uint32_t job)
{
    return column != NULL && column[job] >= 0 ? column[job] : FZ_TIME_NONE;
}

static fz_status estimates_build(builder *b, fz_error *err)
{
    const fz_trace *trace = b->trace;
    fz_time *own = NULL; /* only where the trace's own column has gaps */
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        fz_time estimate = known(trace->estimate, job);
        if (estimate != FZ_TIME_NONE) {
            b->out->estimate_user++;
        } else if ((estimate = known(trace->limit, job)) != FZ_TIME_NONE) {
            b->out->estimate_limit++;
        } else {
            estimate = oracle(b, job);
            b->out->estimate_oracle++;
        }
        if (own == NULL && (trace->estimate == NULL || trace->estimate[job] != estimate)) {
            own = FZ_NEW(b->arena, trace->n_jobs, fz_time);
            if (own == NULL)
                return fz_fail(err, FZ_ENOMEM, "no memory for the estimates of %u jobs", trace->n_jobs);
            if (job > 0)
                memcpy(own, trace->estimate, job * sizeof(*own));
        }
        if (own != NULL)
            own[job] = estimate;
    }
    b->out->estimates = own != NULL ? own : trace->estimate;
    return FZ_OK;
}

/* ---- all ------------------------------------------------------------------------------------------- */

/* Of an LLM class; an error names its first job. */
static fz_status predictor_make(builder *b, const fz_classes *classes, uint32_t class, fz_error *err)
{
    fz_error inner = {0};
    const fz_class_key *key = &classes->keys[class];
    fz_training training = {.global_batch = key->global_batch, .seq_len = key->seq_len};
    if (fz_predictor_new(b->arena, b->options.predictor, b->models[key->model], &training, &b->predictor,
                         &inner) == FZ_OK)
        return FZ_OK;
    uint32_t job = 0;
    while (classes->class_of[job] != class)
        job++;
    return fz_fail_at(err, inner.status, b->trace->path, 0, 0, "job '%s': %s", fz_trace_job_id(b->trace, job),
                      inner.message);
}

static fz_status classes_build(builder *b, const fz_classes *classes, fz_error *err)
{
    uint32_t *first = FZ_NEW(b->arena, classes->n_classes, uint32_t);
    if (first == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u demand classes", classes->n_classes);
    for (uint32_t i = 0; i < classes->n_classes; i++) {
        first[i] = b->out->n_demands;
        const fz_class_key *key = &classes->keys[i];
        b->req_nodes = key->req_nodes;
        if (key->global_batch > 0)
            FZ_TRY(predictor_make(b, classes, i, err));
        FZ_TRY(key->global_batch > 0 ? llm_class(b, key, err) : opaque_class(b, key, err));
    }
    for (uint32_t job = 0; job < b->trace->n_jobs; job++)
        classes->class_of[job] = first[classes->class_of[job]];
    b->out->class_of = classes->class_of;
    return FZ_OK;
}

fz_status fz_demands_build(fz_arena *arena, const fz_trace *trace, const fz_cluster *cluster,
                           const fz_model *const *models, fz_demand_options options, fz_demands *out,
                           fz_error *err)
{
    *out = (fz_demands){0};
    builder b = {
        .arena = arena, .trace = trace, .cluster = cluster, .models = models, .options = options, .out = out};
    uint32_t n_types = fz_cluster_get_spec(cluster)->n_types;
    b.scratch = FZ_NEW(arena, fz_predictor_most_plans(options.predictor, n_types), fz_plan);
    b.found = FZ_NEW(arena, (size_t)n_types * FZ_SEARCH_PER_TYPE, fz_search_plan);
    b.masks = FZ_NEW(arena, trace->n_texts + 1, fz_type_mask);
    b.mask_known = FZ_NEW(arena, trace->n_texts + 1, bool);
    if (b.scratch == NULL || b.found == NULL || b.masks == NULL || b.mask_known == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the demand classes of %u jobs", trace->n_jobs);
    fz_classes classes;
    FZ_TRY(fz_run_times_read(arena, trace, fz_cluster_get_spec(cluster), options.tables, &out->times, err));
    FZ_TRY(fz_classes_group(arena, trace, models, &out->times, &classes, err));
    FZ_TRY(classes_build(&b, &classes, err));
    return estimates_build(&b, err);
}

uint32_t fz_demands_after_oom(const fz_demands *demands, uint32_t class, const fz_plan *plan,
                              uint64_t mem_bytes)
{
    uint32_t last = class + demands->facts[class].variants_left;
    for (uint32_t next = class + 1; next <= last; next++) {
        const fz_class_facts *facts = &demands->facts[next];
        bool ruled_out = facts->from_user_gpus > 0
                             ? facts->from_user_gpus > plan->gpus || facts->min_mem_bytes > mem_bytes
                             : (double)plan->mem_bytes * facts->mem_scale > (double)mem_bytes;
        if (ruled_out)
            return next;
    }
    return FZ_NO_CLASS;
}
