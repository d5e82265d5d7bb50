/* Times and numbers as text; expected texts by hand. */
#include <string.h>

#include "core/support/number.h"
#include "core/support/timetext.h"
#include "tests/harness.h"

static void times(void)
{
    static const struct {
        fz_time t;
        const char *text;
    } cases[] = {
        {0, "0"},
        {1, "0.000001"},
        {-1, "-0.000001"},
        {1500000, "1.5"},
        {90 * FZ_SECOND, "90"},
        {-100 * FZ_SECOND, "-100"},
        {1000100, "1.0001"},
        {123456789, "123.456789"},
        {FZ_TIME_LIMIT, "315576000000"},
        {FZ_TIME_NONE, ""},
        {INT64_MAX, "9223372036854.775807"},
        {INT64_MIN + 1, "-9223372036854.775807"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FZ_TIME_TEXT];
        CU_ASSERT_EQUAL(fz_time_text(cases[i].t, text), strlen(cases[i].text));
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
    }
}

static void times_read_back(void)
{
    uint64_t state = 20171002;
    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        fz_time t = (fz_time)(state >> 8) % FZ_TIME_LIMIT >> (state % 50), back = 0;
        char text[FZ_TIME_TEXT];
        uint32_t length = fz_time_text(t, text);
        CU_ASSERT_FATAL(fz_number_time(text, length, &back) == FZ_NUMBER_OK && back == t);
    }
}

static void numbers(void)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {12, "12"},
        {0.1, "0.1"},
        {-2.5, "-2.5"},
        {1e30, "1e+30"},
        {1.0 / 3, "0.3333333333333333"},
        {100000000000000.0, "100000000000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FZ_NUMBER_TEXT];
        double back = 0;
        uint32_t length = fz_number_text(cases[i].value, text);
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
        CU_ASSERT(fz_number_real(text, length, &back) == FZ_NUMBER_OK && back == cases[i].value);
    }
    char text[FZ_TIME_TEXT];
    CU_ASSERT_EQUAL(fz_count_text(UINT64_MAX, text), 20);
    CU_ASSERT_STRING_EQUAL(text, "18446744073709551615");
    CU_ASSERT_EQUAL(fz_count_text(0, text), 1);
    CU_ASSERT_STRING_EQUAL(text, "0");
}

int main(void)
{
    static const fz_test tests[] = {
        {"times", times},
        {"times read back as they were", times_read_back},
        {"numbers", numbers},
    };
    return FZ_TEST_MAIN("timetext", tests);
}
