#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/csv_private.h"
#include "core/support/utf8.h"

enum { BUFFER_BYTES = 512 * 1024 };

static fz_status out_of_memory(fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "out of memory");
}

static fz_status fail_line(const fz_csv *csv, fz_error *err, const char *what)
{
    return fz_fail_at(err, FZ_EPARSE, fz_input_name(csv->input), csv->next_line, 1, "%s", what);
}

static fz_status check_row_size(const fz_csv *csv, size_t bytes, fz_error *err)
{
    if (bytes > FZ_CSV_ROW_MAX)
        return fail_line(csv, err, "a row is longer than 16 MiB; is this a text file?");
    return FZ_OK;
}

/* Moves what is left to the front and fills the buffer, which doubles when one row fills it all. */
static fz_status refill(fz_csv *csv, fz_error *err)
{
    size_t left = csv->end - csv->start;
    FZ_TRY(check_row_size(csv, left, err));
    memmove(csv->buffer, csv->buffer + csv->start, left);
    csv->start = 0;
    csv->end = left;
    if (left + 1 >= csv->capacity / 2) {
        char *grown = realloc(csv->buffer, 2 * csv->capacity);
        if (grown == NULL)
            return out_of_memory(err);
        csv->buffer = grown;
        csv->capacity *= 2;
    }
    while (!csv->at_end && csv->end + 1 < csv->capacity) {
        size_t got = 0;
        fz_status status =
            fz_input_read(csv->input, csv->buffer + csv->end, csv->capacity - 1 - csv->end, &got, err);
        if (status != FZ_OK) {
            fz_input_place_error(err, csv->buffer, csv->end, csv->next_line);
            return status;
        }
        csv->end += got;
        csv->at_end = got == 0;
    }
    csv->buffer[csv->end] = '\0';
    return FZ_OK;
}

/* Nearly all rows are. */
static bool is_ascii(const char *bytes, size_t length)
{
    uint64_t high = 0;
    uint64_t word = 0;
    size_t i = 0;
    for (; i + sizeof word <= length; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        high |= word;
    }
    for (; i < length; i++)
        high |= (uint8_t)bytes[i];
    return (high & UINT64_C(0x8080808080808080)) == 0;
}

/* Texts go on into databases and JSON, which hold UTF-8 only. */
static fz_status check_encoding(const fz_csv *csv, fz_error *err)
{
    for (const fz_csv_field *field = csv->fields; field < csv->fields + csv->n_fields; field++)
        if (fz_utf8_valid(field->text, field->length) < field->length)
            return fz_csv_fail(csv, field, err, "this field is not UTF-8 text; save the file as UTF-8");
    return FZ_OK;
}

static fz_status next_row(fz_csv *csv, fz_error *err)
{
    char *row_end = NULL;
    for (;;) {
        FZ_TRY(fz_csv_scan(csv, &row_end, err));
        if (row_end != NULL)
            break;
        FZ_TRY(refill(csv, err));
    }
    size_t end = (size_t)(row_end - csv->buffer);
    FZ_TRY(check_row_size(csv, end - csv->start, err));
    fz_csv_scan_finish(csv);
    size_t row = csv->start;
    csv->start = end;
    return is_ascii(csv->buffer + row, end - row) ? FZ_OK : check_encoding(csv, err);
}

static bool no_bytes_left(const fz_csv *csv)
{
    return csv->at_end && csv->start == csv->end;
}

static bool at_comment(const fz_csv *csv)
{
    char c = csv->buffer[csv->start];
    if (csv->start == csv->end)
        return false;
    return csv->options.comment != '\0' ? c == csv->options.comment : !csv->in_body && c == '#';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static fz_status keep_comment(fz_csv *csv, const char *text, const char *end, fz_error *err)
{
    if (csv->n_comments == csv->comments_capacity) {
        uint32_t capacity = csv->comments_capacity == 0 ? 16 : 2 * csv->comments_capacity;
        struct fz_csv_comment *grown = realloc(csv->comments, capacity * sizeof *grown);
        if (grown == NULL)
            return out_of_memory(err);
        csv->comments = grown;
        csv->comments_capacity = capacity;
    }
    while (text < end && is_blank(*text))
        text++;
    while (text < end && is_blank(end[-1]))
        end--;
    const char *copy = fz_arena_strndup(csv->arena, text, (size_t)(end - text));
    if (copy == NULL)
        return out_of_memory(err);
    uint32_t column = (uint32_t)(text - (csv->buffer + csv->start)) + 1;
    csv->comments[csv->n_comments++] = (struct fz_csv_comment){copy, {csv->next_line, column}};
    return FZ_OK;
}

static fz_status skip_comment(fz_csv *csv, fz_error *err)
{
    char *newline = NULL;
    while ((newline = memchr(csv->buffer + csv->start, '\n', csv->end - csv->start)) == NULL && !csv->at_end)
        FZ_TRY(refill(csv, err));
    char *text = csv->buffer + csv->start, *end = newline != NULL ? newline : csv->buffer + csv->end;
    FZ_TRY(check_row_size(csv, (size_t)(end - text), err));
    if (memchr(text, '\0', (size_t)(end - text)) != NULL)
        return fail_line(csv, err, "a zero byte in a comment; this is not a text file");
    if (csv->options.comment == '\0' && fz_utf8_valid(text, (size_t)(end - text)) < (size_t)(end - text))
        return fail_line(csv, err, "this comment is not UTF-8 text; save the file as UTF-8");
    if (!csv->in_body)
        FZ_TRY(keep_comment(csv, text + 1, end, err));
    csv->start = (size_t)(end - csv->buffer) + (newline != NULL);
    csv->next_line += newline != NULL;
    return FZ_OK;
}

static bool is_blank_row(const fz_csv *csv)
{
    if (csv->n_fields != 1 || csv->fields[0].quoted)
        return csv->n_fields == 0;
    const char *p = csv->fields[0].text;
    while (is_blank(*p))
        p++;
    return *p == '\0';
}

/* The next line that is neither blank nor a comment; *end when there is none. */
static fz_status next_content(fz_csv *csv, bool *end, fz_error *err)
{
    for (;;) {
        if (csv->start == csv->end && !csv->at_end)
            FZ_TRY(refill(csv, err));
        if (at_comment(csv)) {
            FZ_TRY(skip_comment(csv, err));
            continue;
        }
        *end = no_bytes_left(csv);
        if (*end)
            return FZ_OK;
        FZ_TRY(next_row(csv, err));
        if (!is_blank_row(csv))
            return FZ_OK;
    }
}

static const char *copy_name(fz_csv *csv, const fz_csv_field *field)
{
    const char *text = field->text, *end = text + field->length;
    while (!field->quoted && text < end && is_blank(*text))
        text++;
    while (!field->quoted && text < end && is_blank(end[-1]))
        end--;
    return fz_arena_strndup(csv->arena, text, (size_t)(end - text));
}

static fz_status check_unique(const fz_csv *csv, uint32_t column, fz_error *err)
{
    for (uint32_t i = 0; i < column; i++)
        if (csv->names[column][0] != '\0' && strcmp(csv->names[i], csv->names[column]) == 0)
            return fz_csv_fail(csv, &csv->fields[column], err,
                               "columns %u and %u are both named '%.60s'; rename one", i + 1, column + 1,
                               csv->names[column]);
    return FZ_OK;
}

static fz_status read_header(fz_csv *csv, fz_error *err)
{
    bool end = false;
    FZ_TRY(next_content(csv, &end, err));
    if (end)
        return fail_line(csv, err,
                         "there is no header line; a first line with the names of the columns is expected");
    csv->names = fz_arena_alloc(csv->arena, csv->n_fields, sizeof *csv->names);
    if (csv->names == NULL)
        return out_of_memory(err);
    for (uint32_t i = 0; i < csv->n_fields; i++) {
        csv->names[i] = copy_name(csv, &csv->fields[i]);
        if (csv->names[i] == NULL)
            return out_of_memory(err);
        FZ_TRY(check_unique(csv, i, err));
    }
    csv->n_columns = csv->n_fields;
    return FZ_OK;
}

/* Comment and blank lines before the first row of a file without a header. */
static fz_status read_comments(fz_csv *csv, fz_error *err)
{
    while (at_comment(csv)) {
        FZ_TRY(skip_comment(csv, err));
        if (csv->start == csv->end && !csv->at_end)
            FZ_TRY(refill(csv, err));
    }
    return FZ_OK;
}

static fz_status begin(fz_csv *csv, fz_error *err)
{
    FZ_TRY(refill(csv, err));
    if (csv->end == 0)
        return fail_line(csv, err,
                         csv->options.no_header
                             ? "the file is empty; rows are expected"
                             : "the file is empty; a header line with the names of the columns is expected");
    if (csv->end >= 3 && memcmp(csv->buffer, "\xef\xbb\xbf", 3) == 0)
        csv->start = 3;
    FZ_TRY(csv->options.no_header ? read_comments(csv, err) : read_header(csv, err));
    csv->in_body = true;
    return FZ_OK;
}

/* Takes the input over, in every case. */
static fz_status open_input(fz_input *input, const fz_csv_options *options, fz_csv **out, fz_error *err)
{
    fz_csv *csv = calloc(1, sizeof *csv);
    if (csv == NULL) {
        fz_input_close(input);
        return out_of_memory(err);
    }
    csv->input = input;
    if (options != NULL)
        csv->options = *options;
    if (csv->options.separator == '\0')
        csv->options.separator = ',';
    csv->next_line = 1;
    csv->capacity = BUFFER_BYTES;
    csv->buffer = malloc(csv->capacity);
    csv->arena = fz_arena_new(NULL);
    fz_csv_scan_setup(csv);
    fz_status status = csv->buffer == NULL || csv->arena == NULL ? out_of_memory(err) : begin(csv, err);
    if (status != FZ_OK) {
        fz_csv_close(csv);
        return status;
    }
    *out = csv;
    return FZ_OK;
}

fz_status fz_csv_open(const char *path, const fz_csv_options *options, fz_csv **out, fz_error *err)
{
    fz_input *input = NULL;
    FZ_TRY(fz_input_open(path, &input, err));
    return open_input(input, options, out, err);
}

fz_status fz_csv_open_bytes(const char *name, const char *bytes, size_t length, const fz_csv_options *options,
                            fz_csv **out, fz_error *err)
{
    fz_input *input = NULL;
    FZ_TRY(fz_input_open_bytes(name, bytes, length, &input, err));
    return open_input(input, options, out, err);
}

void fz_csv_close(fz_csv *csv)
{
    if (csv == NULL)
        return;
    fz_input_close(csv->input);
    fz_arena_free(csv->arena);
    free(csv->buffer);
    free(csv->fields);
    free(csv->comments);
    free(csv);
}

uint32_t fz_csv_n_columns(const fz_csv *csv)
{
    return csv->n_columns;
}

const char *fz_csv_column_name(const fz_csv *csv, uint32_t column)
{
    return csv->names[column];
}

const fz_csv_field *fz_csv_column_field(const fz_csv *csv, uint32_t column)
{
    return &csv->fields[column];
}

int fz_csv_find_column(const fz_csv *csv, const char *name)
{
    for (uint32_t i = 0; i < csv->n_columns; i++)
        if (strcmp(csv->names[i], name) == 0)
            return (int)i;
    return -1;
}

uint32_t fz_csv_n_comments(const fz_csv *csv)
{
    return csv->n_comments;
}

const char *fz_csv_comment(const fz_csv *csv, uint32_t index)
{
    return csv->comments[index].text;
}

fz_place fz_csv_comment_place(const fz_csv *csv, uint32_t index)
{
    return csv->comments[index].place;
}

fz_status fz_csv_next(fz_csv *csv, const fz_csv_field **fields, uint32_t *n_fields, fz_error *err)
{
    bool end = false;
    FZ_TRY(next_content(csv, &end, err));
    *fields = end ? NULL : csv->fields;
    *n_fields = end ? 0 : csv->n_fields;
    if (!end && !csv->options.no_header && csv->n_fields != csv->n_columns)
        return fz_csv_fail(csv, NULL, err, "this row has %u fields, the header has %u", csv->n_fields,
                           csv->n_columns);
    return FZ_OK;
}

uint32_t fz_csv_line(const fz_csv *csv)
{
    return csv->line;
}

const char *fz_csv_path(const fz_csv *csv)
{
    return fz_input_name(csv->input);
}

void fz_csv_sha256(fz_csv *csv, char hex[65])
{
    fz_input_sha256(csv->input, hex);
}

/* A field behind quoted newlines is not in the row's first line. */
static uint32_t line_of(const fz_csv *csv, const fz_csv_field *field)
{
    uint32_t line = csv->line;
    for (const fz_csv_field *before = csv->fields; before < field; before++)
        for (uint32_t i = 0; i < before->length; i++)
            line += before->text[i] == '\n';
    return line;
}

fz_status fz_csv_fail(const fz_csv *csv, const fz_csv_field *field, fz_error *err, const char *format, ...)
{
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return fz_fail_at(err, FZ_EPARSE, fz_csv_path(csv), field != NULL ? line_of(csv, field) : csv->line,
                      field != NULL ? field->column : 1, "%s", message);
}
