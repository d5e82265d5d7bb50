#include "sim/engine/ends.h"

#include <assert.h>
#include <string.h>

#define FAN   32u
#define MERGE 24u /* neighbours with no more entries than this together become one */

/* Entries ascend by (end, job). In a leaf they are the jobs; above, the largest entry of each child with
 * the sum of its GPUs. Invariants: T1 a node but the root has an entry; T2 sum is that over `gpus`;
 * T3 the tree holds exactly the entries that end by `pivot`, `far` the others, with far_sum GPUs;
 * T4 at[slot] is the place in `far` of the entry of that slot, or IN_TREE. */
struct fz_ends_node {
    fz_time end[FAN];
    uint32_t job[FAN];
    uint32_t gpus[FAN];
    uint32_t child[FAN]; /* not in a leaf */
    uint32_t n;
    uint32_t sum;
};

/* An entry that is not in the tree. */
struct fz_ends_far {
    fz_time end;
    uint32_t gpus;
    uint32_t slot;
    uint32_t job;
};

#define IN_TREE UINT32_MAX

/* A refill moves about LEAST / SAMPLE of the far entries into the tree: the tree stays small enough for the
 * near caches, and a look at all far entries is paid by those that it moves. */
#define SAMPLE 64u
#define LEAST  4u

typedef struct entry {
    fz_time end;
    uint32_t job, gpus, child;
} entry;

/* Two neighbours always hold more than MERGE entries together, so there are at most about
 * 2 / MERGE nodes an entry, and 2 / MERGE of that above them. */
bool fz_ends_init(fz_ends *ends, fz_arena *arena, uint32_t capacity, uint32_t n_slots)
{
    *ends = (fz_ends){.capacity = capacity, .pivot = INT64_MIN};
    size_t n_nodes = (size_t)capacity / 8 + 64;
    ends->nodes = FZ_NEW(arena, n_nodes, fz_ends_node);
    ends->far = FZ_NEW(arena, (size_t)capacity + 1, fz_ends_far);
    ends->at = FZ_NEW(arena, (size_t)n_slots + 1, uint32_t);
    return ends->nodes != NULL && ends->far != NULL && ends->at != NULL;
}

/* ---- nodes ------------------------------------------------------------------------------------------------ */

static uint32_t node_take(fz_ends *ends)
{
    uint32_t at = ends->spare;
    if (at != 0)
        ends->spare = ends->nodes[at].child[0];
    else
        at = ++ends->used;
    assert(at < ends->capacity / 8 + 64);
    ends->nodes[at].n = 0;
    ends->nodes[at].sum = 0;
    return at;
}

static void node_give(fz_ends *ends, uint32_t at)
{
    ends->nodes[at].child[0] = ends->spare;
    ends->spare = at;
}

/* The first entry that does not come before (end, job); n if all do. */
static uint32_t position(const fz_ends_node *node, fz_time end, uint32_t job)
{
    uint32_t low = 0;
    uint32_t high = node->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (node->end[middle] < end || (node->end[middle] == end && node->job[middle] < job))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Moves `n` entries between or inside nodes. */
static void entries_move(fz_ends_node *to, uint32_t at, const fz_ends_node *from, uint32_t first, uint32_t n)
{
    memmove(&to->end[at], &from->end[first], n * sizeof(to->end[0]));
    memmove(&to->job[at], &from->job[first], n * sizeof(to->job[0]));
    memmove(&to->gpus[at], &from->gpus[first], n * sizeof(to->gpus[0]));
    memmove(&to->child[at], &from->child[first], n * sizeof(to->child[0]));
}

static void entry_insert(fz_ends_node *node, uint32_t at, entry new)
{
    entries_move(node, at + 1, node, at, node->n - at);
    node->end[at] = new.end;
    node->job[at] = new.job;
    node->gpus[at] = new.gpus;
    node->child[at] = new.child;
    node->n++;
}

static void entry_drop(fz_ends_node *node, uint32_t at)
{
    entries_move(node, at, node, at + 1, node->n - at - 1);
    node->n--;
}

/* What a node's parent keeps of it. */
static entry entry_of(const fz_ends *ends, uint32_t at)
{
    const fz_ends_node *node = &ends->nodes[at];
    uint32_t last = node->n - 1;
    return (entry){.end = node->end[last], .job = node->job[last], .gpus = node->sum, .child = at};
}

static void entry_refresh(const fz_ends *ends, fz_ends_node *node, uint32_t i)
{
    entry own = entry_of(ends, node->child[i]);
    node->end[i] = own.end;
    node->job[i] = own.job;
    node->gpus[i] = own.gpus;
}

static uint32_t sum_of(const fz_ends_node *node)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < node->n; i++)
        sum += node->gpus[i];
    return sum;
}

/* ---- the tree --------------------------------------------------------------------------------------------- */

/* Splits a full node; returns its new right neighbour. */
static uint32_t node_split(fz_ends *ends, uint32_t at)
{
    uint32_t right = node_take(ends);
    fz_ends_node *from = &ends->nodes[at];
    fz_ends_node *to = &ends->nodes[right];
    entries_move(to, 0, from, FAN / 2, FAN - FAN / 2);
    to->n = FAN - FAN / 2;
    from->n = FAN / 2;
    to->sum = sum_of(to);
    from->sum -= to->sum;
    return right;
}

/* Adds below node `at`; returns a new right neighbour of it, or 0. */
static uint32_t add_below(fz_ends *ends, uint32_t at, uint32_t level, entry new)
{
    fz_ends_node *node = &ends->nodes[at];
    uint32_t i = position(node, new.end, new.job);
    node->sum += new.gpus;
    if (level == 0) {
        entry_insert(node, i, new);
        return node->n == FAN ? node_split(ends, at) : 0;
    }
    i = i < node->n ? i : node->n - 1;
    uint32_t right = add_below(ends, node->child[i], level - 1, new);
    entry_refresh(ends, node, i);
    if (right != 0)
        entry_insert(node, i + 1, entry_of(ends, right));
    return node->n == FAN ? node_split(ends, at) : 0;
}

static void tree_add(fz_ends *ends, fz_time end, uint32_t job, uint32_t gpus)
{
    if (ends->root == 0) {
        ends->root = node_take(ends);
        ends->height = 0;
    }
    entry new = {.end = end, .job = job, .gpus = gpus};
    uint32_t right = add_below(ends, ends->root, ends->height, new);
    if (right == 0)
        return;
    uint32_t root = node_take(ends);
    entry_insert(&ends->nodes[root], 0, entry_of(ends, ends->root));
    entry_insert(&ends->nodes[root], 1, entry_of(ends, right));
    ends->nodes[root].sum = sum_of(&ends->nodes[root]);
    ends->root = root;
    ends->height++;
}

/* Joins children i and i + 1 of a node if they are few together. */
static void children_merge(fz_ends *ends, fz_ends_node *node, uint32_t i)
{
    if (i + 1 >= node->n)
        return;
    fz_ends_node *left = &ends->nodes[node->child[i]];
    fz_ends_node *right = &ends->nodes[node->child[i + 1]];
    if (left->n + right->n > MERGE)
        return;
    entries_move(left, left->n, right, 0, right->n);
    left->n += right->n;
    left->sum += right->sum;
    node_give(ends, node->child[i + 1]);
    entry_drop(node, i + 1);
    entry_refresh(ends, node, i);
}

/* Removes below node `at`; returns the GPUs of the entry. */
static uint32_t remove_below(fz_ends *ends, uint32_t at, uint32_t level, fz_time end, uint32_t job)
{
    fz_ends_node *node = &ends->nodes[at];
    uint32_t i = position(node, end, job);
    assert(i < node->n);
    if (level == 0) {
        uint32_t gpus = node->gpus[i];
        assert(node->end[i] == end && node->job[i] == job);
        node->sum -= gpus;
        entry_drop(node, i);
        return gpus;
    }
    uint32_t gpus = remove_below(ends, node->child[i], level - 1, end, job);
    node->sum -= gpus;
    if (ends->nodes[node->child[i]].n == 0) {
        node_give(ends, node->child[i]);
        entry_drop(node, i);
        return gpus;
    }
    entry_refresh(ends, node, i);
    children_merge(ends, node, i);
    if (i > 0)
        children_merge(ends, node, i - 1);
    return gpus;
}

static void tree_remove(fz_ends *ends, fz_time end, uint32_t job)
{
    remove_below(ends, ends->root, ends->height, end, job);
    while (ends->height > 0 && ends->nodes[ends->root].n == 1) { /* one child: it is the root now */
        uint32_t old = ends->root;
        ends->root = ends->nodes[old].child[0];
        ends->height--;
        node_give(ends, old);
    }
    if (ends->nodes[ends->root].n == 0) {
        node_give(ends, ends->root);
        ends->root = 0;
        ends->height = 0;
    }
}

/* ---- far entries ------------------------------------------------------------------------------------------ */

static void far_drop(fz_ends *ends, uint32_t at)
{
    ends->far_sum -= ends->far[at].gpus;
    ends->far[at] = ends->far[--ends->n_far];
    ends->at[ends->far[at].slot] = at;
}

/* The LEAST-th end in a sample of the far entries, of which there must be some (the last of fewer). A sample
 * that misleads costs time only. */
static fz_time nearest_part(const fz_ends *ends)
{
    fz_time least[LEAST + 1] = {ends->far[0].end};
    uint32_t n_least = 1;
    uint32_t n = ends->n_far < SAMPLE ? ends->n_far : SAMPLE;
    for (uint32_t i = 1; i < n; i++) {
        fz_time end = ends->far[(uint64_t)i * ends->n_far / n].end;
        uint32_t at = n_least;
        for (; at > 0 && least[at - 1] > end; at--)
            least[at] = least[at - 1];
        least[at] = end;
        n_least += n_least < LEAST;
    }
    return least[n_least - 1];
}

/* Moves the nearest of the far entries into the tree; there must be some. */
static void refill(fz_ends *ends)
{
    ends->pivot = nearest_part(ends);
    for (uint32_t i = 0; i < ends->n_far;) {
        fz_ends_far near = ends->far[i];
        if (near.end > ends->pivot) {
            i++;
            continue;
        }
        far_drop(ends, i);
        ends->at[near.slot] = IN_TREE;
        tree_add(ends, near.end, near.job, near.gpus);
    }
}

void fz_ends_add(fz_ends *ends, uint32_t slot, fz_time end, uint32_t job, uint32_t gpus)
{
    if (end <= ends->pivot) {
        ends->at[slot] = IN_TREE;
        tree_add(ends, end, job, gpus);
        return;
    }
    ends->at[slot] = ends->n_far;
    ends->far[ends->n_far++] = (fz_ends_far){.end = end, .gpus = gpus, .slot = slot, .job = job};
    ends->far_sum += gpus;
}

void fz_ends_remove(fz_ends *ends, uint32_t slot, fz_time end, uint32_t job)
{
    if (ends->at[slot] == IN_TREE)
        tree_remove(ends, end, job);
    else
        far_drop(ends, ends->at[slot]);
}

/* ---- questions -------------------------------------------------------------------------------------------- */

static uint32_t near_sum(const fz_ends *ends)
{
    return ends->nodes[ends->root].sum; /* nodes[0] has none */
}

uint32_t fz_ends_total(const fz_ends *ends)
{
    return near_sum(ends) + ends->far_sum;
}

uint32_t fz_ends_by(fz_ends *ends, fz_time by)
{
    while (ends->pivot < by && ends->n_far > 0)
        refill(ends);
    uint32_t sum = 0;
    uint32_t at = ends->root;
    for (uint32_t level = ends->height;; level--) {
        const fz_ends_node *node = &ends->nodes[at];
        uint32_t i = 0;
        for (; i < node->n && node->end[i] <= by; i++)
            sum += node->gpus[i];
        if (level == 0 || i == node->n)
            return sum;
        at = node->child[i];
    }
}

bool fz_ends_when(fz_ends *ends, uint32_t gpus, fz_time *when)
{
    if (fz_ends_total(ends) < gpus)
        return false;
    while (near_sum(ends) < gpus)
        refill(ends);
    uint32_t at = ends->root;
    for (uint32_t level = ends->height;; level--) {
        const fz_ends_node *node = &ends->nodes[at];
        uint32_t i = 0;
        for (; gpus > node->gpus[i]; i++)
            gpus -= node->gpus[i];
        *when = node->end[i];
        if (level == 0)
            return true;
        at = node->child[i];
    }
}
