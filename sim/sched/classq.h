/* Waiting jobs by demand class: "the first job in queue order whose class can be placed now". For
 * policies that choose among MARP's plans; whether a job fits depends on its class alone, so thousands
 * of waiting jobs of a class that does not fit cost nothing.
 *
 * Pools: the distinct type sets of all plans. A class fits when, for one of its pools, the smallest GPU
 * count among its plans on that pool is at most the GPUs idle there. For each pool the classes stand
 * sorted by that count under a tree of minima over their first jobs: one search is O(log classes) a
 * pool.
 *
 * Queue order is a rank, unique by job. In a class, jobs that come in ascending rank (the rule) form a
 * list; those that come back, or another order, go through a pairing heap.
 *
 * Invariants: C1  head[c] is the smallest rank waiting in class c, or "none";
 *             C2  a tree's leaf holds the head of its class, an inner node the smaller of its two. */
#ifndef FRENZY_SIM_SCHED_CLASSQ_H
#define FRENZY_SIM_SCHED_CLASSQ_H

#include "sim/sched/sched.h"

typedef struct fz_classq_pool fz_classq_pool;
typedef struct fz_classq_class fz_classq_class;

typedef struct fz_classq {
    const uint32_t *rank; /* by job; NULL: the row */
    const fz_job *job_of; /* by rank; NULL: the row */
    fz_classq_class *classes;
    uint32_t n_classes;
    fz_classq_pool *pools;
    uint32_t n_pools;
    uint32_t *next;  /* by job, + 1: behind it in its list, or its next sibling in its heap */
    uint32_t *child; /* by job, + 1: first child in its heap */
} fz_classq;

/* `rank` and `job_of` come from fz_rank_by_estimate(), or are NULL for submit order. */
fz_status fz_classq_init(fz_classq *queue, const fz_sched_env *env, const uint32_t *rank,
                         const fz_job *job_of, fz_error *err);

void fz_classq_push(fz_classq *queue, uint32_t class, fz_job job);
void fz_classq_pop(fz_classq *queue, uint32_t class); /* its first job; must not be empty */

/* The first job in queue order that fits now; FZ_NO_JOB if none does. */
fz_job fz_classq_first_fitting(const fz_classq *queue, const fz_cluster *cluster);

#endif
