#include "workloads/bundled.h"

#include <stdbool.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

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

void fz_bundled_list(fz_bundled_kind kind, char *text, size_t size)
{
    uint32_t count;
    const char *const *names = fz_bundled_names(kind, &count);
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", names[i]);
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

const fz_bundled *fz_bundled_of_path(fz_bundled_kind kind, const char *path)
{
    struct stat status;
    bool file = stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
    return file ? NULL : fz_bundled_find(kind, path);
}
