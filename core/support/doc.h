/* Document tree: YAML and JSON files (JSON goes the same way, through libyaml) as one tree in which
 * every node knows its line and column, so that any complaint can name its place.
 *
 * Scalars keep their text; typed getters parse on demand. The tree and all texts live until
 * fz_doc_free(). Duplicate keys, anchors, aliases, more than one document, nesting above 64 and files
 * above 64 MiB are refused. */
#ifndef FRENZY_SUPPORT_DOC_H
#define FRENZY_SUPPORT_DOC_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

typedef enum fz_doc_kind { FZ_DOC_SCALAR, FZ_DOC_LIST, FZ_DOC_MAP } fz_doc_kind;

typedef struct fz_doc_node fz_doc_node;
struct fz_doc_node {
    fz_doc_kind kind;
    uint32_t line, column;
    const char *key;  /* in a map: its key; else NULL */
    const char *text; /* scalar: unquoted text */
    bool quoted;      /* scalar: was quoted, so it is a text even if it looks like a number or null */
    uint32_t n_items; /* list and map */
    const fz_doc_node *items;
};

typedef struct fz_doc fz_doc;

fz_status fz_doc_read(const char *path, fz_doc **out, fz_error *err);
fz_status fz_doc_parse(const char *name, const char *text, uint64_t length, fz_doc **out, fz_error *err);
void fz_doc_free(fz_doc *doc); /* NULL is allowed */

const fz_doc_node *fz_doc_root(const fz_doc *doc);
const char *fz_doc_path(const fz_doc *doc);
const char *fz_doc_sha256(const fz_doc *doc); /* of the file's bytes, hex */

/* NULL when absent. */
const fz_doc_node *fz_doc_get(const fz_doc_node *map, const char *key);
bool fz_doc_is_null(const fz_doc_node *node); /* absent, unquoted empty, null or ~ */

/* FZ_EPARSE at a node. */
fz_status fz_doc_fail(const fz_doc *doc, const fz_doc_node *node, fz_error *err, const char *format, ...)
    FZ_PRINTF(4, 5);

/* Every key of `map` must be in `allowed` (NULL-terminated) or start with `x_`: else "unknown key
 * 'cout' in a pool (did you mean 'count'?)". */
fz_status fz_doc_check_keys(const fz_doc *doc, const fz_doc_node *map, const char *what,
                            const char *const *allowed, fz_error *err);

/* Typed access to a key of a map. `required` absent keys are errors; otherwise *out keeps its value. */
fz_status fz_doc_text(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                      const char **out, fz_error *err);
fz_status fz_doc_number(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required, double min,
                        double max, double *out, fz_error *err);
fz_status fz_doc_count(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                       uint64_t min, uint64_t max, uint64_t *out, fz_error *err);
fz_status fz_doc_bool(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required, bool *out,
                      fz_error *err);

#endif
