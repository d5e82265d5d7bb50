/* How predictions of speed compare with measurements. */
#ifndef FRENZY_CALIB_SPEED_SCORE_H
#define FRENZY_CALIB_SPEED_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "calib/fit/crossval.h"
#include "calib/groundtruth/run_rows.h"

/* Errors are relative, of tokens/s: |predicted - measured| / measured. */
typedef struct fz_speed_score {
    uint32_t rows, scored;
    double median_err, mean_err, p90_err, worst_err; /* NaN without a row */
    double interval_coverage;
} fz_speed_score;

double fz_speed_error(double predicted_s, double measured_s);

/* Scores the rows for which `include[i]` is set (NULL: all). Predictions and measurements are seconds of a step. */
fz_status fz_speed_score_rows(const fz_run_rows *rows, const fz_prediction *predicted, const bool *include,
                              fz_speed_score *out, fz_error *err);

/* What the speed model claims to be right for: 16-bit full training of 0.1 G parameters and more on a named A100, H100
 * or V100, sequences up to 16k, and not a functional test's record. */
bool fz_speed_is_target(const fz_run_row *row);

#endif
