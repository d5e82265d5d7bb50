/* The formats of the registry, and what they share. To add one: see workloads/README.md. */
#ifndef FRENZY_WORKLOADS_FORMATS_H
#define FRENZY_WORKLOADS_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/units.h>

#include "workloads/canonical.h"
#include "workloads/import.h"

extern const fz_trace_format fz_format_acme;
extern const fz_trace_format fz_format_canonical;
extern const fz_trace_format fz_format_chronus;
extern const fz_trace_format fz_format_elasticflow;
extern const fz_trace_format fz_format_gavel;
extern const fz_trace_format fz_format_helios;
extern const fz_trace_format fz_format_muri;
extern const fz_trace_format fz_format_nrel_eagle;
extern const fz_trace_format fz_format_openb;
extern const fz_trace_format fz_format_pai2020;
extern const fz_trace_format fz_format_philly;
extern const fz_trace_format fz_format_rubick;
extern const fz_trace_format fz_format_shockwave;
extern const fz_trace_format fz_format_sia;
extern const fz_trace_format fz_format_spot2026;
extern const fz_trace_format fz_format_swf;
extern const fz_trace_format fz_format_tiresias;

/* The first line that is neither blank nor begins with `comment`, without a byte order mark; NULL when there
 * is none in the `length` bytes at `head`. *line_length leaves out the line's end. */
const char *fz_head_line(const char *head, uint64_t length, char comment, uint64_t *line_length);
/* Whether that line begins with `text`, comment lines beginning with '#'. */
bool fz_head_is(const char *head, uint64_t length, const char *text);

/* `2017-10-09 07:01:55`, a T in the middle and decimals of a second allowed: microseconds since 1970 on the
 * same clock, whatever its zone. False if it is nothing like that. */
bool fz_wall_time_parse(const char *text, fz_time *out);
/* The same with a zone behind it where there is one: Z, +08:00, +0800 or +08. *out is then UTC. */
bool fz_wall_time_parse_zone(const char *text, fz_time *out, bool *zoned, int32_t *offset_s);

/* The first `capacity` bytes of a file, unpacked. */
fz_status fz_head_read(const char *path, char *head, uint64_t capacity, uint64_t *length, fz_error *err);

#define FZ_WALL_TIME_TEXT 40
/* `2017-10-09T07:01:55`, with decimals where there are some; for times from 1970 to 9999. */
void fz_wall_time_text(fz_time t, char text[FZ_WALL_TIME_TEXT]);

/* ---- clocks ---------------------------------------------------------------------------------------- */

/* The clock of a log of wall times: all of them with a zone (then offsets may differ from row to row, as they
 * do where summer time ends), or all without, and then taken for a clock that was never set back. {0} at first. */
typedef struct fz_wall_clock {
    enum { FZ_CLOCK_UNSEEN, FZ_CLOCK_LOCAL, FZ_CLOCK_ZONED } kind;
    int32_t offset_s; /* of the first time */
    fz_time zero;     /* what became t = 0; known at the end */
} fz_wall_clock;

/* Whether a cell says "nothing here": empty, None, null, NaN or NaT. */
bool fz_import_missing(const fz_csv_field *field);
/* A wall time; what is missing leaves *out as it is. */
fz_status fz_import_wall_time(fz_import *in, fz_wall_clock *clock, const fz_csv_field *field,
                              const char *what, fz_time *out, fz_error *err);
/* The first submission becomes t = 0, and the header says what time that was. `local`: the zone of a clock
 * without one, such as "+08:00"; NULL: unknown. Without rows nothing happens. */
fz_status fz_import_wall_clock_end(fz_import *in, fz_wall_clock *clock, const char *local, fz_error *err);
/* For clocks that count seconds from somewhere: their zero is kept, but times that can only be seconds since
 * 1970 are treated as above, in UTC. */
fz_status fz_import_relative_clock_end(fz_import *in, fz_error *err);

/* The submit time of the next row of a list without times: a Poisson process of options->submits_per_h, its gaps
 * from the stream "import submit", entity `row`. *seconds is the last one, 0 at first. */
fz_time fz_import_poisson(const fz_import_options *options, uint32_t row, double *seconds);

/* ---- values ---------------------------------------------------------------------------------------- */

/* A number that may be wrong: anything but a number of at least 0 is counted under `cause` and left empty. */
void fz_import_soft_time(fz_import *in, const fz_csv_field *field, const char *cause, fz_time *out);
void fz_import_soft_number(fz_import *in, const fz_csv_field *field, const char *cause, double *out);

/* The field, or an empty one where it says -1. */
const fz_csv_field *fz_import_known(const fz_csv_field *field);

/* GPUs of each worker: what the job asks for is that times `workers`, at least 1. */
fz_status fz_import_gpus_each(fz_import *in, const fz_csv_field *field, const char *what, uint32_t workers,
                              fz_trace_row *row, fz_error *err);
/* An extra column of the row just added that must hold a whole number; 4.0 becomes 4, anything else is counted
 * and left empty. */
fz_status fz_import_count_text(fz_import *in, const char *column, const fz_csv_field *field, fz_error *err);

/* End states of Slurm, Kubernetes and Philly. One that we have no word for becomes UNKNOWN, is counted, and
 * false is returned. Missing is UNKNOWN, too. */
bool fz_import_state(fz_import *in, const char *text, fz_trace_state *out);
/* An observed run: the duration becomes end - start where both are there; an end before the start drops the
 * row. */
fz_status fz_import_observed(fz_import *in, fz_trace_row *row, fz_error *err);

/* ---- tables with a header --------------------------------------------------------------------------- */

#define FZ_TABLE_COLUMNS 32

/* A file being read. A format that needs more puts this first into a struct of its own. */
typedef struct fz_table {
    fz_import in;
    const fz_import_options *options;
    fz_wall_clock clock;
    uint32_t at[FZ_TABLE_COLUMNS];               /* UINT32_MAX: the file has no such column */
    const fz_csv_field *cells[FZ_TABLE_COLUMNS]; /* of the current row, in the order of `names` */
} fz_table;

typedef struct fz_table_format {
    const char *source;       /* for the header line */
    const char *const *names; /* of the columns; those from n_required on may be absent, and are empty then */
    uint32_t n_names, n_required;
    fz_status (*begin)(fz_table *t, fz_error *err); /* optional: the header was read */
    fz_status (*row)(fz_table *t, fz_error *err);
    fz_status (*end)(fz_table *t, fz_error *err); /* all rows were read: the clock */
} fz_table_format;

/* Reads a whole file; columns may be in any order, others are ignored. `t` is empty but for what is its own. */
fz_status fz_table_read(fz_table *t, const fz_table_format *format, const char *path,
                        const fz_import_options *options, fz_trace **out, fz_trace_report *report,
                        fz_error *err);

/* Finds the columns of a header by their names: at[i] for names[i]. FZ_EPARSE names the one that lacks. */
fz_status fz_import_columns(fz_import *in, const char *const *names, uint32_t n_names, uint32_t *at,
                            fz_error *err);

/* ---- parts of formats ------------------------------------------------------------------------------- */

/* Philly's own job log; philly.c reads the flattened one, and looks which it is. */
fz_status fz_philly_json_read(const char *path, const fz_import_options *options, fz_trace **out,
                              fz_trace_report *report, fz_error *err);

#endif
