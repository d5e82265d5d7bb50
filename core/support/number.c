#include "core/support/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 300, DIGITS = 19, EXPONENT_LIMIT = 100000 };

/* A number as it was read: mantissa * 10^exponent, of as many leading digits as 64 bits hold. */
typedef struct decimal {
    uint64_t mantissa;
    int32_t exponent;
    bool negative;
    bool full; /* the mantissa takes no more digits */
    bool more; /* digits other than 0 were left out behind the mantissa */
} decimal;

static const uint64_t powers[DIGITS + 1] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void take_digit(decimal *number, char c, bool fraction)
{
    uint64_t digit = (uint64_t)(c - '0');
    number->full = number->full || number->mantissa > (UINT64_MAX - digit) / 10;
    if (!number->full) {
        number->mantissa = number->mantissa * 10 + digit;
        number->exponent -= fraction;
    } else {
        number->more = number->more || digit != 0;
        number->exponent += !fraction;
    }
}

/* Reads the exponent at `p` ('e' seen before it); NULL if there is none. */
static const char *read_exponent(const char *p, const char *end, int32_t *exponent)
{
    bool negative = p < end && *p == '-';
    int32_t value = 0;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return NULL;
    for (; p < end && is_digit(*p); p++)
        if (value < EXPONENT_LIMIT)
            value = value * 10 + (*p - '0');
    *exponent += negative ? -value : value;
    return p;
}

static bool read_decimal(const char *p, const char *end, decimal *out)
{
    decimal number = {0};
    if (p < end && (*p == '-' || *p == '+'))
        number.negative = *p++ == '-';
    const char *digits = p;
    for (; p < end && is_digit(*p); p++)
        take_digit(&number, *p, false);
    size_t n_digits = (size_t)(p - digits);
    if (p < end && *p == '.') {
        digits = ++p;
        for (; p < end && is_digit(*p); p++)
            take_digit(&number, *p, true);
        n_digits += (size_t)(p - digits);
    }
    if (n_digits == 0)
        return false;
    if (p < end && (*p == 'e' || *p == 'E') && (p = read_exponent(p + 1, end, &number.exponent)) == NULL)
        return false;
    *out = number;
    return p == end;
}

static bool trim(const char **text, const char **end)
{
    while (*text < *end && is_blank(**text))
        ++*text;
    while (*text < *end && is_blank((*end)[-1]))
        --*end;
    return *end - *text <= LONGEST;
}

static bool read_number(const char *text, size_t length, decimal *out)
{
    const char *end = text + length;
    return trim(&text, &end) && read_decimal(text, end, out);
}

/* mantissa * 10^exponent as a whole number, halves up; false if above `limit`. *exact: nothing was rounded. */
static bool to_whole(const decimal *number, int32_t exponent, uint64_t limit, uint64_t *out, bool *exact)
{
    *exact = !number->more;
    if (number->mantissa == 0) {
        *out = 0;
    } else if (exponent >= 0) {
        if (exponent > DIGITS || number->mantissa > limit / powers[exponent] ||
            (number->more && exponent > 0))
            return false;
        *out = number->mantissa * powers[exponent];
    } else if (exponent < -DIGITS) {
        *out = 0;
        *exact = false;
    } else {
        uint64_t unit = powers[-exponent], rest = number->mantissa % unit;
        *exact = *exact && rest == 0;
        *out = number->mantissa / unit + (rest >= unit - rest);
    }
    return *out <= limit;
}

fz_number_result fz_number_time(const char *text, size_t length, fz_time *out)
{
    decimal number;
    uint64_t whole = 0;
    bool exact = false;
    if (!read_number(text, length, &number))
        return FZ_NUMBER_NONE;
    if (!to_whole(&number, number.exponent + 6, (uint64_t)FZ_TIME_LIMIT, &whole, &exact))
        return FZ_NUMBER_LARGE;
    *out = number.negative ? -(fz_time)whole : (fz_time)whole;
    return FZ_NUMBER_OK;
}

fz_number_result fz_number_count(const char *text, size_t length, uint64_t max, uint64_t *out)
{
    decimal number;
    uint64_t whole = 0;
    bool exact = false;
    if (!read_number(text, length, &number))
        return FZ_NUMBER_NONE;
    if (number.negative && number.mantissa > 0)
        return FZ_NUMBER_NEGATIVE;
    if (!to_whole(&number, number.exponent, max, &whole, &exact))
        return FZ_NUMBER_LARGE;
    if (!exact)
        return FZ_NUMBER_FRACTION;
    *out = whole;
    return FZ_NUMBER_OK;
}

/* Long numbers go through strtod as digits and exponent, without a point: what the point looks like
 * depends on the locale. */
static double real_by_strtod(const char *p, const char *end, const decimal *number)
{
    char digits[LONGEST + 32];
    size_t n = 0;
    int32_t exponent = 0;
    bool fraction = false;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        if (is_digit(*p)) {
            digits[n++] = *p;
            exponent -= fraction;
        }
        fraction = fraction || *p == '.';
    }
    if (p < end)
        (void)read_exponent(p + 1, end, &exponent);
    (void)snprintf(digits + n, sizeof digits - n, "e%d", (int)exponent);
    double value = strtod(digits, NULL);
    return number->negative ? -value : value;
}

fz_number_result fz_number_real(const char *text, size_t length, double *out)
{
    decimal number;
    const char *end = text + length;
    if (!trim(&text, &end) || !read_decimal(text, end, &number))
        return FZ_NUMBER_NONE;
    double value = 0;
    if (!number.more && number.mantissa <= (uint64_t)1 << 53 && number.exponent >= -DIGITS &&
        number.exponent <= DIGITS) {
        /* Both are exact doubles, so one operation rounds once. */
        double scale = (double)powers[number.exponent < 0 ? -number.exponent : number.exponent];
        value = number.exponent < 0 ? (double)number.mantissa / scale : (double)number.mantissa * scale;
        value = number.negative ? -value : value;
    } else {
        value = real_by_strtod(text, end, &number);
    }
    if (!isfinite(value))
        return FZ_NUMBER_LARGE;
    *out = value;
    return FZ_NUMBER_OK;
}

const char *fz_number_problem(fz_number_result result)
{
    switch (result) {
    case FZ_NUMBER_OK:
        return "";
    case FZ_NUMBER_LARGE:
        return "is too large";
    case FZ_NUMBER_NEGATIVE:
        return "must not be negative";
    case FZ_NUMBER_FRACTION:
        return "must be a whole number";
    case FZ_NUMBER_NONE:
        break;
    }
    return "is not a number";
}
