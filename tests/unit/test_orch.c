/* Orchestrator: leases by hand, refusals that change nothing, and a random storm under the checker. */
#include <frenzy/orch.h>
#include <frenzy/units.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/clusters.h"
#include "tests/harness.h"

static fz_arena *arena;

static fz_orch *small_orch(void)
{
    /* two nodes of 4 GPUs of 16 GiB, one of 100 GPUs of 40 GiB (two words) */
    const uint32_t mem[] = {16, 40};
    const double rate[] = {1, 2};
    const uint32_t type[] = {0, 0, 1};
    const uint32_t gpus[] = {4, 4, 100};
    fz_orch *orch = NULL;
    fz_orch_new(arena, test_cluster(arena, 2, mem, rate, 3, type, gpus), 10, &orch, NULL);
    return orch;
}

static bool lease(fz_orch *orch, fz_holder holder, uint32_t n_parts, fz_part *parts)
{
    fz_placement where = {.parts = parts, .n_parts = n_parts, .capacity = n_parts};
    return fz_orch_lease(orch, holder, &where);
}

static void test_lowest_gpus_first(void)
{
    fz_orch *orch = small_orch();
    uint32_t gpus[200];
    CU_ASSERT_TRUE(lease(orch, 3, 2, (fz_part[]){{1, 3}, {0, 1}}));
    CU_ASSERT_EQUAL(fz_orch_gpus(orch, 3, gpus, 200), 4);
    CU_ASSERT_EQUAL(gpus[0], 4); /* node 1 begins at GPU 4 */
    CU_ASSERT_EQUAL(gpus[2], 6);
    CU_ASSERT_EQUAL(gpus[3], 0);
    CU_ASSERT_EQUAL(fz_orch_holder_of(orch, 6), 3);
    CU_ASSERT_EQUAL(fz_orch_holder_of(orch, 7), FZ_NO_HOLDER);
    CU_ASSERT_EQUAL(fz_cluster_idle_of(fz_orch_cluster(orch), 0), 4);
    CU_ASSERT_EQUAL(fz_orch_check(orch, NULL), FZ_OK);
}

static void test_node_of_two_words(void)
{
    fz_orch *orch = small_orch();
    CU_ASSERT_TRUE(lease(orch, 0, 1, (fz_part[]){{2, 60}}));
    CU_ASSERT_TRUE(lease(orch, 1, 1, (fz_part[]){{2, 30}}));
    CU_ASSERT_EQUAL(fz_orch_holder_of(orch, 8 + 59), 0);
    CU_ASSERT_EQUAL(fz_orch_holder_of(orch, 8 + 60), 1);
    CU_ASSERT_EQUAL(fz_orch_holder_of(orch, 8 + 89), 1);
    CU_ASSERT_EQUAL(fz_orch_release(orch, 0), FZ_TYPE_BIT(1));
    CU_ASSERT_EQUAL(fz_cluster_node_idle(fz_orch_cluster(orch), 2), 70);
    CU_ASSERT_EQUAL(fz_orch_check(orch, NULL), FZ_OK);
}

static void test_refusals_change_nothing(void)
{
    fz_orch *orch = small_orch();
    CU_ASSERT_TRUE(lease(orch, 1, 1, (fz_part[]){{0, 2}}));
    CU_ASSERT_FALSE(lease(orch, 1, 1, (fz_part[]){{1, 1}}));         /* has a lease */
    CU_ASSERT_FALSE(lease(orch, 2, 1, (fz_part[]){{0, 3}}));         /* more than idle */
    CU_ASSERT_FALSE(lease(orch, 2, 2, (fz_part[]){{1, 1}, {0, 3}})); /* the second part fails */
    CU_ASSERT_FALSE(lease(orch, 2, 2, (fz_part[]){{1, 1}, {1, 1}})); /* a node twice */
    CU_ASSERT_FALSE(lease(orch, 2, 1, (fz_part[]){{1, 0}}));         /* no GPU */
    CU_ASSERT_FALSE(lease(orch, 2, 1, (fz_part[]){{3, 1}}));         /* no such node */
    CU_ASSERT_FALSE(lease(orch, 2, 0, NULL));                        /* no part */
    CU_ASSERT_FALSE(lease(orch, 10, 1, (fz_part[]){{1, 1}}));        /* no such holder */
    CU_ASSERT_EQUAL(fz_orch_release(orch, 2), 0);
    CU_ASSERT_EQUAL(fz_orch_release(orch, 99), 0);
    CU_ASSERT_EQUAL(fz_cluster_idle(fz_orch_cluster(orch), FZ_ALL_TYPES), 106);
    CU_ASSERT_EQUAL(fz_orch_check(orch, NULL), FZ_OK);
}

static void test_bad_specs(void)
{
    const uint32_t mem[] = {16};
    const double rate[] = {1};
    fz_orch *orch = NULL;
    fz_error err;
    fz_cluster_spec *spec = test_cluster(arena, 1, mem, rate, 1, (uint32_t[]){1}, (uint32_t[]){4});
    CU_ASSERT_EQUAL(fz_orch_new(arena, spec, 1, &orch, &err), FZ_EINVAL);
    CU_ASSERT_STRING_EQUAL(err.message, "node 'n-0' has an unknown GPU type");
    spec = test_cluster(arena, 1, mem, rate, 1, (uint32_t[]){0}, (uint32_t[]){0});
    CU_ASSERT_EQUAL(fz_orch_new(arena, spec, 1, &orch, &err), FZ_EINVAL);
    spec = test_cluster(arena, 1, mem, rate, 1, (uint32_t[]){0}, (uint32_t[]){FZ_MAX_NODE_GPUS + 1});
    CU_ASSERT_EQUAL(fz_orch_new(arena, spec, 1, &orch, &err), FZ_EINVAL);
    spec->n_nodes = 0;
    CU_ASSERT_EQUAL(fz_orch_new(arena, spec, 1, &orch, &err), FZ_EINVAL);
    spec->n_types = 65;
    CU_ASSERT_EQUAL(fz_orch_new(arena, spec, 1, &orch, &err), FZ_EINVAL);
}

/* A random placement: mostly possible, sometimes not; returns whether it should be. */
static bool random_placement(fz_random *random, const fz_cluster *cluster, fz_placement *where)
{
    uint32_t n_nodes = fz_cluster_get_spec(cluster)->n_nodes;
    uint32_t start = fz_random_below(random, n_nodes);
    bool possible = true;
    where->n_parts = fz_random_between(random, 1, n_nodes < 3 ? n_nodes : 3);
    for (uint32_t i = 0; i < where->n_parts; i++) {
        uint32_t node = (start + i) % n_nodes;
        uint32_t idle = fz_cluster_node_idle(cluster, node);
        where->parts[i] = (fz_part){.node = node, .gpus = fz_random_between(random, 1, idle + 1)};
        possible &= where->parts[i].gpus <= idle;
    }
    return possible;
}

static void test_storm(void)
{
    const uint64_t seed = 20261201;
    fz_random random = {seed};
    fz_error err = {0};
    bool right = true;
    for (uint32_t round = 0; right && round < 50; round++) {
        fz_orch *orch = NULL;
        right = fz_orch_new(arena, test_cluster_random(arena, &random, 30), 40, &orch, &err) == FZ_OK;
        const fz_cluster *cluster = right ? fz_orch_cluster(orch) : NULL;
        fz_placement where = right ? fz_placement_new(arena, cluster) : (fz_placement){0};
        for (uint32_t step = 0; right && step < 400; step++) {
            fz_holder holder = fz_random_below(&random, 40);
            if (fz_orch_gpus(orch, holder, NULL, 0) > 0) {
                right = fz_orch_release(orch, holder) != 0;
            } else {
                bool possible = random_placement(&random, cluster, &where);
                right = fz_orch_lease(orch, holder, &where) == possible;
            }
            right = right && fz_orch_check(orch, &err) == FZ_OK;
        }
    }
    if (!right)
        printf("seed %llu: %s\n", (unsigned long long)seed, err.message);
    CU_ASSERT_TRUE(right);
}

int main(void)
{
    arena = fz_arena_new(NULL);
    const fz_test tests[] = {
        {"lowest GPUs first", test_lowest_gpus_first},
        {"a node of more than 64 GPUs", test_node_of_two_words},
        {"refusals change nothing", test_refusals_change_nothing},
        {"bad cluster descriptions", test_bad_specs},
        {"random leases under the checker", test_storm},
    };
    int failed = FZ_TEST_MAIN("orchestrator", tests);
    fz_arena_free(arena);
    return failed;
}
