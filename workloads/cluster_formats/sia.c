/* Sia's clusters: two maps, `cluster_nnodes` (nodes of each type) and `cluster_ngpus_per_node`, in JSON or YAML, or
 * as the assignments of its simulator_config.py. The types have the names of that study. */
#include <stdlib.h>
#include <string.h>

#include "core/support/doc.h"
#include "core/support/input.h"
#include "workloads/cluster_formats/formats.h"

enum { MAX_BYTES = 1 << 20, MAX_NODES = 1 << 20 };

static const char nodes_key[] = "cluster_nnodes", gpus_key[] = "cluster_ngpus_per_node";

/* Of which GPU of the catalog a type is. */
static const struct {
    const char *type, *gpu;
} types[] = {{"aws", "T4"},
             {"azure", "V100-SXM2-32GB"},
             {"dgx", "A100-SXM4-40GB"},
             {"dgx-ext", "A100-SXM4-40GB"},
             {"quad", "Quadro RTX 6000"},
             {"rtx", "RTX 2080 Ti"}};

static const char *gpu_of(const char *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].type, type) == 0)
            return types[i].gpu;
    return type;
}

/* ---- the two maps ------------------------------------------------------------------------------------- */

/* `nodes` and `gpus` are maps of whole numbers; the second may be longer. */
static fz_status maps_use(const fz_doc *nodes_doc, const fz_doc_node *nodes, const fz_doc *gpus_doc,
                          const fz_doc_node *gpus, fz_cluster_draft *draft, fz_error *err)
{
    FZ_TRY(fz_doc_expect(nodes_doc, nodes, FZ_DOC_MAP, nodes_key, err));
    FZ_TRY(fz_doc_expect(gpus_doc, gpus, FZ_DOC_MAP, gpus_key, err));
    for (uint32_t i = 0; i < nodes->n_items; i++) {
        const char *type = nodes->items[i].key;
        uint64_t n_nodes = 0, n_gpus = 0;
        FZ_TRY(fz_doc_count(nodes_doc, nodes, type, true, 0, MAX_NODES, &n_nodes, err));
        if (fz_doc_get(gpus, type) == NULL)
            return fz_doc_fail(nodes_doc, &nodes->items[i], err, "there is no '%.60s' in %s", type, gpus_key);
        FZ_TRY(fz_doc_count(gpus_doc, gpus, type, true, 1, FZ_CLUSTER_MAX_GPUS, &n_gpus, err));
        fz_draft_shape shape = fz_draft_shape_of(type, (uint32_t)n_gpus);
        FZ_TRY(fz_draft_gpu(draft, type, gpu_of(type), err));
        FZ_TRY(fz_draft_nodes(draft, &shape, (uint32_t)n_nodes, NULL, err));
    }
    return FZ_OK;
}

static fz_status document_use(const char *path, const char *text, size_t length, fz_cluster_draft *draft,
                              fz_error *err)
{
    fz_doc *doc = NULL;
    FZ_TRY(fz_doc_parse(path, text, length, &doc, err));
    const fz_doc_node *root = fz_doc_root(doc), *nodes = fz_doc_get(root, nodes_key),
                      *gpus = fz_doc_get(root, gpus_key);
    fz_status status = FZ_OK;
    if (nodes == NULL || gpus == NULL)
        status = fz_doc_fail(doc, root, err, "two maps are expected: %s and %s", nodes_key, gpus_key);
    else
        status = maps_use(doc, nodes, doc, gpus, draft, err);
    fz_doc_free(doc);
    return status;
}

/* ---- assignments of Python ------------------------------------------------------------------------------- */

/* Where the map behind `key =` at the start of a line begins, the last of several; NULL: there is none. */
static const char *assignment_find(const char *text, const char *key)
{
    const char *found = NULL;
    for (const char *at = text; at != NULL;) {
        const char *behind = at + strlen(key);
        if (strncmp(at, key, strlen(key)) == 0 && behind[strspn(behind, " \t")] == '=')
            found = behind + strspn(behind, " \t=");
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    return found;
}

/* The text up to the end of the map, with blanks for everything before it, so that places in it are those of the
 * file. */
static fz_status assignment_parse(const char *path, const char *text, const char *key, fz_doc **out,
                                  fz_error *err)
{
    uint32_t line = 1;
    const char *found = assignment_find(text, key);
    if (found == NULL)
        return fz_fail_at(err, FZ_EPARSE, path, 1, 1, "there is no line that begins with '%s ='", key);
    for (const char *at = text; at < found; at++)
        line += *at == '\n';
    const char *end = found[0] == '{' ? strchr(found, '}') : NULL;
    if (end == NULL)
        return fz_fail_at(err, FZ_EPARSE, path, line, 1, "%s: a map between { and } is expected", key);
    size_t length = (size_t)(end + 1 - text);
    char *copy = malloc(length);
    if (copy == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory to read %s", path);
    memcpy(copy, text, length);
    for (size_t i = 0; i < (size_t)(found - text); i++)
        copy[i] = copy[i] == '\n' ? '\n' : ' ';
    fz_status status = fz_doc_parse(path, copy, length, out, err);
    free(copy);
    return status;
}

static fz_status assignments_use(const char *path, const char *text, fz_cluster_draft *draft, fz_error *err)
{
    fz_doc *nodes = NULL, *gpus = NULL;
    fz_status status = assignment_parse(path, text, nodes_key, &nodes, err);
    if (status == FZ_OK)
        status = assignment_parse(path, text, gpus_key, &gpus, err);
    if (status == FZ_OK)
        status = maps_use(nodes, fz_doc_root(nodes), gpus, fz_doc_root(gpus), draft, err);
    fz_doc_free(nodes);
    fz_doc_free(gpus);
    return status;
}

static fz_status sia_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    const char *path = source->paths[0];
    char *text = NULL;
    size_t length = 0;
    FZ_TRY(fz_input_slurp(path, MAX_BYTES, &text, &length, NULL, err));
    const char *key = strstr(text, nodes_key);
    const char *behind = key != NULL ? key + strlen(nodes_key) : text;
    bool python = key != NULL && behind[strspn(behind, " \t")] == '=';
    fz_status status =
        python ? assignments_use(path, text, draft, err) : document_use(path, text, length, draft, err);
    free(text);
    return status;
}

const fz_cluster_format fz_cluster_sia = {
    .name = "sia",
    .summary =
        "Sia's clusters: maps cluster_nnodes and cluster_ngpus_per_node (JSON, YAML, simulator_config.py)",
    .max_paths = 1,
    .read = sia_read,
};
