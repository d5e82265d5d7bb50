/* A program outside the project: plans a model and places it, through the installed library. Compiled as C
 * and as C++, so it is written in what both have. */
#include <stdio.h>
#include <string.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/export.h>
#include <frenzy/gpu.h>
#include <frenzy/marp.h>
#include <frenzy/model.h>
#include <frenzy/orch.h>
#include <frenzy/params.h>
#include <frenzy/place.h>
#include <frenzy/plan.h>
#include <frenzy/speed.h>
#include <frenzy/status.h>
#include <frenzy/units.h>
#include <frenzy/version.h>

/* Leases the first feasible plan; returns its GPUs, 0 when something failed. */
static uint32_t place_first(fz_arena *arena, const fz_cluster_spec *spec, const fz_plan *plans, size_t n)
{
    fz_orch *orch = NULL;
    fz_error err;
    if (fz_orch_new(arena, spec, 1, &orch, &err) != FZ_OK)
        return 0;
    const fz_cluster *cluster = fz_orch_cluster(orch);
    uint32_t pick = fz_has_pick(cluster, plans, (uint32_t)n, FZ_PICK_FIRST);
    fz_placement where = fz_placement_new(arena, cluster);
    if (pick == n || !fz_place_has(cluster, plans[pick].types, plans[pick].gpus, &where) ||
        !fz_orch_lease(orch, 0, &where) || fz_orch_check(orch, &err) != FZ_OK)
        return 0;
    return plans[pick].gpus;
}

int main(void)
{
    fz_model model;
    fz_training training;
    fz_gpu_type type;
    fz_node_spec node;
    fz_cluster_spec spec;
    fz_plan plans[FZ_MARP_MAX_PLANS];
    memset(&model, 0, sizeof(model));
    memset(&type, 0, sizeof(type));
    model.layers = 12;
    model.hidden = 768;
    model.heads = 12;
    model.vocab = 50257;
    training.global_batch = 8;
    training.seq_len = 1024;
    type.name = "gpu";
    type.mem_bytes = 16 * FZ_GIB;
    node.name = "node";
    node.type = 0;
    node.gpus = 8;
    spec.name = "mine";
    spec.types = &type;
    spec.n_types = 1;
    spec.nodes = &node;
    spec.n_nodes = 1;
    if (fz_model_complete(&model, NULL) != FZ_OK || fz_abi_version() != FZ_ABI_VERSION)
        return 1;
    size_t n = fz_marp_bind(plans, fz_marp_plans(&model, &training, plans), &type, 1, FZ_ALL_TYPES, 1.0, 8);
    fz_arena *arena = fz_arena_new(NULL);
    uint32_t gpus = place_first(arena, &spec, plans, n);
    fz_arena_free(arena);
    printf("frenzy %s: %u GPUs\n", fz_version(), (unsigned)gpus);
    return gpus > 0 ? 0 : 1;
}
