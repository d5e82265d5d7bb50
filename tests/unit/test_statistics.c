/* Statistics of reports: by hand, from printed tables, and by simulation of what an interval promises. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>

#include "core/support/rng.h"
#include "sim/report/bootstrap.h"
#include "sim/report/tests.h"
#include "tests/harness.h"

enum { EXPERIMENTS = 1000, MAX_SEEDS = 30 };

/* Holm, "A simple sequentially rejective multiple test procedure", 1979: worked by hand. 0.01 x 4, 0.02 x 3 = 0.06,
 * 0.03 x 2 = 0.06, and 0.04 x 1 raised to the 0.06 before it. */
static void holm(void)
{
    double p[] = {0.04, 0.01, 0.03, 0.02};
    const double expected[] = {0.06, 0.04, 0.06, 0.06};
    fz_holm(p, 4);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_DOUBLE_EQUAL(p[i], expected[i], 1e-15);
    double large[] = {0.5, 0.9, 0.5};
    fz_holm(large, 3);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(large[i], 1);
    double one[] = {0.03};
    fz_holm(one, 1);
    CU_ASSERT_EQUAL(one[0], 0.03);
}

/* t(0.975, 4) = 2.7764451 from a printed table: differences whose t is that have p = 0.05. */
static void t_test(void)
{
    double d[] = {-2, -1, 0, 1, 2}; /* s = sqrt(2.5) */
    double shift = 2.7764451 * sqrt(2.5) / sqrt(5);
    CU_ASSERT_DOUBLE_EQUAL(fz_t_test(d, 5), 1, 1e-12);
    for (int i = 0; i < 5; i++)
        d[i] += shift;
    CU_ASSERT_DOUBLE_EQUAL(fz_t_test(d, 5), 0.05, 1e-7);
    const double equal[] = {3, 3, 3};
    const double none[] = {0, 0, 0};
    CU_ASSERT_EQUAL(fz_t_test(equal, 3), 0);
    CU_ASSERT_EQUAL(fz_t_test(none, 3), 1);
    CU_ASSERT_EQUAL(fz_t_test(equal, 1), 1);
}

static void means_and_ranks(void)
{
    const double values[] = {1, 10, 100}, sorted[] = {1, 2, 3, 4};
    CU_ASSERT_DOUBLE_EQUAL(fz_geometric_mean(values, 3), 10, 1e-12);
    CU_ASSERT_EQUAL(fz_nearest_rank(sorted, 4, 0.5), 2);
    CU_ASSERT_EQUAL(fz_nearest_rank(sorted, 4, 0.51), 3);
    CU_ASSERT_EQUAL(fz_nearest_rank(sorted, 4, 0.99), 4);
    CU_ASSERT_EQUAL(fz_nearest_rank(sorted, 4, 1e-9), 1);
    CU_ASSERT_EQUAL(fz_nearest_rank(sorted, 4, 1), 4);
}

static void bootstrap_basics(void)
{
    const double values[] = {1, 2, 3, 4, 5, 6, 7, 8}, few[] = {3, 1, 2}, equal[] = {2, 2, 2, 2, 2, 2};
    fz_estimate a = fz_bootstrap_mean(values, 8, 1);
    fz_estimate b = fz_bootstrap_mean(values, 8, 1);
    CU_ASSERT_EQUAL(a.mean, 4.5);
    CU_ASSERT(a.interval && a.low == b.low && a.high == b.high);
    CU_ASSERT(a.low > 1 && a.low < 4.5 && a.high > 4.5 && a.high < 8);
    a = fz_bootstrap_mean(few, 3, 1);
    CU_ASSERT(!a.interval && a.low == 1 && a.high == 3);
    a = fz_bootstrap_mean(equal, 6, 1);
    CU_ASSERT(a.low == 2 && a.high == 2);
}

/* One synthetic experiment: worlds that differ a lot (lognormal), two schedulers that meet the same ones; the relative
 * difference of the second is `truth` on the average, with noise of a kind. */
static void experiment(gsl_rng *rng, uint32_t n, double truth, bool skewed, double *base, double *other)
{
    for (uint32_t i = 0; i < n; i++) {
        double noise = skewed ? 0.1 * (gsl_ran_exponential(rng, 1) - 1) : gsl_ran_gaussian(rng, 0.1);
        base[i] = gsl_ran_lognormal(rng, 8, 1);
        other[i] = base[i] * (1 + truth + noise);
    }
}

typedef fz_estimate (*method)(const double *base, const double *other, uint32_t n, uint64_t seed);

static fz_estimate student(const double *base, const double *other, uint32_t n, uint64_t seed)
{
    (void)seed;
    return fz_paired_relative(base, other, n);
}

static fz_estimate bootstrap(const double *base, const double *other, uint32_t n, uint64_t seed)
{
    double relative[MAX_SEEDS];
    for (uint32_t i = 0; i < n; i++)
        relative[i] = other[i] / base[i] - 1;
    return fz_bootstrap_mean(relative, n, seed);
}

/* The share of synthetic experiments whose interval holds the truth. */
static double coverage(method how, uint32_t n, bool skewed)
{
    const double truth = -0.2;
    double base[MAX_SEEDS], other[MAX_SEEDS];
    gsl_rng *rng = gsl_rng_alloc(fz_rng_type());
    uint32_t held = 0;
    for (uint64_t k = 0; k < EXPERIMENTS; k++) {
        fz_rng_key(rng, 20, 0, "coverage", k);
        experiment(rng, n, truth, skewed, base, other);
        fz_estimate estimate = how(base, other, n, k);
        held += estimate.interval && estimate.low <= truth && truth <= estimate.high;
    }
    gsl_rng_free(rng);
    return (double)held / EXPERIMENTS;
}

static void student_covers(void)
{
    static const uint32_t seeds[] = {5, 10, 20};
    for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
        double share = coverage(student, seeds[i], false);
        printf("\n    student, %u seeds: %.1f %%", seeds[i], 100 * share);
        CU_ASSERT(share >= 0.93 && share <= 0.97);
    }
}

static void bootstrap_covers(void)
{
    static const uint32_t seeds[] = {5, 10, 20};
    for (size_t skewed = 0; skewed <= 1; skewed++)
        for (size_t i = skewed; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
            double share = coverage(bootstrap, seeds[i], skewed != 0);
            printf("\n    bootstrap, %u seeds%s: %.1f %%", seeds[i], skewed != 0 ? ", skewed" : "",
                   100 * share);
            CU_ASSERT(share >= 0.90 && share <= 0.98);
        }
}

/* With no true difference, at most 5 % of families of 5 comparisons may find one. */
static void holm_keeps_the_family(void)
{
    enum { FAMILY = 5, SEEDS = 10 };
    gsl_rng *rng = gsl_rng_alloc(fz_rng_type());
    uint32_t wrong = 0;
    for (uint64_t k = 0; k < EXPERIMENTS; k++) {
        double p[FAMILY], d[SEEDS];
        fz_rng_key(rng, 7, 0, "family", k);
        for (int i = 0; i < FAMILY; i++) {
            for (int s = 0; s < SEEDS; s++)
                d[s] = gsl_ran_gaussian(rng, 1);
            p[i] = fz_t_test(d, SEEDS);
        }
        fz_holm(p, FAMILY);
        bool any = false;
        for (int i = 0; i < FAMILY; i++)
            any |= p[i] < 0.05;
        wrong += any;
    }
    gsl_rng_free(rng);
    printf("\n    wrong families: %.1f %%", 100.0 * wrong / EXPERIMENTS);
    CU_ASSERT(wrong <= 70);               /* 5 % and three standard errors */
    CU_ASSERT(wrong >= EXPERIMENTS / 50); /* a correction that never rejects is none */
}

int main(void)
{
    static const fz_test tests[] = {
        {"holm", holm},
        {"t test", t_test},
        {"means and ranks", means_and_ranks},
        {"bootstrap", bootstrap_basics},
        {"student intervals cover", student_covers},
        {"bootstrap intervals cover", bootstrap_covers},
        {"holm keeps the family", holm_keeps_the_family},
    };
    return FZ_TEST_MAIN("statistics", tests);
}
