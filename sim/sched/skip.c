#include "sim/sched/skip.h"

static fz_job first_fitting(fz_orderq *queue, const fz_cluster *cluster)
{
    uint32_t n_types = fz_cluster_get_spec(cluster)->n_types;
    fz_orderq_search_clear(queue);
    for (uint32_t type = 0; type < n_types; type++)
        fz_orderq_search_add(queue, type, fz_cluster_idle_of(cluster, type), FZ_TIME_MAX);
    return fz_orderq_search(queue);
}

fz_status fz_skip_pass(fz_orderq *queue, const fz_view *view, fz_decision *decision, fz_type_choice choice)
{
    const fz_cluster *cluster = fz_view_cluster(view);
    fz_orderq_push_arrived(queue, view);
    for (fz_job job = first_fitting(queue, cluster); job != FZ_NO_JOB; job = first_fitting(queue, cluster)) {
        uint32_t type = fz_fixed_type(cluster, &fz_view_demand(view, job)->fixed, choice);
        if (fz_fixed_start(view, decision, job, type, false) != FZ_PLACED)
            break; /* refused: the engine reports why */
        fz_orderq_remove(queue, job);
    }
    return FZ_OK;
}
