#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/experiment/experiment.h"

/* One seed; NULL when there is no number of 0 to INT64_MAX (what the results database holds). */
static const char *seed_read(const char *at, uint64_t *out)
{
    char *end = NULL;
    if (*at < '0' || *at > '9')
        return NULL;
    errno = 0;
    *out = strtoull(at, &end, 10);
    return errno == 0 && *out <= INT64_MAX ? end : NULL;
}

/* "0..9" or "3"; NULL when it is neither, or runs backwards. */
static const char *range_read(const char *at, uint64_t *first, uint64_t *last)
{
    at = seed_read(at, first);
    *last = *first;
    if (at != NULL && strncmp(at, "..", 2) == 0)
        at = seed_read(at + 2, last);
    return at != NULL && *last >= *first && (*at == '\0' || *at == ',') ? at : NULL;
}

/* The same world twice is no second sample: the interval would be too narrow. */
static fz_status seed_add(uint64_t seed, uint64_t *seeds, uint32_t max, uint32_t *n, fz_error *err)
{
    for (uint32_t i = 0; i < *n; i++)
        if (seeds[i] == seed)
            return fz_fail(err, FZ_EUSAGE, "%llu is there twice", (unsigned long long)seed);
    if (*n == max)
        return fz_fail(err, FZ_EUSAGE, "at most %u", max);
    seeds[(*n)++] = seed;
    return FZ_OK;
}

fz_status fz_seeds_parse(const char *text, uint64_t *seeds, uint32_t max, uint32_t *n, fz_error *err)
{
    uint64_t first = 0;
    uint64_t last = 0;
    for (const char *at = text;; at++) {
        at = range_read(at, &first, &last);
        if (at == NULL)
            return fz_fail(err, FZ_EUSAGE, "'%s' is no list of seeds; write 0..9, or 3, or 1,4,7", text);
        for (uint64_t seed = first; seed <= last; seed++)
            FZ_TRY(seed_add(seed, seeds, max, n, err));
        if (*at == '\0')
            return FZ_OK;
    }
}
