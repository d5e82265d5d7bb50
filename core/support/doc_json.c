#include <stdlib.h>
#include <string.h>

#include "core/support/doc_private.h"

/* RFC 8259, nothing more. Texts are unescaped into `scratch`, as large as the input. */
typedef struct json {
    fz_doc_builder *builder;
    const char *p, *end; /* *end is 0 */
    const char *seen;    /* `place` is the place of this byte */
    fz_place place;
    char *scratch;
} json;

/* The place of the byte at `at`, which is never before the last one asked for. */
static fz_place place_at(json *j, const char *at)
{
    for (; j->seen < at; j->seen++) {
        if (*j->seen == '\n')
            j->place = (fz_place){j->place.line + 1, 1};
        else if (((unsigned char)*j->seen & 0xc0) != 0x80)
            j->place.column++;
    }
    return j->place;
}

static fz_status fail(json *j, const char *at, fz_error *err, const char *what)
{
    return fz_doc_builder_fail(j->builder, place_at(j, at), err, "%s", what);
}

static void skip_blanks(json *j)
{
    while (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r')
        j->p++;
}

/* Four hex digits at `p`; -1 if there are none. */
static int32_t hex4(const char *p)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* An escape \uXXXX at j->p, or two that form a surrogate pair. */
static fz_status unicode_escape(json *j, char **to, fz_error *err)
{
    int32_t high = hex4(j->p + 2), low = 0;
    if (high < 0)
        return fail(j, j->p, err, "\\u needs four hexadecimal digits");
    if (high == 0)
        return fail(j, j->p, err, "a zero character (\\u0000) in a text");
    const char *next = j->p + 6;
    if (high >= 0xd800 && high <= 0xdbff && next[0] == '\\' && next[1] == 'u' &&
        (low = hex4(next + 2)) >= 0xdc00 && low <= 0xdfff) {
        high = 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
        next += 6;
    }
    if (high >= 0xd800 && high <= 0xdfff)
        return fail(j, j->p, err, "half of a surrogate pair; \\ud800 to \\udfff must come in pairs");
    *to = fz_utf8_write(*to, (uint32_t)high);
    j->p = next;
    return FZ_OK;
}

static fz_status escape(json *j, char **to, fz_error *err)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    char c = j->p[1];
    if (c == 'u')
        return unicode_escape(j, to, err);
    const char *found = c == '\0' ? NULL : strchr(from, c);
    if (found == NULL)
        return fail(j, j->p, err,
                    "an unknown escape; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX");
    *(*to)++ = into[found - from];
    j->p += 2;
    return FZ_OK;
}

static fz_status read_text(json *j, fz_error *err)
{
    const char *opening = j->p++;
    fz_place place = place_at(j, opening);
    char *to = j->scratch;
    while (*j->p != '"') {
        if (j->p == j->end)
            return fz_doc_builder_fail(j->builder, place, err, "a text opens here and never closes");
        if ((unsigned char)*j->p < 0x20)
            return fail(j, j->p, err,
                        "a line end or control character in a text; write it as an escape such as \\n");
        if (*j->p == '\\')
            FZ_TRY(escape(j, &to, err));
        else
            *to++ = *j->p++;
    }
    j->p++;
    return fz_doc_builder_scalar(j->builder, place, j->scratch, (size_t)(to - j->scratch), true, err);
}

static void skip_digits(json *j)
{
    while (*j->p >= '0' && *j->p <= '9')
        j->p++;
}

static bool skip_some_digits(json *j)
{
    const char *from = j->p;
    skip_digits(j);
    return j->p > from;
}

/* -? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)? */
static bool skip_number(json *j)
{
    j->p += *j->p == '-';
    if (*j->p == '0')
        j->p++;
    else if (!skip_some_digits(j))
        return false;
    if (*j->p == '.') {
        j->p++;
        if (!skip_some_digits(j))
            return false;
    }
    if (*j->p == 'e' || *j->p == 'E') {
        j->p++;
        j->p += *j->p == '+' || *j->p == '-';
        return skip_some_digits(j);
    }
    return true;
}

static bool skip_word(json *j)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(j->end - j->p) >= n && memcmp(j->p, words[i], n) == 0) {
            j->p += n;
            return true;
        }
    }
    return false;
}

static fz_status read_word(json *j, fz_error *err)
{
    const char *from = j->p;
    if (!skip_word(j) && !skip_number(j))
        return fail(j, from, err, "a value is expected: a text in \", a number, true, false, null, { or [");
    return fz_doc_builder_scalar(j->builder, place_at(j, from), from, (size_t)(j->p - from), false, err);
}

static fz_status read_value(json *j, fz_error *err);

static fz_status read_key(json *j, fz_error *err)
{
    if (*j->p != '"')
        return fail(j, j->p, err, "a key in \" is expected");
    FZ_TRY(read_text(j, err));
    skip_blanks(j);
    if (*j->p != ':')
        return fail(j, j->p, err, "a colon is expected behind a key");
    j->p++;
    return FZ_OK;
}

/* Items up to the closing bracket. The depth is limited by the builder. */
static fz_status read_items(json *j, fz_doc_kind kind, char closing, fz_error *err)
{
    FZ_TRY(fz_doc_builder_open(j->builder, kind, place_at(j, j->p), err));
    j->p++;
    skip_blanks(j);
    for (bool first = true; *j->p != closing; first = false) {
        if (!first && *j->p != ',')
            return fail(j, j->p, err,
                        kind == FZ_DOC_MAP ? "a comma or } is expected" : "a comma or ] is expected");
        j->p += !first;
        skip_blanks(j);
        if (kind == FZ_DOC_MAP)
            FZ_TRY(read_key(j, err));
        FZ_TRY(read_value(j, err));
        skip_blanks(j);
    }
    j->p++;
    return fz_doc_builder_close(j->builder, err);
}

static fz_status read_value(json *j, fz_error *err)
{
    skip_blanks(j);
    switch (*j->p) {
    case '{':
        return read_items(j, FZ_DOC_MAP, '}', err);
    case '[':
        return read_items(j, FZ_DOC_LIST, ']', err);
    case '"':
        return read_text(j, err);
    default:
        return read_word(j, err);
    }
}

static fz_status read_document(json *j, fz_error *err)
{
    FZ_TRY(read_value(j, err));
    skip_blanks(j);
    if (j->p != j->end)
        return fail(j, j->p, err, "text follows the end of the document");
    return FZ_OK;
}

fz_status fz_doc_read_json(fz_doc_builder *builder, const char *text, size_t length, fz_error *err)
{
    char *scratch = malloc(length + 1);
    if (scratch == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    json j = {builder, text, text + length, text, {1, 1}, scratch};
    fz_status status = read_document(&j, err);
    builder->hopeless = status != FZ_OK && j.p < j.end && builder->n_nodes == 0 && builder->key == NULL;
    free(scratch);
    return status;
}
