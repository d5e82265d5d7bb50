/* Orchestrator: the one owner of cluster state. It alone leases GPUs and takes them back; everybody
 * else reads (<frenzy/cluster.h>).
 *
 * Invariants, checked by fz_orch_check() after every event in tests:
 *   O1  a GPU is idle or leased to exactly one holder;
 *   O2  idle GPUs of a node = its GPUs - those leased on it, and the node stands in the index exactly
 *       under that count;
 *   O3  idle GPUs of a type = sum over its nodes;
 *   O4  a lease lists exactly the GPUs whose holder it is, none twice.
 * Not thread-safe: one owner. */
#ifndef FRENZY_ORCH_H
#define FRENZY_ORCH_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/export.h>
#include <frenzy/place.h>
#include <frenzy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Holders are numbers chosen by the caller (a job's row), below `max_holders`. */
typedef uint32_t fz_holder;
#define FZ_NO_HOLDER UINT32_MAX

typedef struct fz_orch fz_orch;

/* An orchestrator with every GPU idle, in `arena` (borrowed, as is `spec`). */
FZ_API fz_status fz_orch_new(fz_arena *arena, const fz_cluster_spec *spec, uint32_t max_holders,
                             fz_orch **out, fz_error *err);

FZ_API const fz_cluster *fz_orch_cluster(const fz_orch *orch);

/* Leases the placement to `holder`, lowest GPU numbers of each node first. False, and nothing is
 * changed, when the holder has a lease already, a part asks more than is idle on its node, names no
 * GPU or no such node, or a node twice. O(GPUs of the job). */
FZ_API bool fz_orch_lease(fz_orch *orch, fz_holder holder, const fz_placement *where);

/* Gives back all GPUs of `holder`; returns the types that grew, 0 when it held nothing. O(parts). */
FZ_API fz_type_mask fz_orch_release(fz_orch *orch, fz_holder holder);

/* A hint that `holder` will give back its GPUs soon: fetches its lease into the caches. Changes nothing. */
FZ_API void fz_orch_prefetch(const fz_orch *orch, fz_holder holder);

/* Who has this GPU; FZ_NO_HOLDER when idle. */
FZ_API fz_holder fz_orch_holder_of(const fz_orch *orch, uint32_t gpu);

/* What a holder has: as a placement, in the order of the lease (empty when it holds nothing), and GPU by
 * GPU, ascending inside a node; the latter returns how many, and writes at most `capacity`. */
FZ_API void fz_orch_placement(const fz_orch *orch, fz_holder holder, fz_placement *out);
FZ_API uint32_t fz_orch_gpus(const fz_orch *orch, fz_holder holder, uint32_t *gpus, uint32_t capacity);

/* Checks O1 to O4 over the whole cluster, O(GPUs). FZ_EINVAL with the first violation in words. */
FZ_API fz_status fz_orch_check(const fz_orch *orch, fz_error *err);

#ifdef __cplusplus
}
#endif
#endif
