/* What the readers of YAML and JSON share: a builder that makes the tree out of events in file order. */
#ifndef FRENZY_SUPPORT_DOC_PRIVATE_H
#define FRENZY_SUPPORT_DOC_PRIVATE_H

#include <stddef.h>

#include <frenzy/arena.h>

#include "core/support/doc.h"
#include "core/support/utf8.h"

enum {
    FZ_DOC_DEPTH_MAX = 64,
    FZ_DOC_NODES_MAX = 4000000,
    FZ_DOC_BYTES_MAX = 64 << 20,
};

/* An open list or map: the node to be, and where its items begin among the builder's nodes. */
typedef struct fz_doc_frame {
    fz_doc_node node;
    size_t first;
} fz_doc_frame;

typedef struct fz_doc_builder {
    const char *path;
    fz_arena *arena;
    fz_doc_frame frames[FZ_DOC_DEPTH_MAX];
    uint32_t depth;
    fz_doc_node *nodes; /* finished items of the open lists and maps, outermost first */
    size_t n_nodes, capacity, total;
    const char *key; /* of the next value, in a map */
    fz_place key_place;
    bool hopeless; /* set by the JSON reader: not even the first word is JSON */
} fz_doc_builder;

fz_status fz_doc_builder_fail(const fz_doc_builder *builder, fz_place place, fz_error *err,
                              const char *format, ...) FZ_PRINTF(4, 5);

/* In a map the events alternate: key (a scalar), value, key, value. Texts are copied. */
fz_status fz_doc_builder_scalar(fz_doc_builder *builder, fz_place place, const char *text, size_t length,
                                bool quoted, fz_error *err);
fz_status fz_doc_builder_open(fz_doc_builder *builder, fz_doc_kind kind, fz_place place, fz_error *err);
fz_status fz_doc_builder_close(fz_doc_builder *builder, fz_error *err);

/* `text` is UTF-8 without a mark and without zero bytes; text[length] is 0. */
fz_status fz_doc_read_yaml(fz_doc_builder *builder, const char *text, size_t length, fz_error *err);
fz_status fz_doc_read_json(fz_doc_builder *builder, const char *text, size_t length, fz_error *err);

#endif
