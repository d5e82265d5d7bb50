#include "tests/clusters.h"

#include <stdio.h>

#include <frenzy/units.h>

static const char *numbered(fz_arena *arena, const char *prefix, uint32_t number)
{
    char name[32];
    snprintf(name, sizeof(name), "%s%u", prefix, number);
    return fz_arena_strdup(arena, name);
}

fz_cluster_spec *test_cluster(fz_arena *arena, uint32_t n_types, const uint32_t *mem_gib,
                              const double *tflops, uint32_t n_nodes, const uint32_t *node_type,
                              const uint32_t *node_gpus)
{
    fz_cluster_spec *spec = FZ_NEW(arena, 1, fz_cluster_spec);
    fz_gpu_type *types = FZ_NEW(arena, n_types, fz_gpu_type);
    fz_node_spec *nodes = FZ_NEW(arena, n_nodes, fz_node_spec);
    for (uint32_t i = 0; i < n_types; i++)
        types[i] = (fz_gpu_type){.name = numbered(arena, "g", i),
                                 .mem_bytes = mem_gib[i] * FZ_GIB,
                                 .flops_per_s = tflops[i] * 1e12,
                                 .flops_origin = FZ_ORIGIN_CATALOG};
    for (uint32_t i = 0; i < n_nodes; i++)
        nodes[i] =
            (fz_node_spec){.name = numbered(arena, "n-", i), .type = node_type[i], .gpus = node_gpus[i]};
    *spec = (fz_cluster_spec){
        .name = "test", .types = types, .n_types = n_types, .nodes = nodes, .n_nodes = n_nodes};
    return spec;
}

fz_cluster_spec *test_cluster_random(fz_arena *arena, fz_random *random, uint32_t max_nodes)
{
    uint32_t n_types = fz_random_between(random, 1, 4);
    uint32_t n_nodes = fz_random_between(random, 1, max_nodes);
    uint32_t mem[4];
    double rate[4];
    uint32_t *type = FZ_NEW(arena, n_nodes, uint32_t);
    uint32_t *gpus = FZ_NEW(arena, n_nodes, uint32_t);
    for (uint32_t i = 0; i < n_types; i++) {
        mem[i] = 10 * fz_random_between(random, 1, 3);
        rate[i] = fz_random_between(random, 1, 3);
    }
    for (uint32_t i = 0; i < n_nodes; i++) {
        type[i] = fz_random_below(random, n_types);
        gpus[i] = fz_random_between(random, 1, 8);
    }
    return test_cluster(arena, n_types, mem, rate, n_nodes, type, gpus);
}
