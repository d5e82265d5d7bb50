/* Document tree: YAML and JSON files as one tree in which every node knows its line and column, so that
 * any complaint can name its place.
 *
 * YAML goes through libyaml. A text that starts with { or [ is read as JSON first (libyaml refuses some
 * JSON: surrogate pairs in escapes, keys above 1,024 characters, a colon on the next line, tabs in places),
 * and if it is none, as YAML (flow style).
 *
 * Scalars keep their text; typed getters parse on demand. The tree and all texts live until
 * fz_doc_free(). Refused: duplicate keys, keys that are no scalars, anchors, aliases, tags, more than one
 * document, an empty file, zero bytes (also as escapes), text that is not UTF-8, nesting above 64, more
 * than 4,000,000 values, and files above 64 MiB. */
#ifndef FRENZY_SUPPORT_DOC_H
#define FRENZY_SUPPORT_DOC_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

typedef enum fz_doc_kind { FZ_DOC_SCALAR, FZ_DOC_LIST, FZ_DOC_MAP } fz_doc_kind;

typedef struct fz_doc_node fz_doc_node;
struct fz_doc_node {
    fz_doc_kind kind;
    uint32_t line, column; /* in characters from 1 */
    const char *key;       /* in a map: its key; else NULL */
    uint32_t key_line, key_column;
    const char *text; /* scalar: unquoted text */
    bool quoted;      /* scalar: was quoted, so it is a text even if it looks like a number or null */
    uint32_t n_items; /* list and map */
    const fz_doc_node *items;
};

typedef struct fz_doc fz_doc;

/* Errors: FZ_EIO (cannot open, too large), FZ_EPARSE, FZ_ENOMEM. "-" is standard input. */
fz_status fz_doc_read(const char *path, fz_doc **out, fz_error *err);
fz_status fz_doc_parse(const char *name, const char *text, uint64_t length, fz_doc **out, fz_error *err);
void fz_doc_free(fz_doc *doc); /* NULL is allowed */

const fz_doc_node *fz_doc_root(const fz_doc *doc);
const char *fz_doc_path(const fz_doc *doc);
const char *fz_doc_sha256(const fz_doc *doc); /* of the file's bytes (unpacked), hex */

/* NULL when absent, or when `map` is no map. */
const fz_doc_node *fz_doc_get(const fz_doc_node *map, const char *key);
bool fz_doc_is_null(const fz_doc_node *node); /* absent, unquoted empty, null or ~ */

/* FZ_EPARSE at a node (NULL: at the file). */
fz_status fz_doc_fail(const fz_doc *doc, const fz_doc_node *node, fz_error *err, const char *format, ...)
    FZ_PRINTF(4, 5);

/* FZ_EPARSE unless the node is of this kind: "a pool must be a map, not a list". */
fz_status fz_doc_expect(const fz_doc *doc, const fz_doc_node *node, fz_doc_kind kind, const char *what,
                        fz_error *err);

/* `map` must be a map, and each of its keys be in `allowed` (NULL-terminated) or start with `x_`: else
 * "unknown key 'cout' in a pool; did you mean 'count'?". */
fz_status fz_doc_check_keys(const fz_doc *doc, const fz_doc_node *map, const char *what,
                            const char *const *allowed, fz_error *err);

/* Typed access to a key of a map. `required` absent (or null) keys are errors; otherwise *out keeps its
 * value. A quoted text is no number and no bool. Bounds are inclusive. */
fz_status fz_doc_text(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                      const char **out, fz_error *err);
fz_status fz_doc_number(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required, double min,
                        double max, double *out, fz_error *err);
fz_status fz_doc_count(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                       uint64_t min, uint64_t max, uint64_t *out, fz_error *err);
fz_status fz_doc_bool(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required, bool *out,
                      fz_error *err);

#endif
