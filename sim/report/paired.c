#include "sim/report/paired.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* In double throughout: GSL's own mean is in long double, which is not the same on every machine. */
static double mean_of(const double *values, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

static double deviation_of(const double *values, uint32_t n, double mean)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (n - 1));
}

static void range_of(const double *values, uint32_t n, double *low, double *high)
{
    *low = *high = values[0];
    for (uint32_t i = 1; i < n; i++) {
        *low = values[i] < *low ? values[i] : *low;
        *high = values[i] > *high ? values[i] : *high;
    }
}

fz_estimate fz_estimate_of(const double *values, uint32_t n)
{
    fz_estimate estimate = {.n = n, .mean = mean_of(values, n)};
    if (n >= FZ_MIN_SEEDS_FOR_INTERVAL) {
        double error = deviation_of(values, n, estimate.mean) / sqrt(n);
        double half = gsl_cdf_tdist_Pinv(0.975, n - 1.0) * error;
        estimate.interval = true;
        estimate.low = estimate.mean - half;
        estimate.high = estimate.mean + half;
        return estimate;
    }
    range_of(values, n, &estimate.low, &estimate.high);
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
