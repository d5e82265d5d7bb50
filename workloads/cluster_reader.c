#include "workloads/cluster_reader.h"

#include <stdio.h>
#include <string.h>

#include "core/support/suggest.h"

/* "a, b, c"; the first few of many. */
static void join(char *text, size_t size, const char *const *names, uint32_t n_names)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n_names; i++) {
        const char *name = i < 12 ? names[i] : "...";
        int more = snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", name);
        if (more < 0 || (size_t)more >= size - length || i >= 12)
            return;
        length += (size_t)more;
    }
}

fz_status fz_reader_fail_name(const fz_cluster_reader *reader, const fz_doc_node *at, const char *what,
                              const char *name, const char *const *known, uint32_t n_known, fz_error *err)
{
    const char *near = fz_suggest(name, known, n_known);
    if (near != NULL)
        return fz_doc_fail(reader->doc, at, err, "unknown %s '%.60s'; did you mean '%s'?", what, name, near);
    char all[300];
    join(all, sizeof all, known, n_known);
    return fz_doc_fail(reader->doc, at, err, "unknown %s '%.60s'; known: %s", what, name,
                       n_known > 0 ? all : "none");
}

const char *fz_cluster_name_problem(const char *name)
{
    if (name[0] == '\0')
        return "is empty";
    if (strlen(name) > 200)
        return "is longer than 200 bytes";
    for (const char *c = name; *c != '\0'; c++)
        if (*c == '|' || *c == ':' || *c == ',' || *c == '"' || (*c >= 0 && *c < ' '))
            return "must not contain |, :, comma, quotes or control characters";
    return NULL;
}

fz_status fz_reader_check_name(const fz_cluster_reader *reader, const fz_doc_node *at, const char *what,
                               const char *name, fz_error *err)
{
    const char *problem = fz_cluster_name_problem(name);
    return problem == NULL
               ? FZ_OK
               : fz_doc_fail(reader->doc, at, err, "the name '%.60s' of %s %s", name, what, problem);
}

fz_status fz_reader_section(const fz_cluster_reader *reader, const fz_doc_node *root, const char *key,
                            fz_doc_kind kind, const fz_doc_node **out, fz_error *err)
{
    const fz_doc_node *node = fz_doc_get(root, key);
    *out = NULL;
    if (fz_doc_is_null(node))
        return FZ_OK;
    FZ_TRY(fz_doc_expect(reader->doc, node, kind, key, err));
    if (node->n_items > FZ_MAX_SECTION_ITEMS)
        return fz_doc_fail(reader->doc, node, err, "%s has %u entries; at most %d are allowed", key,
                           node->n_items, FZ_MAX_SECTION_ITEMS);
    *out = node;
    return FZ_OK;
}

fz_status fz_reader_no_memory(const fz_cluster_reader *reader, fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for the cluster file %s", fz_doc_path(reader->doc));
}

void fz_reader_mark(fz_cluster_reader *reader, const fz_doc_node *map, const char *key, fz_unused part)
{
    if (!fz_doc_is_null(fz_doc_get(map, key)))
        reader->unused |= 1U << part;
}
