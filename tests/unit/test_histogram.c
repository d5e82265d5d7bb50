/* Percentiles of the log-bucket histogram and of exact selection. */
#include "sim/metrics/histogram.h"
#include "sim/metrics/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/harness.h"
#include "tests/random.h"

static void test_buckets_within_one_percent(void)
{
    double worst = 0;
    for (uint64_t value = 1; value < (uint64_t)1 << 50; value += 1 + value / 50) {
        fz_histogram *histogram = calloc(1, sizeof(*histogram));
        CU_ASSERT_PTR_NOT_NULL_FATAL(histogram);
        fz_histogram_add(histogram, value);
        double error = fabs(fz_histogram_percentile(histogram, 0.5) - (double)value) / (double)value;
        worst = error > worst ? error : worst;
        free(histogram);
    }
    CU_ASSERT_TRUE(worst <= 0.01);
}

static void test_largest_values(void)
{
    CU_ASSERT_TRUE(fz_histogram_bucket(UINT64_MAX) < FZ_HISTOGRAM_BUCKETS);
    CU_ASSERT_EQUAL(fz_histogram_bucket(63), 63);
    CU_ASSERT_EQUAL(fz_histogram_bucket(64), 64);
    CU_ASSERT_EQUAL(fz_histogram_bucket(128), fz_histogram_bucket(129));
}

static void test_nearest_rank(void)
{
    /* ceil(p n): of 1..10 the median is the 5th, p90 the 9th, p99 and max the 10th */
    const double p[] = {0.5, 0.9, 0.91, 0.99, 1.0, 0.01};
    const fz_time expected[] = {5, 9, 10, 10, 10, 1};
    for (size_t i = 0; i < 6; i++) {
        fz_time values[] = {7, 3, 10, 1, 9, 2, 8, 4, 6, 5};
        CU_ASSERT_EQUAL(fz_percentile_nearest(values, 10, p[i]), expected[i]);
    }
}

static int by_value(const void *a, const void *b)
{
    const fz_time *x = a;
    const fz_time *y = b;
    return (*x > *y) - (*x < *y);
}

static void test_selection_against_sort(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        fz_random random = {seed};
        fz_time values[200];
        fz_time sorted[200];
        uint32_t n = fz_random_between(&random, 1, 200);
        for (uint32_t i = 0; i < n; i++)
            values[i] = sorted[i] = fz_random_below(&random, 1 + fz_random_below(&random, 300));
        qsort(sorted, n, sizeof(sorted[0]), by_value);
        double p = (double)fz_random_between(&random, 1, 100) / 100;
        uint32_t rank = (uint32_t)ceil(p * n);
        bool right = fz_percentile_nearest(values, n, p) == sorted[rank - 1];
        if (!right)
            printf("seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE(right);
    }
}

int main(void)
{
    const fz_test tests[] = {
        {"buckets are within 1 %", test_buckets_within_one_percent},
        {"borders of the buckets", test_largest_values},
        {"nearest rank by hand", test_nearest_rank},
        {"selection against sorting", test_selection_against_sort},
    };
    return FZ_TEST_MAIN("percentiles", tests);
}
