/* How predictions of peak memory compare with measurements. */
#ifndef FRENZY_CALIB_MEMORY_SCORE_H
#define FRENZY_CALIB_MEMORY_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "calib/fit/memory_fit.h"
#include "calib/groundtruth/run_rows.h"

/* Accuracy of a row is 1 - |predicted - measured| / measured, at least 0. */
typedef struct fz_memory_score {
    uint32_t rows, scored; /* measured rows; those of them that were predicted */
    double mean, median, p10, worst;
    double mean_of_source_means; /* over sources with at least 3 scored rows */
    double interval_coverage, interval_width_median;
    uint32_t n_fits, n_oom;         /* rows known only to fit, or to run out of memory, of known capacity */
    double fits_recall, oom_recall; /* share of those told right by the upper end of the interval */
    double fits_fill_median;        /* predicted / capacity of the rows that fit */
} fz_memory_score;

/* Scores the rows for which `include[i]` is set (NULL: all but computed ones). Shares without a row are NaN. */
fz_status fz_memory_score_rows(const fz_run_rows *rows, const fz_prediction *predicted,
                               const double *capacity, const bool *include, fz_memory_score *out,
                               fz_error *err);

double fz_memory_accuracy(double predicted, double measured);

#endif
