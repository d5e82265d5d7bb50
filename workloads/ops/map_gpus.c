#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workloads/ops/change.h"
#include "workloads/ops/rewrite.h"

typedef struct mapping {
    fz_gpu_rename *pairs;
    uint32_t n;
    char *types, *extra; /* of the current job; `size` bytes each */
    size_t size;
    uint32_t job;
    bool *seen; /* by pair: counted for this job */
} mapping;

/* The new name of one type. */
static const char *renamed(mapping *m, const char *name, size_t length, size_t *new_length)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (strlen(m->pairs[i].from) != length || strncasecmp(m->pairs[i].from, name, length) != 0)
            continue;
        m->pairs[i].used += !m->seen[i];
        m->seen[i] = true;
        *new_length = strlen(m->pairs[i].to);
        return m->pairs[i].to;
    }
    *new_length = length;
    return name;
}

/* Whether `text` has this word between bars, up to a colon. */
static bool listed(const char *text, size_t used, const char *name, size_t length)
{
    for (size_t at = 0; at < used; at++) {
        size_t word = 0;
        while (at + word < used && text[at + word] != '|' && text[at + word] != ':')
            word++;
        if (word == length && strncasecmp(text + at, name, length) == 0)
            return true;
        while (at < used && text[at] != '|')
            at++;
    }
    return false;
}

/* `A:5|B:7` or `A|B` with other names; what would be there twice is left out. The buffer is large enough. */
static void list_map(mapping *m, const char *from, char *to)
{
    size_t used = 0;
    while (*from != '\0') {
        size_t all = strcspn(from, "|"), name = strcspn(from, "|:"), length = 0;
        const char *new_name = renamed(m, from, name, &length);
        if (!listed(to, used, new_name, length)) {
            if (used > 0)
                to[used++] = '|';
            memcpy(to + used, new_name, length);
            memcpy(to + used + length, from + name, all - name);
            used += length + all - name;
        }
        from += all + (from[all] == '|');
    }
    to[used] = '\0';
}

static bool reserve(mapping *m, const char *text)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < m->n; i++)
        longest = strlen(m->pairs[i].to) > longest ? strlen(m->pairs[i].to) : longest;
    size_t size = (strlen(text) + 1) * (longest + 2) + 1;
    if (size <= m->size)
        return true;
    char *types = realloc(m->types, size);
    if (types != NULL)
        m->types = types;
    char *extra = realloc(m->extra, size);
    if (extra != NULL)
        m->extra = extra;
    m->size = types != NULL && extra != NULL ? size : m->size;
    return types != NULL && extra != NULL;
}

static fz_status map_job(void *context, uint32_t job, fz_trace_row *row, bool *keep, fz_error *err)
{
    mapping *m = context;
    (void)job;
    (void)keep;
    memset(m->seen, 0, m->n * sizeof *m->seen);
    if (!reserve(m, row->req_types) || !reserve(m, row->durations))
        return fz_fail(err, FZ_ENOMEM, "no memory for the names of GPU types");
    list_map(m, row->req_types, m->types);
    list_map(m, row->durations, m->extra);
    row->req_types = m->types;
    row->durations = m->extra;
    return FZ_OK;
}

/* Out of memory leaves the value as it is: reserve() failed for no more than some bytes. */
static const char *map_extra(void *context, const char *name, const char *value)
{
    mapping *m = context;
    if (strcmp(name, "run_gpu_type") != 0 || !reserve(m, value))
        return value;
    list_map(m, value, m->extra);
    return m->extra;
}

fz_status fz_trace_map_gpus(const fz_trace *trace, fz_gpu_rename *pairs, uint32_t n, fz_trace **out,
                            fz_error *err)
{
    char history[400];
    size_t length = (size_t)snprintf(history, sizeof history, "trace map-gpus");
    mapping m = {.pairs = pairs, .n = n, .seen = calloc((size_t)n + 1, sizeof *m.seen)};
    if (m.seen == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u names", n);
    for (uint32_t i = 0; i < n && length < sizeof history; i++)
        length += (size_t)snprintf(history + length, sizeof history - length, " --map %s=%s", pairs[i].from,
                                   pairs[i].to);
    fz_rewrite edit = {.context = &m, .job = map_job, .extra = map_extra, .history = history};
    fz_status status = fz_trace_rewrite(trace, &edit, out, err);
    free(m.types);
    free(m.extra);
    free(m.seen);
    return status;
}
