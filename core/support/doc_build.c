#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/doc_private.h"

fz_status fz_doc_builder_fail(const fz_doc_builder *builder, fz_place place, fz_error *err,
                              const char *format, ...)
{
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return fz_fail_at(err, FZ_EPARSE, builder->path, place.line, place.column, "%s", message);
}

static bool in_map(const fz_doc_builder *builder)
{
    return builder->depth > 0 && builder->frames[builder->depth - 1].node.kind == FZ_DOC_MAP;
}

/* Adds a finished node to the innermost open list or map, or as the root. */
static fz_status add(fz_doc_builder *builder, const fz_doc_node *node, fz_error *err)
{
    if (builder->n_nodes == builder->capacity) {
        size_t capacity = builder->capacity == 0 ? 64 : 2 * builder->capacity;
        fz_doc_node *grown = realloc(builder->nodes, capacity * sizeof *grown);
        if (grown == NULL)
            return fz_fail(err, FZ_ENOMEM, "out of memory");
        builder->nodes = grown;
        builder->capacity = capacity;
    }
    builder->nodes[builder->n_nodes++] = *node;
    return FZ_OK;
}

/* A node at `place`, with the pending key if it stands in a map. */
static fz_status start_node(fz_doc_builder *builder, fz_doc_kind kind, fz_place place, fz_doc_node *node,
                            fz_error *err)
{
    if (++builder->total > FZ_DOC_NODES_MAX)
        return fz_doc_builder_fail(builder, place, err, "the file has more than 4,000,000 values");
    *node = (fz_doc_node){.kind = kind, .line = place.line, .column = place.column};
    if (!in_map(builder))
        return FZ_OK;
    if (builder->key == NULL)
        return fz_doc_builder_fail(builder, place, err,
                                   "a list or a map cannot be a key; keys are plain texts");
    node->key = builder->key;
    node->key_line = builder->key_place.line;
    node->key_column = builder->key_place.column;
    builder->key = NULL;
    return FZ_OK;
}

fz_status fz_doc_builder_scalar(fz_doc_builder *builder, fz_place place, const char *text, size_t length,
                                bool quoted, fz_error *err)
{
    if (memchr(text, '\0', length) != NULL)
        return fz_doc_builder_fail(builder, place, err, "a zero character in a text");
    char *copy = fz_arena_strndup(builder->arena, text, length);
    if (copy == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    if (in_map(builder) && builder->key == NULL) {
        builder->key = copy;
        builder->key_place = place;
        return FZ_OK;
    }
    fz_doc_node node;
    FZ_TRY(start_node(builder, FZ_DOC_SCALAR, place, &node, err));
    node.text = copy;
    node.quoted = quoted;
    return add(builder, &node, err);
}

fz_status fz_doc_builder_open(fz_doc_builder *builder, fz_doc_kind kind, fz_place place, fz_error *err)
{
    if (builder->depth == FZ_DOC_DEPTH_MAX)
        return fz_doc_builder_fail(builder, place, err, "lists and maps are nested more than 64 deep");
    fz_doc_node node;
    FZ_TRY(start_node(builder, kind, place, &node, err));
    builder->frames[builder->depth++] = (fz_doc_frame){node, builder->n_nodes};
    return FZ_OK;
}

typedef struct key_ref {
    const fz_doc_node *node;
} key_ref;

/* By key; equal keys in file order (both nodes are of one array). */
static int compare_keys(const void *a, const void *b)
{
    const fz_doc_node *x = ((const key_ref *)a)->node, *y = ((const key_ref *)b)->node;
    int order = strcmp(x->key, y->key);
    return order != 0 ? order : (x > y) - (x < y);
}

static fz_status check_duplicates(const fz_doc_builder *builder, const fz_doc_node *items, size_t n,
                                  fz_error *err)
{
    const fz_doc_node *first = NULL, *second = NULL;
    key_ref *sorted = malloc((n + 1) * sizeof *sorted);
    if (sorted == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        sorted[i].node = &items[i];
    qsort(sorted, n, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < n; i++) {
        const fz_doc_node *x = sorted[i - 1].node, *y = sorted[i].node;
        if (strcmp(x->key, y->key) == 0 && (second == NULL || y < second))
            first = x, second = y;
    }
    free(sorted);
    if (second == NULL)
        return FZ_OK;
    return fz_doc_builder_fail(builder, (fz_place){second->key_line, second->key_column}, err,
                               "key '%.80s' appears twice; it stands in line %u already", second->key,
                               first->key_line);
}

fz_status fz_doc_builder_close(fz_doc_builder *builder, fz_error *err)
{
    fz_doc_frame frame = builder->frames[--builder->depth];
    size_t n = builder->n_nodes - frame.first;
    fz_doc_node *items = FZ_NEW(builder->arena, n, fz_doc_node);
    if (items == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    if (n > 0)
        memcpy(items, builder->nodes + frame.first, n * sizeof *items);
    if (frame.node.kind == FZ_DOC_MAP)
        FZ_TRY(check_duplicates(builder, items, n, err));
    frame.node.items = items;
    frame.node.n_items = (uint32_t)n;
    builder->n_nodes = frame.first;
    return add(builder, &frame.node, err);
}
