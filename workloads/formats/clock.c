/* Clocks of foreign logs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/rng.h"
#include "workloads/formats/formats.h"

/* Seconds since 1970 have passed this; relative clocks of 20 years are none that we know. */
#define YEAR_1990 (INT64_C(631152000) * FZ_SECOND)

bool fz_import_missing(const fz_csv_field *field)
{
    static const char *const words[] = {"", "None", "null", "NULL", "NaN", "nan", "NaT"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(field->text, words[i]) == 0)
            return true;
    return false;
}

static fz_status kind_check(fz_import *in, fz_wall_clock *clock, const fz_csv_field *field, const char *what,
                            bool zoned, int32_t offset_s, fz_error *err)
{
    if (clock->kind == FZ_CLOCK_UNSEEN) {
        clock->kind = zoned ? FZ_CLOCK_ZONED : FZ_CLOCK_LOCAL;
        clock->offset_s = offset_s;
    }
    if (zoned && clock->kind != FZ_CLOCK_ZONED)
        return fz_import_drop(in, field, "a time with a zone among times without", err,
                              "%s: '%.60s' has a zone, the times before have none: which is meant?", what,
                              field->text);
    if (!zoned && clock->kind != FZ_CLOCK_LOCAL)
        return fz_import_drop(in, field, "a time without a zone among times with one", err,
                              "%s: '%.60s' has no zone, the times before have one", what, field->text);
    return FZ_OK;
}

fz_status fz_import_wall_time(fz_import *in, fz_wall_clock *clock, const fz_csv_field *field,
                              const char *what, fz_time *out, fz_error *err)
{
    bool zoned = false;
    int32_t offset_s = 0;
    fz_time t = 0;
    if (in->skip || fz_import_missing(field))
        return FZ_OK;
    if (!fz_wall_time_parse_zone(field->text, &t, &zoned, &offset_s) || t < 0)
        return fz_import_drop(in, field, "a time that is none", err,
                              "%s: '%.60s' is no time; such as 2017-10-09 07:01:55 is expected", what,
                              field->text);
    FZ_TRY(kind_check(in, clock, field, what, zoned, offset_s, err));
    if (!in->skip)
        *out = t;
    return FZ_OK;
}

static fz_status headers_add(fz_import *in, fz_time epoch, const char *offset, fz_error *err)
{
    char text[FZ_WALL_TIME_TEXT];
    fz_wall_time_text(epoch, text);
    FZ_TRY(fz_trace_builder_header(in->builder, "epoch", text, err));
    return fz_trace_builder_header(in->builder, "utc_offset", offset, err);
}

fz_status fz_import_wall_clock_end(fz_import *in, fz_wall_clock *clock, const char *local, fz_error *err)
{
    char offset[16];
    if (in->report->rows_kept == 0)
        return FZ_OK;
    fz_time first = clock->zero = fz_trace_builder_rebase(in->builder);
    if (clock->kind != FZ_CLOCK_ZONED)
        return headers_add(in, first, local != NULL ? local : "unknown", err);
    unsigned minutes = (unsigned)abs(clock->offset_s) / 60;
    (void)snprintf(offset, sizeof offset, "%c%02u:%02u", clock->offset_s < 0 ? '-' : '+', minutes / 60,
                   minutes % 60);
    return headers_add(in, first + clock->offset_s * FZ_SECOND, offset, err);
}

fz_status fz_import_relative_clock_end(fz_import *in, fz_error *err)
{
    if (in->report->rows_kept == 0 || fz_trace_builder_first(in->builder) < YEAR_1990)
        return FZ_OK;
    return headers_add(in, fz_trace_builder_rebase(in->builder), "+00:00", err);
}

fz_time fz_import_poisson(const fz_import_options *options, uint32_t row, double *seconds)
{
    /* rounded, so that no last bit of a mathematical library reaches a result */
    double gap = round(-log(fz_rng_once(options->seed, 0, "import submit", row)) * 1e9) / 1e9;
    *seconds += gap * 3600 / options->submits_per_h;
    return (fz_time)round(*seconds * 1e6);
}
