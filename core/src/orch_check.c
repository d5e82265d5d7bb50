/* The invariants O1 to O4 of <frenzy/orch.h> as a function, seen from the outside: through the public
 * readers, and the index for O2. */
#include <frenzy/orch.h>

#include "cluster_state.h"

static uint32_t node_count_idle(const fz_orch *orch, uint32_t first_gpu, uint32_t gpus)
{
    uint32_t idle = 0;
    for (uint32_t gpu = first_gpu; gpu < first_gpu + gpus; gpu++)
        idle += fz_orch_holder_of(orch, gpu) == FZ_NO_HOLDER;
    return idle;
}

/* O2: the count of the node is right, and it stands in the index under that count only. */
static fz_status node_check(const fz_orch *orch, uint32_t node, uint32_t first_gpu, fz_error *err)
{
    const fz_cluster *cluster = fz_orch_cluster(orch);
    const fz_node_spec *spec = &fz_cluster_get_spec(cluster)->nodes[node];
    const fz_type_index *index = &cluster->index[spec->type];
    uint32_t idle = node_count_idle(orch, first_gpu, spec->gpus);
    if (idle != fz_cluster_node_idle(cluster, node))
        return fz_fail(err, FZ_EINVAL, "O2: node '%s' counts %u idle GPUs, but %u have no holder", spec->name,
                       fz_cluster_node_idle(cluster, node), idle);
    for (uint32_t count = 1; count <= index->max_idle; count++)
        if (fz_bitset_has(fz_type_index_set(index, count), cluster->node_local[node]) != (count == idle))
            return fz_fail(err, FZ_EINVAL, "O2: node '%s' with %u idle GPUs stands wrong under count %u",
                           spec->name, idle, count);
    return FZ_OK;
}

static fz_status counts_check(const fz_cluster *cluster, fz_error *err)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    for (uint32_t type = 0; type < spec->n_types; type++) {
        const fz_type_index *index = &cluster->index[type];
        uint32_t idle = 0;
        for (uint32_t i = 0; i < index->n_nodes; i++)
            idle += fz_cluster_node_idle(cluster, index->node_of[i]);
        if (idle != fz_cluster_idle_of(cluster, type))
            return fz_fail(err, FZ_EINVAL, "O3: type '%s' counts %u idle GPUs, its nodes have %u",
                           spec->types[type].name, fz_cluster_idle_of(cluster, type), idle);
        for (uint32_t count = 1; count <= index->max_idle; count++)
            if (fz_bitset_has(index->counts, count) ==
                fz_bitset_empty(&index->node_shape, fz_type_index_set(index, count)))
                return fz_fail(err, FZ_EINVAL, "O2: type '%s' is wrong about nodes with %u idle GPUs",
                               spec->types[type].name, count);
    }
    return FZ_OK;
}

/* O1 and O4: following every lease from its holder meets exactly the GPUs that have a holder. A GPU in
 * two leases would have the wrong holder in one; one met twice makes the count too large. */
static fz_status leases_check(const fz_orch *orch, uint32_t n_gpus, fz_error *err)
{
    uint32_t leased = 0;
    uint32_t met = 0;
    for (uint32_t gpu = 0; gpu < n_gpus; gpu++) {
        fz_holder holder = fz_orch_holder_of(orch, gpu);
        if (holder == FZ_NO_HOLDER)
            continue;
        leased++;
        uint32_t at = fz_orch_first(orch, holder) == gpu ? gpu : FZ_NO_GPU;
        for (; at != FZ_NO_GPU && met <= n_gpus; at = fz_orch_next(orch, at), met++)
            if (fz_orch_holder_of(orch, at) != holder)
                return fz_fail(err, FZ_EINVAL, "O4: GPU %u is in the lease of %u but held by %u", at, holder,
                               fz_orch_holder_of(orch, at));
    }
    if (leased != met)
        return fz_fail(err, FZ_EINVAL, "O1: %u GPUs have a holder, but the leases list %u", leased, met);
    return FZ_OK;
}

fz_status fz_orch_check(const fz_orch *orch, fz_error *err)
{
    const fz_cluster *cluster = fz_orch_cluster(orch);
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    uint32_t gpu = 0;
    for (uint32_t node = 0; node < spec->n_nodes; node++) {
        FZ_TRY(node_check(orch, node, gpu, err));
        gpu += spec->nodes[node].gpus;
    }
    FZ_TRY(counts_check(cluster, err));
    return leases_check(orch, gpu, err);
}
