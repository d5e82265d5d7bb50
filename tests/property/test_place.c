/* Placement against a second, naive writing of HAS: sort all nodes of a memory level by
 * (idle GPUs ascending, compute rate descending, index), take the first that hosts the rest, else the
 * last one not used yet. Random clusters, random loads; the seed is printed on failure. */
#include <frenzy/orch.h>
#include <frenzy/place.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/clusters.h"
#include "tests/harness.h"

#define MAX_NODES 40u

typedef struct naive_node {
    uint32_t node, idle;
    double rate;
} naive_node;

static int by_has_order(const void *a, const void *b)
{
    const naive_node *x = a;
    const naive_node *y = b;
    if (x->idle != y->idle)
        return x->idle < y->idle ? -1 : 1;
    if (x->rate != y->rate)
        return x->rate > y->rate ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Types of equal memory and rate are ranked by file order before the node index: in the naive list that
 * is one more key, so random clusters here give each type of a level its own rate or the same nodes. */
static uint32_t naive_level(const fz_cluster *cluster, uint64_t mem, fz_type_mask types, uint32_t need,
                            uint32_t *take)
{
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    naive_node nodes[MAX_NODES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        uint32_t type = spec->nodes[i].type;
        uint32_t idle = fz_cluster_node_idle(cluster, i);
        if ((types & FZ_TYPE_BIT(type)) != 0 && spec->types[type].mem_bytes == mem && idle > 0)
            nodes[n++] = (naive_node){.node = i, .idle = idle, .rate = spec->types[type].flops_per_s};
    }
    qsort(nodes, n, sizeof(nodes[0]), by_has_order);
    while (need > 0 && n > 0) {
        uint32_t first = 0;
        while (first < n && nodes[first].idle < need)
            first++;
        uint32_t pick = first < n ? first : n - 1;
        uint32_t gpus = nodes[pick].idle < need ? nodes[pick].idle : need;
        take[nodes[pick].node] = gpus;
        need -= gpus;
        n--; /* if it was the last: used up; else the need is met */
    }
    return need;
}

static bool naive_has(const fz_cluster *cluster, fz_type_mask types, uint32_t need, uint32_t *take)
{
    uint64_t mem = 0;
    const fz_cluster_spec *spec = fz_cluster_get_spec(cluster);
    for (;;) { /* the next larger memory size */
        uint64_t next = UINT64_MAX;
        for (uint32_t i = 0; i < spec->n_types; i++)
            if (spec->types[i].mem_bytes > mem && spec->types[i].mem_bytes < next)
                next = spec->types[i].mem_bytes;
        if (next == UINT64_MAX || need == 0)
            return need == 0;
        need = naive_level(cluster, next, types, need, take);
        mem = next;
    }
}

static bool same(const fz_placement *where, const uint32_t *take)
{
    uint32_t seen[MAX_NODES] = {0};
    for (uint32_t i = 0; i < where->n_parts; i++)
        seen[where->parts[i].node] += where->parts[i].gpus;
    for (uint32_t i = 0; i < MAX_NODES; i++)
        if (seen[i] != take[i])
            return false;
    return true;
}

/* Gives every type its own rate, so that ties between types do not hide behind equal figures. */
static fz_cluster_spec *cluster_of(fz_arena *arena, fz_random *random)
{
    fz_cluster_spec *spec = test_cluster_random(arena, random, MAX_NODES);
    fz_gpu_type *types = FZ_NEW(arena, spec->n_types, fz_gpu_type);
    for (uint32_t i = 0; i < spec->n_types; i++) {
        types[i] = spec->types[i];
        types[i].flops_per_s = 1e12 * (1 + (i * 7 + 3) % 5);
    }
    spec->types = types;
    return spec;
}

static void fill_randomly(fz_random *random, fz_orch *orch, fz_placement *where)
{
    uint32_t n_nodes = fz_cluster_get_spec(fz_orch_cluster(orch))->n_nodes;
    for (uint32_t node = 0; node < n_nodes; node++) {
        uint32_t idle = fz_cluster_node_idle(fz_orch_cluster(orch), node);
        uint32_t gpus = fz_random_between(random, 0, idle);
        where->parts[0] = (fz_part){.node = node, .gpus = gpus};
        where->n_parts = 1;
        if (gpus > 0)
            fz_orch_lease(orch, node, where);
    }
}

static bool round_right(fz_random *random)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_orch *orch = NULL;
    fz_orch_new(arena, cluster_of(arena, random), MAX_NODES, &orch, NULL);
    const fz_cluster *cluster = fz_orch_cluster(orch);
    fz_placement where = fz_placement_new(arena, cluster);
    fill_randomly(random, orch, &where);
    bool right = true;
    for (uint32_t gpus = 1; right && gpus <= fz_cluster_gpus(cluster, FZ_ALL_TYPES); gpus += 1 + gpus / 4) {
        fz_type_mask types = fz_random_next(random) & fz_cluster_types(cluster);
        uint32_t take[MAX_NODES] = {0};
        bool naive = naive_has(cluster, types, gpus, take);
        bool placed = fz_place_has(cluster, types, gpus, &where);
        right = placed == naive && (!placed || (same(&where, take) && where.gpus == gpus));
    }
    fz_arena_free(arena);
    return right;
}

static void test_has_against_naive(void)
{
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        fz_random random = {seed};
        bool right = round_right(&random);
        if (!right)
            printf("placement differs, seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE_FATAL(right);
    }
}

/* ---- by hand -------------------------------------------------------------------------------------------- */

static fz_orch *orch_of(fz_arena *arena, uint32_t n_nodes, const uint32_t *gpus)
{
    const uint32_t mem[] = {40};
    const double rate[] = {1};
    uint32_t types[16] = {0};
    fz_orch *orch = NULL;
    fz_orch_new(arena, test_cluster(arena, 1, mem, rate, n_nodes, types, gpus), 16, &orch, NULL);
    return orch;
}

static void test_consolidated(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_orch *orch = orch_of(arena, 4, (uint32_t[]){8, 8, 8, 8});
    const fz_cluster *cluster = fz_orch_cluster(orch);
    fz_placement where = fz_placement_new(arena, cluster);
    /* nodes 0..3 with 3, 8, 5, 8 idle */
    fz_orch_lease(orch, 0, &(fz_placement){.parts = (fz_part[]){{0, 5}}, .n_parts = 1});
    fz_orch_lease(orch, 1, &(fz_placement){.parts = (fz_part[]){{2, 3}}, .n_parts = 1});
    CU_ASSERT_TRUE(fz_place_consolidated(cluster, 0, 4, &where));
    CU_ASSERT_EQUAL(where.parts[0].node, 2);                       /* the tightest single node */
    CU_ASSERT_TRUE(fz_place_consolidated(cluster, 0, 12, &where)); /* one whole node + the tightest for 4 */
    CU_ASSERT_EQUAL(where.n_parts, 2);
    CU_ASSERT_EQUAL(where.parts[0].node, 3);
    CU_ASSERT_EQUAL(where.parts[1].node, 2);
    CU_ASSERT_TRUE(fz_place_consolidated(cluster, 0, 16, &where));
    CU_ASSERT_EQUAL(where.n_parts, 2);
    CU_ASSERT_TRUE(fz_place_packed(cluster, 0, 24, &where)); /* 8 + 8 + 5 + 3: exists, but spread */
    CU_ASSERT_EQUAL(where.n_parts, 4);
    CU_ASSERT_FALSE(fz_place_consolidated(cluster, 0, 24, &where)); /* three whole nodes do not */
    CU_ASSERT_EQUAL(where.n_parts, 0);
    CU_ASSERT_FALSE(fz_place_packed(cluster, 0, 25, &where));
    CU_ASSERT_FALSE(fz_place_packed(cluster, 0, 0, &where));
    fz_arena_free(arena);
}

static void test_pick(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    const uint32_t mem[] = {16, 80};
    const double rate[] = {1, 2};
    fz_orch *orch = NULL;
    fz_orch_new(arena, test_cluster(arena, 2, mem, rate, 2, (uint32_t[]){0, 1}, (uint32_t[]){8, 2}), 4, &orch,
                NULL);
    const fz_cluster *cluster = fz_orch_cluster(orch);
    const fz_plan plans[] = {
        {.gpus = 4, .types = 2}, {.gpus = 5, .types = 1}, {.gpus = 9, .types = 3}, {.gpus = 20, .types = 3}};
    CU_ASSERT_EQUAL(fz_has_pick(cluster, plans, 4, FZ_PICK_FIRST), 1);
    CU_ASSERT_EQUAL(fz_has_pick(cluster, plans, 4, FZ_PICK_LAST), 2);
    CU_ASSERT_EQUAL(fz_has_pick(cluster, plans, 1, FZ_PICK_FIRST), 1);
    fz_arena_free(arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"HAS against a naive writing, 1,000 seeds", test_has_against_naive},
        {"consolidated placement by hand", test_consolidated},
        {"plan picking by hand", test_pick},
    };
    return FZ_TEST_MAIN("place", tests);
}
