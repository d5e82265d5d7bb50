/* Placing: which nodes host N GPUs. Read-only; the answer is a placement that the orchestrator leases.
 *
 * HAS, the heterogeneity-aware scheduler of Frenzy, places by memory level: smallest sufficient memory
 * first, best fit inside a level, larger memory only when the level is exhausted. */
#ifndef FRENZY_PLACE_H
#define FRENZY_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/export.h>
#include <frenzy/gpu.h>
#include <frenzy/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `gpus` idle GPUs of one node. */
typedef struct fz_part {
    uint32_t node;
    uint32_t gpus; /* >= 1 */
} fz_part;

/* Where a job goes: parts on distinct nodes, in the order in which they were chosen. The buffer is
 * made once for a cluster and used again for every placement. */
typedef struct fz_placement {
    fz_part *parts;
    uint32_t n_parts;
    uint32_t capacity; /* nodes of the cluster: a placement always fits */
    uint32_t gpus;     /* sum over the parts */
} fz_placement;

/* An empty placement with room for every node; NULL parts when out of memory. */
FZ_API fz_placement fz_placement_new(fz_arena *arena, const fz_cluster *cluster);

/* HAS: for each memory level of `types`, ascending:
 *   a. the tightest node that hosts all of the remaining need takes it: done;
 *   b. otherwise all idle GPUs of the emptiest node (ties: lowest compute rate, then highest index);
 *      again from a. with what remains;
 *   c. level exhausted: the next larger memory size.
 * Types may be mixed. False, with an empty placement, when fewer than `gpus` are idle. O(parts). */
FZ_API bool fz_place_has(const fz_cluster *cluster, fz_type_mask types, uint32_t gpus, fz_placement *out);

/* The same rule on a single type: tightest node first, else emptiest nodes first. */
FZ_API bool fz_place_packed(const fz_cluster *cluster, uint32_t type, uint32_t gpus, fz_placement *out);

/* The fewest nodes or nothing: as fz_place_packed(), if that takes no more nodes than the job would on the
 * empty cluster. */
FZ_API bool fz_place_consolidated(const fz_cluster *cluster, uint32_t type, uint32_t gpus, fz_placement *out);

typedef enum fz_plan_pick {
    FZ_PICK_FIRST, /* first feasible in rank order: fewest GPUs (the text of the paper) */
    FZ_PICK_LAST,  /* last feasible: most GPUs (what the published code does) */
} fz_plan_pick;

/* The plan that HAS takes now: a plan is feasible when N <= idle GPUs on its types. Returns its index
 * or n_plans when none is feasible. */
FZ_API uint32_t fz_has_pick(const fz_cluster *cluster, const fz_plan *plans, uint32_t n_plans,
                            fz_plan_pick pick);

#ifdef __cplusplus
}
#endif
#endif
