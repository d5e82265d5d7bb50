#include "sim/report/tests.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

double fz_t_test(const double *differences, uint32_t n)
{
    double sum = 0;
    double squares = 0;
    if (n < 2)
        return 1;
    for (uint32_t i = 0; i < n; i++)
        sum += differences[i];
    double mean = sum / n;
    for (uint32_t i = 0; i < n; i++)
        squares += (differences[i] - mean) * (differences[i] - mean);
    double error = sqrt(squares / (n - 1) / n);
    if (error <= 0)
        return mean == 0 ? 1 : 0;
    return 2 * gsl_cdf_tdist_Q(fabs(mean) / error, n - 1.0);
}

/* How many of the family are smaller, or equal and before. */
static uint32_t rank_of(const double *p, uint32_t n, uint32_t i)
{
    uint32_t rank = 0;
    for (uint32_t k = 0; k < n; k++)
        rank += p[k] < p[i] || (p[k] == p[i] && k < i);
    return rank;
}

/* max over the hypotheses not above i of (n - rank) p, at most 1 */
static double adjusted(const double *p, uint32_t n, uint32_t i)
{
    double largest = 0;
    uint32_t own = rank_of(p, n, i);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t rank = rank_of(p, n, k);
        double scaled = (n - rank) * p[k];
        if (rank <= own && scaled > largest)
            largest = scaled;
    }
    return largest < 1 ? largest : 1;
}

#define MAX_FAMILY 256u

void fz_holm(double *p, uint32_t n)
{
    double out[MAX_FAMILY];
    for (uint32_t i = 0; i < n && i < MAX_FAMILY; i++)
        out[i] = adjusted(p, n, i);
    for (uint32_t i = 0; i < n; i++)
        p[i] = i < MAX_FAMILY ? out[i] : 1;
}

double fz_geometric_mean(const double *values, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += log(values[i]);
    return exp(sum / n);
}

double fz_nearest_rank(const double *sorted, uint64_t n, double p)
{
    double rank = ceil(p * (double)n);
    uint64_t at = rank < 1 ? 0 : (uint64_t)rank - 1;
    return sorted[at < n ? at : n - 1];
}
