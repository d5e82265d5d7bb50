#include "core/support/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/doc_private.h"
#include "core/support/input.h"
#include "core/support/sha256.h"
#include "core/support/suggest.h"

enum { SHORT = 8192 }; /* bytes */

struct fz_doc {
    fz_arena *arena;
    const char *path;
    fz_doc_node root;
    char sha256[65];
};

typedef fz_status (*reader)(fz_doc_builder *builder, const char *text, size_t length, fz_error *err);

static fz_status build(fz_doc *doc, reader read, const char *text, size_t length, bool *hopeless,
                       fz_error *err)
{
    fz_doc_builder builder = {.path = doc->path, .arena = doc->arena};
    fz_status status = read(&builder, text, length, err);
    if (status == FZ_OK && builder.n_nodes == 0)
        status = fz_fail_at(err, FZ_EPARSE, doc->path, 1, 1,
                            "the file is empty; a YAML or JSON document is expected");
    if (status == FZ_OK)
        doc->root = builder.nodes[0];
    *hopeless = builder.hopeless;
    free(builder.nodes);
    return status;
}

/* A text that starts like JSON may be YAML in flow style. When both fail, JSON's complaint counts, unless
 * the text fails as JSON at its very first word. */
static fz_status build_json(fz_doc *doc, const char *text, size_t length, fz_error *err)
{
    fz_error complaint = {0};
    bool no_json = false, unused = false;
    fz_status status = build(doc, fz_doc_read_json, text, length, &no_json, &complaint);
    if (status == FZ_EPARSE)
        status = build(doc, fz_doc_read_yaml, text, length, &unused, no_json ? &complaint : NULL);
    if (status == FZ_ENOMEM)
        (void)fz_fail(&complaint, FZ_ENOMEM, "out of memory");
    if (status != FZ_OK && err != NULL)
        *err = complaint;
    return status;
}

static fz_status parse(fz_doc *doc, const char *text, size_t length, fz_error *err)
{
    if (length > FZ_DOC_BYTES_MAX)
        return fz_fail_at(err, FZ_EIO, doc->path, 0, 0, "the file is larger than 64 MiB");
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3, length -= 3;
    size_t valid = fz_utf8_valid(text, length);
    const char *zero = memchr(text, '\0', valid);
    size_t good = zero != NULL ? (size_t)(zero - text) : valid;
    if (good < length) {
        fz_place place = fz_place_of(text, good);
        return fz_fail_at(err, FZ_EPARSE, doc->path, place.line, place.column, "%s",
                          zero != NULL ? "a zero byte; this is not a text file"
                                       : "this byte is not UTF-8; save the file as UTF-8");
    }
    size_t start = strspn(text, " \t\r\n");
    if (text[start] == '{' || text[start] == '[')
        return build_json(doc, text, length, err);
    bool unused = false;
    return build(doc, fz_doc_read_yaml, text, length, &unused, err);
}

/* `text` is zero-terminated. */
static fz_status new_doc(const char *name, const char *text, size_t length, const char *sha256, fz_doc **out,
                         fz_error *err)
{
    fz_doc *doc = calloc(1, sizeof *doc);
    if (doc == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    fz_status status = FZ_ENOMEM;
    memcpy(doc->sha256, sha256, sizeof doc->sha256);
    doc->arena = fz_arena_new(NULL);
    if (doc->arena != NULL)
        doc->path = fz_arena_strdup(doc->arena, strcmp(name, "-") == 0 ? "<stdin>" : name);
    if (doc->path != NULL)
        status = parse(doc, text, length, err);
    else
        (void)fz_fail(err, FZ_ENOMEM, "out of memory");
    if (status == FZ_OK)
        *out = doc;
    else
        fz_doc_free(doc);
    return status;
}

fz_status fz_doc_read(const char *path, fz_doc **out, fz_error *err)
{
    char *text = NULL, sha256[65];
    size_t length = 0;
    FZ_TRY(fz_input_slurp(path, FZ_DOC_BYTES_MAX, &text, &length, sha256, err));
    fz_status status = new_doc(path, text, length, sha256, out, err);
    free(text);
    return status;
}

fz_status fz_doc_parse(const char *name, const char *text, uint64_t length, fz_doc **out, fz_error *err)
{
    char sha256[65];
    fz_sha256 sha;
    char *copy = malloc((size_t)length + 1);
    if (copy == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    /* Asking a virtual machine's processor for SHA instructions takes longer than to do a short text without. */
    (length < SHORT ? fz_sha256_init_portable : fz_sha256_init)(&sha);
    fz_sha256_update(&sha, text, (size_t)length);
    fz_sha256_hex(&sha, sha256);
    fz_status status = new_doc(name, copy, (size_t)length, sha256, out, err);
    free(copy);
    return status;
}

void fz_doc_free(fz_doc *doc)
{
    if (doc == NULL)
        return;
    fz_arena_free(doc->arena);
    free(doc);
}

const fz_doc_node *fz_doc_root(const fz_doc *doc)
{
    return &doc->root;
}

const char *fz_doc_path(const fz_doc *doc)
{
    return doc->path;
}

const char *fz_doc_sha256(const fz_doc *doc)
{
    return doc->sha256;
}

static fz_status fail_at(const fz_doc *doc, uint32_t line, uint32_t column, fz_error *err, const char *format,
                         va_list args)
{
    char message[sizeof err->message];
    (void)vsnprintf(message, sizeof message, format, args);
    return fz_fail_at(err, FZ_EPARSE, doc->path, line, column, "%s", message);
}

fz_status fz_doc_fail(const fz_doc *doc, const fz_doc_node *node, fz_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fz_status status =
        fail_at(doc, node != NULL ? node->line : 0, node != NULL ? node->column : 0, err, format, args);
    va_end(args);
    return status;
}

fz_status fz_doc_expect(const fz_doc *doc, const fz_doc_node *node, fz_doc_kind kind, const char *what,
                        fz_error *err)
{
    static const char *const names[] = {"a single value", "a list", "a map"};
    if (node->kind != kind)
        return fz_doc_fail(doc, node, err, "%s must be %s, not %s", what, names[kind], names[node->kind]);
    return FZ_OK;
}

static fz_status unknown_key(const fz_doc *doc, const fz_doc_node *item, const char *what,
                             const char *const *allowed, uint32_t n_allowed, fz_error *err)
{
    const char *near = fz_suggest(item->key, allowed, n_allowed);
    return fz_fail_at(err, FZ_EPARSE, doc->path, item->key_line, item->key_column,
                      "unknown key '%.80s' in %s%s%s%s", item->key, what,
                      near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                      near != NULL ? "'?" : "");
}

fz_status fz_doc_check_keys(const fz_doc *doc, const fz_doc_node *map, const char *what,
                            const char *const *allowed, fz_error *err)
{
    uint32_t n_allowed = 0;
    while (allowed[n_allowed] != NULL)
        n_allowed++;
    FZ_TRY(fz_doc_expect(doc, map, FZ_DOC_MAP, what, err));
    for (uint32_t i = 0; i < map->n_items; i++) {
        const fz_doc_node *item = &map->items[i];
        bool known = strncmp(item->key, "x_", 2) == 0;
        for (uint32_t k = 0; k < n_allowed && !known; k++)
            known = strcmp(item->key, allowed[k]) == 0;
        if (!known)
            return unknown_key(doc, item, what, allowed, n_allowed, err);
    }
    return FZ_OK;
}
