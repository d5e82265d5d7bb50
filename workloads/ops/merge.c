#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/formats/formats.h"
#include "workloads/ops/change.h"
#include "workloads/ops/rewrite.h"

typedef struct merge {
    const fz_trace *const *traces;
    uint32_t n;
    fz_trace_builder *builder;
    bool epochs;   /* all have one */
    fz_time epoch; /* the earliest */
    uint32_t renamed;
} merge;

static const char *header_of(const fz_trace *trace, const char *key)
{
    for (uint32_t i = 0; i < trace->n_headers; i++)
        if (strcmp(trace->headers[i].key, key) == 0)
            return trace->headers[i].value;
    return "";
}

/* ---- clocks ---------------------------------------------------------------------------------------- */

static fz_status epochs_compare(merge *m, fz_error *err)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        fz_time wall = 0;
        if (!fz_wall_time_parse(m->traces[i]->epoch, &wall))
            continue;
        m->epoch = known == 0 || wall < m->epoch ? wall : m->epoch;
        known++;
    }
    for (uint32_t i = 1; i < m->n; i++) {
        const char *a = header_of(m->traces[0], "utc_offset"), *b = header_of(m->traces[i], "utc_offset");
        if (known > 0 && strcmp(a, b) != 0)
            return fz_fail(err, FZ_EINVAL,
                           "clocks of different zones: utc_offset is '%.20s' in %.100s and '%.20s' in %.100s",
                           a, m->traces[0]->path, b, m->traces[i]->path);
    }
    m->epochs = known == m->n;
    if (known > 0 && known < m->n)
        return fz_fail(err, FZ_EINVAL,
                       "only %u of %u traces have a line '# epoch:'; give all of them one, or none", known,
                       m->n);
    return FZ_OK;
}

static fz_time moved(fz_time t, fz_time by)
{
    return t == FZ_TIME_NONE ? t : t + by;
}

/* ---- ids ------------------------------------------------------------------------------------------- */

static bool has_dependencies(const fz_trace *trace)
{
    for (uint32_t i = 0; i < trace->n_extras; i++)
        if (strcmp(trace->extras[i].name, "depends_on") == 0)
            return true;
    return false;
}

/* `id#2`, or the next number that is free; NULL: out of memory. free() it. */
static char *id_free(fz_trace_builder *builder, const char *id)
{
    size_t size = strlen(id) + 24;
    char *text = malloc(size);
    bool taken = true;
    for (uint64_t number = 2; text != NULL && taken; number++) {
        (void)snprintf(text, size, "%s#%llu", id, (unsigned long long)number);
        if (fz_trace_builder_has(builder, text, &taken, NULL) != FZ_OK)
            break;
    }
    return text;
}

static fz_status job_add(merge *m, const fz_trace *trace, uint32_t job, fz_time shift, fz_error *err)
{
    fz_trace_row row = fz_trace_row_of(trace, job);
    bool taken = false;
    char *id = NULL;
    row.submit = moved(row.submit, shift);
    row.start = moved(row.start, shift);
    row.end = moved(row.end, shift);
    row.deadline = moved(row.deadline, shift);
    FZ_TRY(fz_trace_builder_has(m->builder, row.job_id, &taken, err));
    if (taken && has_dependencies(trace))
        return fz_fail(err, FZ_EINVAL,
                       "job_id '%.60s' of %.100s was there before, and its trace has depends_on: give it "
                       "other ids first",
                       row.job_id, trace->path);
    if (taken) {
        id = id_free(m->builder, row.job_id);
        if (id == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for another job_id");
        row.job_id = id;
        m->renamed++;
    }
    fz_status status = fz_trace_copy_job(m->builder, trace, job, &row, NULL, err);
    free(id);
    return status;
}

/* ---- the trace ------------------------------------------------------------------------------------- */

/* What the traces say of themselves stays, in order; of equal lines one. */
static fz_status notes_copy(merge *m, const char *key, fz_error *err)
{
    for (uint32_t i = 0; i < m->n; i++) {
        for (uint32_t k = 0; k < m->traces[i]->n_headers; k++) {
            const fz_trace_header *header = &m->traces[i]->headers[k];
            if (strcmp(header->key, key) == 0)
                FZ_TRY(fz_trace_builder_header(m->builder, key, header->value, err));
        }
    }
    return FZ_OK;
}

static fz_status headers_add(merge *m, fz_error *err)
{
    char text[FZ_WALL_TIME_TEXT], history[64];
    FZ_TRY(fz_trace_builder_header(m->builder, "source", "merge", err));
    if (m->epochs) {
        fz_wall_time_text(m->epoch, text);
        FZ_TRY(fz_trace_builder_header(m->builder, "epoch", text, err));
    }
    if (header_of(m->traces[0], "utc_offset")[0] != '\0')
        FZ_TRY(fz_trace_builder_header(m->builder, "utc_offset", header_of(m->traces[0], "utc_offset"), err));
    FZ_TRY(notes_copy(m, "assumed", err));
    FZ_TRY(notes_copy(m, "history", err));
    for (uint32_t i = 0; i < m->n; i++) {
        (void)snprintf(history, sizeof history, "trace merge, %u of %u: %u jobs", i + 1, m->n,
                       m->traces[i]->n_jobs);
        FZ_TRY(fz_trace_add_history(m->builder, history, m->traces[i], err));
    }
    return FZ_OK;
}

static fz_status merge_all(merge *m, fz_trace **out, fz_error *err)
{
    FZ_TRY(headers_add(m, err));
    for (uint32_t i = 0; i < m->n; i++) {
        fz_time wall = 0;
        fz_time shift = m->epochs && fz_wall_time_parse(m->traces[i]->epoch, &wall) ? wall - m->epoch : 0;
        for (uint32_t job = 0; job < m->traces[i]->n_jobs; job++)
            FZ_TRY(job_add(m, m->traces[i], job, shift, err));
    }
    return fz_trace_builder_finish(m->builder, out, NULL, err);
}

fz_status fz_trace_merge(const fz_trace *const *traces, uint32_t n, fz_trace **out, uint32_t *renamed,
                         fz_error *err)
{
    merge m = {.traces = traces, .n = n};
    FZ_TRY(epochs_compare(&m, err));
    m.builder = fz_trace_builder_new();
    if (m.builder == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a trace");
    fz_status status = merge_all(&m, out, err);
    fz_trace_builder_free(m.builder);
    *renamed = m.renamed;
    return status;
}
