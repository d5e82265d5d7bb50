#include <frenzy/speed.h>

#include <math.h>

double fz_speed_step_flop(const fz_model *model, const fz_training *training)
{
    double b = (double)training->global_batch;
    double s = (double)training->seq_len;
    double l = (double)model->layers;
    double h = (double)model->hidden;
    double v = (double)model->vocab;
    return 72 * b * s * l * h * h * (1 + s / (6 * h) + v / (12 * l * h));
}

double fz_speed_step_s(double step_flop, const fz_plan *plan, double rate_flops_per_s)
{
    return rate_flops_per_s > 0 ? step_flop / ((double)plan->gpus * rate_flops_per_s) : 0;
}

double fz_speed_slowest(const fz_gpu_type *types, fz_type_mask types_used)
{
    double slowest = INFINITY;
    for (fz_type_mask left = types_used; left != 0; left &= left - 1) {
        double rate = types[__builtin_ctzll(left)].flops_per_s;
        if (rate < slowest)
            slowest = rate;
    }
    return types_used != 0 ? slowest : 0;
}

fz_time fz_speed_time(double steps, double step_s)
{
    if (steps <= 0)
        return 0;
    double us = ceil(steps * step_s * (double)FZ_SECOND);
    if (!(us < (double)FZ_TIME_LIMIT))
        return FZ_TIME_LIMIT;
    return us >= 1 ? (fz_time)us : 1;
}
