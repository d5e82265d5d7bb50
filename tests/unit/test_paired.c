/* Means over seeds. t(0.975, 4) = 2.7764451 and t(0.975, 9) = 2.2621572 from printed tables; the rest by
 * hand. */
#include <math.h>

#include "sim/report/paired.h"
#include "tests/harness.h"

static void five_values_have_an_interval(void)
{
    const double values[] = {5, 1, 4, 2, 3}; /* s = sqrt(2.5) */
    fz_estimate estimate = fz_estimate_of(values, 5);
    double half = 2.7764451 * sqrt(2.5) / sqrt(5);
    CU_ASSERT(estimate.interval);
    CU_ASSERT_EQUAL(estimate.n, 5);
    CU_ASSERT_DOUBLE_EQUAL(estimate.mean, 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(estimate.low, 3 - half, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(estimate.high, 3 + half, 1e-6);
}

static void ten_values(void)
{
    const double values[] = {1, 3, 1, 3, 1, 3, 1, 3, 1, 3}; /* s = sqrt(10 / 9) */
    fz_estimate estimate = fz_estimate_of(values, 10);
    CU_ASSERT_DOUBLE_EQUAL(estimate.mean, 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(estimate.high - estimate.mean, 2.2621572 / 3, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(estimate.mean - estimate.low, 2.2621572 / 3, 1e-6);
}

static void equal_values_have_no_spread(void)
{
    const double values[] = {7, 7, 7, 7, 7, 7};
    fz_estimate estimate = fz_estimate_of(values, 6);
    CU_ASSERT(estimate.interval);
    CU_ASSERT_EQUAL(estimate.mean, 7);
    CU_ASSERT_EQUAL(estimate.low, 7);
    CU_ASSERT_EQUAL(estimate.high, 7);
}

static void fewer_values_have_a_range(void)
{
    const double values[] = {2, -1, 5, 2};
    fz_estimate estimate = fz_estimate_of(values, 4);
    CU_ASSERT(!estimate.interval);
    CU_ASSERT_EQUAL(estimate.mean, 2);
    CU_ASSERT_EQUAL(estimate.low, -1);
    CU_ASSERT_EQUAL(estimate.high, 5);
    estimate = fz_estimate_of(values, 1);
    CU_ASSERT(!estimate.interval);
    CU_ASSERT_EQUAL(estimate.mean, 2);
    CU_ASSERT_EQUAL(estimate.low, 2);
    CU_ASSERT_EQUAL(estimate.high, 2);
}

/* Seeds that differ a lot, pairs that differ by exactly a tenth: pairing takes the seeds out. */
static void pairs(void)
{
    const double base[] = {10, 1000, 1, 100, 50}, other[] = {11, 1100, 1.1, 110, 55};
    fz_estimate estimate = fz_paired_relative(base, other, 5);
    CU_ASSERT(estimate.interval);
    CU_ASSERT_DOUBLE_EQUAL(estimate.mean, 0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(estimate.low, 0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(estimate.high, 0.1, 1e-12);
    const double two[] = {11, 800};
    estimate = fz_paired_relative(base, two, 2);
    CU_ASSERT(!estimate.interval);
    CU_ASSERT_DOUBLE_EQUAL(estimate.mean, -0.05, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(estimate.low, -0.2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(estimate.high, 0.1, 1e-12);
}

int main(void)
{
    static const fz_test tests[] = {
        {"five values have an interval", five_values_have_an_interval},
        {"ten values", ten_values},
        {"equal values have no spread", equal_values_have_no_spread},
        {"fewer values have a range", fewer_values_have_a_range},
        {"pairs", pairs},
    };
    return FZ_TEST_MAIN("paired", tests);
}
