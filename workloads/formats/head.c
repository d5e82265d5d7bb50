#include <string.h>

#include "core/support/input.h"
#include "workloads/formats/formats.h"

static bool is_blank(const char *line, uint64_t length)
{
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    return length == 0;
}

const char *fz_head_line(const char *head, uint64_t length, char comment, uint64_t *line_length)
{
    const char *line = head, *end = head + length;
    if (length >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        line += 3;
    while (line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        uint64_t n = (uint64_t)((newline != NULL ? newline : end) - line);
        if (n > 0 && line[n - 1] == '\r')
            n--;
        if (line[0] != comment && !is_blank(line, n)) {
            *line_length = n;
            return line;
        }
        line = newline != NULL ? newline + 1 : end;
    }
    return NULL;
}

bool fz_head_is(const char *head, uint64_t length, const char *text)
{
    uint64_t n = 0;
    const char *line = fz_head_line(head, length, '#', &n);
    return line != NULL && n >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

fz_status fz_head_read(const char *path, char *head, uint64_t capacity, uint64_t *length, fz_error *err)
{
    fz_input *input = NULL;
    size_t got = 1;
    fz_status status = FZ_OK;
    FZ_TRY(fz_input_open(path, &input, err));
    for (*length = 0; status == FZ_OK && got > 0 && *length < capacity; *length += got)
        status = fz_input_read(input, head + *length, capacity - *length, &got, err);
    if (status != FZ_OK)
        fz_input_place_error(err, head, *length, 1);
    fz_input_close(input);
    return status;
}

fz_status fz_import_columns(fz_import *in, const char *const *names, uint32_t n_names, uint32_t *at,
                            fz_error *err)
{
    for (uint32_t i = 0; i < n_names; i++) {
        int found = fz_csv_find_column(in->csv, names[i]);
        if (found < 0)
            return fz_csv_fail(in->csv, NULL, err, "there is no column '%s'", names[i]);
        at[i] = (uint32_t)found;
    }
    return FZ_OK;
}
