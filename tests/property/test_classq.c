/* The queue of policies that choose among plans against a list that is searched from the front: the
 * first job in queue order that fits must be the same, whatever is idle, in submit order and by rank. */
#include <stdio.h>

#include <frenzy/orch.h>

#include "sim/sched/classq.h"
#include "sim/sched/jobheap.h"
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/random.h"

enum { SEEDS = 300, STEPS = 500, MAX_CLASSES = 40, MAX_PLANS = 4, HOLDERS = 12 };

typedef struct world {
    fz_arena *arena;
    fz_orch *orch;
    const fz_cluster *cluster;
    fz_sched_env env;
    fz_classq queue;
    fz_demand demands[MAX_CLASSES];
    fz_plan plans[MAX_CLASSES][MAX_PLANS];
    uint32_t *class_of;
    fz_time *estimates;
    bool *waits;
    uint32_t *rank; /* NULL: submit order */
    fz_placement where;
} world;

/* Some classes have no plan: nothing is ever pushed there. */
static void classes_make(world *w, fz_random *random, uint32_t n_types)
{
    w->env.n_demands = fz_random_between(random, 1, MAX_CLASSES);
    w->env.demands = w->demands;
    uint32_t gpus = fz_cluster_gpus(w->cluster, FZ_ALL_TYPES);
    for (uint32_t i = 0; i < w->env.n_demands; i++) {
        w->demands[i] = (fz_demand){.plans = w->plans[i], .n_plans = fz_random_below(random, MAX_PLANS + 1)};
        for (uint32_t k = 0; k < w->demands[i].n_plans; k++)
            w->plans[i][k] = (fz_plan){.gpus = fz_random_between(random, 1, gpus),
                                       .types = fz_random_between(random, 1, (1u << n_types) - 1)};
    }
}

static void jobs_make(world *w, fz_random *random)
{
    uint32_t n_jobs = fz_random_between(random, 1, 200);
    w->class_of = FZ_NEW(w->arena, n_jobs, uint32_t);
    w->estimates = FZ_NEW(w->arena, n_jobs, fz_time);
    w->waits = FZ_NEW(w->arena, n_jobs, bool);
    for (uint32_t job = 0; job < n_jobs; job++) {
        w->class_of[job] = fz_random_below(random, w->env.n_demands);
        w->estimates[job] = fz_random_below(random, 20); /* many ties */
    }
    w->env.n_jobs = n_jobs;
    w->env.estimates = w->estimates;
    w->env.classes = w->class_of;
}

static bool world_make(world *w, fz_random *random)
{
    *w = (world){.arena = fz_arena_new(NULL)};
    const fz_cluster_spec *spec = test_cluster_random(w->arena, random, 12);
    if (fz_orch_new(w->arena, spec, HOLDERS, &w->orch, NULL) != FZ_OK)
        return false;
    w->cluster = fz_orch_cluster(w->orch);
    w->where = fz_placement_new(w->arena, w->cluster);
    w->env.arena = w->arena;
    w->env.cluster = w->cluster;
    classes_make(w, random, spec->n_types);
    jobs_make(w, random);
    fz_job *job_of = NULL;
    if (fz_random_below(random, 2) == 0 && fz_rank_by_estimate(&w->env, &w->rank, &job_of, NULL) != FZ_OK)
        return false;
    return fz_classq_init(&w->queue, &w->env, w->rank, job_of, NULL) == FZ_OK;
}

/* ---- the list --------------------------------------------------------------------------------------- */

static bool fits(const world *w, uint32_t class)
{
    const fz_demand *demand = &w->demands[class];
    for (uint32_t i = 0; i < demand->n_plans; i++)
        if (demand->plans[i].gpus <= fz_cluster_idle(w->cluster, demand->plans[i].types))
            return true;
    return false;
}

/* By estimate, then row; or by row alone. */
static bool comes_before(const world *w, fz_job a, fz_job b)
{
    if (w->rank != NULL && w->estimates[a] != w->estimates[b])
        return w->estimates[a] < w->estimates[b];
    return a < b;
}

static fz_job naive_first(const world *w, bool only_fitting, uint32_t class)
{
    fz_job first = FZ_NO_JOB;
    for (fz_job job = 0; job < w->env.n_jobs; job++) {
        bool counts = only_fitting ? fits(w, w->class_of[job]) : w->class_of[job] == class;
        if (w->waits[job] && counts && (first == FZ_NO_JOB || comes_before(w, job, first)))
            first = job;
    }
    return first;
}

/* ---- one step ---------------------------------------------------------------------------------------- */

/* Leases a random part of one node, or gives a lease back. */
static void cluster_step(world *w, fz_random *random)
{
    fz_holder holder = fz_random_below(random, HOLDERS);
    if (fz_orch_release(w->orch, holder) != 0)
        return;
    uint32_t node = fz_random_below(random, fz_cluster_get_spec(w->cluster)->n_nodes);
    uint32_t idle = fz_cluster_node_idle(w->cluster, node);
    if (idle == 0)
        return;
    w->where.parts[0] = (fz_part){.node = node, .gpus = fz_random_between(random, 1, idle)};
    w->where.n_parts = 1;
    w->where.gpus = w->where.parts[0].gpus;
    fz_orch_lease(w->orch, holder, &w->where);
}

/* While it does not wait a job may change its class, as after an out-of-memory event. */
static void push_step(world *w, fz_random *random)
{
    fz_job job = fz_random_below(random, w->env.n_jobs);
    if (w->waits[job])
        return;
    w->class_of[job] = fz_random_below(random, w->env.n_demands);
    if (w->demands[w->class_of[job]].n_plans == 0)
        return;
    fz_classq_push(&w->queue, w->class_of[job], job);
    w->waits[job] = true;
}

/* Takes the first job of the class of a random waiting job: not always one that fits. */
static void pop_step(world *w, fz_random *random)
{
    fz_job any = fz_random_below(random, w->env.n_jobs);
    if (!w->waits[any])
        return;
    uint32_t class = w->class_of[any];
    w->waits[naive_first(w, false, class)] = false;
    fz_classq_pop(&w->queue, class);
}

static bool same_answer(const world *w)
{
    fz_job found = fz_classq_first_fitting(&w->queue, w->cluster);
    fz_job expected = naive_first(w, true, 0);
    if (found != expected)
        printf("first fitting: job %d, the list says %d\n", (int)found, (int)expected);
    return found == expected;
}

static bool storm(uint64_t seed)
{
    fz_random random = {seed};
    world w;
    bool same = world_make(&w, &random) && same_answer(&w);
    for (uint32_t i = 0; same && i < STEPS; i++) {
        uint32_t pushes = i < STEPS / 2 ? 3 : 1; /* fills first, then drains */
        cluster_step(&w, &random);
        for (uint32_t k = 0; k < 4; k++)
            if (k < pushes)
                push_step(&w, &random);
            else
                pop_step(&w, &random);
        same = same_answer(&w);
    }
    fz_arena_free(w.arena);
    return same;
}

static void test_against_a_list(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        bool same = storm(seed);
        if (!same)
            printf("seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE_FATAL(same);
    }
}

/* Many jobs come back at once, in the worst order for a list: descending. */
static void test_all_come_back(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    enum { N = 2000 };
    const uint32_t mem[] = {10};
    const double rate[] = {1};
    fz_cluster *cluster = NULL;
    fz_cluster_new(arena, test_cluster(arena, 1, mem, rate, 1, (uint32_t[]){0}, (uint32_t[]){1}), &cluster,
                   NULL);
    const fz_plan plan = {.gpus = 1, .types = 1};
    const fz_demand demand = {.plans = &plan, .n_plans = 1};
    const fz_sched_env env = {
        .arena = arena, .cluster = cluster, .n_jobs = N, .demands = &demand, .n_demands = 1};
    fz_classq queue;
    CU_ASSERT_EQUAL_FATAL(fz_classq_init(&queue, &env, NULL, NULL, NULL), FZ_OK);
    for (fz_job job = N; job-- > 0;)
        fz_classq_push(&queue, 0, job);
    uint32_t in_order = 0;
    for (fz_job job = 0; job < N; job++) {
        in_order += fz_classq_first_fitting(&queue, cluster) == job;
        fz_classq_pop(&queue, 0);
    }
    CU_ASSERT_EQUAL(in_order, N);
    CU_ASSERT_EQUAL(fz_classq_first_fitting(&queue, cluster), FZ_NO_JOB);
    fz_arena_free(arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"against a list", test_against_a_list},
        {"all come back in descending order", test_all_come_back},
    };
    return FZ_TEST_MAIN("classq", tests);
}
