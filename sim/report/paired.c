#include "sim/report/paired.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

fz_estimate fz_estimate_of(const double *values, uint32_t n)
{
    fz_estimate estimate = {.n = n, .mean = gsl_stats_mean(values, 1, n)};
    if (n >= FZ_MIN_SEEDS_FOR_INTERVAL) {
        double error = gsl_stats_sd_m(values, 1, n, estimate.mean) / sqrt(n);
        double half = gsl_cdf_tdist_Pinv(0.975, n - 1.0) * error;
        estimate.interval = true;
        estimate.low = estimate.mean - half;
        estimate.high = estimate.mean + half;
        return estimate;
    }
    gsl_stats_minmax(&estimate.low, &estimate.high, values, 1, n);
    return estimate;
}

fz_estimate fz_paired_relative(const double *base, const double *other, uint32_t n)
{
    double *relative = malloc(n * sizeof(*relative));
    if (relative == NULL)
        return (fz_estimate){.n = n, .mean = NAN, .low = NAN, .high = NAN};
    for (uint32_t i = 0; i < n; i++)
        relative[i] = other[i] / base[i] - 1;
    fz_estimate estimate = fz_estimate_of(relative, n);
    free(relative);
    return estimate;
}
