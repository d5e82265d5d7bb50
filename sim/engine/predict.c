#include "sim/engine/predict.h"

#include <frenzy/marp.h>
#include <frenzy/speed.h>
#include <math.h>

fz_status fz_predictor_new(fz_arena *arena, fz_predictor_kind kind, const fz_model *model,
                           const fz_training *training, fz_predictor **out, fz_error *err)
{
    fz_predictor *p = FZ_NEW(arena, 1, fz_predictor);
    if (p == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a predictor");
    p->kind = kind;
    p->step_flop = fz_speed_step_flop(model, training);
    p->search = (fz_search){.global_batch = training->global_batch,
                            .zero = FZ_SEARCH_ANY,
                            .recompute = FZ_SEARCH_ANY,
                            .confidence = 0.9,
                            .rank = FZ_SEARCH_EFFICIENT};
    p->search.job = (fz_training_run){
        .model = model, .seq_len = training->seq_len, .micro_batch = 1, .flash_attention = true};
    *out = p;
    if (kind == FZ_PREDICTOR_PAPER)
        return fz_marp_check(model, err);
    FZ_TRY(fz_memory_check(&p->search.job, err));
    return fz_step_prepare(&p->search.job, p->search.confidence, &p->speed, err);
}

size_t fz_predictor_most_plans(fz_predictor_kind kind, uint32_t n_types)
{
    return kind == FZ_PREDICTOR_PAPER ? FZ_MARP_MAX_PLANS : (size_t)n_types * FZ_SEARCH_PER_TYPE;
}

static fz_training training_of(const fz_predictor *p)
{
    return (fz_training){.global_batch = p->search.global_batch, .seq_len = p->search.job.seq_len};
}

/* ---- the analytic estimate ------------------------------------------------------------------------------ */

/* Types of a cluster as a search sees them; those not allowed are left out. */
typedef struct type_list {
    fz_gpu_type gpus[FZ_MAX_GPU_TYPES];
    fz_search_type types[FZ_MAX_GPU_TYPES];
    uint32_t index[FZ_MAX_GPU_TYPES]; /* in the cluster */
    uint32_t n;
} type_list;

static void list_types(const fz_cluster *cluster, fz_type_mask allowed, double scale, type_list *out)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    out->n = 0;
    for (uint32_t type = 0; type < spec->n_types; type++) {
        uint32_t gpus = fz_cluster_gpus(cluster, FZ_TYPE_BIT(type));
        uint32_t n = out->n;
        if ((allowed & FZ_TYPE_BIT(type)) == 0 || gpus == 0)
            continue;
        out->gpus[n] = spec->types[type];
        out->gpus[n].mem_bytes = (uint64_t)((double)spec->types[type].mem_bytes / scale);
        out->types[n] = (fz_search_type){
            .gpu = &out->gpus[n], .gpus = gpus, .node_gpus = fz_cluster_node_size(cluster, type)};
        out->index[n] = type;
        out->n++;
    }
}

static uint64_t whole_bytes(double bytes)
{
    return bytes < 0x1p63 ? (uint64_t)bytes : (uint64_t)1 << 63;
}

static fz_plan plan_of(const fz_search_plan *found)
{
    return (fz_plan){
        .gpus = found->gpus,
        .data = found->data,
        .tensor = (uint16_t)found->tensor,
        .pipeline = (uint16_t)found->pipeline,
        .zero = found->zero,
        .recompute = (uint8_t)found->recompute,
        .micro_batch = (uint32_t)found->micro_batch,
        .mem_bytes = whole_bytes(found->hi),
        .expected_bytes = whole_bytes(found->need),
        .types = FZ_ALL_TYPES,
    };
}

/* All types of the list that could run a plan, not only the one for which it was the best. */
static fz_type_mask types_for(const type_list *list, const fz_search_plan *plan)
{
    fz_type_mask out = 0;
    for (uint32_t i = 0; i < list->n; i++)
        if (plan->hi <= (double)list->gpus[i].mem_bytes && plan->gpus <= list->types[i].gpus &&
            plan->tensor <= list->types[i].node_gpus)
            out |= FZ_TYPE_BIT(list->index[i]);
    return out;
}

static bool is_there(const fz_plan *plans, size_t n, const fz_plan *plan)
{
    for (size_t i = 0; i < n; i++)
        if (fz_plan_same_shape(&plans[i], plan))
            return true;
    return false;
}

static size_t analytic_plans(const fz_predictor *p, const fz_cluster *cluster, fz_type_mask allowed,
                             double scale, fz_plan *plans, fz_search_plan *found)
{
    type_list list;
    size_t n_found = 0, n = 0;
    fz_search search = p->search;
    uint32_t all = fz_cluster_gpus(cluster, FZ_ALL_TYPES);
    search.max_gpus = all < FZ_SEARCH_MAX_GPUS ? all : FZ_SEARCH_MAX_GPUS;
    list_types(cluster, allowed, scale, &list);
    if (fz_search_plans(&search, list.types, list.n, found, &n_found, NULL) != FZ_OK)
        return 0;
    for (size_t i = 0; i < n_found; i++) {
        fz_plan plan = plan_of(&found[i]);
        plan.types = types_for(&list, &found[i]);
        if (plan.types != 0 && !is_there(plans, n, &plan))
            plans[n++] = plan;
    }
    return n;
}

/* The fastest that fits, else what needs least; a size into which the model cannot be split is run as data
 * parallelism, whatever it needs. */
static fz_plan analytic_plan_for(const fz_predictor *p, const fz_cluster *cluster, fz_type_mask allowed,
                                 uint32_t gpus, fz_search_plan *found)
{
    type_list list;
    size_t n = 0;
    fz_search search = p->search;
    fz_search_plan plan = {
        .gpus = gpus, .data = gpus, .tensor = 1, .pipeline = 1, .zero = gpus > 1 ? 1 : 0, .micro_batch = 1};
    search.exact_gpus = search.max_gpus = gpus < FZ_SEARCH_MAX_GPUS ? gpus : FZ_SEARCH_MAX_GPUS;
    search.rank = FZ_SEARCH_FASTEST;
    list_types(cluster, allowed, 1, &list);
    if (gpus == search.exact_gpus && list.n > 0 &&
        fz_search_plans(&search, list.types, list.n, found, &n, NULL) == FZ_OK && n > 0)
        return plan_of(&found[0]);
    for (uint32_t i = 0; i < list.n && gpus == search.exact_gpus; i++)
        if (fz_search_near_miss(&search, &list.types[i], 0, &found[0]))
            return plan_of(&found[0]);
    fz_training_run run = fz_search_run(&search, &plan);
    fz_memory memory = {0};
    if (fz_memory_estimate(&run, search.confidence, &memory, NULL) == FZ_OK) {
        plan.need = memory.need;
        plan.hi = memory.hi;
    }
    return plan_of(&plan);
}

static double analytic_step_s(const fz_predictor *p, const fz_cluster *cluster, const fz_plan *plan,
                              fz_type_mask types)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    const fz_search_plan shape = {.gpus = plan->gpus,
                                  .data = plan->data,
                                  .tensor = plan->tensor,
                                  .pipeline = plan->pipeline,
                                  .zero = (uint8_t)plan->zero,
                                  .recompute = (fz_recompute)plan->recompute,
                                  .micro_batch = plan->micro_batch};
    fz_training_run run = fz_search_run(&p->search, &shape);
    double slowest = 0;
    for (fz_type_mask left = types; left != 0; left &= left - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(left);
        fz_step_hardware hardware =
            fz_step_hardware_of(&spec->types[type], fz_cluster_node_size(cluster, type));
        fz_step step;
        if (!(hardware.matrix_flops > 0))
            return 0;
        fz_step_time(&p->speed, &run, &hardware, &step);
        slowest = fmax(slowest, step.seconds);
    }
    return slowest;
}

/* ---- either --------------------------------------------------------------------------------------------- */

static size_t paper_plans(const fz_predictor *p, const fz_cluster *cluster, fz_type_mask allowed,
                          double scale, fz_plan *plans)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    fz_training training = training_of(p);
    size_t n = fz_marp_plans(p->search.job.model, &training, plans);
    return fz_marp_bind(plans, n, spec->types, spec->n_types, allowed, scale,
                        fz_cluster_gpus(cluster, FZ_ALL_TYPES));
}

size_t fz_predictor_plans(const fz_predictor *predictor, const fz_cluster *cluster, fz_type_mask allowed,
                          double scale, fz_plan *plans, fz_search_plan *found)
{
    if (predictor->kind == FZ_PREDICTOR_ANALYTIC)
        return analytic_plans(predictor, cluster, allowed, scale, plans, found);
    return paper_plans(predictor, cluster, allowed, scale, plans);
}

fz_plan fz_predictor_plan_for(const fz_predictor *predictor, const fz_cluster *cluster, fz_type_mask allowed,
                              uint32_t gpus, fz_search_plan *found)
{
    fz_training training = training_of(predictor);
    if (predictor->kind == FZ_PREDICTOR_ANALYTIC)
        return analytic_plan_for(predictor, cluster, allowed, gpus, found);
    return fz_marp_plan_for(predictor->search.job.model, &training, gpus);
}

double fz_predictor_step_s(const fz_predictor *predictor, const fz_cluster *cluster, const fz_plan *plan,
                           fz_type_mask types)
{
    if (predictor->kind == FZ_PREDICTOR_ANALYTIC)
        return analytic_step_s(predictor, cluster, plan, types);
    double rate = fz_speed_slowest(fz_cluster_get_spec(cluster)->types, types);
    return fz_speed_step_s(predictor->step_flop, plan, rate);
}
