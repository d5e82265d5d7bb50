#include <math.h>
#include <stdlib.h>

#include "workloads/clock.h"
#include "workloads/ops/stats_private.h"

#define NEAR     (60 * FZ_SECOND)
#define NEAR_MAX 2000u /* jobs looked back at: bounds the time of lists that begin all at once */
#define MIN_BINS 10u
#define MAX_BINS 2000000u /* 10-minute bins of 38 years: beyond that a clock is broken */

/* ---- counts per bin -------------------------------------------------------------------------------- */

/* Counts of the bins from the first to the last submission, on the wall clock; free() them. */
static fz_status bins_count(const fz_trace *trace, fz_time offset, fz_time width, double **out, uint32_t *n,
                            fz_error *err)
{
    fz_time first = (trace->submit[0] + offset) / width;
    fz_time bins = (trace->submit[trace->n_jobs - 1] + offset) / width - first + 1;
    *out = NULL;
    *n = 0;
    if (bins > MAX_BINS)
        return FZ_OK;
    double *counts = calloc((size_t)bins, sizeof *counts);
    if (counts == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %lld bins of time", (long long)bins);
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        counts[(trace->submit[job] + offset) / width - first]++;
    *out = counts;
    *n = (uint32_t)bins;
    return FZ_OK;
}

/* Sum of (x[i] - mean) (x[i + lag] - mean). */
static double covariance(const double *x, uint32_t n, double mean, uint32_t lag)
{
    double sum = 0;
    for (uint32_t i = 0; i + lag < n; i++)
        sum += (x[i] - mean) * (x[i + lag] - mean);
    return sum;
}

static double mean_of(const double *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

static double dispersion(const double *counts, uint32_t n)
{
    if (n < MIN_BINS)
        return (double)NAN;
    double mean = mean_of(counts, n);
    return covariance(counts, n, mean, 0) / (n - 1) / mean;
}

/* ---- shares ---------------------------------------------------------------------------------------- */

static void clock_shares(const fz_trace *trace, fz_time offset, fz_stats_arrivals *out)
{
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        uint64_t hour = (uint64_t)((trace->submit[job] + offset) / FZ_HOUR) % FZ_WEEK_HOURS;
        out->hours[hour % FZ_DAY_HOURS] += 1.0 / trace->n_jobs;
        out->weekdays[hour / FZ_DAY_HOURS] += 1.0 / trace->n_jobs;
    }
}

static void hourly(const double *counts, uint32_t n, fz_stats_arrivals *out)
{
    static const uint32_t lags[FZ_STATS_LAGS] = {1, FZ_DAY_HOURS, FZ_WEEK_HOURS};
    double mean = n > 0 ? mean_of(counts, n) : 0, variance = covariance(counts, n, mean, 0);
    uint32_t empty = 0;
    for (uint32_t i = 0; i < n; i++)
        empty += counts[i] <= 0;
    out->empty_hours = n > 0 ? (double)empty / n : (double)NAN;
    out->dispersion_1h = dispersion(counts, n);
    for (uint32_t i = 0; i < FZ_STATS_LAGS; i++)
        out->autocorrelation[i] = n >= MIN_BINS && n > 2 * lags[i] && variance > 0
                                      ? covariance(counts, n, mean, lags[i]) / variance
                                      : (double)NAN;
}

/* ---- gaps ------------------------------------------------------------------------------------------ */

static fz_status gaps(const fz_trace *trace, fz_stats_arrivals *out, fz_error *err)
{
    uint32_t n = trace->n_jobs - 1;
    double *gap = malloc(((size_t)n + 1) * sizeof *gap);
    out->gap_p50_s = out->gap_p90_s = out->gap_p99_s = out->gap_cv = (double)NAN;
    if (gap == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u gaps", n);
    for (uint32_t i = 0; i < n; i++)
        gap[i] = fz_time_to_s(trace->submit[i + 1] - trace->submit[i]);
    double mean = n > 0 ? mean_of(gap, n) : 0;
    if (n > 1 && mean > 0)
        out->gap_cv = sqrt(covariance(gap, n, mean, 0) / (n - 1)) / mean;
    fz_stats_sort(gap, n);
    out->gap_p50_s = fz_stats_percentile(gap, n, 0.50);
    out->gap_p90_s = fz_stats_percentile(gap, n, 0.90);
    out->gap_p99_s = fz_stats_percentile(gap, n, 0.99);
    free(gap);
    return FZ_OK;
}

/* Whether some job of the last 60 s before this one has the same owner and size. */
static bool follows(const fz_trace *trace, const fz_text_id *owner, uint32_t job)
{
    double gpus = fz_trace_gpus(trace, job);
    for (uint32_t i = job; i-- > 0 && job - i <= NEAR_MAX && trace->submit[job] - trace->submit[i] <= NEAR;)
        if (fz_trace_gpus(trace, i) == gpus && (owner == NULL || owner[i] == owner[job]))
            return true;
    return false;
}

fz_status fz_stats_arrivals_of(const fz_trace *trace, fz_stats_arrivals *out, fz_error *err)
{
    double *counts = NULL;
    uint32_t n = 0;
    fz_time offset = fz_trace_week_offset(trace, &out->clock_known);
    out->span_s = fz_time_to_s(trace->submit[trace->n_jobs - 1] - trace->submit[0]);
    out->jobs_per_h = out->span_s > 0 ? trace->n_jobs / (out->span_s / 3600) : (double)NAN;
    clock_shares(trace, offset, out);
    FZ_TRY(bins_count(trace, offset, FZ_HOUR, &counts, &n, err));
    hourly(counts, n, out);
    free(counts);
    FZ_TRY(bins_count(trace, offset, FZ_HOUR / 6, &counts, &n, err));
    out->dispersion_10min = dispersion(counts, n);
    free(counts);
    uint32_t following = 0;
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        following += follows(trace, trace->vc != NULL ? trace->vc : trace->user, job);
    out->follows = (double)following / trace->n_jobs;
    return gaps(trace, out, err);
}
