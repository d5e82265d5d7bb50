#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/pages.h"
#include "workloads/trace_builder.h"

#define NO_TIME ((uint64_t)FZ_TIME_NONE)

const fz_trace_column_kind fz_trace_column_kinds[FZ_TRACE_N_COLUMNS] = {
    [FZ_TRACE_COLUMN_SUBMIT] = {8, 0},         [FZ_TRACE_COLUMN_ID_AT] = {8, 0},
    [FZ_TRACE_COLUMN_DURATION] = {8, NO_TIME}, [FZ_TRACE_COLUMN_ESTIMATE] = {8, NO_TIME},
    [FZ_TRACE_COLUMN_LIMIT] = {8, NO_TIME},    [FZ_TRACE_COLUMN_START] = {8, NO_TIME},
    [FZ_TRACE_COLUMN_END] = {8, NO_TIME},      [FZ_TRACE_COLUMN_DEADLINE] = {8, NO_TIME},
    [FZ_TRACE_COLUMN_REQ_GPUS] = {4, 0},       [FZ_TRACE_COLUMN_REQ_GPUS_EXACT] = {8, 0},
    [FZ_TRACE_COLUMN_REQ_WORKERS] = {4, 0},    [FZ_TRACE_COLUMN_CPU_ONLY] = {1, 0},
    [FZ_TRACE_COLUMN_REQ_NODES] = {4, 0},      [FZ_TRACE_COLUMN_DURATIONS] = {4, 0},
    [FZ_TRACE_COLUMN_REQ_TYPES] = {4, 0},      [FZ_TRACE_COLUMN_REQ_GPU_MEM] = {8, 0},
    [FZ_TRACE_COLUMN_MODEL] = {4, 0},          [FZ_TRACE_COLUMN_SEQ_LEN] = {4, 0},
    [FZ_TRACE_COLUMN_GLOBAL_BATCH] = {8, 0},   [FZ_TRACE_COLUMN_STEPS] = {8, 0},
    [FZ_TRACE_COLUMN_USER] = {4, 0},           [FZ_TRACE_COLUMN_VC] = {4, 0},
    [FZ_TRACE_COLUMN_STATE] = {1, 0},          [FZ_TRACE_COLUMN_REQ_CPUS] = {8, 0},
    [FZ_TRACE_COLUMN_REQ_MEM] = {8, 0},        [FZ_TRACE_COLUMN_LINE] = {4, 0},
};

static fz_status no_memory(const fz_trace_builder *builder, fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for a trace of more than %u jobs", builder->n_jobs);
}

/* ---- columns --------------------------------------------------------------------------------------- */

static void column_put(fz_trace_column *column, size_t size, uint32_t row, uint64_t value)
{
    assert(column->data != NULL);
    if (size == sizeof(uint64_t)) {
        memcpy(column->data + (size_t)row * size, &value, size);
    } else if (size == sizeof(uint32_t)) {
        uint32_t small = (uint32_t)value;
        memcpy(column->data + (size_t)row * size, &small, size);
    } else {
        column->data[row] = (char)value;
    }
}

/* Large blocks come in huge pages: half of the page faults of reading a large trace were theirs. */
void *fz_trace_block_grow(void *block, size_t used, size_t bytes)
{
    const fz_allocator *pages = fz_pages_allocator();
    void *grown = pages->zalloc(pages->context, bytes);
    if (grown == NULL || block == NULL)
        return grown;
    memcpy(grown, block, used);
    pages->free(pages->context, block);
    return grown;
}

void fz_trace_block_free(void *block)
{
    const fz_allocator *pages = fz_pages_allocator();
    if (block != NULL)
        pages->free(pages->context, block);
}

/* Makes room for entry `row`; entries before it that never had a value become blank. */
static bool column_reach(fz_trace_column *column, size_t size, uint32_t row, uint64_t blank)
{
    if (row < column->capacity)
        return true;
    bool fresh = column->data == NULL;
    size_t capacity = 256;
    while (capacity <= row)
        capacity *= 2;
    char *grown = fz_trace_block_grow(column->data, row * size, capacity * size);
    if (grown == NULL)
        return false;
    column->data = grown;
    column->capacity = capacity;
    for (uint32_t before = 0; fresh && before < row; before++)
        column_put(column, size, before, blank);
    return true;
}

static bool column_store(fz_trace_column *column, size_t size, uint32_t row, uint64_t value, uint64_t blank)
{
    if (column->data == NULL && value == blank)
        return true;
    if (!column_reach(column, size, row, blank))
        return false;
    column_put(column, size, row, value);
    return true;
}

/* ---- texts ----------------------------------------------------------------------------------------- */

static bool text_append(fz_trace_builder *builder, const char *text, size_t length, uint64_t hash)
{
    if (builder->n_texts == builder->texts_capacity) {
        uint32_t capacity = builder->texts_capacity > 0 ? 2 * builder->texts_capacity : 64;
        const char **grown = realloc(builder->texts, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        builder->texts = grown;
        builder->texts_capacity = capacity;
    }
    const char *copy = fz_arena_strndup(builder->arena, text, length);
    if (copy == NULL || !fz_hash_index_add(&builder->text_index, hash, builder->n_texts))
        return false;
    builder->texts[builder->n_texts++] = copy;
    return true;
}

static bool text_intern(fz_trace_builder *builder, const char *text, uint64_t *out)
{
    *out = 0;
    if (text == NULL || text[0] == '\0')
        return true;
    size_t length = strlen(text);
    uint64_t hash = fz_hash_bytes(text, length), step = 0;
    uint32_t found = 0;
    while (fz_hash_index_next(&builder->text_index, hash, &step, &found)) {
        if (strcmp(builder->texts[found], text) == 0) {
            *out = found;
            return true;
        }
    }
    *out = builder->n_texts;
    return text_append(builder, text, length, hash);
}

/* ---- job ids --------------------------------------------------------------------------------------- */

static const char *id_of(const fz_trace_builder *builder, uint32_t row)
{
    uint64_t at = 0;
    memcpy(&at, builder->columns[FZ_TRACE_COLUMN_ID_AT].data + row * sizeof at, sizeof at);
    return builder->ids + at;
}

static bool id_index_has(const fz_trace_builder *builder, const char *id, uint64_t hash)
{
    uint64_t step = 0;
    uint32_t row = 0;
    while (fz_hash_index_next(&builder->id_index, hash, &step, &row))
        if (strcmp(id_of(builder, row), id) == 0)
            return true;
    return false;
}

/* Ids in ascending order (shorter first, then by bytes), as most files have them, differ by themselves: the
 * index is made when the first one breaks the order. */
static bool id_ascends(const fz_trace_builder *builder, const char *id, size_t length)
{
    if (builder->n_jobs == 0 || length != builder->last_id_length)
        return builder->n_jobs == 0 || length > builder->last_id_length;
    return memcmp(id, builder->ids + builder->ids_used - length - 1, length) > 0;
}

static bool id_index_make(fz_trace_builder *builder)
{
    builder->ids_indexed = true;
    for (uint32_t row = 0; row < builder->n_jobs; row++) {
        const char *id = id_of(builder, row);
        if (!fz_hash_index_add(&builder->id_index, fz_hash_bytes(id, strlen(id)), row))
            return false;
    }
    return true;
}

/* Makes sure that the id is new, and puts it into the index if there is one. */
static fz_status id_enter(fz_trace_builder *builder, const char *id, size_t length, fz_error *err)
{
    if (!builder->ids_indexed && id_ascends(builder, id, length))
        return FZ_OK;
    if (!builder->ids_indexed && !id_index_make(builder))
        return no_memory(builder, err);
    uint64_t hash = fz_hash_bytes(id, length);
    if (id_index_has(builder, id, hash))
        return fz_fail(err, FZ_EPARSE, "job_id '%.60s' is there twice; ids must be unique", id);
    return fz_hash_index_add(&builder->id_index, hash, builder->n_jobs) ? FZ_OK : no_memory(builder, err);
}

fz_status fz_trace_builder_has(fz_trace_builder *builder, const char *job_id, bool *found, fz_error *err)
{
    if (!builder->ids_indexed && !id_index_make(builder))
        return no_memory(builder, err);
    *found = id_index_has(builder, job_id, fz_hash_bytes(job_id, strlen(job_id)));
    return FZ_OK;
}

const char *fz_trace_builder_last_id(const fz_trace_builder *builder)
{
    return builder->n_jobs > 0 ? id_of(builder, builder->n_jobs - 1) : "";
}

static bool id_append(fz_trace_builder *builder, const char *id, size_t length)
{
    if (builder->ids_used + length + 1 > builder->ids_capacity) {
        size_t capacity = 2 * (builder->ids_used + length) + 4096;
        char *grown = fz_trace_block_grow(builder->ids, builder->ids_used, capacity);
        if (grown == NULL)
            return false;
        builder->ids = grown;
        builder->ids_capacity = capacity;
    }
    memcpy(builder->ids + builder->ids_used, id, length + 1);
    builder->ids_used += length + 1;
    builder->last_id_length = length;
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

fz_trace_row fz_trace_row_blank(void)
{
    return (fz_trace_row){.submit = FZ_TIME_NONE,
                          .duration = FZ_TIME_NONE,
                          .estimate = FZ_TIME_NONE,
                          .limit = FZ_TIME_NONE,
                          .start = FZ_TIME_NONE,
                          .end = FZ_TIME_NONE,
                          .deadline = FZ_TIME_NONE};
}

fz_trace_builder *fz_trace_builder_new(void)
{
    fz_trace_builder *builder = calloc(1, sizeof *builder);
    if (builder == NULL)
        return NULL;
    builder->arena = fz_arena_new(fz_pages_allocator());
    builder->latest = -1;
    if (builder->arena == NULL || !text_append(builder, "", 0, fz_hash_bytes("", 0))) {
        fz_trace_builder_free(builder);
        return NULL;
    }
    return builder;
}

void fz_trace_builder_free(fz_trace_builder *builder)
{
    if (builder == NULL)
        return;
    for (uint32_t i = 0; i < FZ_TRACE_N_COLUMNS; i++)
        fz_trace_block_free(builder->columns[i].data);
    for (uint32_t i = 0; i < builder->n_extras; i++)
        fz_trace_block_free(builder->extras[i].values.data);
    free(builder->extras);
    free(builder->headers);
    free(builder->texts);
    fz_trace_block_free(builder->ids);
    fz_hash_index_release(&builder->id_index);
    fz_hash_index_release(&builder->text_index);
    fz_arena_free(builder->arena);
    free(builder);
}

static uint64_t bits_of(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return value == 0 ? 0 : bits;
}

/* The row as column values; false: out of memory for its texts. */
static bool row_values(fz_trace_builder *builder, const fz_trace_row *row,
                       uint64_t values[FZ_TRACE_N_COLUMNS])
{
    values[FZ_TRACE_COLUMN_SUBMIT] = (uint64_t)row->submit;
    values[FZ_TRACE_COLUMN_ID_AT] = builder->ids_used;
    values[FZ_TRACE_COLUMN_DURATION] = (uint64_t)row->duration;
    values[FZ_TRACE_COLUMN_ESTIMATE] = (uint64_t)row->estimate;
    values[FZ_TRACE_COLUMN_LIMIT] = (uint64_t)row->limit;
    values[FZ_TRACE_COLUMN_START] = (uint64_t)row->start;
    values[FZ_TRACE_COLUMN_END] = (uint64_t)row->end;
    values[FZ_TRACE_COLUMN_DEADLINE] = (uint64_t)row->deadline;
    values[FZ_TRACE_COLUMN_REQ_GPUS] = row->req_gpus;
    values[FZ_TRACE_COLUMN_REQ_GPUS_EXACT] = bits_of(row->req_gpus_exact);
    values[FZ_TRACE_COLUMN_REQ_WORKERS] = row->req_workers;
    values[FZ_TRACE_COLUMN_REQ_NODES] = row->req_nodes;
    values[FZ_TRACE_COLUMN_CPU_ONLY] = row->cpu_only;
    values[FZ_TRACE_COLUMN_REQ_GPU_MEM] = row->req_gpu_mem;
    values[FZ_TRACE_COLUMN_SEQ_LEN] = row->seq_len;
    values[FZ_TRACE_COLUMN_GLOBAL_BATCH] = row->global_batch;
    values[FZ_TRACE_COLUMN_STEPS] = bits_of(row->steps);
    values[FZ_TRACE_COLUMN_STATE] = (uint64_t)row->state;
    values[FZ_TRACE_COLUMN_REQ_CPUS] = bits_of(row->req_cpus);
    values[FZ_TRACE_COLUMN_REQ_MEM] = row->req_mem;
    values[FZ_TRACE_COLUMN_LINE] = row->line;
    return text_intern(builder, row->req_types, &values[FZ_TRACE_COLUMN_REQ_TYPES]) &&
           text_intern(builder, row->durations, &values[FZ_TRACE_COLUMN_DURATIONS]) &&
           text_intern(builder, row->model, &values[FZ_TRACE_COLUMN_MODEL]) &&
           text_intern(builder, row->user, &values[FZ_TRACE_COLUMN_USER]) &&
           text_intern(builder, row->vc, &values[FZ_TRACE_COLUMN_VC]);
}

static bool row_store(fz_trace_builder *builder, const uint64_t values[FZ_TRACE_N_COLUMNS])
{
    uint32_t row = builder->n_jobs;
    if (!column_reach(&builder->columns[FZ_TRACE_COLUMN_SUBMIT], sizeof(fz_time), row, 0) ||
        !column_reach(&builder->columns[FZ_TRACE_COLUMN_ID_AT], sizeof(uint64_t), row, 0))
        return false;
    for (uint32_t i = 0; i < FZ_TRACE_N_COLUMNS; i++)
        if (!column_store(&builder->columns[i], fz_trace_column_kinds[i].size, row, values[i],
                          fz_trace_column_kinds[i].blank))
            return false;
    for (uint32_t i = 0; i < builder->n_extras; i++)
        if (!column_store(&builder->extras[i].values, sizeof(fz_text_id), row, 0, 0))
            return false;
    return true;
}

fz_status fz_trace_builder_add(fz_trace_builder *builder, const fz_trace_row *row, fz_error *err)
{
    if (row->job_id == NULL || row->job_id[0] == '\0' || row->submit < 0)
        return fz_fail(err, FZ_EINVAL, "a job needs an id and a submit time of at least 0");
    if (builder->n_jobs == UINT32_MAX - 1)
        return fz_fail(err, FZ_EUNSUPPORTED, "a trace holds at most %u jobs", builder->n_jobs);
    size_t length = strlen(row->job_id);
    uint64_t values[FZ_TRACE_N_COLUMNS];
    FZ_TRY(id_enter(builder, row->job_id, length, err));
    if (!row_values(builder, row, values) || !row_store(builder, values) ||
        !id_append(builder, row->job_id, length))
        return no_memory(builder, err);
    builder->n_jobs++;
    builder->unsorted += row->submit < builder->latest;
    if (row->submit > builder->latest)
        builder->latest = row->submit;
    builder->next_extra = 0;
    return FZ_OK;
}

fz_status fz_trace_builder_set_state(fz_trace_builder *builder, uint32_t row, fz_trace_state state,
                                     fz_error *err)
{
    if (row >= builder->n_jobs)
        return fz_fail(err, FZ_EINVAL, "there is no row %u; the trace has %u", row, builder->n_jobs);
    fz_trace_column *column = &builder->columns[FZ_TRACE_COLUMN_STATE];
    /* the last row first: what is stored makes room for all rows before it */
    if (!column_reach(column, 1, builder->n_jobs - 1, 0))
        return no_memory(builder, err);
    column_put(column, 1, row, (uint64_t)state);
    return FZ_OK;
}

/* ---- extra columns and header lines ---------------------------------------------------------------- */

static fz_trace_extra_column *extra_find(fz_trace_builder *builder, const char *name)
{
    for (uint32_t i = 0; i < builder->n_extras; i++) {
        fz_trace_extra_column *candidate = &builder->extras[(builder->next_extra + i) % builder->n_extras];
        if (strcmp(candidate->name, name) == 0) {
            builder->next_extra = (uint32_t)(candidate - builder->extras) + 1;
            return candidate;
        }
    }
    return NULL;
}

static fz_trace_extra_column *extra_make(fz_trace_builder *builder, const char *name)
{
    fz_trace_extra_column *grown = realloc(builder->extras, (builder->n_extras + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    builder->extras = grown;
    grown[builder->n_extras] = (fz_trace_extra_column){.name = fz_arena_strdup(builder->arena, name)};
    if (grown[builder->n_extras].name == NULL)
        return NULL;
    return &builder->extras[builder->n_extras++];
}

fz_status fz_trace_builder_extra(fz_trace_builder *builder, const char *name, const char *value,
                                 fz_error *err)
{
    if (builder->n_jobs == 0)
        return fz_fail(err, FZ_EINVAL, "column '%.60s' has a value before the first row", name);
    fz_trace_extra_column *column = extra_find(builder, name);
    if (column == NULL)
        column = extra_make(builder, name);
    uint64_t text = 0;
    if (column == NULL || !text_intern(builder, value, &text) ||
        !column_store(&column->values, sizeof(fz_text_id), builder->n_jobs - 1, text, 0))
        return no_memory(builder, err);
    column->used = column->used || text != 0;
    return FZ_OK;
}

fz_status fz_trace_builder_header(fz_trace_builder *builder, const char *key, const char *value,
                                  fz_error *err)
{
    if (key[0] == '\0' || strpbrk(key, ":\r\n") != NULL || strpbrk(value, "\r\n") != NULL)
        return fz_fail(err, FZ_EINVAL, "'%.60s' cannot be a header line: it holds a line break or a colon",
                       key);
    fz_trace_header *grown = realloc(builder->headers, (builder->n_headers + 1) * sizeof *grown);
    if (grown == NULL)
        return no_memory(builder, err);
    builder->headers = grown;
    fz_trace_header *header = &grown[builder->n_headers];
    header->key = fz_arena_strdup(builder->arena, key);
    header->value = fz_arena_strdup(builder->arena, value);
    if (header->key == NULL || header->value == NULL)
        return no_memory(builder, err);
    builder->n_headers++;
    return FZ_OK;
}
