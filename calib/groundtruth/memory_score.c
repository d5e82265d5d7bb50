#include "calib/groundtruth/memory_score.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double fz_memory_accuracy(double predicted, double measured)
{
    return fmax(0, 1 - fabs(predicted - measured) / measured);
}

/* Nearest rank. */
static double rank_of(const double *sorted, size_t n, double share)
{
    size_t at = (size_t)ceil(share * (double)n);
    return n > 0 ? sorted[at > 0 ? at - 1 : 0] : (double)NAN;
}

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return n > 0 ? sum / (double)n : (double)NAN;
}

typedef struct scorer {
    const fz_run_rows *rows;
    const fz_prediction *predicted;
    const double *capacity;
    const bool *include;
    double *values; /* scratch */
    double *source_sum;
    uint32_t *source_n;
} scorer;

static bool counts(const scorer *s, uint32_t i)
{
    return s->include != NULL ? s->include[i] : !s->rows->rows[i].computed;
}

static bool is_scored(const scorer *s, uint32_t i)
{
    return counts(s, i) && s->rows->rows[i].outcome == FZ_ROW_OK && s->predicted[i].value > 0 &&
           s->rows->rows[i].measured > 0;
}

static void score_accuracy(scorer *s, fz_memory_score *out)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->rows->n_rows; i++) {
        out->rows += counts(s, i) && s->rows->rows[i].outcome == FZ_ROW_OK;
        if (is_scored(s, i))
            s->values[n++] = fz_memory_accuracy(s->predicted[i].value, s->rows->rows[i].measured);
    }
    gsl_sort(s->values, 1, n);
    out->scored = (uint32_t)n;
    out->mean = mean_of(s->values, n);
    out->median = rank_of(s->values, n, 0.5);
    out->p10 = rank_of(s->values, n, 0.1);
    out->worst = rank_of(s->values, n, 0);
}

static void score_sources(scorer *s, fz_memory_score *out)
{
    double sum = 0, sources = 0;
    for (uint32_t i = 0; i < s->rows->n_rows; i++) {
        double total = 0, n = 0;
        bool first = is_scored(s, i);
        for (uint32_t k = 0; k < i && first; k++)
            first = !is_scored(s, k) || strcmp(s->rows->rows[k].source, s->rows->rows[i].source) != 0;
        for (uint32_t k = i; k < s->rows->n_rows && first; k++)
            if (is_scored(s, k) && strcmp(s->rows->rows[k].source, s->rows->rows[i].source) == 0) {
                total += fz_memory_accuracy(s->predicted[k].value, s->rows->rows[k].measured);
                n++;
            }
        if (n >= 3) {
            sum += total / n;
            sources++;
        }
    }
    out->mean_of_source_means = sources > 0 ? sum / sources : (double)NAN;
}

static void score_intervals(scorer *s, fz_memory_score *out)
{
    double inside = 0;
    size_t n = 0;
    for (uint32_t i = 0; i < s->rows->n_rows; i++) {
        const fz_prediction *p = &s->predicted[i];
        if (!is_scored(s, i))
            continue;
        inside += s->rows->rows[i].measured >= p->lo && s->rows->rows[i].measured <= p->hi;
        s->values[n++] = (p->hi - p->lo) / p->value;
    }
    gsl_sort(s->values, 1, n);
    out->interval_coverage = n > 0 ? inside / (double)n : (double)NAN;
    out->interval_width_median = rank_of(s->values, n, 0.5);
}

static void score_censored(scorer *s, fz_memory_score *out)
{
    double fits = 0, oom = 0;
    size_t n = 0;
    for (uint32_t i = 0; i < s->rows->n_rows; i++) {
        const fz_prediction *p = &s->predicted[i];
        fz_row_outcome outcome = s->rows->rows[i].outcome;
        if (!counts(s, i) || outcome == FZ_ROW_OK || !(p->value > 0) || !(s->capacity[i] > 0))
            continue;
        bool fit = p->hi <= s->capacity[i];
        out->n_fits += outcome == FZ_ROW_FITS;
        out->n_oom += outcome == FZ_ROW_OOM;
        fits += outcome == FZ_ROW_FITS && fit;
        oom += outcome == FZ_ROW_OOM && !fit;
        if (outcome == FZ_ROW_FITS)
            s->values[n++] = p->value / s->capacity[i];
    }
    gsl_sort(s->values, 1, n);
    out->fits_recall = out->n_fits > 0 ? fits / out->n_fits : (double)NAN;
    out->oom_recall = out->n_oom > 0 ? oom / out->n_oom : (double)NAN;
    out->fits_fill_median = rank_of(s->values, n, 0.5);
}

fz_status fz_memory_score_rows(const fz_run_rows *rows, const fz_prediction *predicted,
                               const double *capacity, const bool *include, fz_memory_score *out,
                               fz_error *err)
{
    scorer s = {.rows = rows, .predicted = predicted, .capacity = capacity, .include = include};
    *out = (fz_memory_score){0};
    s.values = malloc((rows->n_rows + 1) * sizeof *s.values);
    if (s.values == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    score_accuracy(&s, out);
    score_sources(&s, out);
    score_intervals(&s, out);
    score_censored(&s, out);
    free(s.values);
    return FZ_OK;
}
