#include "sim/sched/fixed.h"

uint32_t fz_fixed_type(const fz_cluster *cluster, const fz_plan *plan, fz_type_choice choice)
{
    uint32_t n_types = fz_cluster_get_spec(cluster)->n_types;
    for (uint32_t rank = 0; rank < n_types; rank++) {
        uint32_t type = choice == FZ_TYPE_FASTEST_FIRST ? fz_cluster_type_by_rate(cluster, rank) : rank;
        if ((plan->types & FZ_TYPE_BIT(type)) != 0 && fz_cluster_idle_of(cluster, type) >= plan->gpus)
            return type;
    }
    return FZ_NO_TYPE;
}

fz_verdict fz_fixed_start(const fz_view *view, fz_decision *decision, fz_job job, uint32_t type,
                          bool consolidate)
{
    const fz_plan *plan = &fz_view_demand(view, job)->fixed;
    fz_placement *where = fz_decision_scratch(decision);
    bool placed = consolidate ? fz_place_consolidated(fz_view_cluster(view), type, plan->gpus, where)
                              : fz_place_packed(fz_view_cluster(view), type, plan->gpus, where);
    return placed ? fz_decision_start(decision, job, plan, where) : FZ_NO_ROOM;
}
