#include <frenzy/place.h>

#include "cluster_state.h"

fz_placement fz_placement_new(fz_arena *arena, const fz_cluster *cluster)
{
    fz_placement placement = {.capacity = cluster->spec->n_nodes};
    placement.parts = FZ_NEW(arena, placement.capacity, fz_part);
    return placement;
}

static void placement_clear(fz_placement *out)
{
    out->n_parts = 0;
    out->gpus = 0;
}

static void placement_add(fz_placement *out, uint32_t node, uint32_t gpus)
{
    out->parts[out->n_parts++] = (fz_part){.node = node, .gpus = gpus};
    out->gpus += gpus;
}

/* ---- walking the nodes of a type from the emptiest to the fullest ---------------------------------- */

/* Nodes taken so far are those with more than `idle` idle GPUs, and those with exactly `idle` and an
 * index >= `before`. */
typedef struct walk {
    uint32_t idle;
    uint32_t before;
} walk;

static walk walk_start(void)
{
    return (walk){.idle = UINT32_MAX, .before = FZ_NO_NODE};
}

/* The emptiest node not yet taken (highest index among equals), and moves the walk there; FZ_NO_NODE
 * when none is left. */
static uint32_t walk_peek(const fz_cluster *cluster, uint32_t type, walk *at)
{
    uint32_t node =
        at->idle == UINT32_MAX ? FZ_NO_NODE : fz_cluster_prev_node(cluster, type, at->idle, at->before);
    while (node == FZ_NO_NODE) {
        uint32_t idle = at->idle == 0 ? UINT32_MAX : fz_cluster_level_down(cluster, type, at->idle - 1);
        if (idle == UINT32_MAX) {
            at->idle = 0;
            return FZ_NO_NODE;
        }
        *at = (walk){.idle = idle, .before = FZ_NO_NODE};
        node = fz_cluster_prev_node(cluster, type, idle, FZ_NO_NODE);
    }
    return node;
}

/* The tightest node for `gpus` that the walk has not taken. */
static uint32_t walk_best(const fz_cluster *cluster, uint32_t type, const walk *at, uint32_t gpus,
                          uint32_t *idle)
{
    *idle = fz_cluster_level_up(cluster, type, gpus);
    if (*idle == UINT32_MAX || *idle > at->idle)
        return FZ_NO_NODE;
    uint32_t node = fz_cluster_next_node(cluster, type, *idle, 0);
    return *idle == at->idle && node >= at->before ? FZ_NO_NODE : node;
}

/* ---- HAS ------------------------------------------------------------------------------------------- */

/* Step a: the tightest node of all types of a level; ties: highest rate, then file order. */
static uint32_t level_best(const fz_cluster *cluster, fz_type_mask types, const walk *walks, uint32_t gpus)
{
    uint32_t best = FZ_NO_NODE;
    uint32_t best_idle = UINT32_MAX;
    uint32_t best_rank = UINT32_MAX;
    for (; types != 0; types &= types - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(types);
        uint32_t idle = 0;
        uint32_t node = walk_best(cluster, type, &walks[type], gpus, &idle);
        uint32_t rank = cluster->rate_rank[type];
        if (node != FZ_NO_NODE && (idle < best_idle || (idle == best_idle && rank < best_rank))) {
            best = node;
            best_idle = idle;
            best_rank = rank;
        }
    }
    return best;
}

/* Step b: the emptiest node of all types of a level; ties: lowest rate, then highest index. Takes it. */
static uint32_t level_emptiest(const fz_cluster *cluster, fz_type_mask types, walk *walks)
{
    uint32_t best = FZ_NO_NODE;
    uint32_t best_type = 0;
    for (; types != 0; types &= types - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(types);
        uint32_t node = walk_peek(cluster, type, &walks[type]);
        if (node == FZ_NO_NODE)
            continue;
        bool better = best == FZ_NO_NODE || walks[type].idle > walks[best_type].idle ||
                      (walks[type].idle == walks[best_type].idle &&
                       cluster->rate_rank[type] > cluster->rate_rank[best_type]);
        if (better) {
            best = node;
            best_type = type;
        }
    }
    if (best != FZ_NO_NODE)
        walks[best_type].before = best;
    return best;
}

/* Fills the placement from one memory level; returns what is still needed. */
static uint32_t level_place(const fz_cluster *cluster, fz_type_mask types, uint32_t need, fz_placement *out)
{
    walk walks[FZ_MAX_GPU_TYPES];
    for (fz_type_mask left = types; left != 0; left &= left - 1)
        walks[__builtin_ctzll(left)] = walk_start();
    while (need > 0) {
        uint32_t node = level_best(cluster, types, walks, need);
        if (node != FZ_NO_NODE) {
            placement_add(out, node, need);
            return 0;
        }
        node = level_emptiest(cluster, types, walks);
        if (node == FZ_NO_NODE)
            break;
        placement_add(out, node, cluster->nodes[node].idle);
        need -= cluster->nodes[node].idle;
    }
    return need;
}

bool fz_place_has(const fz_cluster *cluster, fz_type_mask types, uint32_t gpus, fz_placement *out)
{
    placement_clear(out);
    if (gpus == 0 || fz_cluster_idle(cluster, types) < gpus)
        return false;
    uint32_t need = gpus;
    for (uint32_t level = 0; level < cluster->n_levels && need > 0; level++)
        if ((cluster->levels[level] & types) != 0)
            need = level_place(cluster, cluster->levels[level] & types, need, out);
    return need == 0;
}

uint32_t fz_has_pick(const fz_cluster *cluster, const fz_plan *plans, uint32_t n_plans, fz_plan_pick pick)
{
    for (uint32_t i = 0; i < n_plans; i++) {
        uint32_t at = pick == FZ_PICK_FIRST ? i : n_plans - 1 - i;
        if (plans[at].gpus <= fz_cluster_idle(cluster, plans[at].types))
            return at;
    }
    return n_plans;
}

/* ---- one type --------------------------------------------------------------------------------------- */

bool fz_place_packed(const fz_cluster *cluster, uint32_t type, uint32_t gpus, fz_placement *out)
{
    placement_clear(out);
    if (gpus == 0 || fz_cluster_idle_of(cluster, type) < gpus)
        return false;
    return level_place(cluster, FZ_TYPE_BIT(type), gpus, out) == 0;
}

/* The fewest nodes of a type that hold `gpus` when all are empty: the largest ones. */
static uint32_t fewest_nodes(const fz_type_index *index, uint32_t gpus)
{
    uint32_t nodes = 0;
    for (uint32_t size = index->max_idle; size > 0 && gpus > 0; size--) {
        uint32_t wanted = (gpus - 1) / size + 1;
        if (wanted <= index->of_size[size])
            return nodes + wanted;
        nodes += index->of_size[size];
        gpus -= index->of_size[size] * size;
    }
    return nodes;
}

/* Packing takes the emptiest nodes first, so no other placement has fewer nodes. */
bool fz_place_consolidated(const fz_cluster *cluster, uint32_t type, uint32_t gpus, fz_placement *out)
{
    if (!fz_place_packed(cluster, type, gpus, out))
        return false;
    if (out->n_parts <= fewest_nodes(&cluster->index[type], gpus))
        return true;
    placement_clear(out);
    return false;
}
