#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/ops/load.h"
#include "workloads/ops/stats_private.h"

enum { FIT_RANKS = 30 };

/* Sums by text of a column; entry 0 stays empty: "" is nobody. */
static fz_stats_group *groups_sum(const fz_trace *trace, const fz_text_id *texts)
{
    fz_stats_group *groups = calloc(trace->n_texts, sizeof *groups);
    for (uint32_t job = 0; groups != NULL && job < trace->n_jobs; job++) {
        fz_stats_group *group = &groups[texts[job]];
        if (texts[job] == 0)
            continue;
        group->name = trace->texts[texts[job]];
        group->jobs++;
        group->gpu_s += fz_job_gpu_s(trace, job);
    }
    return groups;
}

/* Most first; ties by name, so that the order never depends on the file's. */
static int by_jobs(const void *a, const void *b)
{
    const fz_stats_group *x = a, *y = b;
    if (x->jobs != y->jobs)
        return x->jobs > y->jobs ? -1 : 1;
    return x->name == NULL || y->name == NULL ? 0 : strcmp(x->name, y->name);
}

static int by_gpu_s(const void *a, const void *b)
{
    const fz_stats_group *x = a, *y = b;
    if (x->gpu_s > y->gpu_s || x->gpu_s < y->gpu_s)
        return x->gpu_s > y->gpu_s ? -1 : 1;
    return by_jobs(a, b);
}

/* Slope of ln value against ln rank; NaN with fewer than 3 of them. */
static double slope(const double *values, uint32_t n)
{
    double x[FIT_RANKS] = {0}, y[FIT_RANKS] = {0}, c0 = 0, c1 = (double)NAN, cov00 = 0, cov01 = 0, cov11 = 0,
           sumsq = 0;
    uint32_t used = 0;
    while (used < n && used < FIT_RANKS && values[used] > 0) {
        x[used] = log(used + 1.0);
        y[used] = log(values[used]);
        used++;
    }
    if (used < 3 || gsl_fit_linear(x, 1, y, 1, used, &c0, &c1, &cov00, &cov01, &cov11, &sumsq) != 0)
        return (double)NAN;
    return c1;
}

static void tops(const double *values, uint32_t n, double *top)
{
    static const uint32_t first[FZ_STATS_TOPS] = {1, 5, 10};
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += values[i];
    for (uint32_t k = 0; k < FZ_STATS_TOPS; k++) {
        top[k] = 0;
        for (uint32_t i = 0; i < n && i < first[k]; i++)
            top[k] += values[i];
        top[k] = sum > 0 ? top[k] / sum : (double)NAN;
    }
}

/* The groups are sorted so that empty ones come last. */
static void ranks_find(fz_stats_group *groups, uint32_t n_texts, double *values, fz_stats_ranks *out)
{
    qsort(groups, n_texts, sizeof *groups, by_jobs);
    while (out->n < n_texts && groups[out->n].jobs > 0)
        out->n++;
    for (uint32_t i = 0; i < out->n; i++)
        values[i] = (double)groups[i].jobs;
    out->most_jobs = groups[0].name;
    out->jobs_slope = slope(values, out->n);
    tops(values, out->n, out->top_jobs);
    qsort(groups, out->n, sizeof *groups, by_gpu_s);
    for (uint32_t i = 0; i < out->n; i++)
        values[i] = groups[i].gpu_s;
    out->most_gpu_s = groups[0].name;
    out->gpu_s_slope = slope(values, out->n);
    tops(values, out->n, out->top_gpu_s);
}

fz_status fz_stats_ranks_of(const fz_trace *trace, const fz_text_id *texts, fz_stats_ranks *out,
                            fz_error *err)
{
    *out = (fz_stats_ranks){0};
    if (texts == NULL)
        return FZ_OK;
    fz_stats_group *groups = groups_sum(trace, texts);
    double *values = calloc(trace->n_texts, sizeof *values);
    fz_status status = FZ_OK;
    if (groups != NULL && values != NULL)
        ranks_find(groups, trace->n_texts, values, out);
    else
        status = fz_fail(err, FZ_ENOMEM, "no memory for %u names", trace->n_texts);
    free(groups);
    free(values);
    return status;
}

fz_status fz_stats_classes_of(const fz_trace *trace, fz_trace_stats *out, fz_error *err)
{
    const fz_text_id *texts = NULL;
    for (uint32_t i = 0; i < trace->n_extras; i++)
        if (strcmp(trace->extras[i].name, "job_class") == 0)
            texts = trace->extras[i].values;
    if (texts == NULL)
        return FZ_OK;
    fz_stats_group *groups = groups_sum(trace, texts);
    if (groups == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u names", trace->n_texts);
    qsort(groups, trace->n_texts, sizeof *groups, by_jobs);
    while (out->n_classes < trace->n_texts && out->n_classes < FZ_STATS_CLASSES &&
           groups[out->n_classes].jobs > 0) {
        out->classes[out->n_classes] = groups[out->n_classes];
        out->n_classes++;
    }
    free(groups);
    return FZ_OK;
}
