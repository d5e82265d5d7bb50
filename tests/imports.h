/* Importing in tests: one file through one format, what was found, and that it comes back from a frenzy trace. */
#ifndef FRENZY_TESTS_IMPORTS_H
#define FRENZY_TESTS_IMPORTS_H

#include "tests/temp.h"
#include "workloads/canonical.h"

typedef struct fz_imported {
    fz_status status;
    fz_trace *trace; /* NULL unless status is FZ_OK */
    fz_trace_report report;
    fz_error err;
} fz_imported;

/* Reads a file; `format` NULL: the one whose probe accepts it. Options {0}: the usual way. */
fz_imported fz_imported_read(const char *format, const char *path, fz_import_options options);
/* Reads a text, and asserts that it worked. */
fz_imported fz_imported_text(fz_temp *temp, const char *format, const char *text, fz_import_options options);
void fz_imported_free(fz_imported *imported);

/* Asserts that with bad rows failing, reading stops at this place with these words. */
void fz_import_refused(fz_temp *temp, const char *format, const char *text, uint32_t line, uint32_t column,
                       const char *message);

/* Rows under a cause: 'd' dropped, 'c' changed, 'n' noted. */
uint64_t fz_imported_rows(const fz_imported *imported, const char *cause, char what);
uint64_t fz_imported_dropped(const fz_imported *imported);
/* The text of an extra column. */
const char *fz_imported_extra(const fz_trace *trace, const char *name, uint32_t job);
/* Sum of run times times GPUs, shares as they were asked for; 0 without run times. */
double fz_imported_gpu_seconds(const fz_trace *trace);

/* Asserts: written, read and written again are the same bytes, with no job or column less. */
void fz_imported_comes_back(fz_temp *temp, const fz_trace *trace, bool cpu_jobs);

#endif
