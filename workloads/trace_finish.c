#include <stdlib.h>
#include <string.h>

#include "workloads/trace_builder.h"

typedef struct sort_key {
    fz_time submit;
    uint32_t row;
} sort_key;

static int key_compare(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;
    if (a->submit != b->submit)
        return a->submit < b->submit ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static fz_time submit_of(const fz_trace_builder *builder, uint32_t row)
{
    fz_time submit = 0;
    memcpy(&submit, builder->columns[FZ_TRACE_COLUMN_SUBMIT].data + row * sizeof submit, sizeof submit);
    return submit;
}

/* order[new row] = old row, free() it; NULL: out of memory. */
static uint32_t *order_make(const fz_trace_builder *builder)
{
    uint32_t n = builder->n_jobs;
    sort_key *keys = malloc((n + 1) * sizeof *keys);
    uint32_t *order = malloc((n + 1) * sizeof *order);
    for (uint32_t row = 0; keys != NULL && row < n; row++)
        keys[row] = (sort_key){.submit = submit_of(builder, row), .row = row};
    if (keys != NULL && order != NULL) {
        qsort(keys, n, sizeof *keys, key_compare);
        for (uint32_t row = 0; row < n; row++)
            order[row] = keys[row].row;
    } else {
        free(order);
        order = NULL;
    }
    free(keys);
    return order;
}

/* Moves a column into the arena, in the new order; NULL `order`: as it is. False: out of memory. */
static bool column_finish(fz_trace_builder *builder, fz_trace_column *column, size_t size,
                          const uint32_t *order, const void **out)
{
    if (column->data == NULL)
        return true;
    char *data = fz_arena_alloc(builder->arena, builder->n_jobs, size);
    if (data == NULL)
        return false;
    if (order == NULL)
        memcpy(data, column->data, builder->n_jobs * size);
    for (uint32_t row = 0; order != NULL && row < builder->n_jobs; row++)
        memcpy(data + row * size, column->data + order[row] * size, size);
    fz_trace_block_free(column->data);
    *column = (fz_trace_column){0};
    *out = data;
    return true;
}

static bool columns_finish(fz_trace_builder *builder, const uint32_t *order, fz_trace *trace)
{
    const void *data[FZ_TRACE_N_COLUMNS] = {NULL};
    for (uint32_t i = 0; i < FZ_TRACE_N_COLUMNS; i++)
        if (!column_finish(builder, &builder->columns[i], fz_trace_column_kinds[i].size, order, &data[i]))
            return false;
    trace->submit = data[FZ_TRACE_COLUMN_SUBMIT];
    trace->job_id_at = data[FZ_TRACE_COLUMN_ID_AT];
    trace->duration = data[FZ_TRACE_COLUMN_DURATION];
    trace->estimate = data[FZ_TRACE_COLUMN_ESTIMATE];
    trace->limit = data[FZ_TRACE_COLUMN_LIMIT];
    trace->start = data[FZ_TRACE_COLUMN_START];
    trace->end = data[FZ_TRACE_COLUMN_END];
    trace->deadline = data[FZ_TRACE_COLUMN_DEADLINE];
    trace->req_gpus = data[FZ_TRACE_COLUMN_REQ_GPUS];
    trace->req_gpus_exact = data[FZ_TRACE_COLUMN_REQ_GPUS_EXACT];
    trace->req_workers = data[FZ_TRACE_COLUMN_REQ_WORKERS];
    trace->req_nodes = data[FZ_TRACE_COLUMN_REQ_NODES];
    trace->durations = data[FZ_TRACE_COLUMN_DURATIONS];
    trace->cpu_only = data[FZ_TRACE_COLUMN_CPU_ONLY];
    trace->req_types = data[FZ_TRACE_COLUMN_REQ_TYPES];
    trace->req_gpu_mem = data[FZ_TRACE_COLUMN_REQ_GPU_MEM];
    trace->model = data[FZ_TRACE_COLUMN_MODEL];
    trace->seq_len = data[FZ_TRACE_COLUMN_SEQ_LEN];
    trace->global_batch = data[FZ_TRACE_COLUMN_GLOBAL_BATCH];
    trace->steps = data[FZ_TRACE_COLUMN_STEPS];
    trace->user = data[FZ_TRACE_COLUMN_USER];
    trace->vc = data[FZ_TRACE_COLUMN_VC];
    trace->state = data[FZ_TRACE_COLUMN_STATE];
    trace->req_cpus = data[FZ_TRACE_COLUMN_REQ_CPUS];
    trace->req_mem = data[FZ_TRACE_COLUMN_REQ_MEM];
    trace->line = data[FZ_TRACE_COLUMN_LINE];
    return true;
}

static bool extras_finish(fz_trace_builder *builder, const uint32_t *order, fz_trace *trace)
{
    fz_trace_extra *extras = FZ_NEW(builder->arena, builder->n_extras, fz_trace_extra);
    if (extras == NULL)
        return false;
    for (uint32_t i = 0; i < builder->n_extras; i++) {
        fz_trace_extra_column *from = &builder->extras[i];
        const void *values = NULL;
        if (!from->used)
            continue;
        if (!column_finish(builder, &from->values, sizeof(fz_text_id), order, &values))
            return false;
        extras[trace->n_extras++] = (fz_trace_extra){.name = from->name, .values = values};
    }
    trace->extras = extras;
    return true;
}

static void *arena_copy(fz_arena *arena, const void *from, size_t bytes)
{
    void *copy = fz_arena_alloc(arena, bytes, 1);
    if (copy != NULL && bytes > 0)
        memcpy(copy, from, bytes);
    return copy;
}

static const char *header_value(const fz_trace *trace, const char *key)
{
    for (uint32_t i = 0; i < trace->n_headers; i++)
        if (strcmp(trace->headers[i].key, key) == 0)
            return trace->headers[i].value;
    return "";
}

static bool texts_finish(fz_trace_builder *builder, fz_trace *trace)
{
    fz_arena *arena = builder->arena;
    trace->texts = arena_copy(arena, builder->texts, builder->n_texts * sizeof *builder->texts);
    trace->n_texts = builder->n_texts;
    trace->job_ids = arena_copy(arena, builder->ids, builder->ids_used);
    trace->headers = arena_copy(arena, builder->headers, builder->n_headers * sizeof *builder->headers);
    if (trace->texts == NULL || trace->job_ids == NULL || trace->headers == NULL)
        return false;
    trace->n_headers = builder->n_headers;
    trace->path = "";
    trace->source = header_value(trace, "source");
    trace->epoch = header_value(trace, "epoch");
    return true;
}

fz_time fz_trace_builder_first(const fz_trace_builder *builder)
{
    fz_time first = submit_of(builder, 0);
    for (uint32_t row = 1; row < builder->n_jobs; row++)
        first = submit_of(builder, row) < first ? submit_of(builder, row) : first;
    return first;
}

fz_time fz_trace_builder_rebase(fz_trace_builder *builder)
{
    static const fz_trace_column_id points[] = {FZ_TRACE_COLUMN_SUBMIT, FZ_TRACE_COLUMN_START,
                                                FZ_TRACE_COLUMN_END, FZ_TRACE_COLUMN_DEADLINE};
    fz_time first = builder->n_jobs > 0 ? fz_trace_builder_first(builder) : 0;
    for (uint32_t i = 0; i < sizeof points / sizeof *points; i++) {
        char *data = builder->columns[points[i]].data;
        for (uint32_t row = 0; data != NULL && row < builder->n_jobs; row++) {
            fz_time t = 0;
            memcpy(&t, data + row * sizeof t, sizeof t);
            t -= t == FZ_TIME_NONE ? 0 : first;
            memcpy(data + row * sizeof t, &t, sizeof t);
        }
    }
    builder->latest -= first;
    return first;
}

fz_status fz_trace_builder_finish(fz_trace_builder *builder, fz_trace **out, uint32_t *unsorted,
                                  fz_error *err)
{
    uint32_t *order = builder->unsorted > 0 ? order_make(builder) : NULL;
    fz_trace *trace = builder->arena != NULL ? FZ_NEW(builder->arena, 1, fz_trace) : NULL;
    bool done = trace != NULL && (builder->unsorted == 0 || order != NULL) &&
                columns_finish(builder, order, trace) && extras_finish(builder, order, trace) &&
                texts_finish(builder, trace);
    free(order);
    if (!done)
        return fz_fail(err, FZ_ENOMEM, "no memory for a trace of %u jobs", builder->n_jobs);
    trace->n_jobs = builder->n_jobs;
    trace->arena = builder->arena;
    builder->arena = NULL;
    if (unsorted != NULL)
        *unsorted = builder->unsorted;
    *out = trace;
    return FZ_OK;
}

void fz_trace_free(fz_trace *trace)
{
    if (trace != NULL)
        fz_arena_free(trace->arena);
}
