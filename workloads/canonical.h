/* The canonical job trace: CSV, described in workloads/README.md. */
#ifndef FRENZY_WORKLOADS_CANONICAL_H
#define FRENZY_WORKLOADS_CANONICAL_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

#include "workloads/rejected.h"
#include "workloads/trace.h"

/* What to do with a row that cannot be used as it is: leave it out, make it usable where that has one
 * meaning (else leave it out), or stop. Default: drop for foreign formats, fail for canonical ones. */
typedef enum fz_bad_rows {
    FZ_BAD_ROWS_DEFAULT,
    FZ_BAD_ROWS_DROP,
    FZ_BAD_ROWS_CLAMP,
    FZ_BAD_ROWS_FAIL
} fz_bad_rows;

/* How a trace is read; {0} is the usual way. */
typedef struct fz_import_options {
    fz_bad_rows bad_rows;
    bool cpu_jobs;         /* keep jobs that ask for no GPU; else they are left out and counted */
    double submits_per_h;  /* above 0: a list without times gets Poisson arrivals of this rate */
    uint64_t seed;         /* of those */
    const char *attempts;  /* file for the attempts of each job, of formats that have them; NULL: none */
    fz_rejected *rejected; /* receives the rows that are left out; NULL: none does */
    bool lines;            /* fill fz_trace.line, for messages about the trace */
} fz_import_options;

/* One kind of thing noticed, with count and first line. */
typedef struct fz_finding {
    const char *cause; /* static, in words: "no GPU asked for" */
    uint64_t rows;
    uint32_t first_line;
    char what; /* 'd' dropped, 'c' changed (clamped, sorted, renamed), 'n' noted */
} fz_finding;

#define FZ_MAX_FINDINGS 32
typedef struct fz_trace_report {
    uint64_t rows_read, rows_kept;
    fz_finding findings[FZ_MAX_FINDINGS];
    uint32_t n_findings;
} fz_trace_report;

/* Counts one row under a cause (a static text). */
void fz_trace_report_add(fz_trace_report *report, const char *cause, char what, uint32_t line);

/* Reads a canonical trace, plain or gzip; where there is no such file, `path` may be the name of a bundled
 * trace ("demo"). `report` (optional) is always filled as far as reading came. */
fz_status fz_trace_read(const char *path, fz_bad_rows bad_rows, fz_trace **out, fz_trace_report *report,
                        fz_error *err);

/* The same with all options. */
fz_status fz_trace_read_with(const char *path, const fz_import_options *options, fz_trace **out,
                             fz_trace_report *report, fz_error *err);

/* Writes a trace so that reading it again gives the same one. The file appears whole or not at all
 * (written beside it and renamed); "-" is standard output. */
fz_status fz_trace_write(const fz_trace *trace, const char *path, fz_error *err);

/* The Standard Workload Format: GPUs are its processors; GPU types, shares, models and deadlines are lost, and texts of
 * users and queues become numbers. Whole or not at all; "-" is standard output. */
fz_status fz_trace_write_swf(const fz_trace *trace, const char *path, fz_error *err);

/* ---- foreign formats ---------------------------------------------------------------------------- */

typedef struct fz_trace_format {
    const char *name;    /* "philly" */
    const char *summary; /* one line */
    bool may_lack_times; /* some of its files do, and then want submits_per_h */
    bool has_attempts;   /* some of its files tell the attempts of a job apart */
    /* True when the first bytes of a file look like this format. */
    bool (*probe)(const char *head, uint64_t length);
    /* `report` (optional) is always filled as far as reading came. */
    fz_status (*read)(const char *path, const fz_import_options *options, fz_trace **out,
                      fz_trace_report *report, fz_error *err);
} fz_trace_format;

const fz_trace_format *const *fz_trace_formats(uint32_t *count); /* canonical is one of them */
const fz_trace_format *fz_trace_format_find(const char *name);   /* NULL if unknown */
/* The one format whose probe accepts the file. FZ_EUNSUPPORTED if none does, or several; FZ_EPARSE if the file is empty.
 * Standard input ("-") cannot be read twice and is taken for a canonical trace. */
fz_status fz_trace_format_probe(const char *path, const fz_trace_format **out, fz_error *err);

#endif
