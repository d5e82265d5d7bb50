#include <stdio.h>
#include <string.h>

#include "core/support/number.h"
#include "workloads/formats/formats.h"

enum { DAY_S = 86400, ERA_DAYS = 146097, ERA_YEARS = 400 };

/* Days from 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the leap day is the
 * last of a year; `day_of_year` follows from the lengths 31 30 31 30 31 | 31 30 31 30 31 | 31 28. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t shifted = month > 2 ? month - 3 : month + 9, from_march = month > 2 ? year : year - 1;
    int64_t era = from_march / ERA_YEARS, in_era = from_march % ERA_YEARS;
    int64_t day_of_year = (153 * shifted + 2) / 5 + day - 1;
    return era * ERA_DAYS + in_era * 365 + in_era / 4 - in_era / 100 + day_of_year - 719468;
}

/* Two or four digits; -1 if they are not. */
static int64_t digits(const char *text, size_t n)
{
    int64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

static bool in_range(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

static int64_t days_in(int64_t year, int64_t month)
{
    return month == 12 ? 31 : days_of(year, month + 1, 1) - days_of(year, month, 1);
}

static bool parse(const char *text, size_t length, fz_time *out)
{
    fz_time fraction = 0;
    if (length < 19 || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') ||
        text[13] != ':' || text[16] != ':')
        return false;
    int64_t year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    int64_t hour = digits(text + 11, 2), minute = digits(text + 14, 2), second = digits(text + 17, 2);
    if (!in_range(year, 1970, 9999) || !in_range(month, 1, 12) || !in_range(day, 1, days_in(year, month)) ||
        !in_range(hour, 0, 23) || !in_range(minute, 0, 59) || !in_range(second, 0, 60))
        return false;
    if (length > 19 && (text[19] != '.' || strspn(text + 20, "0123456789") != length - 20 ||
                        fz_number_time(text + 19, length - 19, &fraction) != FZ_NUMBER_OK))
        return false;
    int64_t seconds = days_of(year, month, day) * DAY_S + hour * 3600 + minute * 60 + second;
    *out = seconds * FZ_SECOND + fraction;
    return true;
}

bool fz_wall_time_parse(const char *text, fz_time *out)
{
    return parse(text, strlen(text), out);
}

/* `+08:00`, `+0800`, `+08`; at most 18 hours, as in ISO 8601's wider use. */
static bool parse_offset(const char *text, int32_t *out)
{
    size_t length = strlen(text);
    bool colon = length == 6 && text[3] == ':';
    if (length != 3 && length != 5 && !colon)
        return false;
    int64_t hours = digits(text + 1, 2), minutes = length == 3 ? 0 : digits(text + (colon ? 4 : 3), 2);
    if (!in_range(hours, 0, 18) || !in_range(minutes, 0, 59))
        return false;
    *out = (int32_t)((text[0] == '-' ? -1 : 1) * (hours * 60 + minutes) * 60);
    return true;
}

bool fz_wall_time_parse_zone(const char *text, fz_time *out, bool *zoned, int32_t *offset_s)
{
    size_t length = strlen(text);
    size_t at = length > 19 ? 19 + strcspn(text + 19, "+-Z") : length;
    *zoned = at < length;
    *offset_s = 0;
    if (*zoned && strcmp(text + at, "Z") != 0 && !parse_offset(text + at, offset_s))
        return false;
    if (!parse(text, at, out))
        return false;
    *out -= *offset_s * FZ_SECOND;
    return true;
}

void fz_wall_time_text(fz_time t, char text[FZ_WALL_TIME_TEXT])
{
    int64_t seconds = t / FZ_SECOND, day = seconds / DAY_S, rest = seconds % DAY_S, year = 1970 + day / 366;
    while (days_of(year + 1, 1, 1) <= day)
        year++;
    int64_t month = 1;
    while (month < 12 && days_of(year, month + 1, 1) <= day)
        month++;
    int n = snprintf(text, FZ_WALL_TIME_TEXT, "%04u-%02u-%02uT%02u:%02u:%02u", (unsigned)year,
                     (unsigned)month, (unsigned)(day - days_of(year, month, 1) + 1), (unsigned)(rest / 3600),
                     (unsigned)(rest / 60 % 60), (unsigned)(rest % 60));
    if (t % FZ_SECOND != 0)
        (void)snprintf(text + n, FZ_WALL_TIME_TEXT - (size_t)n, ".%06u", (unsigned)(t % FZ_SECOND));
}
