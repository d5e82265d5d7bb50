#include "workloads/formats/json_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/input.h"

#define LARGEST ((size_t)2 << 30)

struct fz_json_list {
    const char *path;
    char *text;
    size_t length, at;
    uint32_t line, element_line;
    uint32_t n_elements;
    bool ended;
    fz_doc *doc; /* of the current element */
    char sha256[65];
};

static fz_status fail(const fz_json_list *list, uint32_t line, const char *message, fz_error *err)
{
    return fz_fail_at(err, FZ_EPARSE, list->path, line, 1, "%s", message);
}

/* The next byte that is no blank, '\0' at the end. */
static char skip_blanks(fz_json_list *list)
{
    while (list->at < list->length && strchr(" \t\r\n", list->text[list->at]) != NULL &&
           list->text[list->at] != '\0')
        list->line += list->text[list->at++] == '\n';
    return list->text[list->at]; /* a zero stands behind the last byte */
}

fz_status fz_json_list_open(const char *path, fz_json_list **out, fz_error *err)
{
    fz_json_list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory to read %s", path);
    *list = (fz_json_list){.path = path, .line = 1};
    fz_status status = fz_input_slurp(path, LARGEST, &list->text, &list->length, list->sha256, err);
    if (status == FZ_OK) {
        list->at = list->length >= 3 && memcmp(list->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        if (skip_blanks(list) != '[')
            status = fail(list, list->line, "a JSON list of jobs is expected; it begins with '['", err);
        list->at++;
    }
    if (status == FZ_OK)
        *out = list;
    else
        fz_json_list_close(list);
    return status;
}

void fz_json_list_close(fz_json_list *list)
{
    if (list == NULL)
        return;
    fz_doc_free(list->doc);
    free(list->text);
    free(list);
}

/* Moves behind the element that begins here: to the comma or bracket that ends it. False: the file ends first. */
static bool skip_element(fz_json_list *list)
{
    uint32_t depth = 0;
    bool in_text = false;
    for (; list->at < list->length; list->at++) {
        char c = list->text[list->at];
        list->line += c == '\n';
        if (in_text) {
            list->at += c == '\\' && list->at + 1 < list->length;
            in_text = c != '"';
        } else if (depth == 0 && (c == ',' || c == ']' || c == '}')) {
            return true;
        } else {
            in_text = c == '"';
            depth += c == '[' || c == '{';
            depth -= c == ']' || c == '}';
        }
    }
    return false;
}

static fz_status parse(fz_json_list *list, size_t start, const fz_doc_node **out, fz_error *err)
{
    fz_error inside = {0};
    fz_status status = fz_doc_parse(list->path, list->text + start, list->at - start, &list->doc, &inside);
    if (status != FZ_OK) {
        inside.line = fz_json_list_line(list, inside.line > 0 ? inside.line : 1);
        if (err != NULL)
            *err = inside;
        return status;
    }
    list->n_elements++;
    *out = fz_doc_root(list->doc);
    return FZ_OK;
}

fz_status fz_json_list_next(fz_json_list *list, const fz_doc_node **out, fz_error *err)
{
    *out = NULL;
    fz_doc_free(list->doc);
    list->doc = NULL;
    char c = skip_blanks(list);
    if (list->ended)
        return c == '\0' && list->at == list->length
                   ? FZ_OK
                   : fail(list, list->line, "there is text behind the list", err);
    if (list->n_elements > 0 && c == ',') {
        list->at++;
        c = skip_blanks(list);
        if (c == ']')
            return fail(list, list->line, "a comma before the end of the list", err);
    }
    if (c == ']') {
        list->ended = true;
        list->at++;
        return fz_json_list_next(list, out, err);
    }
    list->element_line = list->line;
    size_t start = list->at;
    if (!skip_element(list))
        return fail(list, list->element_line, "the file ends inside the element that begins here", err);
    return parse(list, start, out, err);
}

uint32_t fz_json_list_line(const fz_json_list *list, uint32_t line_in_element)
{
    return list->element_line + line_in_element - 1;
}

const char *fz_json_list_sha256(const fz_json_list *list)
{
    return list->sha256;
}
