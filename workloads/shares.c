#include <math.h>

#include "workloads/trace.h"

enum { MILLI = 1000 };

static double share_of(double gpus, uint32_t workers)
{
    return gpus / (workers > 0 ? workers : 1);
}

uint32_t fz_share_milli(double gpus, uint32_t workers)
{
    double share = share_of(gpus, workers), milli = round(share * MILLI);
    if (!(share > 0 && share < 1))
        return 0;
    return milli < 1 ? 1 : milli > MILLI - 1 ? MILLI - 1 : (uint32_t)milli;
}

uint32_t fz_share_gpus(double gpus, uint32_t workers)
{
    uint32_t milli = fz_share_milli(gpus, workers);
    if (milli == 0)
        return 0;
    uint32_t on_a_gpu = MILLI / milli, n = workers > 0 ? workers : 1;
    return n / on_a_gpu + (n % on_a_gpu != 0);
}
