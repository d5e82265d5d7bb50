#include "workloads/bundled.h"

#include <strings.h>

#include "workloads/bundled_data.h"

const fz_bundled *fz_bundled_all(fz_bundled_kind kind, uint32_t *count)
{
    *count = fz_bundled_tables[kind].count;
    return fz_bundled_tables[kind].files;
}

const char *const *fz_bundled_names(fz_bundled_kind kind, uint32_t *count)
{
    *count = fz_bundled_tables[kind].count;
    return fz_bundled_tables[kind].names;
}

const fz_bundled *fz_bundled_find(fz_bundled_kind kind, const char *name)
{
    uint32_t count;
    const fz_bundled *files = fz_bundled_all(kind, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcasecmp(files[i].name, name) == 0 || strcasecmp(files[i].file, name) == 0)
            return &files[i];
    return NULL;
}
