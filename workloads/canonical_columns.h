/* The columns of the canonical trace: one table for reader and writer. */
#ifndef FRENZY_WORKLOADS_CANONICAL_COLUMNS_H
#define FRENZY_WORKLOADS_CANONICAL_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "workloads/trace.h"

typedef enum fz_column_kind {
    FZ_COLUMN_ID,
    FZ_COLUMN_SUBMIT, /* a time; negative ones can be clamped */
    FZ_COLUMN_TIME,   /* seconds in the file, fz_time in the row */
    FZ_COLUMN_POINT,  /* a time that may lie before t = 0 */
    FZ_COLUMN_GPUS,
    FZ_COLUMN_COUNT32,
    FZ_COLUMN_COUNT64,
    FZ_COLUMN_NUMBER, /* double */
    FZ_COLUMN_STEPS,  /* double; tokens become steps */
    FZ_COLUMN_TOKENS,
    FZ_COLUMN_GIB, /* GiB in the file, bytes in the row */
    FZ_COLUMN_TEXT,
    FZ_COLUMN_DURATIONS, /* text: run times by GPU type */
    FZ_COLUMN_STATE,
    /* Kept as text, checked to be what the name promises: */
    FZ_COLUMN_EXTRA_TEXT,
    FZ_COLUMN_EXTRA_WHOLE,
    FZ_COLUMN_EXTRA_NUMBER,
    FZ_COLUMN_EXTRA_FLAG, /* 0 or 1 */
    FZ_COLUMN_EXTRA_WORK, /* duration, steps, tokens or target */
} fz_column_kind;

typedef struct fz_column {
    const char *name;
    fz_column_kind kind;
    size_t in_row;   /* offset in fz_trace_row */
    size_t in_trace; /* offset in fz_trace of the pointer to the column */
} fz_column;

/* In the order in which they are written; extras follow in the trace's own order. */
extern const fz_column fz_canonical_columns[];
extern const uint32_t fz_canonical_n_columns;

/* fz_trace_state as text, "" for FZ_TRACE_UNKNOWN; and back, false if there is no such state. */
const char *fz_trace_state_text(fz_trace_state state);
bool fz_trace_state_parse(const char *text, fz_trace_state *out);
/* "did you mean" for a column or a state; NULL if nothing is near. */
const char *fz_canonical_suggest_column(const char *name);
const char *fz_trace_state_suggest(const char *text);

#endif
