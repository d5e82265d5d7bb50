#include "sim/engine/engine.h"

enum { MEM_ERROR_SIGMA, OOM_AFTER_S, RESTART_S, ENFORCE_LIMIT, PREDICTOR, N_PARAMS };

static const fz_param params[N_PARAMS] = {
    [MEM_ERROR_SIGMA] = {.name = "mem_error_sigma",
                         .kind = FZ_PARAM_NUMBER,
                         .fallback = 0,
                         .min = 0,
                         .max = 3,
                         .help =
                             "true peak memory = predicted x exp(sigma z), z standard normal for each job"},
    [OOM_AFTER_S] = {.name = "oom_after_s",
                     .kind = FZ_PARAM_NUMBER,
                     .fallback = 60,
                     .min = 0,
                     .max = 1e9,
                     .help = "seconds until a run that needs more memory than its GPUs have dies"},
    [RESTART_S] = {.name = "restart_s",
                   .kind = FZ_PARAM_NUMBER,
                   .fallback = 0,
                   .min = 0,
                   .max = 1e9,
                   .help = "seconds without progress at every start of a job but its first"},
    [ENFORCE_LIMIT] = {.name = "enforce_limit",
                       .kind = FZ_PARAM_FLAG,
                       .fallback = 0,
                       .max = 1,
                       .help = "1: a job is ended limit_s after its start"},
    [PREDICTOR] = {.name = "predictor",
                   .kind = FZ_PARAM_CHOICE,
                   .fallback = FZ_PREDICTOR_PAPER,
                   .choices = "paper|analytic",
                   .help =
                       "memory and speed of LLM jobs: the published formula with FLOPs over rates, or the "
                       "analytic estimate with the fitted model of a step"},
};

const fz_param *fz_world_params(uint32_t *count)
{
    *count = N_PARAMS;
    return params;
}

fz_world fz_world_from(const double *values)
{
    return (fz_world){
        .mem_error_sigma = values[MEM_ERROR_SIGMA],
        .oom_after_s = values[OOM_AFTER_S],
        .restart_s = values[RESTART_S],
        .enforce_limit = values[ENFORCE_LIMIT] != 0,
        .predictor = (fz_predictor_kind)values[PREDICTOR],
    };
}
