#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/cluster_formats/formats.h"

enum { HOST_TEXT = 256 };

typedef struct expander {
    fz_status (*each)(void *context, const char *host, fz_error *err);
    void *context;
    uint32_t n_hosts;
} expander;

static fz_status malformed(const char *text, fz_error *err)
{
    return fz_fail(err, FZ_EPARSE, "'%.80s' is no list of hosts; such as a[1-3,7] is expected", text);
}

static fz_status expand(expander *e, const char *before, const char *rest, size_t length, fz_error *err);

/* `before`, a number of at least `width` digits, and what the rest of the item becomes. */
static fz_status expand_number(expander *e, const char *before, unsigned long long number, int width,
                               const char *rest, size_t length, fz_error *err)
{
    char host[HOST_TEXT];
    int n = snprintf(host, sizeof host, "%s%0*llu", before, width, number);
    if (n < 0 || (size_t)n >= sizeof host)
        return malformed(rest, err);
    return expand(e, host, rest, length, err);
}

/* A part of a bracket, up to a comma or its end: `7` or `01-10`. */
static fz_status expand_range(expander *e, const char *before, const char **at, const char *rest,
                              size_t length, fz_error *err)
{
    char *end = NULL;
    if (**at < '0' || **at > '9')
        return malformed(*at, err);
    unsigned long long first = strtoull(*at, &end, 10), last = first;
    int width = (int)(end - *at);
    if (*end == '-') {
        const char *second = end + 1;
        if (*second < '0' || *second > '9')
            return malformed(*at, err);
        last = strtoull(second, &end, 10);
    }
    if (last < first || last - first >= FZ_HOSTLIST_MAX || width > 18)
        return malformed(*at, err);
    for (unsigned long long number = first; number <= last; number++)
        FZ_TRY(expand_number(e, before, number, width, rest, length, err));
    *at = end;
    return FZ_OK;
}

/* One item of the list, `length` bytes at `rest`, behind what was expanded of it. */
static fz_status expand(expander *e, const char *before, const char *rest, size_t length, fz_error *err)
{
    char host[HOST_TEXT];
    const char *open = memchr(rest, '[', length);
    size_t plain = open != NULL ? (size_t)(open - rest) : length;
    int n = snprintf(host, sizeof host, "%s%.*s", before, (int)(plain < HOST_TEXT ? plain : HOST_TEXT), rest);
    if (n <= 0 || (size_t)n >= sizeof host || memchr(rest, ']', plain) != NULL)
        return malformed(rest, err);
    if (open == NULL) {
        if (++e->n_hosts > FZ_HOSTLIST_MAX)
            return fz_fail(err, FZ_EPARSE, "more than %d hosts", FZ_HOSTLIST_MAX);
        return e->each(e->context, host, err);
    }
    const char *close = memchr(open, ']', length - plain);
    if (close == NULL)
        return malformed(rest, err);
    for (const char *at = open + 1; at < close; at++) {
        FZ_TRY(expand_range(e, host, &at, close + 1, length - (size_t)(close + 1 - rest), err));
        if (at != close && *at != ',')
            return malformed(rest, err);
    }
    return FZ_OK;
}

fz_status fz_hostlist_each(const char *list,
                           fz_status (*each)(void *context, const char *host, fz_error *err), void *context,
                           fz_error *err)
{
    expander e = {.each = each, .context = context};
    for (const char *at = list; *at != '\0';) {
        size_t length = 0;
        bool inside = false;
        for (; at[length] != '\0' && (inside || at[length] != ','); length++)
            inside = at[length] == '[' || (inside && at[length] != ']');
        FZ_TRY(expand(&e, "", at, length, err));
        at += length;
        at += *at == ',';
    }
    return e.n_hosts > 0 ? FZ_OK : malformed(list, err);
}
