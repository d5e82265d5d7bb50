#include <frenzy/plan.h>

#include <stdio.h>

size_t fz_plan_format(const fz_plan *plan, char *text, size_t size)
{
    int length = 0;
    if (plan->tensor == 0)
        length = snprintf(text, size, "%s", "");
    else
        length = snprintf(text, size, "d%ut%up%uz%u", plan->data, plan->tensor, plan->pipeline, plan->zero);
    return length > 0 ? (size_t)length : 0;
}

int fz_plan_same_shape(const fz_plan *a, const fz_plan *b)
{
    return a->gpus == b->gpus && a->data == b->data && a->tensor == b->tensor && a->pipeline == b->pipeline &&
           a->zero == b->zero && a->recompute == b->recompute && a->micro_batch == b->micro_batch;
}
