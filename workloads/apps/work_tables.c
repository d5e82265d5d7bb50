#include "workloads/apps/work_tables.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static fz_status folder_read(const char *path, fz_work_tables *tables, fz_error *err)
{
    char inner[4096];
    int length = snprintf(inner, sizeof inner, "%s/profiles", path);
    bool nested = length > 0 && (size_t)length < sizeof inner && is_folder(inner);
    fz_sha256 sha;
    fz_sha256_init(&sha);
    FZ_TRY(fz_apps_read(tables->arena, nested ? inner : path, &sha, &tables->apps, &tables->n_apps, err));
    fz_sha256_hex(&sha, tables->sha256);
    return FZ_OK;
}

static fz_status tables_fill(const char *path, fz_work_tables *tables, fz_error *err)
{
    tables->path = fz_arena_strdup(tables->arena, path);
    if (tables->path == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the tables in %s", path);
    if (is_folder(path))
        return folder_read(path, tables, err);
    return fz_throughputs_read(tables->arena, path, tables->sha256, &tables->throughputs, err);
}

fz_status fz_work_tables_read(const char *path, fz_work_tables **out, fz_error *err)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_work_tables *tables = arena != NULL ? FZ_NEW(arena, 1, fz_work_tables) : NULL;
    if (tables == NULL) {
        fz_arena_free(arena);
        return fz_fail(err, FZ_ENOMEM, "no memory for tables");
    }
    tables->arena = arena;
    fz_status status = tables_fill(path, tables, err);
    if (status == FZ_OK)
        *out = tables;
    else
        fz_arena_free(arena);
    return status;
}

void fz_work_tables_free(fz_work_tables *tables)
{
    if (tables != NULL)
        fz_arena_free(tables->arena);
}

const fz_app *fz_work_app(const fz_work_tables *tables, const char *name)
{
    for (uint32_t i = 0; tables != NULL && i < tables->n_apps; i++)
        if (strcmp(tables->apps[i].name, name) == 0)
            return &tables->apps[i];
    return NULL;
}

fz_status fz_work_kinds(fz_arena *arena, const fz_trace *trace, const uint8_t **kinds, fz_error *err)
{
    const fz_text_id *column = NULL;
    *kinds = NULL;
    for (uint32_t i = 0; i < trace->n_extras; i++)
        if (strcmp(trace->extras[i].name, "work_kind") == 0)
            column = trace->extras[i].values;
    if (column == NULL)
        return FZ_OK;
    uint8_t *own = FZ_NEW(arena, trace->n_jobs, uint8_t);
    if (own == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the kinds of work of %u jobs", trace->n_jobs);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        const char *text = trace->texts[column[job]];
        own[job] = strcmp(text, "steps") == 0    ? FZ_WORK_STEPS
                   : strcmp(text, "target") == 0 ? FZ_WORK_TARGET
                                                 : FZ_WORK_UNSAID;
    }
    *kinds = own;
    return FZ_OK;
}
