/* A new trace out of an old one, job by job: what all operations that change traces share. The header lines stay, and
 * one line `# history:` is added, so that a file says how it came about. */
#ifndef FRENZY_WORKLOADS_OPS_REWRITE_H
#define FRENZY_WORKLOADS_OPS_REWRITE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

#include "workloads/trace.h"

/* What is done to each job; all but `history` may be NULL. */
typedef struct fz_rewrite {
    void *context;
    /* May change the row (texts are copied before the next call), or leave the job out. */
    fz_status (*job)(void *context, uint32_t job, fz_trace_row *row, bool *keep, fz_error *err);
    /* The new value of an extra column, valid until the next call. */
    const char *(*extra)(void *context, const char *name, const char *value);
    /* After the job and its extras were added. */
    fz_status (*added)(void *context, uint32_t job, fz_trace_builder *builder, fz_error *err);
    const char *epoch;   /* replaces the trace's; "" removes it; NULL: it stays */
    const char *history; /* "trace cut --from 0 --to 3600" */
} fz_rewrite;

/* The job as a row; texts are borrowed from the trace. */
fz_trace_row fz_trace_row_of(const fz_trace *trace, uint32_t job);

/* The job under another row, with its extras as `edit` (optional) has them. */
fz_status fz_trace_copy_job(fz_trace_builder *builder, const fz_trace *trace, uint32_t job,
                            const fz_trace_row *row, const fz_rewrite *edit, fz_error *err);

/* Adds `history: TEXT; of sha256 ...` (the first 16 digits; left out for traces made in memory). */
fz_status fz_trace_add_history(fz_trace_builder *builder, const char *text, const fz_trace *of,
                               fz_error *err);

/* FZ_EINVAL: no job is left. */
fz_status fz_trace_rewrite(const fz_trace *trace, const fz_rewrite *edit, fz_trace **out, fz_error *err);

#endif
