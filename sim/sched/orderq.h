/* Waiting jobs in queue order (rows), searchable by size and estimate: "the first job in the queue that
 * needs at most a GPUs and runs at most b". Push, remove and search are O(log n); a search that finds
 * nothing is O(1). For fixed-size policies.
 *
 * How: a job's *column* is its pair (allowed types, GPUs); columns of one type set are neighbours,
 * ascending in GPUs. Rows are cut into blocks; a tree of fan-out 8 stands over the blocks. Each node
 * keeps, for each column, the shortest estimate among its waiting jobs of this column *and the smaller
 * ones of the same type set*. So one look at a node tells exactly whether it holds a match.
 *
 * Invariant W1: a node's entry is the minimum over its children (a block's: over its waiting rows). */
#ifndef FRENZY_SIM_SCHED_ORDERQ_H
#define FRENZY_SIM_SCHED_ORDERQ_H

#include <stdbool.h>

#include "sim/sched/sched.h"

#define FZ_ORDERQ_LEVELS 16

/* One side of a search: columns up to `column` of its type set, estimates up to a bound. */
typedef struct fz_orderq_bound {
    uint32_t group;
    uint32_t column;
    fz_time slack; /* FZ_TIME_MAX - longest estimate; >= 1 */
} fz_orderq_bound;

typedef struct fz_orderq {
    const fz_time *estimates;
    uint32_t *column_of; /* by class */
    uint32_t *gpus_of;   /* by column */
    uint32_t n_columns;
    fz_type_mask *group_types; /* by group: the type set */
    uint32_t *group_start;     /* by group, and one more: first column */
    uint32_t n_groups;
    uint32_t *waiting;    /* one bit a row, a word a block */
    uint32_t *row_column; /* by row: column of the waiting job */
    fz_time *entries;     /* by node and column: FZ_TIME_MAX - shortest estimate; 0: none waits */
    uint32_t level_at[FZ_ORDERQ_LEVELS]; /* first node of a level; level 0 are the blocks */
    uint32_t level_nodes[FZ_ORDERQ_LEVELS];
    uint32_t n_levels;
    fz_orderq_bound *bounds;
    uint32_t n_bounds;
    fz_job head;
} fz_orderq;

fz_status fz_orderq_init(fz_orderq *queue, const fz_sched_env *env, fz_error *err);

void fz_orderq_push(fz_orderq *queue, uint32_t class, fz_job job);
void fz_orderq_push_arrived(fz_orderq *queue, const fz_view *view); /* all arrivals of this decision */
void fz_orderq_remove(fz_orderq *queue, fz_job job);                /* must be inside */

/* The first job of the queue; FZ_NO_JOB when empty. O(1). */
fz_job fz_orderq_head(const fz_orderq *queue);

/* A search: clear, then any number of "may run on `type` with at most `gpus` GPUs and an estimate of at
 * most `estimate`" (at most two for each type), then the first job that meets one of them. */
void fz_orderq_search_clear(fz_orderq *queue);
void fz_orderq_search_add(fz_orderq *queue, uint32_t type, uint32_t gpus, fz_time estimate);
fz_job fz_orderq_search(const fz_orderq *queue); /* FZ_NO_JOB if none */

#endif
