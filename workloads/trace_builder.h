/* What trace.c (adding rows) and trace_finish.c (making the immutable trace) share. */
#ifndef FRENZY_WORKLOADS_TRACE_BUILDER_H
#define FRENZY_WORKLOADS_TRACE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "workloads/hash_index.h"
#include "workloads/trace.h"

/* The columns of a row as 64-bit values, cut to their size when stored. */
typedef enum fz_trace_column_id {
    FZ_TRACE_COLUMN_SUBMIT,
    FZ_TRACE_COLUMN_ID_AT,
    FZ_TRACE_COLUMN_DURATION,
    FZ_TRACE_COLUMN_ESTIMATE,
    FZ_TRACE_COLUMN_LIMIT,
    FZ_TRACE_COLUMN_START,
    FZ_TRACE_COLUMN_END,
    FZ_TRACE_COLUMN_DEADLINE,
    FZ_TRACE_COLUMN_REQ_GPUS,
    FZ_TRACE_COLUMN_REQ_GPUS_EXACT,
    FZ_TRACE_COLUMN_REQ_WORKERS,
    FZ_TRACE_COLUMN_REQ_NODES,
    FZ_TRACE_COLUMN_CPU_ONLY,
    FZ_TRACE_COLUMN_REQ_TYPES,
    FZ_TRACE_COLUMN_DURATIONS,
    FZ_TRACE_COLUMN_REQ_GPU_MEM,
    FZ_TRACE_COLUMN_MODEL,
    FZ_TRACE_COLUMN_SEQ_LEN,
    FZ_TRACE_COLUMN_GLOBAL_BATCH,
    FZ_TRACE_COLUMN_STEPS,
    FZ_TRACE_COLUMN_USER,
    FZ_TRACE_COLUMN_VC,
    FZ_TRACE_COLUMN_STATE,
    FZ_TRACE_COLUMN_REQ_CPUS,
    FZ_TRACE_COLUMN_REQ_MEM,
    FZ_TRACE_COLUMN_LINE,
    FZ_TRACE_N_COLUMNS
} fz_trace_column_id;

/* Bytes of an entry, and the value of a job that has none. */
typedef struct fz_trace_column_kind {
    size_t size;
    uint64_t blank;
} fz_trace_column_kind;
extern const fz_trace_column_kind fz_trace_column_kinds[FZ_TRACE_N_COLUMNS];

/* One array that grows with the rows; NULL until a row has a value. */
typedef struct fz_trace_column {
    char *data;
    size_t capacity; /* entries */
} fz_trace_column;

typedef struct fz_trace_extra_column {
    const char *name;
    fz_trace_column values;
    bool used; /* some value is not "" */
} fz_trace_extra_column;

/* Blocks of columns and ids: a larger one with the first `used` bytes of the old one, which is gone; NULL
 * when out of memory, the old one then stays. NULL is allowed as the old one. */
void *fz_trace_block_grow(void *block, size_t used, size_t bytes);
void fz_trace_block_free(void *block);

struct fz_trace_builder {
    fz_arena *arena; /* texts; becomes the trace's */
    uint32_t n_jobs;
    fz_trace_column columns[FZ_TRACE_N_COLUMNS];
    char *ids;
    size_t ids_used, ids_capacity;
    size_t last_id_length;
    bool ids_indexed; /* else they ascend, and the index is empty */
    fz_hash_index id_index, text_index;
    const char **texts;
    uint32_t n_texts, texts_capacity;
    fz_trace_extra_column *extras;
    uint32_t n_extras, next_extra; /* where the next call most likely finds its column */
    fz_trace_header *headers;
    uint32_t n_headers;
    fz_time latest;
    uint32_t unsorted;
};

#endif
