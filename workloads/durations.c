#include "workloads/durations.h"

#include <string.h>

#include "core/support/number.h"
#include "workloads/req_types.h"

/* One `name:seconds`. */
typedef struct entry {
    const char *name;
    size_t name_length;
    fz_time time;
} entry;

/* The entry at `text`, which ends at a bar or the end; NULL or what is wrong. */
static const char *entry_read(const char *text, size_t length, entry *out)
{
    const char *colon = memchr(text, ':', length);
    if (colon == NULL || colon == text)
        return "TYPE:SECONDS is expected, joined by '|'";
    const char *number = colon + 1;
    *out = (entry){.name = text, .name_length = (size_t)(colon - text)};
    if (fz_number_time(number, length - out->name_length - 1, &out->time) != FZ_NUMBER_OK)
        return "decimal seconds are expected behind each colon";
    return out->time >= 0 ? NULL : "a run time is negative; seconds of at least 0 are expected";
}

static const char *entry_next(const char **text, entry *out)
{
    size_t length = strcspn(*text, "|");
    const char *fault = entry_read(*text, length, out);
    bool more = (*text)[length] == '|';
    *text = more ? *text + length + 1 : NULL;
    return fault;
}

const char *fz_durations_fault(const char *text)
{
    entry e;
    for (const char *at = text; at != NULL;) {
        const char *fault = entry_next(&at, &e);
        if (fault != NULL)
            return fault;
    }
    return NULL;
}

fz_type_mask fz_durations_by_type(const fz_cluster_spec *spec, const char *text, fz_time *by_type)
{
    fz_type_mask named = 0;
    entry e;
    for (uint32_t type = 0; type < spec->n_types; type++)
        by_type[type] = FZ_TIME_NONE;
    for (const char *at = text; at != NULL && entry_next(&at, &e) == NULL;) {
        fz_type_mask types = fz_req_types_named(spec, e.name, e.name_length) & ~named;
        for (fz_type_mask left = types; left != 0; left &= left - 1)
            by_type[__builtin_ctzll(left)] = e.time;
        named |= types;
    }
    return named;
}
