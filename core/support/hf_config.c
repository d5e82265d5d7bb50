#include "core/support/hf_config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/support/hf/hf.h"
#include "core/support/input.h"
#include "core/support/utf8.h"

enum { BYTES_MAX = 16 << 20 };

/* Bytes of the token at `p` that JSON does not know but these files hold; 0 if it is none. */
static size_t odd_token(const char *p)
{
    static const char *const tokens[] = {"-Infinity", "Infinity", "NaN"};
    for (size_t i = 0; i < 3; i++) {
        size_t n = strlen(tokens[i]);
        if (strncmp(p, tokens[i], n) == 0)
            return n;
    }
    return 0;
}

/* Copies `text` up to `length`, odd tokens as null, until `to_limit` bytes are written. Returns the bytes
 * written; *read says how many of `text` they stand for. `to` may be NULL. */
static size_t replace_odd_tokens(const char *text, size_t length, char *to, size_t to_limit, size_t *read)
{
    size_t i = 0, n = 0;
    bool quoted = false;
    while (i < length && n < to_limit) {
        size_t odd = quoted ? 0 : odd_token(text + i);
        size_t bytes = odd > 0 ? 4 : quoted && text[i] == '\\' && i + 1 < length ? 2 : 1;
        if (bytes == 1 && text[i] == '"')
            quoted = !quoted;
        if (to != NULL)
            memcpy(to + n, odd > 0 ? "null" : text + i, bytes);
        n += bytes;
        i += odd > 0 ? odd : bytes;
    }
    *read = i;
    return n;
}

static fz_status syntax_error(const char *path, const char *text, size_t length, const json_error_t *error,
                              fz_error *err)
{
    size_t at = 0;
    size_t consumed = error->position > 0 ? (size_t)error->position : 0;
    (void)replace_odd_tokens(text, length, NULL, consumed, &at);
    fz_place place = fz_place_of(text, at > 0 ? at - 1 : 0); /* jansson says what it has eaten */
    return fz_fail_at(err, FZ_EPARSE, path, place.line, place.column, "%s", error->text);
}

/* Whole numbers above 64 bits need the second try, where all are floating point: exact up to 2^53, and no
 * size may be above 2^32. */
static fz_status load(const char *path, const char *text, size_t length, json_t **root, fz_error *err)
{
    json_error_t error;
    size_t read = 0;
    char *clean = malloc(2 * length + 1); /* NaN grows by a byte */
    if (clean == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    size_t n = replace_odd_tokens(text, length, clean, 2 * length, &read);
    *root = json_loadb(clean, n, JSON_REJECT_DUPLICATES, &error);
    if (*root == NULL && json_error_code(&error) == json_error_numeric_overflow)
        *root = json_loadb(clean, n, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    free(clean);
    if (*root == NULL && json_error_code(&error) == json_error_out_of_memory)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    return *root != NULL ? FZ_OK : syntax_error(path, text, length, &error, err);
}

static fz_status to_model(const char *path, const char *name, const json_t *root, fz_arena *arena,
                          fz_model *out, fz_error *err)
{
    fz_model model = {0};
    fz_error inner = {0};
    const char *own_name = json_string_value(json_object_get(root, "_name_or_path"));
    FZ_TRY(fz_hf_model(path, root, &model, err));
    model.name = fz_arena_strdup(arena, own_name != NULL && own_name[0] != '\0' ? own_name : name);
    if (model.name == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    if (fz_model_complete(&model, &inner) != FZ_OK)
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0, "%s", inner.message);
    *out = model;
    return FZ_OK;
}

/* `text` is zero-terminated. */
static fz_status parse(const char *path, const char *name, const char *text, size_t length, fz_arena *arena,
                       fz_model *out, fz_error *err)
{
    json_t *root = NULL;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3, length -= 3;
    if (strspn(text, " \t\r\n") == length)
        return fz_fail_at(err, FZ_EPARSE, path, 1, 1,
                          "the file is empty; a Hugging Face config.json is expected");
    FZ_TRY(load(path, text, length, &root, err));
    fz_status status = to_model(path, name, root, arena, out, err);
    json_decref(root);
    return status;
}

fz_status fz_hf_config_parse(const char *name, const char *text, uint64_t length, fz_arena *arena,
                             fz_model *out, fz_error *err)
{
    if (length > BYTES_MAX)
        return fz_fail_at(err, FZ_EIO, name, 0, 0, "the text is larger than 16 MiB");
    char *copy = malloc((size_t)length + 1);
    if (copy == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    fz_status status = parse(name, name, copy, (size_t)length, arena, out, err);
    free(copy);
    return status;
}

/* "models/x/config.json" and "models/x/" are named x, "models/x.json" as well. */
static void name_of(const char *path, char *name, size_t size)
{
    size_t end = strlen(path);
    static const char file[] = "config.json";
    if (end >= sizeof file && strcmp(path + end - (sizeof file - 1), file) == 0 &&
        path[end - sizeof file] == '/')
        end -= sizeof file;
    else if (end > 5 && strcmp(path + end - 5, ".json") == 0)
        end -= 5;
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    (void)snprintf(name, size, "%.*s", (int)(end - start), path + start);
}

static fz_status read_file(const char *path, const char *name, fz_arena *arena, fz_model *out, fz_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FZ_TRY(fz_input_slurp(path, BYTES_MAX, &text, &length, NULL, err));
    fz_status status = parse(path, name, text, length, arena, out, err);
    free(text);
    return status;
}

fz_status fz_hf_config_read(const char *path, fz_arena *arena, fz_model *out, fz_error *err)
{
    struct stat st;
    char name[256];
    name_of(path, name, sizeof name);
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return read_file(path, name, arena, out, err);
    size_t size = strlen(path) + sizeof "/config.json";
    char *inside = malloc(size);
    if (inside == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    (void)snprintf(inside, size, "%s/config.json", path);
    fz_status status = stat(inside, &st) != 0
                           ? fz_fail_at(err, FZ_EIO, path, 0, 0, "this folder has no config.json")
                           : read_file(inside, name, arena, out, err);
    free(inside);
    return status;
}
