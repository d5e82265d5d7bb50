#include <stdlib.h>
#include <string.h>

#include "core/support/csv_private.h"

/* A place in the buffer, and the line it is in. */
typedef struct cursor {
    char *p;
    char *line_start;
    uint32_t line;
} cursor;

static uint32_t column_of(const cursor *at, const char *p)
{
    return (uint32_t)(p - at->line_start) + 1;
}

static fz_status fail_at(const fz_csv *csv, const cursor *at, const char *p, fz_error *err, const char *what)
{
    return fz_fail_at(err, FZ_EPARSE, fz_input_name(csv->input), at->line, column_of(at, p), "%s", what);
}

void fz_csv_scan_setup(fz_csv *csv)
{
    memset(csv->special, 0, sizeof csv->special);
    csv->special['\0'] = csv->special['\n'] = csv->special['\r'] = 1;
    if (csv->options.blanks) {
        csv->special[' '] = csv->special['\t'] = 1;
    } else {
        csv->special[(uint8_t)csv->options.separator] = 1;
        csv->special['"'] = 1;
    }
}

static fz_status add_field(fz_csv *csv, const cursor *at, char *text, char *end, bool quoted, fz_error *err)
{
    if (csv->n_fields == csv->fields_capacity) {
        uint32_t capacity = csv->fields_capacity == 0 ? 32 : 2 * csv->fields_capacity;
        if (capacity > FZ_CSV_FIELDS_MAX)
            return fail_at(csv, at, text, err, "a row has more than 8,192 fields; is the separator right?");
        fz_csv_field *grown = realloc(csv->fields, capacity * sizeof *grown);
        if (grown == NULL)
            return fz_fail(err, FZ_ENOMEM, "out of memory");
        csv->fields = grown;
        csv->fields_capacity = capacity;
    }
    csv->fields[csv->n_fields++] =
        (fz_csv_field){text, (uint32_t)(end - text), column_of(at, quoted ? text - 1 : text), quoted};
    return FZ_OK;
}

static char *skip_ordinary(const fz_csv *csv, char *p)
{
    while (csv->special[(uint8_t)*p] == 0)
        p++;
    return p;
}

static bool out_of_bytes(const fz_csv *csv, const char *p)
{
    return p == csv->buffer + csv->end;
}

/* From behind an opening quote to the closing one; NULL when the buffer ends first. Follows newlines. */
static char *closing_quote(fz_csv *csv, cursor *at)
{
    char *end = csv->buffer + csv->end;
    for (char *p = at->p; p < end; p++) {
        if (*p == '"' && p[1] == '"') {
            csv->doubled = true;
            p++;
        } else if (*p == '"' || *p == '\0') {
            return p;
        } else if (*p == '\n') {
            at->line++;
            at->line_start = p + 1;
        }
    }
    return NULL;
}

static fz_status scan_quoted(fz_csv *csv, cursor *at, bool *more, fz_error *err)
{
    const cursor opening = *at;
    char *text = ++at->p;
    char *end = closing_quote(csv, at);
    size_t length = (size_t)((end != NULL ? end : csv->buffer + csv->end) - text);
    if (length > FZ_CSV_FIELD_MAX)
        return fail_at(csv, &opening, opening.p, err,
                       "a quoted field is longer than 1 MiB; its closing quote may be missing");
    if (end == NULL && csv->at_end)
        return fail_at(csv, &opening, opening.p, err, "a quote opens here and never closes");
    if (end == NULL || (out_of_bytes(csv, end + 1) && !csv->at_end)) {
        *more = true; /* the quote just seen may be the first of two */
        return FZ_OK;
    }
    if (*end == '\0')
        return fail_at(csv, at, end, err, "a zero byte; this is not a text file");
    at->p = end + 1;
    FZ_TRY(add_field(csv, &opening, text, end, true, err));
    if (!out_of_bytes(csv, at->p) && csv->special[(uint8_t)*at->p] == 0)
        return fail_at(csv, at, at->p, err,
                       "text follows a closing quote; a quote inside a field is written twice");
    return FZ_OK;
}

static fz_status scan_unquoted(fz_csv *csv, cursor *at, fz_error *err)
{
    char *text = at->p;
    at->p = skip_ordinary(csv, text);
    if (at->p - text > FZ_CSV_FIELD_MAX)
        return fail_at(csv, at, text, err, "a field is longer than 1 MiB; is this a text file?");
    return add_field(csv, at, text, at->p, false, err);
}

/* At a byte that ends a row, or that has no business here. *done: the row is complete, at->p behind it. */
static fz_status end_row(fz_csv *csv, cursor *at, bool *done, bool *more, fz_error *err)
{
    char *p = at->p;
    if (*p == '\r' && p[1] == '\n')
        p++;
    if (*p == '\n') {
        at->p = p + 1;
        at->line++;
        *done = true;
    } else if (out_of_bytes(csv, p) || (*p == '\r' && out_of_bytes(csv, p + 1))) {
        at->p = csv->buffer + csv->end;
        *done = csv->at_end;
        *more = !csv->at_end;
    } else if (*p == '\r') {
        return fail_at(csv, at, p, err,
                       "a carriage return without a newline; save the file with LF or CRLF line ends");
    } else if (*p == '\0') {
        return fail_at(csv, at, p, err, "a zero byte; this is not a text file");
    } else {
        return fail_at(csv, at, p, err,
                       "a quote inside a field; put the field in quotes and write this one twice");
    }
    return FZ_OK;
}

static fz_status scan_separated(fz_csv *csv, cursor *at, bool *more, fz_error *err)
{
    for (bool done = false; !done && !*more;) {
        if (*at->p == '"')
            FZ_TRY(scan_quoted(csv, at, more, err));
        else
            FZ_TRY(scan_unquoted(csv, at, err));
        if (*more)
            break;
        if (*at->p == csv->options.separator)
            at->p++;
        else
            FZ_TRY(end_row(csv, at, &done, more, err));
    }
    return FZ_OK;
}

static fz_status scan_blanks(fz_csv *csv, cursor *at, bool *more, fz_error *err)
{
    for (bool done = false; !done && !*more;) {
        while (*at->p == ' ' || *at->p == '\t')
            at->p++;
        if (csv->special[(uint8_t)*at->p] == 0)
            FZ_TRY(scan_unquoted(csv, at, err));
        else
            FZ_TRY(end_row(csv, at, &done, more, err));
    }
    return FZ_OK;
}

fz_status fz_csv_scan(fz_csv *csv, char **row_end, fz_error *err)
{
    char *row = csv->buffer + csv->start;
    cursor at = {row, row, csv->next_line};
    bool more = false;
    csv->n_fields = 0;
    csv->doubled = false;
    csv->line = csv->next_line;
    FZ_TRY(csv->options.blanks ? scan_blanks(csv, &at, &more, err) : scan_separated(csv, &at, &more, err));
    if (!more)
        csv->next_line = at.line;
    *row_end = more ? NULL : at.p;
    return FZ_OK;
}

static uint32_t undouble(char *text, uint32_t length)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < length; i++) {
        text[n++] = text[i];
        i += text[i] == '"';
    }
    return n;
}

void fz_csv_scan_finish(fz_csv *csv)
{
    for (uint32_t i = 0; i < csv->n_fields; i++) {
        fz_csv_field *field = &csv->fields[i];
        char *text = csv->buffer + (field->text - csv->buffer);
        if (csv->doubled && field->quoted)
            field->length = undouble(text, field->length);
        text[field->length] = '\0';
    }
}
