#include "sim/sched/head.h"

const fz_param fz_head_params[1] = {
    {.name = "consolidate",
     .kind = FZ_PARAM_FLAG,
     .max = 1,
     .help =
         "1: wait for room on as few nodes as the job can have; 0: start as soon as enough GPUs are idle"},
};

fz_verdict fz_head_start(const fz_view *view, fz_decision *decision, fz_job head, bool consolidate)
{
    const fz_cluster *cluster = fz_view_cluster(view);
    const fz_plan *plan = &fz_view_demand(view, head)->fixed;
    if (!consolidate) {
        uint32_t type = fz_fixed_type(cluster, plan, FZ_TYPE_FILE_ORDER);
        return type == FZ_NO_TYPE ? FZ_NO_ROOM : fz_fixed_start(view, decision, head, type, false);
    }
    for (fz_type_mask left = plan->types; left != 0; left &= left - 1) {
        fz_verdict verdict = fz_fixed_start(view, decision, head, (uint32_t)__builtin_ctzll(left), true);
        if (verdict != FZ_NO_ROOM)
            return verdict;
    }
    return FZ_NO_ROOM;
}
