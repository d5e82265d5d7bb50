#include "calib/groundtruth/speed_score.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <frenzy/params.h>

double fz_speed_error(double predicted_s, double measured_s)
{
    return fabs(measured_s / predicted_s - 1);
}

/* Nearest rank. */
static double rank_of(const double *sorted, size_t n, double share)
{
    size_t at = (size_t)ceil(share * (double)n);
    return n > 0 ? sorted[at > 0 ? at - 1 : 0] : (double)NAN;
}

static void summarise(double *errors, size_t n, double inside, fz_speed_score *out)
{
    double sum = 0;
    gsl_sort(errors, 1, n);
    for (size_t i = 0; i < n; i++)
        sum += errors[i];
    out->scored = (uint32_t)n;
    out->median_err = rank_of(errors, n, 0.5);
    out->p90_err = rank_of(errors, n, 0.9);
    out->worst_err = rank_of(errors, n, 1);
    out->mean_err = n > 0 ? sum / (double)n : (double)NAN;
    out->interval_coverage = n > 0 ? inside / (double)n : (double)NAN;
}

fz_status fz_speed_score_rows(const fz_run_rows *rows, const fz_prediction *predicted, const bool *include,
                              fz_speed_score *out, fz_error *err)
{
    double inside = 0;
    size_t n = 0;
    double *errors = malloc((rows->n_rows + 1) * sizeof *errors);
    *out = (fz_speed_score){0};
    if (errors == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < rows->n_rows; i++) {
        const fz_run_row *row = &rows->rows[i];
        if (include != NULL && !include[i])
            continue;
        out->rows++;
        if (!(predicted[i].value > 0) || !(row->measured > 0))
            continue;
        errors[n++] = fz_speed_error(predicted[i].value, row->measured);
        inside += row->measured >= predicted[i].lo && row->measured <= predicted[i].hi;
    }
    summarise(errors, n, inside, out);
    free(errors);
    return FZ_OK;
}

static bool is_named(const char *gpu)
{
    return strncmp(gpu, "a100", 4) == 0 || strncmp(gpu, "h100", 4) == 0 || strncmp(gpu, "v100", 4) == 0;
}

bool fz_speed_is_target(const fz_run_row *row)
{
    const fz_training_run *run = &row->run;
    bool sixteen = run->precision == FZ_BF16_MIXED || run->precision == FZ_FP16_MIXED ||
                   (run->precision == FZ_BF16_TRUE && run->frozen_bytes == 0);
    return row->skip == NULL && sixteen && run->tuning == FZ_TUNE_FULL && is_named(row->gpu) &&
           !row->gpu_doubtful && run->seq_len <= 16384 && fz_model_params(&row->model) >= 100000000 &&
           !row->ci_log;
}
