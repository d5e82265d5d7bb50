/* Fields of one row of measurements, by column name; the first error sticks. */
#ifndef FRENZY_CALIB_ROW_FIELDS_H
#define FRENZY_CALIB_ROW_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>

#include "core/support/csv.h"

typedef struct fz_row_fields {
    const fz_csv *csv;
    const fz_csv_field *fields;
    fz_arena *arena;
    fz_error *err;
    fz_status status;
} fz_row_fields;

/* "" when the column is absent or the field empty. Valid until the next row. */
const char *fz_row_text(const fz_row_fields *row, const char *column);
/* A copy that lives in the arena. */
const char *fz_row_keep(fz_row_fields *row, const char *column);
/* `missing` when empty. */
double fz_row_number(fz_row_fields *row, const char *column, double missing);
/* 0 when empty; fractions and sizes above 2^32 are errors. */
uint64_t fz_row_count(fz_row_fields *row, const char *column);
bool fz_row_has(const fz_row_fields *row, const char *column);

/* The value of `key` in a text of `key=value` pairs and single words, separated by `;`: "" for a word alone,
 * NULL when it is not there. Cut at `size`. */
const char *fz_row_option(const char *options, const char *key, char *value, size_t size);

#endif
