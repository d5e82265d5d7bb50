#include "core/support/timetext.h"

#include <stdio.h>
#include <string.h>

#include "core/support/number.h"

enum { DECIMALS = 6 };

/* Digits of `value` in front of `end`, at least `width`; returns where they begin. */
static char *digits_before(char *end, uint64_t value, uint32_t width)
{
    char *at = end;
    for (uint32_t i = 0; value > 0 || i < width; i++, value /= 10)
        *--at = (char)('0' + value % 10);
    return at;
}

uint32_t fz_time_text(fz_time t, char text[FZ_TIME_TEXT])
{
    text[0] = '\0';
    if (t == FZ_TIME_NONE)
        return 0;
    uint64_t magnitude = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;
    uint64_t fraction = magnitude % (uint64_t)FZ_SECOND;
    char scratch[FZ_TIME_TEXT], *end = scratch + sizeof scratch, *at = end;
    if (fraction > 0) {
        at = digits_before(end, fraction, DECIMALS);
        while (end[-1] == '0')
            end--;
        *--at = '.';
    }
    at = digits_before(at, magnitude / (uint64_t)FZ_SECOND, 1);
    if (t < 0)
        *--at = '-';
    memcpy(text, at, (size_t)(end - at));
    text[end - at] = '\0';
    return (uint32_t)(end - at);
}

uint32_t fz_count_text(uint64_t value, char text[FZ_TIME_TEXT])
{
    char scratch[FZ_TIME_TEXT], *end = scratch + sizeof scratch, *at = digits_before(end, value, 1);
    memcpy(text, at, (size_t)(end - at));
    text[end - at] = '\0';
    return (uint32_t)(end - at);
}

/* The point of every locale is a dot here. */
static void use_dot(char *text)
{
    char *comma = strchr(text, ',');
    if (comma != NULL)
        *comma = '.';
}

uint32_t fz_number_text(double value, char text[FZ_NUMBER_TEXT])
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0;
        length = snprintf(text, FZ_NUMBER_TEXT, "%.*g", digits, value);
        use_dot(text);
        if (fz_number_real(text, (size_t)length, &back) == FZ_NUMBER_OK && back == value)
            break;
    }
    return (uint32_t)length;
}
