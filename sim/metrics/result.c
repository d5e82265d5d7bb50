#include "sim/metrics/result.h"

#include <stdlib.h>

const char *fz_job_state_name(fz_job_state state)
{
    switch (state) {
#define FZ_JOB_STATE_CASE(name, text)                                                                        \
    case name:                                                                                               \
        return text;
        FZ_JOB_STATE_LIST(FZ_JOB_STATE_CASE)
#undef FZ_JOB_STATE_CASE
    }
    return "UNKNOWN";
}

/* ---- placements as varints --------------------------------------------------------------------------- */

static int by_node(const void *a, const void *b)
{
    const fz_part *x = a;
    const fz_part *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

static void parts_sort(fz_placement *where)
{
    if (where->n_parts > 16) {
        qsort(where->parts, where->n_parts, sizeof(*where->parts), by_node);
        return;
    }
    for (uint32_t i = 1; i < where->n_parts; i++) {
        fz_part part = where->parts[i];
        uint32_t at = i;
        for (; at > 0 && where->parts[at - 1].node > part.node; at--)
            where->parts[at] = where->parts[at - 1];
        where->parts[at] = part;
    }
}

static uint8_t *varint_write(uint8_t *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        *out++ = (uint8_t)(value | 0x80);
    *out++ = (uint8_t)value;
    return out;
}

static uint32_t varint_read(const uint8_t **in)
{
    uint32_t value = 0;
    uint32_t shift = 0;
    while ((**in & 0x80) != 0) {
        value |= (uint32_t)(*(*in)++ & 0x7f) << shift;
        shift += 7;
    }
    return value | (uint32_t) * (*in)++ << shift;
}

uint32_t fz_places_write(uint8_t *out, fz_placement *where)
{
    parts_sort(where);
    uint8_t *at = varint_write(out, where->n_parts);
    uint32_t before = 0;
    for (uint32_t i = 0; i < where->n_parts; i++) {
        at = varint_write(at, where->parts[i].node - before);
        at = varint_write(at, where->parts[i].gpus);
        before = where->parts[i].node;
    }
    return (uint32_t)(at - out);
}

uint64_t fz_places_read(const uint8_t *places, uint64_t offset, fz_placement *where)
{
    const uint8_t *in = places + offset;
    where->n_parts = varint_read(&in);
    where->gpus = 0;
    uint32_t node = 0;
    for (uint32_t i = 0; i < where->n_parts; i++) {
        node += varint_read(&in);
        where->parts[i] = (fz_part){.node = node, .gpus = varint_read(&in)};
        where->gpus += where->parts[i].gpus;
    }
    return (uint64_t)(in - places);
}
