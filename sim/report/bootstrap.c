#include "sim/report/bootstrap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "core/support/rng.h"

static void means_draw(const double *values, uint32_t n, gsl_rng *rng, double *means)
{
    for (uint32_t i = 0; i < FZ_BOOTSTRAP_SAMPLES; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < n; k++)
            sum += values[(uint32_t)(gsl_rng_uniform(rng) * n)];
        means[i] = sum / n;
    }
    gsl_sort(means, 1, FZ_BOOTSTRAP_SAMPLES);
}

/* Nearest rank ceil(p n) of sorted values. */
static double ranked(const double *sorted, double p)
{
    double rank = ceil(p * FZ_BOOTSTRAP_SAMPLES);
    rank = rank < 1 ? 1 : rank > FZ_BOOTSTRAP_SAMPLES ? FZ_BOOTSTRAP_SAMPLES : rank;
    return sorted[(uint32_t)rank - 1];
}

fz_estimate fz_bootstrap_mean(const double *values, uint32_t n, uint64_t seed)
{
    fz_estimate estimate = fz_estimate_of(values, n);
    if (n < FZ_MIN_SEEDS_FOR_INTERVAL)
        return estimate;
    double *means = malloc(FZ_BOOTSTRAP_SAMPLES * sizeof(*means));
    gsl_rng *rng = gsl_rng_alloc(fz_rng_type());
    if (means == NULL || rng == NULL) {
        estimate.low = estimate.high = NAN;
    } else {
        fz_rng_key(rng, seed, 0, "bootstrap", 0);
        means_draw(values, n, rng, means);
        double p = gsl_cdf_ugaussian_P(sqrt(n / (n - 1.0)) * gsl_cdf_tdist_Pinv(0.025, n - 1.0));
        estimate.low = ranked(means, p);
        estimate.high = ranked(means, 1 - p);
    }
    if (rng != NULL)
        gsl_rng_free(rng);
    free(means);
    return estimate;
}
