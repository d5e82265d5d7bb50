#include "workloads/ops/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/canonical_columns.h"
#include "workloads/ops/load.h"
#include "workloads/ops/stats_private.h"

static const struct {
    const char *name;
    double max; /* inclusive */
} sizes[FZ_STATS_SIZES] = {{"<1", 0.9995}, {"1", 1},      {"2", 2},      {"3-4", 4},      {"5-8", 8},
                           {"9-16", 16},   {"17-32", 32}, {"33-64", 64}, {"65-128", 128}, {">128", HUGE_VAL}};

uint32_t fz_stats_size_class(double gpus)
{
    uint32_t i = 0;
    while (gpus > sizes[i].max)
        i++;
    return i;
}

/* ---- durations ------------------------------------------------------------------------------------- */

void fz_stats_sort(double *values, uint64_t n)
{
    gsl_sort(values, 1, n);
}

double fz_stats_percentile(const double *sorted, uint64_t n, double p)
{
    double rank = ceil(p * (double)n);
    return n > 0 ? sorted[rank < 1 ? 0 : (uint64_t)rank - 1] : (double)NAN;
}

static double ks_distance(const double *sorted, uint64_t n, double mu, double sigma)
{
    double worst = 0;
    for (uint64_t i = 0; i < n; i++) {
        double p = gsl_cdf_ugaussian_P((log(sorted[i]) - mu) / sigma);
        double below = fabs(p - (double)i / (double)n), above = fabs((double)(i + 1) / (double)n - p);
        worst = fmax(worst, fmax(below, above));
    }
    return worst;
}

/* Of the values above 0, which are sorted. */
static void lognormal_fit(const double *seconds, uint64_t n, fz_stats_durations *out)
{
    double *logs = n > 1 ? malloc(n * sizeof *logs) : NULL;
    if (logs == NULL)
        return;
    for (uint64_t i = 0; i < n; i++)
        logs[i] = log(seconds[i]);
    out->mu = gsl_stats_mean(logs, 1, n);
    out->sigma = gsl_stats_sd_m(logs, 1, n, out->mu);
    if (out->sigma > 0)
        out->ks = ks_distance(seconds, n, out->mu, out->sigma);
    free(logs);
}

void fz_stats_durations_of(double *seconds, uint64_t n, fz_stats_durations *out)
{
    *out = (fz_stats_durations){
        .n = n, .mean_s = (double)NAN, .mu = (double)NAN, .sigma = (double)NAN, .ks = (double)NAN};
    fz_stats_sort(seconds, n);
    while (out->n_zero < n && seconds[out->n_zero] <= 0)
        out->n_zero++;
    if (n > 0)
        out->mean_s = gsl_stats_mean(seconds, 1, n);
    out->p5_s = fz_stats_percentile(seconds, n, 0.05);
    out->p25_s = fz_stats_percentile(seconds, n, 0.25);
    out->p50_s = fz_stats_percentile(seconds, n, 0.50);
    out->p75_s = fz_stats_percentile(seconds, n, 0.75);
    out->p90_s = fz_stats_percentile(seconds, n, 0.90);
    out->p95_s = fz_stats_percentile(seconds, n, 0.95);
    out->p99_s = fz_stats_percentile(seconds, n, 0.99);
    out->max_s = fz_stats_percentile(seconds, n, 1);
    lognormal_fit(seconds + out->n_zero, n - out->n_zero, out);
}

/* Durations of GPU jobs of one size class, or of all (FZ_STATS_SIZES). */
static void durations_of(const fz_trace *trace, uint32_t size, double *scratch, fz_stats_durations *out)
{
    uint64_t n = 0;
    for (uint32_t job = 0; trace->duration != NULL && job < trace->n_jobs; job++) {
        double gpus = fz_trace_gpus(trace, job);
        if (trace->duration[job] >= 0 && gpus > 0 &&
            (size == FZ_STATS_SIZES || fz_stats_size_class(gpus) == size))
            scratch[n++] = fz_time_to_s(trace->duration[job]);
    }
    fz_stats_durations_of(scratch, n, out);
}

/* ---- counts ---------------------------------------------------------------------------------------- */

static void job_count(const fz_trace *trace, uint32_t job, fz_trace_stats *out)
{
    double gpus = fz_trace_gpus(trace, job), gpu_s = fz_job_gpu_s(trace, job);
    fz_trace_state state = trace->state != NULL ? (fz_trace_state)trace->state[job] : FZ_TRACE_UNKNOWN;
    out->states[state].jobs++;
    out->states[state].gpu_s += gpu_s;
    if (trace->cpu_only != NULL && trace->cpu_only[job]) {
        out->cpu_jobs++;
    } else if (gpus <= 0) {
        out->serverless++;
    } else {
        fz_stats_size *size = &out->sizes[fz_stats_size_class(gpus)];
        size->jobs++;
        size->gpu_s += gpu_s;
        out->gpu_s += gpu_s;
        out->mean_gpus += gpus;
    }
}

static void jobs_count(const fz_trace *trace, fz_trace_stats *out)
{
    for (uint32_t i = 0; i < FZ_STATS_SIZES; i++)
        out->sizes[i].name = sizes[i].name;
    for (uint32_t i = 0; i < FZ_STATS_STATES; i++)
        out->states[i].name = i == 0 ? "UNKNOWN" : fz_trace_state_text((fz_trace_state)i);
    out->jobs = trace->n_jobs;
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        job_count(trace, job, out);
    uint64_t sized = out->jobs - out->cpu_jobs - out->serverless;
    out->mean_gpus = sized > 0 ? out->mean_gpus / (double)sized : (double)NAN;
}

fz_status fz_trace_stats_of(const fz_trace *trace, fz_trace_stats *out, fz_error *err)
{
    *out = (fz_trace_stats){0};
    double *scratch = malloc(((size_t)trace->n_jobs + 1) * sizeof *scratch);
    if (scratch == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for statistics of %u jobs", trace->n_jobs);
    jobs_count(trace, out);
    durations_of(trace, FZ_STATS_SIZES, scratch, &out->durations);
    for (uint32_t i = 0; i < FZ_STATS_SIZES; i++)
        durations_of(trace, i, scratch, &out->sizes[i].durations);
    free(scratch);
    FZ_TRY(fz_stats_arrivals_of(trace, &out->arrivals, err));
    FZ_TRY(fz_stats_ranks_of(trace, trace->user, &out->users, err));
    FZ_TRY(fz_stats_ranks_of(trace, trace->vc, &out->vcs, err));
    return fz_stats_classes_of(trace, out, err);
}
