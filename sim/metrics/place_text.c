#include "sim/metrics/place_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(fz_place_text *out, size_t bytes)
{
    if (out->length + bytes <= out->capacity)
        return true;
    size_t capacity = 2 * out->capacity + bytes;
    char *larger = realloc(out->text, capacity);
    if (larger == NULL)
        return false;
    out->text = larger;
    out->capacity = capacity;
    return true;
}

/* Appends "name:gpus", after a bar where something stands already. */
static bool item_append(fz_place_text *out, const char *name, uint32_t gpus)
{
    size_t bytes = strlen(name) + 16;
    if (!reserve(out, bytes))
        return false;
    int more = snprintf(out->text + out->length, bytes, "%s%s:%u", out->length > 0 ? "|" : "", name, gpus);
    out->length += more > 0 ? (size_t)more : 0;
    return true;
}

static bool start(fz_place_text *out)
{
    out->length = 0;
    if (!reserve(out, 1))
        return false;
    out->text[0] = '\0';
    return true;
}

bool fz_place_text_nodes(fz_place_text *out, const fz_cluster_spec *cluster, const fz_placement *where)
{
    bool written = start(out);
    for (uint32_t i = 0; written && i < where->n_parts; i++)
        written = item_append(out, cluster->nodes[where->parts[i].node].name, where->parts[i].gpus);
    return written;
}

bool fz_place_text_types(fz_place_text *out, const fz_cluster_spec *cluster, const fz_placement *where)
{
    uint32_t gpus[FZ_MAX_GPU_TYPES] = {0};
    for (uint32_t i = 0; i < where->n_parts; i++)
        gpus[cluster->nodes[where->parts[i].node].type] += where->parts[i].gpus;
    bool written = start(out);
    for (uint32_t type = 0; written && type < cluster->n_types; type++)
        if (gpus[type] > 0)
            written = item_append(out, cluster->types[type].name, gpus[type]);
    return written;
}
