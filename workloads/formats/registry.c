#include <stdlib.h>
#include <string.h>

#include "core/support/utf8.h"
#include "workloads/formats/formats.h"

enum { HEAD_BYTES = 64 * 1024 };

static const fz_trace_format *const formats[] = {
    &fz_format_canonical,  &fz_format_philly,    &fz_format_helios,      &fz_format_acme,
    &fz_format_pai2020,    &fz_format_openb,     &fz_format_spot2026,    &fz_format_rubick,
    &fz_format_muri,       &fz_format_chronus,   &fz_format_elasticflow, &fz_format_tiresias,
    &fz_format_nrel_eagle, &fz_format_shockwave, &fz_format_sia,         &fz_format_gavel,
    &fz_format_swf,
};

enum { N_FORMATS = sizeof formats / sizeof(fz_trace_format *) };

const fz_trace_format *const *fz_trace_formats(uint32_t *count)
{
    *count = N_FORMATS;
    return formats;
}

const fz_trace_format *fz_trace_format_find(const char *name)
{
    for (uint32_t i = 0; i < N_FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

static bool is_canonical(const char *head, uint64_t length)
{
    static const char column[] = "submit_s";
    uint64_t n = 0;
    if (length > 15 && memcmp(head, "# frenzy-trace:", 15) == 0)
        return true;
    const char *line = fz_head_line(head, length, '#', &n);
    for (uint64_t at = 0; line != NULL && at + sizeof column - 1 <= n; at++) {
        uint64_t end = at + sizeof column - 1;
        if (memcmp(line + at, column, sizeof column - 1) == 0 &&
            (at == 0 || strchr(",\" ", line[at - 1]) != NULL) &&
            (end == n || strchr(",\" ", line[end]) != NULL))
            return true;
    }
    return false;
}

const fz_trace_format fz_format_canonical = {
    .name = "canonical",
    .summary = "frenzy's own CSV (job_id,submit_s,...)",
    .probe = is_canonical,
    .read = fz_trace_read_with,
};

static fz_status format_unknown(const char *path, const char *head, uint64_t length, fz_error *err)
{
    uint64_t n = 0;
    const char *line = fz_head_line(head, length, '#', &n);
    uint32_t at = line != NULL ? fz_place_of(head, (size_t)(line - head)).line : 1;
    if (length == 0)
        return fz_fail_at(err, FZ_EPARSE, path, 1, 1, "the file is empty; a job trace is expected");
    if (line == NULL || memchr(line, '\0', n) != NULL)
        return fz_fail_at(err, FZ_EUNSUPPORTED, path, at, 1, "this is no job trace of a known format");
    return fz_fail_at(
        err, FZ_EUNSUPPORTED, path, at, 1,
        "this is no job trace of a known format; frenzy's own has a header line with job_id and "
        "submit_s, this file begins with '%.*s'",
        n < 60 ? (int)n : 60, line);
}

static fz_status format_of(const char *path, const char *head, uint64_t length, const fz_trace_format **out,
                           fz_error *err)
{
    const fz_trace_format *found = NULL;
    for (uint32_t i = 0; i < N_FORMATS; i++) {
        if (!formats[i]->probe(head, length))
            continue;
        if (found != NULL)
            return fz_fail_at(err, FZ_EUNSUPPORTED, path, 1, 1,
                              "this may be a %s or a %s trace; say which: frenzy import %s FILE --out TRACE",
                              found->name, formats[i]->name, found->name);
        found = formats[i];
    }
    if (found == NULL)
        return format_unknown(path, head, length, err);
    *out = found;
    return FZ_OK;
}

fz_status fz_trace_format_probe(const char *path, const fz_trace_format **out, fz_error *err)
{
    uint64_t length = 0;
    *out = &fz_format_canonical;
    if (strcmp(path, "-") == 0 || fz_import_bundled(path) != NULL)
        return FZ_OK;
    char *head = malloc(HEAD_BYTES);
    if (head == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    fz_status status = fz_head_read(path, head, HEAD_BYTES, &length, err);
    if (status == FZ_OK)
        status = format_of(path, head, length, out, err);
    free(head);
    return status;
}
