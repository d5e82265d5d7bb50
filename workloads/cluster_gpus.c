/* GPU types of a cluster file: `gpu_types`, and catalog GPUs that node types name directly. */
#include <string.h>

#include <frenzy/units.h>

#include "core/support/suggest.h"
#include "workloads/cluster_file.h"
#include "workloads/cluster_reader.h"

#define MAX_GPU_MEM_GIB 65536.0
#define MIN_GPU_MEM_GIB (1.0 / 1024)

static fz_status type_add(fz_cluster_reader *reader, const fz_doc_node *at, const fz_gpu_type *type,
                          fz_error *err)
{
    if (reader->n_types >= FZ_MAX_GPU_TYPES)
        return fz_doc_fail(reader->doc, at, err, "too many GPU types; a cluster has at most %d",
                           FZ_MAX_GPU_TYPES);
    fz_gpu_type *added = &reader->types[reader->n_types];
    *added = *type;
    added->name = fz_arena_strdup(reader->arena, type->name);
    if (added->name == NULL)
        return fz_reader_no_memory(reader, err);
    reader->n_types++;
    return FZ_OK;
}

static fz_status fail_unknown(const fz_cluster_reader *reader, uint32_t line, uint32_t column,
                              const char *name, fz_error *err)
{
    const char *near = fz_catalog_suggest(name);
    return fz_fail_at(err, FZ_EPARSE, fz_doc_path(reader->doc), line, column,
                      "unknown GPU '%.60s'%s%s%s a GPU outside the catalog needs mem_gib in gpu_types", name,
                      near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                      near != NULL ? "'? Else," : ";");
}

/* ---- gpu_types ---------------------------------------------------------------------------------- */

/* The catalog entry behind an entry: the one under `catalog`, else the one of the same name, unless it is
 * opaque. NULL where there is none, which then needs mem_gib. */
static fz_status entry_catalog(const fz_cluster_reader *reader, const fz_doc_node *entry,
                               const fz_catalog_gpu **out, fz_error *err)
{
    const char *catalog = NULL;
    bool opaque = false;
    *out = NULL;
    FZ_TRY(fz_doc_text(reader->doc, entry, "catalog", false, &catalog, err));
    FZ_TRY(fz_doc_bool(reader->doc, entry, "opaque", false, &opaque, err));
    const fz_doc_node *at = fz_doc_get(entry, "catalog");
    if (opaque && catalog != NULL)
        return fz_doc_fail(reader->doc, at, err,
                           "'%s' has a catalog entry and is opaque; an opaque GPU has no figures",
                           entry->key);
    if (opaque)
        return FZ_OK;
    *out = fz_catalog_find(catalog != NULL ? catalog : entry->key);
    if (*out == NULL && catalog != NULL)
        return fail_unknown(reader, at->line, at->column, catalog, err);
    return FZ_OK;
}

static fz_status entry_read(fz_cluster_reader *reader, const fz_doc_node *entry, fz_error *err)
{
    static const char *const keys[] = {"catalog", "mem_gib", "opaque", NULL};
    FZ_TRY(fz_reader_check_name(reader, entry, "a GPU type", entry->key, err));
    fz_gpu_type type = {.name = entry->key};
    const fz_catalog_gpu *gpu = NULL;
    double mem_gib = 0;
    if (fz_doc_is_null(entry)) {
        gpu = fz_catalog_find(entry->key);
    } else {
        FZ_TRY(fz_doc_check_keys(reader->doc, entry, "a GPU type", keys, err));
        FZ_TRY(entry_catalog(reader, entry, &gpu, err));
        FZ_TRY(fz_doc_number(reader->doc, entry, "mem_gib", false, MIN_GPU_MEM_GIB, MAX_GPU_MEM_GIB, &mem_gib,
                             err));
    }
    if (gpu != NULL)
        type = fz_catalog_gpu_type(gpu, entry->key);
    if (mem_gib > 0)
        type.mem_bytes = (uint64_t)(mem_gib * (double)FZ_GIB);
    if (type.mem_bytes == 0 && gpu == NULL && fz_doc_is_null(fz_doc_get(entry, "opaque")))
        return fail_unknown(reader, entry->key_line, entry->key_column, entry->key, err);
    bool said_unknown = gpu == NULL && fz_doc_get(entry, "mem_gib") != NULL;
    if (type.mem_bytes == 0 && !said_unknown)
        return fz_fail_at(err, FZ_EPARSE, fz_doc_path(reader->doc), entry->key_line, entry->key_column,
                          "the memory of '%.60s' is not known; give mem_gib", entry->key);
    return type_add(reader, entry, &type, err);
}

fz_status fz_read_gpu_types(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    const fz_doc_node *section = NULL;
    FZ_TRY(fz_reader_section(reader, root, "gpu_types", FZ_DOC_MAP, &section, err));
    for (uint32_t i = 0; section != NULL && i < section->n_items; i++)
        FZ_TRY(entry_read(reader, &section->items[i], err));
    return FZ_OK;
}

/* ---- types by name ------------------------------------------------------------------------------- */

/* A name that is near one of the file's own types is more likely that one than a GPU of the catalog. */
static fz_status fail_unlisted(const fz_cluster_reader *reader, const fz_doc_node *at, const char *name,
                               fz_error *err)
{
    const char *names[FZ_MAX_GPU_TYPES];
    for (uint32_t i = 0; i < reader->n_types; i++)
        names[i] = reader->types[i].name;
    const char *near = fz_suggest(name, names, reader->n_types);
    if (near != NULL)
        return fz_doc_fail(reader->doc, at, err, "unknown GPU type '%.60s'; did you mean '%s'?", name, near);
    return fail_unknown(reader, at->line, at->column, name, err);
}

fz_status fz_reader_type(fz_cluster_reader *reader, const fz_doc_node *at, const char *name, uint32_t *out,
                         fz_error *err)
{
    for (*out = 0; *out < reader->n_types; (*out)++)
        if (strcmp(reader->types[*out].name, name) == 0)
            return FZ_OK;
    const fz_catalog_gpu *gpu = fz_catalog_find(name);
    if (gpu == NULL)
        return fail_unlisted(reader, at, name, err);
    if (gpu->mem_bytes == 0)
        return fz_doc_fail(reader->doc, at, err,
                           "the memory of '%.60s' is not known; give mem_gib in gpu_types", name);
    FZ_TRY(fz_reader_check_name(reader, at, "a GPU type", name, err));
    fz_gpu_type type = fz_catalog_gpu_type(gpu, name);
    return type_add(reader, at, &type, err);
}
