#include "workloads/req_types.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "workloads/cluster_file.h"

static bool name_is(const char *name, const char *text, size_t length)
{
    return name != NULL && strlen(name) == length && strncasecmp(name, text, length) == 0;
}

fz_type_mask fz_req_types_named(const fz_cluster_spec *spec, const char *name, size_t length)
{
    fz_type_mask mask = 0;
    for (uint32_t type = 0; type < spec->n_types; type++)
        if (name_is(spec->types[type].name, name, length) || name_is(spec->types[type].catalog, name, length))
            mask |= FZ_TYPE_BIT(type);
    return mask;
}

fz_type_mask fz_req_types_alike(const fz_cluster_spec *spec, const char *name)
{
    fz_type_mask mask = fz_req_types_named(spec, name, strlen(name));
    const fz_catalog_gpu *gpu = fz_catalog_find(name);
    for (uint32_t type = 0; gpu != NULL && type < spec->n_types; type++) {
        const char *entry = spec->types[type].catalog;
        if (entry != NULL && fz_catalog_find(entry) == gpu)
            mask |= FZ_TYPE_BIT(type);
    }
    return mask;
}

fz_type_mask fz_req_types_mask(const fz_cluster_spec *spec, const char *text)
{
    if (text[0] == '\0')
        return FZ_ALL_TYPES;
    fz_type_mask mask = 0;
    for (const char *from = text; from != NULL;) {
        const char *bar = strchr(from, '|');
        size_t length = bar != NULL ? (size_t)(bar - from) : strlen(from);
        mask |= fz_req_types_named(spec, from, length);
        from = bar != NULL ? bar + 1 : NULL;
    }
    return mask;
}
