#include "calib/fit/step_fit.h"

#include <string.h>

/* Dense products reach half to two thirds of the peak; everything else starts at its physical time or small. */
const fz_prior fz_step_priors[FZ_SC_N] = {
    [FZ_SC_GEMM_VOLTA] = {"gemm_volta", 1.5, 0.3, 0.2, 1},
    [FZ_SC_GEMM_AMPERE] = {"gemm_ampere", 1.3, 0.2, 0.15, 1},
    [FZ_SC_GEMM_HOPPER] = {"gemm_hopper", 1.5, 0.3, 0.2, 1},
    [FZ_SC_GEMM_OTHER] = {"gemm_other", 1.5, 0.5, 0.3, 1},
    [FZ_SC_ATTENTION] = {"attention", 2, 1, 1, 0.5},
    [FZ_SC_SCORES] = {"scores", 1, 0.7, 0.7, 0},
    [FZ_SC_TRAFFIC] = {"traffic", 1, 0.5, 0.5, 0},
    [FZ_SC_LAYER] = {"layer", 0.05, 0.05, 0.2, 0},
    [FZ_SC_TENSOR] = {"tensor", 1, 0.5, 0.5, 0},
    [FZ_SC_PIPELINE] = {"pipeline", 1, 0.7, 0.7, 0},
    [FZ_SC_GRADIENTS] = {"gradients", 0.5, 0.4, 0.4, 0},
    [FZ_SC_GATHER] = {"gather", 0.3, 0.3, 0.3, 0},
    [FZ_SC_OPTIMIZER] = {"optimizer", 1.5, 1, 1, 0},
    [FZ_SC_STEP] = {"step", 5, 10, 30, 0},
};

/* A row with its hardware, as the model gets it. */
typedef struct step_row {
    const fz_run_row *row;
    fz_step_terms terms;
} step_row;

static double predict(const void *row, const double *constants, double *derivatives)
{
    const step_row *own = row;
    if (derivatives != NULL)
        memcpy(derivatives, own->terms.x, sizeof own->terms.x);
    return fz_step_sum(&own->terms, constants, NULL);
}

fz_status fz_step_fit_rows(const fz_run_rows *rows, const fz_step_hardware *hardware, double confidence,
                           fz_arena *arena, fz_fit_result *out, fz_error *err)
{
    const fz_fit_model model = {
        .priors = fz_step_priors, .n_constants = FZ_SC_N, .predict = predict, .sigma = 0.08};
    fz_fit_sample *samples = FZ_NEW(arena, rows->n_rows + 1, fz_fit_sample);
    step_row *own = FZ_NEW(arena, rows->n_rows + 1, step_row);
    if (samples == NULL || own == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < rows->n_rows; i++) {
        const fz_run_row *row = &rows->rows[i];
        bool use = row->skip == NULL && hardware[i].matrix_flops > 0;
        own[i].row = row;
        if (use)
            fz_step_terms_of(&row->run, &hardware[i], &own[i].terms);
        samples[i] = (fz_fit_sample){.row = &own[i],
                                     .run = &row->run,
                                     .source = row->source,
                                     .group = row->group,
                                     .outcome = FZ_FIT_MEASURED,
                                     .measured = row->measured,
                                     .use = use};
    }
    return fz_fit_cross_validate(&model, samples, rows->n_rows, confidence, arena, out, err);
}
