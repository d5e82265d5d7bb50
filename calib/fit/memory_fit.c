#include "calib/fit/memory_fit.h"

#include <string.h>

#include <frenzy/memory_terms.h>
#include <frenzy/units.h>

/* A logit is kept in 16 bit, in fp32, and as a gradient of either: 6 to 12 bytes. The others start small. */
const fz_prior fz_memory_priors[FZ_MC_N] = {
    [FZ_MC_LOGITS] = {"logits", 8, 4, 4, 0},
    [FZ_MC_FUSED_LOSS] = {"fused_loss", 0, 2, 2, -6},
    [FZ_MC_WORK] = {"work", 1, 1, 1, 0},
    [FZ_MC_GATHER] = {"gather", 2, 1, 1, 0},
    [FZ_MC_ROOT] = {"root", 1, 1, 1, 0},
    [FZ_MC_FIXED] = {"fixed", 0.2, 0.2, 0.3, 0},
    [FZ_MC_ACTIVATIONS] = {"activations", 0, 0.1, 0.2, -0.8},
    [FZ_MC_STATES] = {"states", 0, 0.05, 0.1, -0.5},
    [FZ_MC_STEP] = {"step", 0.5, 0.5, 0.5, 0},
    [FZ_MC_BUCKETS] = {"buckets", 0.2, 0.3, 0.5, 0},
    [FZ_MC_FRAGMENTATION] = {"fragmentation", 0.06, 0.05, 0.05, 0},
    [FZ_MC_CONTEXT] = {"context", 0.8, 0.4, 0.4, 0},
    [FZ_MC_COMMUNICATOR] = {"communicator", 0.3, 0.2, 0.3, 0},
    [FZ_MC_UNSPECIFIED] = {"unspecified", 0.05, 0.05, 0.05, 0},
    [FZ_MC_UNSPECIFIED_CONTEXT] = {"unspecified_context", 0.5, 0.5, 0.5, 0},
};

/* d need / d constant j, at the fullest stage. */
static void derivatives(const fz_memory_terms *terms, const double c[FZ_MC_N], fz_memory_metric metric,
                        double *out)
{
    fz_memory_parts parts;
    double need = fz_memory_sum(terms, c, metric, &parts);
    double allocated = need - parts.fragmentation - parts.context;
    double share = metric == FZ_METRIC_ALLOCATED     ? 0
                   : metric == FZ_METRIC_UNSPECIFIED ? c[FZ_MC_UNSPECIFIED]
                                                     : c[FZ_MC_FRAGMENTATION];
    memset(out, 0, FZ_MC_N * sizeof *out);
    for (int j = 0; j < FZ_MC_N_LINEAR; j++)
        out[j] = (1 + share) * terms->x[j];
    if (metric == FZ_METRIC_RESERVED || metric == FZ_METRIC_DEVICE)
        out[FZ_MC_FRAGMENTATION] = allocated;
    if (metric == FZ_METRIC_DEVICE) {
        out[FZ_MC_CONTEXT] = (double)FZ_GIB;
        out[FZ_MC_COMMUNICATOR] = terms->groups * (double)FZ_GIB;
    }
    if (metric == FZ_METRIC_UNSPECIFIED) {
        out[FZ_MC_UNSPECIFIED] = allocated;
        out[FZ_MC_UNSPECIFIED_CONTEXT] = (double)FZ_GIB;
    }
}

static double predict(const void *row, const double *constants, double *out)
{
    const fz_run_row *own = row;
    fz_memory_terms terms = {0};
    const fz_memory_traits *traits = &fz_memory_framework_of(own->run.profile)->traits;
    double need = fz_memory_fullest(&own->run, traits, constants, &terms);
    if (out != NULL)
        derivatives(&terms, constants, own->run.metric, out);
    return need;
}

static fz_fit_sample sample_of(const fz_run_row *row, double capacity)
{
    static const fz_fit_outcome outcomes[] = {FZ_FIT_MEASURED, FZ_FIT_BELOW, FZ_FIT_ABOVE};
    return (fz_fit_sample){
        .row = row,
        .run = &row->run,
        .source = row->source,
        .group = row->group,
        .residual_class = row->run.tuning,
        .outcome = outcomes[row->outcome],
        .measured = row->outcome == FZ_ROW_OK ? row->measured : capacity,
        .use = row->skip == NULL && !row->computed && (row->outcome == FZ_ROW_OK || capacity > 0),
    };
}

fz_status fz_memory_fit_rows(const fz_run_rows *rows, const double *capacity, double confidence,
                             fz_arena *arena, fz_fit_result *out, fz_error *err)
{
    const fz_fit_model model = {
        .priors = fz_memory_priors, .n_constants = FZ_MC_N, .predict = predict, .sigma = 0.06};
    fz_fit_sample *samples = FZ_NEW(arena, rows->n_rows + 1, fz_fit_sample);
    if (samples == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < rows->n_rows; i++)
        samples[i] = sample_of(&rows->rows[i], capacity[i]);
    return fz_fit_cross_validate(&model, samples, rows->n_rows, confidence, arena, out, err);
}
