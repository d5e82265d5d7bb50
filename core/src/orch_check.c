/* The invariants O1 to O4 of <frenzy/orch.h> as a function. */
#include "orch_state.h"

static uint32_t node_count_idle(const fz_orch *orch, uint32_t node, uint32_t gpus)
{
    uint32_t idle = 0;
    for (uint32_t i = 0; i < (gpus + 63) / 64; i++)
        idle += (uint32_t)__builtin_popcountll(orch->words[orch->nodes[node].word_at + i].idle);
    return idle;
}

/* O2: the count of the node is right, and it stands in the index under that count only. */
static fz_status node_check(const fz_orch *orch, uint32_t node, fz_error *err)
{
    const fz_cluster *cluster = orch->cluster;
    const fz_node_spec *spec = &cluster->spec->nodes[node];
    const fz_type_index *index = &cluster->index[spec->type];
    uint32_t idle = node_count_idle(orch, node, spec->gpus);
    if (idle != cluster->nodes[node].idle)
        return fz_fail(err, FZ_EINVAL, "O2: node '%s' counts %u idle GPUs, but %u are idle", spec->name,
                       cluster->nodes[node].idle, idle);
    for (uint32_t count = 1; count <= index->max_idle; count++)
        if (fz_bitset_has(fz_type_index_set(index, count), cluster->nodes[node].local) != (count == idle))
            return fz_fail(err, FZ_EINVAL, "O2: node '%s' with %u idle GPUs stands wrong under count %u",
                           spec->name, idle, count);
    return FZ_OK;
}

static fz_status type_check(const fz_cluster *cluster, uint32_t type, fz_error *err)
{
    const fz_type_index *index = &cluster->index[type];
    const char *name = cluster->spec->types[type].name;
    uint32_t idle = 0;
    for (uint32_t i = 0; i < index->n_nodes; i++)
        idle += cluster->nodes[index->node_of[i]].idle;
    if (idle != cluster->idle[type])
        return fz_fail(err, FZ_EINVAL, "O3: type '%s' counts %u idle GPUs, its nodes have %u", name,
                       cluster->idle[type], idle);
    for (uint32_t count = 1; count <= index->max_idle; count++)
        if (fz_bitset_has(index->counts, count) ==
            fz_bitset_empty(&index->node_shape, fz_type_index_set(index, count)))
            return fz_fail(err, FZ_EINVAL, "O2: type '%s' is wrong about nodes with %u idle GPUs", name,
                           count);
    return FZ_OK;
}

/* O1 and O4 for one lease: its GPUs are not idle, and name it as their holder. Counts them. */
static fz_status lease_check(const fz_orch *orch, fz_holder holder, uint64_t *leased, fz_error *err)
{
    for (uint32_t at = orch->first[holder]; at != 0; at = orch->parts[at].next) {
        const fz_orch_part *part = &orch->parts[at];
        const fz_orch_word *word = &orch->words[part->word];
        if (part->mask == 0 || (part->mask & word->idle) != 0)
            return fz_fail(err, FZ_EINVAL, "O1: a GPU leased to %u counts as idle", holder);
        for (uint64_t mask = part->mask; mask != 0; mask &= mask - 1, ++*leased)
            if (orch->holder[word->gpu_at + (uint32_t)__builtin_ctzll(mask)] != holder)
                return fz_fail(err, FZ_EINVAL, "O4: a GPU in the lease of %u is held by another", holder);
    }
    return FZ_OK;
}

/* With every lease consistent, and as many GPUs in leases as are not idle, none is in two or in none. */
static fz_status leases_check(const fz_orch *orch, fz_error *err)
{
    uint64_t leased = 0;
    for (fz_holder holder = 0; holder < orch->max_holders; holder++)
        FZ_TRY(lease_check(orch, holder, &leased, err));
    uint64_t busy =
        fz_cluster_gpus(orch->cluster, FZ_ALL_TYPES) - fz_cluster_idle(orch->cluster, FZ_ALL_TYPES);
    if (leased != busy)
        return fz_fail(err, FZ_EINVAL, "O1: %llu GPUs are not idle, but the leases list %llu",
                       (unsigned long long)busy, (unsigned long long)leased);
    return FZ_OK;
}

fz_status fz_orch_check(const fz_orch *orch, fz_error *err)
{
    const fz_cluster *cluster = orch->cluster;
    for (uint32_t node = 0; node < cluster->spec->n_nodes; node++)
        FZ_TRY(node_check(orch, node, err));
    for (uint32_t type = 0; type < cluster->spec->n_types; type++)
        FZ_TRY(type_check(cluster, type, err));
    return leases_check(orch, err);
}
