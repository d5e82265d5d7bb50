#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/number.h"
#include "tests/harness.h"

static void time_is(const char *text, fz_time expected)
{
    fz_time t = 42;
    CU_ASSERT_EQUAL(fz_number_time(text, strlen(text), &t), FZ_NUMBER_OK);
    CU_ASSERT_EQUAL(t, expected);
}

static void time_fails(const char *text, fz_number_result expected)
{
    fz_time t = 42;
    CU_ASSERT_EQUAL(fz_number_time(text, strlen(text), &t), expected);
    CU_ASSERT_EQUAL(t, 42);
}

static void times(void)
{
    time_is("0", 0);
    time_is("12", 12000000);
    time_is(" +12.5 ", 12500000);
    time_is("-0.000001", -1);
    time_is(".25", 250000);
    time_is("7.", 7000000);
    time_is("0.1", 100000);
    time_is("1506931200.123457", 1506931200123457);
    time_is("0.0000004999999999999999999999999", 0);
    time_is("0.0000005", 1); /* halves away from zero */
    time_is("-0.0000015", -2);
    time_is("9007199254.740993", 9007199254740993); /* 2^53 + 1: a double cannot hold it */
    time_is("1.5e3", 1500000000);
    time_is("25e-7", 3);
    time_is("0e99999999999", 0);
    time_is("1e-99999999999", 0);
    time_is("00000000000000000000000000000001", 1000000);
    time_is("315576000000", FZ_TIME_LIMIT);
    time_is("-315576000000.000000", -FZ_TIME_LIMIT);
    time_fails("315576000000.000001", FZ_NUMBER_LARGE);
    time_fails("1e300", FZ_NUMBER_LARGE);
    time_fails("99999999999999999999999999999999", FZ_NUMBER_LARGE);
}

static void not_numbers(void)
{
    static const char *const texts[] = {"",      " ",    "-",   ".",   "+.",  "e5",  "1e",    "1e+",
                                        "0x10",  "nan",  "NaN", "inf", "1,5", "1 2", "1.2.3", "--1",
                                        "1_000", "1e5.", "1f",  "٣",   "- 1", "1e 5"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double x = 0;
        uint64_t n = 0;
        time_fails(texts[i], FZ_NUMBER_NONE);
        CU_ASSERT_EQUAL(fz_number_real(texts[i], strlen(texts[i]), &x), FZ_NUMBER_NONE);
        CU_ASSERT_EQUAL(fz_number_count(texts[i], strlen(texts[i]), UINT64_MAX, &n), FZ_NUMBER_NONE);
    }
    char long_text[400];
    memset(long_text, '1', sizeof long_text);
    fz_time t = 0;
    CU_ASSERT_EQUAL(fz_number_time(long_text, sizeof long_text, &t), FZ_NUMBER_NONE);
}

static void count_is(const char *text, uint64_t max, fz_number_result result, uint64_t expected)
{
    uint64_t n = 0;
    CU_ASSERT_EQUAL(fz_number_count(text, strlen(text), max, &n), result);
    CU_ASSERT_EQUAL(n, expected);
}

static void counts(void)
{
    count_is("0", 10, FZ_NUMBER_OK, 0);
    count_is("-0", 10, FZ_NUMBER_OK, 0);
    count_is("4.0", 10, FZ_NUMBER_OK, 4);
    count_is("4e3", 10000, FZ_NUMBER_OK, 4000);
    count_is("1200e-2", 100, FZ_NUMBER_OK, 12);
    count_is("18446744073709551615", UINT64_MAX, FZ_NUMBER_OK, UINT64_MAX);
    count_is("18446744073709551616", UINT64_MAX, FZ_NUMBER_LARGE, 0);
    count_is("11", 10, FZ_NUMBER_LARGE, 0);
    count_is("-1", 10, FZ_NUMBER_NEGATIVE, 0);
    count_is("4.5", 10, FZ_NUMBER_FRACTION, 0);
    count_is("1e-30", 10, FZ_NUMBER_FRACTION, 0);
    count_is("4.00000000000000000000000000001", 10, FZ_NUMBER_FRACTION, 0);
}

static void real_is(const char *text, double expected)
{
    double x = 0;
    CU_ASSERT_EQUAL(fz_number_real(text, strlen(text), &x), FZ_NUMBER_OK);
    CU_ASSERT_EQUAL(x, expected);
}

static void reals(void)
{
    double x = 0;
    real_is("0.1", 0.1);
    real_is("-2.5e-3", -2.5e-3);
    real_is("123456789012345678901234567890", 123456789012345678901234567890.0);
    real_is("1.7976931348623157e308", 1.7976931348623157e308);
    real_is("4.9406564584124654e-324", 4.9406564584124654e-324);
    real_is("1e-400", 0.0);
    real_is("9007199254740993", 9007199254740992.0);
    CU_ASSERT_EQUAL(fz_number_real("1e400", 5, &x), FZ_NUMBER_LARGE);
    real_is("-0", 0.0);
}

/* The nearest double: what is printed with 17 digits, and as %.10f, reads back as strtod() reads it (the
 * test runs in the "C" locale). Seed 1. */
static void reals_agree_with_strtod(void)
{
    uint64_t state = 1;
    printf("seed 1 ");
    for (int i = 0; i < 20000; i++) {
        char text[64];
        state = state * 6364136223846793005u + 1442695040888963407u;
        double value = ldexp((double)(state >> 11), (int)(state % 180) - 120);
        (void)snprintf(text, sizeof text, i % 2 == 0 ? "%.17g" : "%.10e", value);
        double x = 0;
        CU_ASSERT_EQUAL_FATAL(fz_number_real(text, strlen(text), &x), FZ_NUMBER_OK);
        CU_ASSERT_EQUAL_FATAL(x, strtod(text, NULL));
    }
}

int main(void)
{
    static const fz_test tests[] = {
        {"times are exact to the microsecond", times},
        {"what is not a number", not_numbers},
        {"counts", counts},
        {"reals", reals},
        {"reals agree with strtod", reals_agree_with_strtod},
    };
    return FZ_TEST_MAIN("number", tests);
}
