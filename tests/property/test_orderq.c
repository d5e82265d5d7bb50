/* The queue of fixed-size policies against a list that is searched from the front: the same pushes,
 * removals and searches must give the same jobs. */
#include <stdio.h>

#include "sim/sched/orderq.h"
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/random.h"

enum { SEEDS = 200, STEPS = 600, MAX_CLASSES = 12, MAX_BOUNDS = 8 };

/* What both queues know: classes, estimates, and the list of who waits. */
typedef struct world {
    fz_arena *arena;
    fz_sched_env env;
    fz_orderq queue;
    fz_demand demands[MAX_CLASSES];
    uint32_t *class_of;
    fz_time *estimates;
    bool *waits;
    uint32_t n_types;
} world;

typedef struct bound {
    uint32_t type, gpus;
    fz_time estimate;
} bound;

/* Some classes fit nowhere (gpus 0): they are never pushed, and must not disturb the others. */
static void classes_make(world *w, fz_random *random)
{
    w->env.n_demands = fz_random_between(random, 1, MAX_CLASSES);
    w->env.demands = w->demands;
    for (uint32_t i = 0; i < w->env.n_demands; i++) {
        fz_type_mask types = fz_random_between(random, 1, (1u << w->n_types) - 1);
        uint32_t gpus = fz_random_below(random, 8) == 0 ? 0 : fz_random_between(random, 1, 12);
        w->demands[i] = (fz_demand){.opaque = true, .fixed = {.gpus = gpus, .types = types}};
    }
}

/* Few distinct values, so that ties are common; now and then the ends of the range. */
static fz_time estimate_draw(fz_random *random)
{
    uint32_t kind = fz_random_below(random, 20);
    if (kind == 0)
        return FZ_TIME_LIMIT;
    return kind == 1 ? 0 : (fz_time)fz_random_below(random, 10);
}

static void world_make(world *w, fz_random *random)
{
    *w = (world){.arena = fz_arena_new(NULL), .n_types = fz_random_between(random, 1, 3)};
    const uint32_t mem[] = {10, 20, 30};
    const double rate[] = {1, 2, 3};
    const uint32_t one[] = {0};
    fz_cluster *cluster = NULL;
    fz_cluster_new(w->arena, test_cluster(w->arena, w->n_types, mem, rate, 1, one, (uint32_t[]){4}), &cluster,
                   NULL);
    classes_make(w, random);
    uint32_t n_jobs = fz_random_between(random, 1, fz_random_below(random, 3) == 0 ? 3000 : 70);
    w->class_of = FZ_NEW(w->arena, n_jobs, uint32_t);
    w->estimates = FZ_NEW(w->arena, n_jobs, fz_time);
    w->waits = FZ_NEW(w->arena, n_jobs, bool);
    for (uint32_t job = 0; job < n_jobs; job++) {
        w->class_of[job] = fz_random_below(random, w->env.n_demands);
        w->estimates[job] = estimate_draw(random);
    }
    w->env.arena = w->arena;
    w->env.cluster = cluster;
    w->env.n_jobs = n_jobs;
    w->env.estimates = w->estimates;
    w->env.classes = w->class_of;
}

static bool meets(const world *w, fz_job job, const bound *limit)
{
    const fz_plan *plan = &w->demands[w->class_of[job]].fixed;
    return (plan->types & FZ_TYPE_BIT(limit->type)) != 0 && plan->gpus <= limit->gpus &&
           w->estimates[job] <= limit->estimate;
}

static fz_job naive_search(const world *w, const bound *bounds, uint32_t n_bounds)
{
    for (fz_job job = 0; job < w->env.n_jobs; job++)
        for (uint32_t i = 0; w->waits[job] && i < n_bounds; i++)
            if (meets(w, job, &bounds[i]))
                return job;
    return FZ_NO_JOB;
}

static fz_job naive_head(const world *w)
{
    for (fz_job job = 0; job < w->env.n_jobs; job++)
        if (w->waits[job])
            return job;
    return FZ_NO_JOB;
}

/* At most two bounds a type, as the header asks. */
static uint32_t bounds_draw(const world *w, fz_random *random, bound *bounds)
{
    uint32_t n = 0;
    for (uint32_t type = 0; type < w->n_types; type++)
        for (uint32_t k = fz_random_below(random, 3); k > 0; k--) {
            fz_time estimate = fz_random_below(random, 4) == 0 ? FZ_TIME_MAX : estimate_draw(random) - 1;
            bounds[n++] = (bound){.type = type, .gpus = fz_random_below(random, 14), .estimate = estimate};
        }
    return n;
}

static bool same_answers(world *w, fz_random *random)
{
    bound bounds[MAX_BOUNDS];
    uint32_t n_bounds = bounds_draw(w, random, bounds);
    fz_orderq_search_clear(&w->queue);
    for (uint32_t i = 0; i < n_bounds; i++)
        fz_orderq_search_add(&w->queue, bounds[i].type, bounds[i].gpus, bounds[i].estimate);
    fz_job found = fz_orderq_search(&w->queue);
    fz_job expected = naive_search(w, bounds, n_bounds);
    if (found != expected)
        printf("search: job %d, the list says %d\n", (int)found, (int)expected);
    if (fz_orderq_head(&w->queue) != naive_head(w))
        printf("head: job %d, the list says %d\n", (int)fz_orderq_head(&w->queue), (int)naive_head(w));
    return found == expected && fz_orderq_head(&w->queue) == naive_head(w);
}

/* Pushes or removes a random job; removals go through a search half of the time, as policies do. */
static void step(world *w, fz_random *random, uint32_t push_of_four)
{
    fz_job job = fz_random_below(random, w->env.n_jobs);
    if (fz_random_below(random, 4) >= push_of_four && fz_random_below(random, 2) == 0)
        job = fz_orderq_head(&w->queue);
    if (job == FZ_NO_JOB || w->demands[w->class_of[job]].fixed.gpus == 0)
        return;
    if (w->waits[job])
        fz_orderq_remove(&w->queue, job);
    else if (fz_random_below(random, 4) < push_of_four)
        fz_orderq_push(&w->queue, w->class_of[job], job);
    else
        return;
    w->waits[job] = !w->waits[job];
}

/* A job may come back under another class (it ran out of memory) while it does not wait. */
static void class_change(world *w, fz_random *random)
{
    fz_job job = fz_random_below(random, w->env.n_jobs);
    if (!w->waits[job])
        w->class_of[job] = fz_random_below(random, w->env.n_demands);
}

static bool storm(uint64_t seed)
{
    fz_random random = {seed};
    world w;
    world_make(&w, &random);
    bool same = fz_orderq_init(&w.queue, &w.env, NULL) == FZ_OK && same_answers(&w, &random);
    for (uint32_t i = 0; same && i < STEPS; i++) {
        step(&w, &random, i < STEPS / 2 ? 3 : 1); /* fills first, then drains */
        class_change(&w, &random);
        same = same_answers(&w, &random);
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

static void test_nothing_to_hold(void)
{
    fz_random random = {7};
    world w;
    world_make(&w, &random);
    w.env.n_jobs = 0;
    w.env.n_demands = 0;
    CU_ASSERT_EQUAL(fz_orderq_init(&w.queue, &w.env, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_orderq_head(&w.queue), FZ_NO_JOB);
    fz_orderq_search_clear(&w.queue);
    fz_orderq_search_add(&w.queue, 0, 4, FZ_TIME_MAX);
    CU_ASSERT_EQUAL(fz_orderq_search(&w.queue), FZ_NO_JOB);
    fz_arena_free(w.arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"against a list", test_against_a_list},
        {"no jobs, no classes", test_nothing_to_hold},
    };
    return FZ_TEST_MAIN("orderq", tests);
}
