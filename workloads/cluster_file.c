#include "workloads/cluster_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/support/suggest.h"
#include "workloads/bundled.h"
#include "workloads/cluster_reader.h"

/* ---- which file ----------------------------------------------------------------------------------- */

static bool exists(const char *path)
{
    struct stat status;
    return strcmp(path, "-") == 0 || stat(path, &status) == 0;
}

static fz_status doc_open(const char *path, fz_doc **out, fz_error *err)
{
    const fz_bundled *bundled = fz_bundled_of_path(FZ_BUNDLED_CLUSTER, path);
    if (bundled != NULL)
        return fz_doc_parse(bundled->name, bundled->bytes, bundled->length, out, err);
    if (exists(path))
        return fz_doc_read(path, out, err);
    uint32_t count;
    const char *const *names = fz_bundled_names(FZ_BUNDLED_CLUSTER, &count);
    const char *near = fz_suggest(path, names, count);
    if (near != NULL)
        return fz_fail(err, FZ_ENOTFOUND,
                       "no file '%.200s', and no bundled cluster of that name; did you mean '%s'?", path,
                       near);
    char list[128];
    fz_bundled_list(FZ_BUNDLED_CLUSTER, list, sizeof(list));
    return fz_fail(err, FZ_ENOTFOUND, "no file '%.200s', and no bundled cluster of that name; there are %s",
                   path, list);
}

/* ---- the result ----------------------------------------------------------------------------------- */

/* The file's own name; where it has none, the name of the file without folder and ending. */
static fz_status name_read(const fz_cluster_reader *reader, const fz_doc_node *root, const char **out,
                           fz_error *err)
{
    const char *name = NULL, *path = fz_doc_path(reader->doc);
    FZ_TRY(fz_doc_text(reader->doc, root, "name", false, &name, err));
    if (name == NULL) {
        const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
        const char *dot = strrchr(base, '.');
        *out = fz_arena_strndup(reader->arena, base,
                                dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base));
    } else {
        *out = fz_arena_strdup(reader->arena, name);
    }
    return *out != NULL ? FZ_OK : fz_reader_no_memory(reader, err);
}

static fz_status format_check(const fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    static const char *const keys[] = {"format",   "version", "name",   "gpu_types", "node_types", "pools",
                                       "switches", "tenants", "events", "failures",  NULL};
    const char *format = "frenzy-cluster";
    uint64_t version = 1;
    FZ_TRY(fz_doc_check_keys(reader->doc, root, "a cluster file", keys, err));
    FZ_TRY(fz_doc_text(reader->doc, root, "format", false, &format, err));
    if (strcmp(format, "frenzy-cluster") != 0)
        return fz_doc_fail(reader->doc, fz_doc_get(root, "format"), err,
                           "the format is '%.60s'; 'frenzy-cluster' is expected", format);
    return fz_doc_count(reader->doc, root, "version", false, 1, 1, &version, err);
}

/* Types without a GPU in the cluster are left out; `number` gives each type its place. */
static fz_status types_keep(const fz_cluster_reader *reader, fz_cluster_spec *spec, uint32_t *number,
                            fz_error *err)
{
    bool used[FZ_MAX_GPU_TYPES] = {false};
    for (uint32_t i = 0; i < reader->n_hosts; i++) {
        const fz_host_kind *kind = &reader->kinds[reader->hosts[i].kind];
        for (uint32_t j = 0; j < kind->n_parts; j++)
            used[kind->parts[j].type] = true;
        spec->n_nodes += kind->n_parts;
    }
    fz_gpu_type *types = FZ_NEW(reader->arena, reader->n_types, fz_gpu_type);
    if (types == NULL)
        return fz_reader_no_memory(reader, err);
    for (uint32_t i = 0; i < reader->n_types; i++)
        if (used[i]) {
            number[i] = spec->n_types;
            types[spec->n_types++] = reader->types[i];
        }
    spec->types = types;
    return FZ_OK;
}

/* Hosts become nodes: one for each GPU type in it. */
static fz_status nodes_make(const fz_cluster_reader *reader, fz_cluster_spec *spec, fz_error *err)
{
    uint32_t number[FZ_MAX_GPU_TYPES] = {0};
    FZ_TRY(types_keep(reader, spec, number, err));
    fz_node_spec *nodes = FZ_NEW(reader->arena, spec->n_nodes, fz_node_spec);
    if (nodes == NULL)
        return fz_reader_no_memory(reader, err);
    uint32_t n = 0;
    for (uint32_t i = 0; i < reader->n_hosts; i++) {
        const fz_host_kind *kind = &reader->kinds[reader->hosts[i].kind];
        for (uint32_t j = 0; j < kind->n_parts; j++)
            nodes[n++] = (fz_node_spec){
                .name = reader->hosts[i].name,
                .type = number[kind->parts[j].type],
                .gpus = kind->parts[j].gpus,
                .weight = kind->weight,
            };
    }
    spec->nodes = nodes;
    return FZ_OK;
}

/* "a replay does not use: cpus, switches; 310 nodes without GPUs are left out" */
static fz_status note_make(const fz_cluster_reader *reader, const char **out, fz_error *err)
{
    static const char *const parts[FZ_UNUSED_COUNT] = {
        "cpus", "mem_gib", "intra", "nic", "at", "switches", "tenants", "events", "failures",
    };
    char text[256] = "";
    size_t length = 0;
    for (unsigned i = 0; i < FZ_UNUSED_COUNT; i++)
        if ((reader->unused >> i & 1) != 0)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length > 0 ? ", " : "a replay does not use: ", parts[i]);
    uint32_t without = 0;
    for (uint32_t i = 0; i < reader->n_hosts; i++)
        without += reader->kinds[reader->hosts[i].kind].n_parts == 0;
    if (without > 0)
        (void)snprintf(text + length, sizeof text - length, "%s%u node%s without GPUs left out",
                       length > 0 ? "; " : "", without, without > 1 ? "s" : "");
    *out = fz_arena_strdup(reader->arena, text);
    return *out != NULL ? FZ_OK : fz_reader_no_memory(reader, err);
}

static fz_status file_fill(fz_cluster_reader *reader, fz_cluster_file *file, fz_error *err)
{
    const fz_doc_node *root = fz_doc_root(reader->doc);
    FZ_TRY(format_check(reader, root, err));
    FZ_TRY(name_read(reader, root, &file->spec.name, err));
    FZ_TRY(fz_read_gpu_types(reader, root, err));
    FZ_TRY(fz_read_node_types(reader, root, err));
    FZ_TRY(fz_read_pools(reader, root, err));
    FZ_TRY(fz_read_extras(reader, root, err));
    FZ_TRY(nodes_make(reader, &file->spec, err));
    FZ_TRY(note_make(reader, &file->note, err));
    file->path = fz_arena_strdup(reader->arena, fz_doc_path(reader->doc));
    if (file->path == NULL)
        return fz_reader_no_memory(reader, err);
    (void)snprintf(file->sha256, sizeof file->sha256, "%s", fz_doc_sha256(reader->doc));
    return FZ_OK;
}

/* ---- life ----------------------------------------------------------------------------------------- */

static fz_cluster_file *file_new(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_cluster_file *file = arena != NULL ? FZ_NEW(arena, 1, fz_cluster_file) : NULL;
    if (file == NULL) {
        fz_arena_free(arena);
        return NULL;
    }
    file->arena = arena;
    return file;
}

/* Takes the document. */
static fz_status file_make(fz_doc *doc, fz_cluster_file **out, fz_error *err)
{
    fz_cluster_file *file = file_new();
    fz_arena *scratch = fz_arena_new(NULL);
    fz_cluster_reader *reader = scratch != NULL ? FZ_NEW(scratch, 1, fz_cluster_reader) : NULL;
    fz_status status = FZ_ENOMEM;
    if (file != NULL && reader != NULL) {
        *reader = (fz_cluster_reader){.doc = doc, .arena = file->arena, .scratch = scratch};
        status = file_fill(reader, file, err);
    } else {
        (void)fz_fail(err, FZ_ENOMEM, "no memory for the cluster file %s", fz_doc_path(doc));
    }
    fz_arena_free(scratch);
    fz_doc_free(doc);
    if (status == FZ_OK)
        *out = file;
    else
        fz_cluster_file_free(file);
    return status;
}

fz_status fz_cluster_file_read(const char *path, fz_cluster_file **out, fz_error *err)
{
    fz_doc *doc = NULL;
    FZ_TRY(doc_open(path, &doc, err));
    return file_make(doc, out, err);
}

fz_status fz_cluster_file_parse(const char *name, const char *text, size_t length, fz_cluster_file **out,
                                fz_error *err)
{
    fz_doc *doc = NULL;
    FZ_TRY(fz_doc_parse(name, text, length, &doc, err));
    return file_make(doc, out, err);
}

void fz_cluster_file_free(fz_cluster_file *file)
{
    if (file != NULL)
        fz_arena_free(file->arena); /* the file itself lives in it */
}
