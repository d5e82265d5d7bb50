/* The formats of the registry, and what they share. To add one: see workloads/README.md. */
#ifndef FRENZY_WORKLOADS_FORMATS_H
#define FRENZY_WORKLOADS_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/units.h>

#include "workloads/canonical.h"
#include "workloads/import.h"

extern const fz_trace_format fz_format_canonical;
extern const fz_trace_format fz_format_philly;
extern const fz_trace_format fz_format_rubick;
extern const fz_trace_format fz_format_swf;

/* The first line that is neither blank nor begins with `comment`, without a byte order mark; NULL when there
 * is none in the `length` bytes at `head`. *line_length leaves out the line's end. */
const char *fz_head_line(const char *head, uint64_t length, char comment, uint64_t *line_length);
/* Whether that line begins with `text`, comment lines beginning with '#'. */
bool fz_head_is(const char *head, uint64_t length, const char *text);

/* `2017-10-09 07:01:55`, a T in the middle and decimals of a second allowed: microseconds since 1970 on the
 * same clock, whatever its zone. False if it is nothing like that. */
bool fz_wall_time_parse(const char *text, fz_time *out);

#define FZ_WALL_TIME_TEXT 40
/* `2017-10-09T07:01:55`, with decimals where there are some; for times from 1970 to 9999. */
void fz_wall_time_text(fz_time t, char text[FZ_WALL_TIME_TEXT]);

/* Finds the columns of a header by their names: at[i] for names[i]. FZ_EPARSE names the one that lacks. */
fz_status fz_import_columns(fz_import *in, const char *const *names, uint32_t n_names, uint32_t *at,
                            fz_error *err);

#endif
