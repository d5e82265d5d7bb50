#include "sim/engine/ends.h"

#include <assert.h>

struct fz_ends_node {
    fz_time end;
    uint32_t job;
    uint32_t gpus;
    uint32_t sum; /* GPUs in this subtree */
    uint32_t priority;
    uint32_t left, right;
};

struct fz_ends_fresh {
    fz_time end;
    uint32_t job;
    uint32_t gpus; /* 0: removed */
};

bool fz_ends_init(fz_ends *ends, fz_arena *arena, uint32_t capacity)
{
    *ends = (fz_ends){.capacity = capacity};
    ends->nodes = FZ_NEW(arena, (size_t)capacity + 1, fz_ends_node);
    ends->fresh = FZ_NEW(arena, (size_t)capacity + 1, fz_ends_fresh);
    return ends->nodes != NULL && ends->fresh != NULL;
}

/* A mixing of the row's bits (the finaliser of MurmurHash3, public domain). */
static uint32_t priority_of(uint32_t job)
{
    uint32_t x = job + 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

static bool comes_before(const fz_ends_node *node, fz_time end, uint32_t job)
{
    return node->end < end || (node->end == end && node->job < job);
}

static void sum_up(fz_ends_node *nodes, uint32_t at)
{
    nodes[at].sum = nodes[at].gpus + nodes[nodes[at].left].sum + nodes[nodes[at].right].sum;
}

/* Splits the tree `at` into entries before (end, job) and the rest. Depth is O(log n) expected. */
static void split(fz_ends_node *nodes, uint32_t at, fz_time end, uint32_t job, uint32_t *low, uint32_t *high)
{
    if (at == 0) {
        *low = *high = 0;
    } else if (comes_before(&nodes[at], end, job)) {
        *low = at;
        split(nodes, nodes[at].right, end, job, &nodes[at].right, high);
        sum_up(nodes, at);
    } else {
        *high = at;
        split(nodes, nodes[at].left, end, job, low, &nodes[at].left);
        sum_up(nodes, at);
    }
}

static uint32_t merge(fz_ends_node *nodes, uint32_t low, uint32_t high)
{
    if (low == 0 || high == 0)
        return low + high;
    if (nodes[low].priority >= nodes[high].priority) {
        nodes[low].right = merge(nodes, nodes[low].right, high);
        sum_up(nodes, low);
        return low;
    }
    nodes[high].left = merge(nodes, low, nodes[high].left);
    sum_up(nodes, high);
    return high;
}

static uint32_t node_take(fz_ends *ends)
{
    uint32_t at = ends->spare;
    if (at != 0)
        ends->spare = ends->nodes[at].left;
    else
        at = ++ends->used;
    assert(at <= ends->capacity);
    return at;
}

static void tree_add(fz_ends *ends, fz_time end, uint32_t job, uint32_t gpus)
{
    fz_ends_node *nodes = ends->nodes;
    uint32_t fresh = node_take(ends);
    nodes[fresh] =
        (fz_ends_node){.end = end, .job = job, .gpus = gpus, .sum = gpus, .priority = priority_of(job)};
    uint32_t *link = &ends->root;
    while (*link != 0 && nodes[*link].priority >= nodes[fresh].priority) {
        fz_ends_node *node = &nodes[*link];
        node->sum += gpus;
        link = comes_before(node, end, job) ? &node->right : &node->left;
    }
    split(nodes, *link, end, job, &nodes[fresh].left, &nodes[fresh].right);
    sum_up(nodes, fresh);
    *link = fresh;
}

static uint32_t find_gpus(const fz_ends *ends, fz_time end, uint32_t job)
{
    uint32_t at = ends->root;
    while (ends->nodes[at].end != end || ends->nodes[at].job != job) {
        assert(at != 0);
        at = comes_before(&ends->nodes[at], end, job) ? ends->nodes[at].right : ends->nodes[at].left;
    }
    return ends->nodes[at].gpus;
}

static void tree_remove(fz_ends *ends, fz_time end, uint32_t job)
{
    fz_ends_node *nodes = ends->nodes;
    uint32_t gpus = find_gpus(ends, end, job);
    uint32_t *link = &ends->root;
    while (nodes[*link].end != end || nodes[*link].job != job) {
        fz_ends_node *node = &nodes[*link];
        node->sum -= gpus;
        link = comes_before(node, end, job) ? &node->right : &node->left;
    }
    uint32_t gone = *link;
    *link = merge(nodes, nodes[gone].left, nodes[gone].right);
    nodes[gone].left = ends->spare;
    ends->spare = gone;
}

/* ---- the list in front of the tree ----------------------------------------------------------------------- */

/* Moves what still lives into the tree. */
static void fresh_settle(fz_ends *ends)
{
    if (ends->n_fresh == 0)
        return;
    for (uint32_t i = 0; i < ends->n_fresh; i++)
        if (ends->fresh[i].gpus > 0)
            tree_add(ends, ends->fresh[i].end, ends->fresh[i].job, ends->fresh[i].gpus);
    ends->n_fresh = 0;
    ends->round++;
}

fz_ends_handle fz_ends_add(fz_ends *ends, fz_time end, uint32_t job, uint32_t gpus)
{
    if (ends->n_fresh == ends->capacity)
        fresh_settle(ends);
    fz_ends_handle handle = {.round = ends->round, .at = ends->n_fresh};
    ends->fresh[ends->n_fresh++] = (fz_ends_fresh){.end = end, .job = job, .gpus = gpus};
    return handle;
}

void fz_ends_add_settled(fz_ends *ends, fz_time end, uint32_t job, uint32_t gpus)
{
    tree_add(ends, end, job, gpus);
}

void fz_ends_remove(fz_ends *ends, fz_ends_handle handle, fz_time end, uint32_t job)
{
    if (handle.round == ends->round)
        ends->fresh[handle.at].gpus = 0;
    else
        tree_remove(ends, end, job);
}

/* ---- questions ------------------------------------------------------------------------------------------- */

uint32_t fz_ends_total(fz_ends *ends)
{
    fresh_settle(ends);
    return ends->root == 0 ? 0 : ends->nodes[ends->root].sum;
}

uint32_t fz_ends_by(fz_ends *ends, fz_time by)
{
    fresh_settle(ends);
    const fz_ends_node *nodes = ends->nodes;
    uint32_t sum = 0;
    uint32_t at = ends->root;
    while (at != 0) {
        if (nodes[at].end <= by) {
            sum += nodes[nodes[at].left].sum + nodes[at].gpus;
            at = nodes[at].right;
        } else {
            at = nodes[at].left;
        }
    }
    return sum;
}

bool fz_ends_when(fz_ends *ends, uint32_t gpus, fz_time *when)
{
    const fz_ends_node *nodes = ends->nodes;
    if (fz_ends_total(ends) < gpus)
        return false;
    uint32_t at = ends->root;
    for (;;) {
        uint32_t left = nodes[nodes[at].left].sum;
        if (gpus <= left) {
            at = nodes[at].left;
        } else if (gpus <= left + nodes[at].gpus) {
            *when = nodes[at].end;
            return true;
        } else {
            gpus -= left + nodes[at].gpus;
            at = nodes[at].right;
        }
    }
}
