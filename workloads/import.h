/* What all readers of traces share: one policy for bad rows, one list of causes, one way into the builder.
 *
 * A reader opens a file, and for each row fills a fz_trace_row with the functions below, looks whether
 * in.skip was set (the row is counted and left out), and adds it. Messages carry file, line and column.
 * A file that is no CSV is begun with fz_import_begin(); its rows with fz_import_row(), its values are
 * handed in as fields. */
#ifndef FRENZY_WORKLOADS_IMPORT_H
#define FRENZY_WORKLOADS_IMPORT_H

#include <stdbool.h>

#include "core/support/csv.h"
#include "workloads/bundled.h"
#include "workloads/canonical.h"
#include "workloads/trace.h"

/* Causes that more than one file counts under. */
#define FZ_CAUSE_CUT "still running when the log ended: the run time is cut"

#define FZ_IMPORT_MAX_GPUS 1000000u /* of one job; more is an absurd size */

typedef struct fz_import {
    fz_csv *csv;      /* NULL: the file is no CSV */
    const char *path; /* borrowed */
    uint32_t line;    /* of the current row, where the file is no CSV */
    fz_trace_builder *builder;
    fz_trace_report *report; /* never NULL: `own` when the caller wants none */
    fz_bad_rows policy;
    bool cpu_jobs;
    bool lines;      /* rows know their lines */
    bool rename_ids; /* a repeated id becomes `id#2` (a foreign format), else its row is bad */
    bool skip;       /* the current row is left out */
    fz_rejected *rejected;
    const fz_csv_field *fields; /* of the current row, where the file is a CSV */
    uint32_t n_fields;
    const fz_csv_field *id_field, *gpus_field; /* of the current row, for messages; NULL: none */
    fz_time latest;
    fz_trace_report own;
} fz_import;

/* The bundled trace of this name, if there is no such file; NULL if none. */
const fz_bundled *fz_import_bundled(const char *path);

/* Opens the file (or the bundled trace) and empties the report; fz_import_close() is needed only after success.
 * `path` is borrowed. FZ_BAD_ROWS_DEFAULT is drop. NULL `csv`: all defaults. */
fz_status fz_import_open(fz_import *in, const char *path, const fz_csv_options *csv,
                         const fz_import_options *options, fz_trace_report *report, fz_error *err);
/* The same for a file that the reader opens itself. */
fz_status fz_import_begin(fz_import *in, const char *path, const fz_import_options *options,
                          fz_trace_report *report, fz_error *err);
void fz_import_close(fz_import *in);

/* The next row; *fields is NULL at the end. A file with a wrong number of fields in a row is an error
 * under every policy. */
fz_status fz_import_next(fz_import *in, const fz_csv_field **fields, uint32_t *n_fields, fz_error *err);
/* The next row of a file that is no CSV begins in this line. */
void fz_import_row(fz_import *in, uint32_t line);

uint32_t fz_import_line(const fz_import *in); /* of the current row */
/* FZ_EPARSE at a field of the current row; NULL field: at the row's line. */
fz_status fz_import_fail(const fz_import *in, const fz_csv_field *field, fz_error *err, const char *format,
                         ...) FZ_PRINTF(4, 5);

/* The row cannot be used: an error under `fail`, else it is counted under `cause` (static) and skipped. */
fz_status fz_import_drop(fz_import *in, const fz_csv_field *field, const char *cause, fz_error *err,
                         const char *format, ...) FZ_PRINTF(5, 6);
/* The row can be made usable in one way: an error under `fail`, skipped under `drop`; under `clamp` it is
 * counted, *change is true, and the caller makes the change. */
fz_status fz_import_clamp(fz_import *in, const fz_csv_field *field, const char *cause, bool *change,
                          fz_error *err, const char *format, ...) FZ_PRINTF(6, 7);
/* Left out under every policy: no fault of the row (a CPU job, where those are not asked for). */
void fz_import_skip(fz_import *in, const char *cause);
/* Worth counting; the row stays as it is. */
void fz_import_note(fz_import *in, const char *cause);
/* The row was made usable under every policy (a repeated id of a foreign format). */
void fz_import_changed(fz_import *in, const char *cause);

/* Values. An empty field, or one that is bad, leaves *out as it is. `what` names the column in messages. */
/* Seconds. A negative time is bad; under `clamp` it becomes 0 where `zero` is set. */
fz_status fz_import_time(fz_import *in, const fz_csv_field *field, const char *what, bool zero, fz_time *out,
                         fz_error *err);
/* A point in time, which may lie before the epoch. */
fz_status fz_import_point(fz_import *in, const fz_csv_field *field, const char *what, fz_time *out,
                          fz_error *err);
/* The GPUs that a job asks for, in total. 0 is a CPU job. A fraction goes into req_gpus_exact: whether it is a
 * share of its workers, or bad, is seen when the row is added. */
fz_status fz_import_gpus(fz_import *in, const fz_csv_field *field, const char *what, fz_trace_row *row,
                         fz_error *err);
fz_status fz_import_count(fz_import *in, const fz_csv_field *field, const char *what, uint64_t max,
                          uint64_t *out, fz_error *err);
/* A number of 0 to `max`. */
fz_status fz_import_number(fz_import *in, const fz_csv_field *field, const char *what, double max,
                           double *out, fz_error *err);

/* Checks the row as a whole (submit time, work, shares of GPUs, repeated id) and adds it. Unless in->skip is
 * set afterwards, fz_trace_builder_extra() may follow. */
fz_status fz_import_add(fz_import *in, fz_trace_row *row, fz_error *err);

/* The trace, with path and SHA-256 (`sha256` is that of a file that is no CSV, else NULL). A file without rows,
 * or without one usable row, is FZ_EPARSE. */
fz_status fz_import_finish(fz_import *in, const char *sha256, fz_trace **out, fz_error *err);

#endif
