#include "calib/groundtruth/row_fields.h"

#include <stdio.h>
#include <string.h>

static const fz_csv_field *field_of(const fz_row_fields *row, const char *column)
{
    int index = fz_csv_find_column(row->csv, column);
    return index >= 0 ? &row->fields[index] : NULL;
}

const char *fz_row_text(const fz_row_fields *row, const char *column)
{
    const fz_csv_field *field = field_of(row, column);
    return field != NULL ? field->text : "";
}

const char *fz_row_copy(fz_row_fields *row, const char *text)
{
    const char *copy = fz_arena_strdup(row->arena, text);
    if (copy == NULL && row->status == FZ_OK)
        row->status = fz_fail(row->err, FZ_ENOMEM, "out of memory");
    return copy != NULL ? copy : "";
}

const char *fz_row_keep(fz_row_fields *row, const char *column)
{
    return fz_row_copy(row, fz_row_text(row, column));
}

bool fz_row_has(const fz_row_fields *row, const char *column)
{
    return fz_row_text(row, column)[0] != '\0';
}

double fz_row_number(fz_row_fields *row, const char *column, double missing)
{
    const fz_csv_field *field = field_of(row, column);
    double value = missing;
    if (field != NULL && field->length > 0 && row->status == FZ_OK)
        row->status = fz_csv_number(row->csv, field, column, &value, row->err);
    return value;
}

static uint64_t count_to(fz_row_fields *row, const char *column, uint64_t max)
{
    const fz_csv_field *field = field_of(row, column);
    uint64_t value = 0;
    if (field != NULL && field->length > 0 && row->status == FZ_OK)
        row->status = fz_csv_count(row->csv, field, column, max, &value, row->err);
    return value;
}

uint64_t fz_row_count(fz_row_fields *row, const char *column)
{
    return count_to(row, column, (uint64_t)1 << 32);
}

uint32_t fz_row_degree(fz_row_fields *row, const char *column)
{
    return (uint32_t)count_to(row, column, FZ_ROW_MAX_DEGREE);
}

uint32_t fz_row_gpus(fz_row_fields *row, const char *column)
{
    return (uint32_t)count_to(row, column, FZ_ROW_MAX_GPUS);
}

uint32_t fz_row_up_to(fz_row_fields *row, const char *column, uint32_t max)
{
    return (uint32_t)count_to(row, column, max);
}

const char *fz_row_unknown(fz_row_fields *row, const char *what, const char *word)
{
    char text[128];
    (void)snprintf(text, sizeof text, "%s '%.60s' is not known", what, word);
    return fz_row_copy(row, text);
}

const char *fz_row_option(const char *options, const char *key, char *value, size_t size)
{
    size_t n = strlen(key);
    for (const char *at = options; *at != '\0';) {
        size_t length = strcspn(at, ";");
        if (length >= n && strncmp(at, key, n) == 0 && (length == n || at[n] == '=')) {
            size_t start = length == n ? n : n + 1;
            (void)snprintf(value, size, "%.*s", (int)(length - start), at + start);
            return value;
        }
        at += length + (at[length] == ';');
    }
    return NULL;
}
