/* Choosing nodes as Slurm does: node by node, by weight (smaller first) and then by place in the cluster
 * file, the first that fit; not the tightest. */
#ifndef FRENZY_SIM_SCHED_SLURM_NODES_H
#define FRENZY_SIM_SCHED_SLURM_NODES_H

#include <stdbool.h>

#include "sim/sched/sched.h"

typedef struct fz_slurm_nodes {
    const fz_cluster_spec *spec;
    uint32_t *order; /* all nodes, preferred first */
    uint32_t *idle;  /* by node: scratch of the caller */
} fz_slurm_nodes;

fz_status fz_slurm_nodes_init(fz_slurm_nodes *nodes, const fz_sched_env *env, fz_error *err);

/* nodes->idle as it is now. O(nodes). */
void fz_slurm_nodes_now(fz_slurm_nodes *nodes, const fz_cluster *cluster);

/* The nodes that the job takes when nodes->idle are idle: req_nodes nodes with the same number of GPUs
 * each, or else the idle GPUs of node after node. All of one GPU type: the one that is complete first. False
 * if there is none. O(nodes). */
bool fz_slurm_nodes_pick(const fz_slurm_nodes *nodes, const fz_demand *demand, fz_placement *out);

/* Could the empty cluster host the job? Changes nodes->idle. */
bool fz_slurm_nodes_ever(fz_slurm_nodes *nodes, const fz_demand *demand, fz_placement *scratch);

/* Starts the job on the nodes that are free for it now. */
fz_verdict fz_slurm_nodes_start(fz_slurm_nodes *nodes, const fz_view *view, fz_decision *decision,
                                fz_job job);

#endif
