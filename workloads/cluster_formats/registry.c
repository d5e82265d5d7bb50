#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/cluster_file.h"
#include "workloads/cluster_formats/formats.h"

static const fz_cluster_format *const formats[] = {
    &fz_cluster_openb,    &fz_cluster_pai2020, &fz_cluster_spot2026, &fz_cluster_lingjun, &fz_cluster_helios,
    &fz_cluster_tiresias, &fz_cluster_gavel,   &fz_cluster_sia,      &fz_cluster_slurm,
};

enum { N_FORMATS = sizeof formats / sizeof(fz_cluster_format *) };

const fz_cluster_format *const *fz_cluster_formats(uint32_t *count)
{
    *count = N_FORMATS;
    return formats;
}

const fz_cluster_format *fz_cluster_format_find(const char *name)
{
    for (uint32_t i = 0; i < N_FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

/* The first file's name without folder and endings. */
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    size_t length = strcspn(base, ".");
    if (strcmp(path, "-") == 0 || length == 0)
        (void)snprintf(name, size, "cluster");
    else
        (void)snprintf(name, size, "%.*s", (int)(length < 100 ? length : 100), base);
    for (char *c = name; *c != '\0'; c++)
        if (*c == ':')
            *c = '-';
}

/* What was written must be readable; where it is not, the input as a whole is at fault (no node has a GPU). */
static fz_status check(const fz_cluster_source *source, const char *text, size_t length, fz_error *err)
{
    fz_cluster_file *file = NULL;
    fz_error inside = {0};
    fz_status status = fz_cluster_file_parse("the cluster", text, length, &file, &inside);
    fz_cluster_file_free(file);
    if (status == FZ_EPARSE)
        return fz_fail_at(err, FZ_EPARSE, source->paths[0], 1, 1, "this makes no cluster file: %s",
                          inside.message);
    return status == FZ_OK ? FZ_OK : fz_fail(err, status, "%s", inside.message);
}

fz_status fz_cluster_import(const fz_cluster_format *format, const fz_cluster_source *source, char **text,
                            size_t *length, fz_error *err)
{
    char name[128];
    fz_error inside = {0};
    name_of(source->paths[0], name, sizeof name);
    fz_cluster_draft *draft = fz_cluster_draft_new(name, format->name);
    if (draft == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the cluster");
    fz_status status = format->read(source, draft, err);
    if (status == FZ_OK) {
        status = fz_cluster_draft_text(draft, text, length, &inside);
        if (status != FZ_OK)
            (void)fz_fail_at(err, status, source->paths[0], 1, 1, "%s", inside.message);
    }
    fz_cluster_draft_free(draft);
    if (status != FZ_OK)
        return status;
    status = check(source, *text, *length, err);
    if (status != FZ_OK)
        free(*text);
    return status;
}
