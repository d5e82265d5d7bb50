/* Slurm with sched/builtin and priority/basic: strict order of submission, first fit over weighted nodes. */
#include "sim/sched/rowq.h"
#include "sim/sched/slurm_nodes.h"

typedef struct slurm_fifo {
    fz_rowq queue;
    fz_slurm_nodes nodes;
} slurm_fifo;

static fz_status slurm_fifo_init(void *state, const fz_sched_env *env, fz_error *err)
{
    slurm_fifo *self = state;
    FZ_TRY(fz_slurm_nodes_init(&self->nodes, env, err));
    return fz_rowq_init(&self->queue, env, err);
}

static fz_status slurm_fifo_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    slurm_fifo *self = state;
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++) {
        fz_job job = arrived.jobs[i];
        if (fz_slurm_nodes_ever(&self->nodes, fz_view_demand(view, job), fz_decision_scratch(decision)))
            fz_rowq_push(&self->queue, job);
        else
            (void)fz_decision_reject(decision, job);
    }
    for (fz_job head = fz_rowq_head(&self->queue); head != FZ_NO_JOB; head = fz_rowq_head(&self->queue)) {
        if (fz_slurm_nodes_start(&self->nodes, view, decision, head) != FZ_PLACED)
            break;
        fz_rowq_pop(&self->queue);
    }
    return FZ_OK;
}

const fz_sched_ops fz_sched_slurm_fifo = {
    .name = "slurm_fifo",
    .summary = "Slurm's sched/builtin: order of submission, the head blocks, first fit over weighted nodes",
    .manual =
        "Source: Slurm's documentation of sched/builtin, priority/basic and select/cons_tres; measured on\n"
        "Slurm 22.05.8. One partition with all nodes: the first job that cannot start blocks all later "
        "ones,\n"
        "also those that ask for another GPU type. Nodes: by `weight` of the cluster file, then by place in\n"
        "it, the first that fit. `req_nodes`: exactly so many nodes with req_gpus / req_nodes each; without\n"
        "it the idle GPUs of node after node. A job that no empty cluster can host is rejected.\n"
        "Deviations: a job's GPUs are of one type; CPUs and host memory are not looked at; a start takes no\n"
        "time (Slurm's loops tick once a second).\n"
        "Cost: O(nodes) for each try of the head.\n"
        "Checked against: 50 jobs measured on a real Slurm, every node and start (results/slurm-validation).",
    .caps = FZ_SCHED_NODES,
    .state_size = sizeof(slurm_fifo),
    .init = slurm_fifo_init,
    .decide = slurm_fifo_decide,
};
