#include "sim/sched/classq.h"

#include <stdbool.h>
#include <stdlib.h>

#define NONE UINT32_MAX

struct fz_classq_class {
    uint32_t head;        /* smallest rank waiting, NONE if empty (C1) */
    uint32_t first, last; /* list of jobs in ascending rank, + 1; 0: empty */
    uint32_t heap;        /* root of the heap, + 1; 0: empty */
};

struct fz_classq_pool {
    fz_type_mask types;
    uint32_t n_members; /* classes with a plan on these types */
    uint32_t width;     /* leaves of the tree: a power of two */
    uint32_t *needs;    /* by position, ascending: GPUs of the smallest plan */
    uint32_t *tree;     /* 2 * width: node i has the children 2i and 2i + 1; leaves from `width` */
    uint32_t *position; /* by class: its leaf, NONE if not a member */
};

/* ---- pools ---------------------------------------------------------------------------------------------- */

static uint32_t pool_find(fz_classq *queue, fz_type_mask types)
{
    for (uint32_t i = 0; i < queue->n_pools; i++)
        if (queue->pools[i].types == types)
            return i;
    return NONE;
}

/* Type sets are few (memory levels, and what users restrict), classes may be many. */
static bool pools_collect(fz_classq *queue, const fz_sched_env *env)
{
    uint32_t capacity = 16;
    queue->pools = FZ_NEW(env->arena, capacity, fz_classq_pool);
    for (uint32_t class = 0; queue->pools != NULL && class < env->n_demands; class ++) {
        const fz_demand *demand = &env->demands[class];
        for (uint32_t i = 0; i < demand->n_plans && queue->pools != NULL; i++) {
            if (pool_find(queue, demand->plans[i].types) != NONE)
                continue;
            if (queue->n_pools == capacity) {
                fz_classq_pool *larger = FZ_NEW(env->arena, 2 * (size_t)capacity, fz_classq_pool);
                for (uint32_t k = 0; larger != NULL && k < capacity; k++)
                    larger[k] = queue->pools[k];
                queue->pools = larger;
                capacity *= 2;
            }
            if (queue->pools != NULL)
                queue->pools[queue->n_pools++].types = demand->plans[i].types;
        }
    }
    return queue->pools != NULL;
}

typedef struct member {
    uint32_t need;
    uint32_t class;
} member;

static int by_need(const void *a, const void *b)
{
    const member *x = a;
    const member *y = b;
    if (x->need != y->need)
        return x->need < y->need ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

static uint32_t smallest_on(const fz_demand *demand, fz_type_mask types)
{
    uint32_t need = NONE;
    for (uint32_t i = 0; i < demand->n_plans; i++)
        if (demand->plans[i].types == types && demand->plans[i].gpus < need)
            need = demand->plans[i].gpus;
    return need;
}

static bool pool_init(fz_classq_pool *pool, const fz_sched_env *env, member *members)
{
    for (uint32_t class = 0; class < env->n_demands; class ++) {
        uint32_t need = smallest_on(&env->demands[class], pool->types);
        if (need != NONE)
            members[pool->n_members++] = (member){.need = need, .class = class};
    }
    qsort(members, pool->n_members, sizeof(*members), by_need);
    for (pool->width = 1; pool->width < pool->n_members;)
        pool->width *= 2;
    pool->needs = FZ_NEW(env->arena, pool->n_members, uint32_t);
    pool->position = FZ_NEW(env->arena, env->n_demands, uint32_t);
    pool->tree = FZ_NEW(env->arena, 2 * (size_t)pool->width, uint32_t);
    if (pool->needs == NULL || pool->position == NULL || pool->tree == NULL)
        return false;
    for (uint32_t i = 0; i < env->n_demands; i++)
        pool->position[i] = NONE;
    for (size_t i = 0; i < 2 * (size_t)pool->width; i++)
        pool->tree[i] = NONE;
    for (uint32_t i = 0; i < pool->n_members; i++) {
        pool->needs[i] = members[i].need;
        pool->position[members[i].class] = i;
    }
    return true;
}

/* C2: writes a leaf and the minima above it, as far as they change. */
static void pool_set(fz_classq_pool *pool, uint32_t position, uint32_t head)
{
    uint32_t at = pool->width + position;
    pool->tree[at] = head;
    for (at /= 2; at >= 1; at /= 2) {
        uint32_t left = pool->tree[2 * (size_t)at];
        uint32_t right = pool->tree[2 * (size_t)at + 1];
        uint32_t smaller = left < right ? left : right;
        if (pool->tree[at] == smaller)
            return;
        pool->tree[at] = smaller;
    }
}

/* The smallest head among the classes that need at most `idle` GPUs of the pool. */
static uint32_t pool_first(const fz_classq_pool *pool, uint32_t idle)
{
    if (pool->tree[1] == NONE || pool->n_members == 0 || pool->needs[0] > idle)
        return NONE;
    if (pool->needs[pool->n_members - 1] <= idle)
        return pool->tree[1];
    uint32_t low = 0; /* one past the last class that fits */
    uint32_t high = pool->n_members;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pool->needs[middle] <= idle)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t best = NONE;
    for (uint32_t at = pool->width + low; at > 1; at /= 2) /* the subtrees left of leaf `low` */
        if (at % 2 == 1 && pool->tree[at - 1] < best)
            best = pool->tree[at - 1];
    return best;
}

/* ---- jobs of a class ------------------------------------------------------------------------------------ */

static uint32_t rank_of(const fz_classq *queue, fz_job job)
{
    return queue->rank != NULL ? queue->rank[job] : job;
}

/* Joins two heaps, given by root + 1; either may be 0. */
static uint32_t heap_join(fz_classq *queue, uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    uint32_t root = rank_of(queue, a - 1) < rank_of(queue, b - 1) ? a : b;
    uint32_t other = a + b - root;
    queue->next[other - 1] = queue->child[root - 1];
    queue->child[root - 1] = other;
    return root;
}

/* Removes the root: joins its children in pairs, then all pairs from the last to the first. */
static uint32_t heap_pop(fz_classq *queue, uint32_t root)
{
    uint32_t pairs = 0;
    for (uint32_t at = queue->child[root - 1]; at != 0;) {
        uint32_t other = queue->next[at - 1];
        uint32_t rest = other != 0 ? queue->next[other - 1] : 0;
        queue->next[at - 1] = 0;
        if (other != 0)
            queue->next[other - 1] = 0;
        uint32_t pair = heap_join(queue, at, other);
        queue->next[pair - 1] = pairs;
        pairs = pair;
        at = rest;
    }
    uint32_t heap = 0;
    while (pairs != 0) {
        uint32_t rest = queue->next[pairs - 1];
        queue->next[pairs - 1] = 0;
        heap = heap_join(queue, heap, pairs);
        pairs = rest;
    }
    queue->child[root - 1] = 0;
    return heap;
}

static void head_update(fz_classq *queue, uint32_t class)
{
    fz_classq_class *self = &queue->classes[class];
    uint32_t head = self->first != 0 ? rank_of(queue, self->first - 1) : NONE;
    if (self->heap != 0 && rank_of(queue, self->heap - 1) < head)
        head = rank_of(queue, self->heap - 1);
    if (head == self->head)
        return;
    self->head = head;
    for (uint32_t i = 0; i < queue->n_pools; i++)
        if (queue->pools[i].position[class] != NONE)
            pool_set(&queue->pools[i], queue->pools[i].position[class], head);
}

void fz_classq_push(fz_classq *queue, uint32_t class, fz_job job)
{
    fz_classq_class *self = &queue->classes[class];
    queue->next[job] = 0;
    if (self->first == 0) {
        self->first = self->last = job + 1;
    } else if (rank_of(queue, self->last - 1) < rank_of(queue, job)) {
        queue->next[self->last - 1] = job + 1;
        self->last = job + 1;
    } else {
        queue->child[job] = 0;
        self->heap = heap_join(queue, self->heap, job + 1);
    }
    head_update(queue, class);
}

void fz_classq_pop(fz_classq *queue, uint32_t class)
{
    fz_classq_class *self = &queue->classes[class];
    if (self->heap != 0 && rank_of(queue, self->heap - 1) == self->head)
        self->heap = heap_pop(queue, self->heap);
    else
        self->first = queue->next[self->first - 1];
    head_update(queue, class);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

fz_status fz_classq_init(fz_classq *queue, const fz_sched_env *env, const uint32_t *rank,
                         const fz_job *job_of, fz_error *err)
{
    *queue = (fz_classq){.rank = rank, .job_of = job_of, .n_classes = env->n_demands};
    queue->classes = FZ_NEW(env->arena, env->n_demands, fz_classq_class);
    queue->next = FZ_NEW(env->arena, env->n_jobs, uint32_t);
    queue->child = FZ_NEW(env->arena, env->n_jobs, uint32_t);
    member *members = malloc(((size_t)env->n_demands + 1) * sizeof(*members));
    bool ready = queue->classes != NULL && queue->next != NULL && queue->child != NULL && members != NULL &&
                 pools_collect(queue, env);
    for (uint32_t i = 0; ready && i < queue->n_pools; i++)
        ready = pool_init(&queue->pools[i], env, members);
    free(members);
    if (!ready)
        return fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs in %u classes", env->n_jobs,
                       env->n_demands);
    for (uint32_t class = 0; class < env->n_demands; class ++)
        queue->classes[class].head = NONE;
    return FZ_OK;
}

fz_job fz_classq_first_fitting(const fz_classq *queue, const fz_cluster *cluster)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < queue->n_pools; i++) {
        uint32_t head = pool_first(&queue->pools[i], fz_cluster_idle(cluster, queue->pools[i].types));
        best = head < best ? head : best;
    }
    if (best == NONE)
        return FZ_NO_JOB;
    return queue->job_of != NULL ? queue->job_of[best] : best;
}
