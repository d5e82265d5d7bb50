#include "cluster_state.h"

#include <frenzy/units.h>

/* ---- making ------------------------------------------------------------------------------------- */

static fz_status spec_check(const fz_cluster_spec *spec, fz_error *err)
{
    if (spec->n_types < 1 || spec->n_types > FZ_MAX_GPU_TYPES)
        return fz_fail(err, FZ_EINVAL, "a cluster has 1 to %d GPU types, not %u", FZ_MAX_GPU_TYPES,
                       spec->n_types);
    if (spec->n_nodes < 1)
        return fz_fail(err, FZ_EINVAL, "a cluster needs at least one node with a GPU");
    uint64_t gpus = 0;
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        const fz_node_spec *node = &spec->nodes[i];
        if (node->type >= spec->n_types)
            return fz_fail(err, FZ_EINVAL, "node '%s' has an unknown GPU type", node->name);
        if (node->gpus < 1 || node->gpus > FZ_MAX_NODE_GPUS)
            return fz_fail(err, FZ_EINVAL, "node '%s' has %u GPUs, expected 1 to %d", node->name, node->gpus,
                           FZ_MAX_NODE_GPUS);
        gpus += node->gpus;
    }
    if (gpus >= UINT32_MAX)
        return fz_fail(err, FZ_EINVAL, "a cluster has fewer than 2^32 - 1 GPUs, not %llu",
                       (unsigned long long)gpus);
    return FZ_OK;
}

/* Insertion sort of type numbers; `before` says whether a comes before b. Ties keep file order. */
static void types_sort(const fz_gpu_type *types, uint32_t *order, uint32_t n,
                       bool (*before)(const fz_gpu_type *a, const fz_gpu_type *b))
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at > 0 && before(&types[i], &types[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static bool rate_before(const fz_gpu_type *a, const fz_gpu_type *b)
{
    return a->flops_per_s > b->flops_per_s;
}

static bool memory_before(const fz_gpu_type *a, const fz_gpu_type *b)
{
    return a->mem_bytes < b->mem_bytes || (a->mem_bytes == b->mem_bytes && rate_before(a, b));
}

static void types_rank(fz_cluster *cluster)
{
    const fz_gpu_type *types = cluster->spec->types;
    uint32_t n = cluster->spec->n_types;
    types_sort(types, cluster->by_memory, n, memory_before);
    types_sort(types, cluster->by_rate, n, rate_before);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t type = cluster->by_memory[i];
        if (i == 0 || types[type].mem_bytes != types[cluster->by_memory[i - 1]].mem_bytes)
            cluster->n_levels++;
        cluster->levels[cluster->n_levels - 1] |= FZ_TYPE_BIT(type);
        cluster->rate_rank[cluster->by_rate[i]] = i;
        cluster->types |= FZ_TYPE_BIT(i);
    }
}

/* Numbers the nodes of each type and counts its GPUs. */
static bool index_number(fz_arena *arena, fz_cluster *cluster)
{
    const fz_cluster_spec *spec = cluster->spec;
    uint32_t *nodes = FZ_NEW(arena, spec->n_nodes, uint32_t);
    if (nodes == NULL)
        return false;
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        uint32_t type = spec->nodes[i].type;
        cluster->nodes[i] = (fz_node_state){.type = type, .local = cluster->index[type].n_nodes++};
    }
    uint32_t start[FZ_MAX_GPU_TYPES];
    for (uint32_t type = 0, at = 0; type < spec->n_types; type++) {
        start[type] = at;
        cluster->index[type].node_of = nodes + at;
        at += cluster->index[type].n_nodes;
    }
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        const fz_node_spec *node = &spec->nodes[i];
        fz_type_index *index = &cluster->index[node->type];
        nodes[start[node->type]++] = i;
        cluster->total[node->type] += node->gpus;
        if (node->gpus > index->max_idle)
            index->max_idle = node->gpus;
    }
    return true;
}

static bool index_new(fz_arena *arena, fz_cluster *cluster)
{
    if (!index_number(arena, cluster))
        return false;
    for (uint32_t type = 0; type < cluster->spec->n_types; type++) {
        fz_type_index *index = &cluster->index[type];
        index->node_shape = fz_bitset_shape_for(index->n_nodes);
        index->count_shape = fz_bitset_shape_for(index->max_idle + 1);
        index->nodes = FZ_NEW(arena, ((size_t)index->max_idle + 1) * index->node_shape.n_words, uint64_t);
        index->counts = FZ_NEW(arena, index->count_shape.n_words, uint64_t);
        index->of_size = FZ_NEW(arena, (size_t)index->max_idle + 1, uint32_t);
        if (index->nodes == NULL || index->counts == NULL || index->of_size == NULL)
            return false;
    }
    for (uint32_t i = 0; i < cluster->spec->n_nodes; i++)
        cluster->index[cluster->spec->nodes[i].type].of_size[cluster->spec->nodes[i].gpus]++;
    return true;
}

fz_status fz_cluster_new(fz_arena *arena, const fz_cluster_spec *spec, fz_cluster **out, fz_error *err)
{
    FZ_TRY(spec_check(spec, err));
    fz_cluster *cluster = FZ_NEW(arena, 1, fz_cluster);
    if (cluster == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a cluster");
    cluster->spec = spec;
    cluster->nodes = FZ_NEW(arena, spec->n_nodes, fz_node_state);
    cluster->index = FZ_NEW(arena, spec->n_types, fz_type_index);
    if (cluster->nodes == NULL || cluster->index == NULL || !index_new(arena, cluster))
        return fz_fail(err, FZ_ENOMEM, "no memory for a cluster of %u nodes", spec->n_nodes);
    types_rank(cluster);
    for (uint32_t node = 0; node < spec->n_nodes; node++)
        fz_cluster_set_node_idle(cluster, node, spec->nodes[node].gpus);
    *out = cluster;
    return FZ_OK;
}

/* ---- changing (the orchestrator only) ------------------------------------------------------------ */

static void index_remove(fz_type_index *index, uint32_t local, uint32_t idle)
{
    uint64_t *set = fz_type_index_set(index, idle);
    fz_bitset_remove(&index->node_shape, set, local);
    if (fz_bitset_empty(&index->node_shape, set))
        fz_bitset_remove(&index->count_shape, index->counts, idle);
}

static void index_add(fz_type_index *index, uint32_t local, uint32_t idle)
{
    fz_bitset_add(&index->node_shape, fz_type_index_set(index, idle), local);
    fz_bitset_add(&index->count_shape, index->counts, idle);
}

void fz_cluster_set_node_idle(fz_cluster *cluster, uint32_t node, uint32_t idle)
{
    fz_node_state *state = &cluster->nodes[node];
    fz_type_index *index = &cluster->index[state->type];
    if (state->idle > 0)
        index_remove(index, state->local, state->idle);
    if (idle > 0)
        index_add(index, state->local, idle);
    cluster->idle[state->type] += idle - state->idle;
    state->idle = idle;
}

/* ---- reading ------------------------------------------------------------------------------------ */

const fz_cluster_spec *fz_cluster_get_spec(const fz_cluster *cluster)
{
    return cluster->spec;
}

static uint32_t sum_over(const uint32_t *by_type, fz_type_mask types)
{
    uint32_t sum = 0;
    for (; types != 0; types &= types - 1)
        sum += by_type[__builtin_ctzll(types)];
    return sum;
}

uint32_t fz_cluster_gpus(const fz_cluster *cluster, fz_type_mask types)
{
    return sum_over(cluster->total, types & cluster->types);
}

fz_type_mask fz_cluster_types(const fz_cluster *cluster)
{
    return cluster->types;
}

fz_type_mask fz_cluster_types_with(const fz_cluster *cluster, uint64_t mem_bytes)
{
    fz_type_mask types = 0;
    for (uint32_t type = 0; type < cluster->spec->n_types; type++)
        if (cluster->spec->types[type].mem_bytes >= mem_bytes)
            types |= FZ_TYPE_BIT(type);
    return types;
}

uint32_t fz_cluster_idle(const fz_cluster *cluster, fz_type_mask types)
{
    return sum_over(cluster->idle, types & cluster->types);
}

uint32_t fz_cluster_idle_of(const fz_cluster *cluster, uint32_t type)
{
    return cluster->idle[type];
}

uint32_t fz_cluster_node_idle(const fz_cluster *cluster, uint32_t node)
{
    return cluster->nodes[node].idle;
}

uint32_t fz_cluster_node_size(const fz_cluster *cluster, uint32_t type)
{
    return cluster->index[type].max_idle;
}

/* The smallest local number whose node is >= `node`; n_nodes if none. */
static uint32_t local_from(const fz_cluster *cluster, uint32_t type, uint32_t node)
{
    const fz_type_index *index = &cluster->index[type];
    if (node == 0)
        return 0;
    if (node >= cluster->spec->n_nodes)
        return index->n_nodes;
    if (cluster->nodes[node].type == type)
        return cluster->nodes[node].local;
    uint32_t low = 0;
    uint32_t high = index->n_nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->node_of[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t fz_cluster_next_node(const fz_cluster *cluster, uint32_t type, uint32_t idle, uint32_t from)
{
    const fz_type_index *index = &cluster->index[type];
    if (idle < 1 || idle > index->max_idle)
        return FZ_NO_NODE;
    uint32_t local =
        fz_bitset_next(&index->node_shape, fz_type_index_set(index, idle), local_from(cluster, type, from));
    return local == FZ_BITSET_NONE ? FZ_NO_NODE : index->node_of[local];
}

uint32_t fz_cluster_prev_node(const fz_cluster *cluster, uint32_t type, uint32_t idle, uint32_t before)
{
    const fz_type_index *index = &cluster->index[type];
    if (idle < 1 || idle > index->max_idle)
        return FZ_NO_NODE;
    uint32_t local =
        fz_bitset_prev(&index->node_shape, fz_type_index_set(index, idle), local_from(cluster, type, before));
    return local == FZ_BITSET_NONE ? FZ_NO_NODE : index->node_of[local];
}

uint32_t fz_cluster_level_up(const fz_cluster *cluster, uint32_t type, uint32_t at_least)
{
    const fz_type_index *index = &cluster->index[type];
    return at_least > index->max_idle ? UINT32_MAX
                                      : fz_bitset_next(&index->count_shape, index->counts, at_least);
}

uint32_t fz_cluster_level_down(const fz_cluster *cluster, uint32_t type, uint32_t at_most)
{
    const fz_type_index *index = &cluster->index[type];
    uint32_t before = (at_most < index->max_idle ? at_most : index->max_idle) + 1;
    return fz_bitset_prev(&index->count_shape, index->counts, before);
}

uint32_t fz_cluster_levels(const fz_cluster *cluster)
{
    return cluster->n_levels;
}

fz_type_mask fz_cluster_level_types(const fz_cluster *cluster, uint32_t level)
{
    return cluster->levels[level];
}

uint32_t fz_cluster_type_by_rate(const fz_cluster *cluster, uint32_t rank)
{
    return cluster->by_rate[rank];
}
