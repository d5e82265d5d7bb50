#include "sim/sched/slurm_nodes.h"

#include <stdlib.h>

typedef struct ranked {
    uint32_t weight, node;
} ranked;

static int compare(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

fz_status fz_slurm_nodes_init(fz_slurm_nodes *nodes, const fz_sched_env *env, fz_error *err)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(env->cluster);
    ranked *by_rank = FZ_NEW(env->arena, spec->n_nodes, ranked);
    *nodes = (fz_slurm_nodes){.spec = spec,
                              .order = FZ_NEW(env->arena, spec->n_nodes, uint32_t),
                              .idle = FZ_NEW(env->arena, spec->n_nodes, uint32_t)};
    if (by_rank == NULL || nodes->order == NULL || nodes->idle == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the order of %u nodes", spec->n_nodes);
    for (uint32_t node = 0; node < spec->n_nodes; node++)
        by_rank[node] = (ranked){.weight = spec->nodes[node].weight, .node = node};
    qsort(by_rank, spec->n_nodes, sizeof *by_rank, compare);
    for (uint32_t rank = 0; rank < spec->n_nodes; rank++)
        nodes->order[rank] = by_rank[rank].node;
    return FZ_OK;
}

void fz_slurm_nodes_now(fz_slurm_nodes *nodes, const fz_cluster *cluster)
{
    for (uint32_t node = 0; node < nodes->spec->n_nodes; node++)
        nodes->idle[node] = fz_cluster_node_idle(cluster, node);
}

/* GPUs on each node; 0: any spread. */
static uint32_t gpus_a_node(const fz_demand *demand)
{
    uint32_t n = demand->req_nodes, gpus = demand->fixed.gpus;
    return n > 0 && gpus % n == 0 ? gpus / n : 0;
}

/* What the job takes of a node with so many idle GPUs. */
static uint32_t share_of(uint32_t idle, uint32_t each)
{
    return each == 0 ? idle : idle >= each ? each : 0;
}

/* The type whose nodes, in order, are the first to hold the whole job; n_types if none does. */
static uint32_t type_pick(const fz_slurm_nodes *nodes, const fz_plan *plan, uint32_t each)
{
    const fz_cluster_spec *spec = nodes->spec;
    uint32_t gathered[FZ_MAX_GPU_TYPES] = {0};
    for (uint32_t rank = 0; rank < spec->n_nodes; rank++) {
        uint32_t node = nodes->order[rank], type = spec->nodes[node].type;
        if ((plan->types & FZ_TYPE_BIT(type)) == 0)
            continue;
        gathered[type] += share_of(nodes->idle[node], each);
        if (gathered[type] >= plan->gpus)
            return type;
    }
    return spec->n_types;
}

bool fz_slurm_nodes_pick(const fz_slurm_nodes *nodes, const fz_demand *demand, fz_placement *out)
{
    const fz_cluster_spec *spec = nodes->spec;
    const fz_plan *plan = &demand->fixed;
    uint32_t each = gpus_a_node(demand), type = type_pick(nodes, plan, each);
    out->n_parts = 0;
    out->gpus = 0;
    if (type == spec->n_types)
        return false;
    for (uint32_t rank = 0; out->gpus < plan->gpus; rank++) {
        uint32_t node = nodes->order[rank], left = plan->gpus - out->gpus;
        uint32_t share = spec->nodes[node].type == type ? share_of(nodes->idle[node], each) : 0;
        if (share == 0)
            continue;
        share = share < left ? share : left;
        out->parts[out->n_parts++] = (fz_part){.node = node, .gpus = share};
        out->gpus += share;
    }
    return true;
}

bool fz_slurm_nodes_ever(fz_slurm_nodes *nodes, const fz_demand *demand, fz_placement *scratch)
{
    for (uint32_t node = 0; node < nodes->spec->n_nodes; node++)
        nodes->idle[node] = nodes->spec->nodes[node].gpus;
    return demand->fixed.gpus > 0 && fz_slurm_nodes_pick(nodes, demand, scratch);
}

fz_verdict fz_slurm_nodes_start(fz_slurm_nodes *nodes, const fz_view *view, fz_decision *decision, fz_job job)
{
    const fz_demand *demand = fz_view_demand(view, job);
    fz_placement *where = fz_decision_scratch(decision);
    if (fz_cluster_idle(fz_view_cluster(view), demand->fixed.types) < demand->fixed.gpus)
        return FZ_NO_ROOM;
    fz_slurm_nodes_now(nodes, fz_view_cluster(view));
    return fz_slurm_nodes_pick(nodes, demand, where) ? fz_decision_start(decision, job, &demand->fixed, where)
                                                     : FZ_NO_ROOM;
}
