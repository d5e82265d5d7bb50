/* Generate, then measure: `stats` finds in 100,000 generated jobs what the profile says. Seeds are fixed; the bounds
 * follow from the model, so that another seed would do as well (but for the 5 % or so that three sigma leave out).
 *
 *   mu, sigma    3 %. Sampling moves mu by sigma / sqrt(1e5) x 2 (sweeps share a VC) < 0.02; cutting at min_s and
 *                max_s, and durations of whole seconds, take up to 1 % of sigma away.
 *   sizes, VCs   1 and 2 points: binomial, 0.16 points at the most for a half, x sqrt(2 S - 1) = 2 in sweeps.
 *   states       1 point, binomial.
 *   hours        1 point, or four times what the noise does to the share s of an hour of the day over the days of
 *                the trace: s sqrt(c (1 + r^24) / (1 - r^24) / days), which is 0.6 points for Philly.
 *   dispersion   20 %, or three times the standard deviation of a variance out of n hours of gamma noise whose
 *                correlation r leaves n (1 - r^2) / (1 + r^2) independent ones: sqrt((2 + 6 c) / those). That is
 *                more than 20 % for Spot 2026, whose noise hardly changes from hour to hour. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "workloads/generate.h"
#include "workloads/ops/stats.h"

enum { JOBS = 100000 };

static double hour_share(const fz_profile *p, uint32_t hour)
{
    double sum = 0;
    for (uint32_t day = 0; day < 7; day++)
        sum += p->arrivals.weights[24 * day + hour] / FZ_WEEK_HOURS;
    return sum;
}

static void arrivals_check(const fz_profile *p, const fz_trace_stats *s)
{
    const fz_profile_arrivals *a = &p->arrivals;
    double days = s->arrivals.span_s / 86400, daily = pow(a->noise_lag1, 24),
           r2 = a->noise_lag1 * a->noise_lag1;
    for (uint32_t hour = 0; hour < 24; hour++) {
        double share = hour_share(p, hour);
        double bound = fmax(0.01, 4 * share * sqrt(a->noise_cv2 * (1 + daily) / (1 - daily) / days));
        CU_ASSERT_DOUBLE_EQUAL(s->arrivals.hours[hour], share, bound);
    }
    double independent = days * 24 * (1 - r2) / (1 + r2);
    double bound = fmax(0.2, 3 * sqrt((2 + 6 * a->noise_cv2) / independent));
    CU_ASSERT_DOUBLE_EQUAL(s->arrivals.dispersion_1h / fz_profile_dispersion(p, a->jobs_per_h, 3600), 1,
                           bound);
}

/* Mean and standard deviation of ln over all sizes. */
static void durations_check(const fz_profile *p, const fz_trace_stats *s)
{
    double mu = 0, second = 0;
    for (uint32_t i = 0; i < p->n_sizes; i++) {
        uint32_t k = 0;
        while (p->sizes[i].gpus > p->durations[k].max_gpus)
            k++;
        const fz_profile_durations *d = &p->durations[k];
        mu += p->sizes[i].share * d->mu;
        second += p->sizes[i].share * (d->mu * d->mu + d->sigma * d->sigma);
    }
    double sigma = sqrt(second - mu * mu);
    CU_ASSERT_DOUBLE_EQUAL(s->durations.mu / mu, 1, 0.03);
    CU_ASSERT_DOUBLE_EQUAL(s->durations.sigma / sigma, 1, 0.03);
}

static void shares_check(const fz_profile *p, const fz_trace_stats *s)
{
    static const double upper[FZ_STATS_SIZES] = {0.9995, 1, 2, 4, 8, 16, 32, 64, 128, HUGE_VAL};
    double share[FZ_STATS_SIZES] = {0};
    for (uint32_t i = 0; i < p->n_sizes; i++) {
        uint32_t k = 0;
        while (p->sizes[i].gpus > upper[k])
            k++;
        share[k] += p->sizes[i].share;
    }
    for (uint32_t k = 0; k < FZ_STATS_SIZES; k++)
        CU_ASSERT_DOUBLE_EQUAL((double)s->sizes[k].jobs / JOBS, share[k], 0.01);
    for (uint32_t i = 0; i < p->n_states; i++)
        CU_ASSERT_DOUBLE_EQUAL((double)s->states[p->states[i].state].jobs / JOBS, p->states[i].share, 0.01);
    if (p->vcs.count > 0)
        CU_ASSERT_DOUBLE_EQUAL(s->vcs.top_jobs[0], p->vcs.shares[0], 0.02);
}

static void profile_check(const char *name, fz_trace_stats *s)
{
    fz_profile *p = NULL;
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_profile_read(name, &p, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_generate(p, &(fz_generate_options){.jobs = JOBS, .seed = 2}, &trace, NULL),
                          FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_trace_stats_of(trace, s, NULL), FZ_OK);
    arrivals_check(p, s);
    durations_check(p, s);
    shares_check(p, s);
    fz_trace_free(trace);
    fz_profile_free(p);
}

/* Beside the profile, what was published of the cluster itself: hourly dispersion 39.3 (the model lacks waves longer
 * than a week), autocorrelation .48, 7.8 % empty hours, 6.73 GPUs a job. */
static void venus(void)
{
    fz_trace_stats s;
    profile_check("venus", &s);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.dispersion_1h / 39.3, 1, 0.2);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.autocorrelation[0], 0.48, 0.07);
    CU_ASSERT_DOUBLE_EQUAL(s.mean_gpus, 6.73, 0.3);
    CU_ASSERT_DOUBLE_EQUAL(s.vcs.jobs_slope, -2.0, 0.1);
}

/* Published: 69 % of the jobs follow one of the same VC and size within 60 s; 1-GPU jobs have mu 6.719, sigma 1.972. */
static void philly(void)
{
    fz_trace_stats s;
    profile_check("philly", &s);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.follows, 0.69, 0.03);
    CU_ASSERT_DOUBLE_EQUAL(s.sizes[1].durations.mu, 6.719, 0.06);
    CU_ASSERT_DOUBLE_EQUAL(s.sizes[1].durations.sigma, 1.972, 0.06);
}

static void openb(void)
{
    fz_trace_stats s;
    profile_check("openb", &s);
    CU_ASSERT_DOUBLE_EQUAL((double)s.sizes[0].jobs / JOBS, 0.44, 0.01); /* of the pods with a GPU */
}

/* Published: hourly counts correlated by .89, 12.4 % of the jobs below a minute, p50 1,216 s, p90 45,773 s. */
static void spot2026(void)
{
    fz_trace_stats s;
    profile_check("spot2026", &s);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.autocorrelation[0], 0.89, 0.05);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.p50_s / 1216, 1, 0.25); /* the spread between VCs moves the middle */
    CU_ASSERT_DOUBLE_EQUAL(s.durations.p90_s / 45773, 1, 0.2);
}

int main(void)
{
    static const fz_test tests[] = {
        {"Venus", venus}, {"Philly", philly}, {"openb", openb}, {"Spot 2026", spot2026}};
    return FZ_TEST_MAIN("profiles", tests);
}
