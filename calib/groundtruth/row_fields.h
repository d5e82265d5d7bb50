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
/* A copy that lives in the arena; without memory "", and the status says so. */
const char *fz_row_copy(fz_row_fields *row, const char *text);
/* The field, copied. */
const char *fz_row_keep(fz_row_fields *row, const char *column);
/* `missing` when empty. */
double fz_row_number(fz_row_fields *row, const char *column, double missing);
/* 0 when empty; fractions and sizes above 2^32 are errors. */
uint64_t fz_row_count(fz_row_fields *row, const char *column);
/* The product of three degrees and a number of GPUs stays below 2^62. */
#define FZ_ROW_MAX_DEGREE (1u << 14)
#define FZ_ROW_MAX_GPUS   (1u << 20)
uint32_t fz_row_degree(fz_row_fields *row, const char *column); /* of parallelism, but for data */
uint32_t fz_row_gpus(fz_row_fields *row, const char *column);   /* GPUs or data-parallel copies */
uint32_t fz_row_up_to(fz_row_fields *row, const char *column, uint32_t max);
bool fz_row_has(const fz_row_fields *row, const char *column);

/* "WHAT 'WORD' is not known", in the arena: why a row is not scored. */
const char *fz_row_unknown(fz_row_fields *row, const char *what, const char *word);

/* The value of `key` in a text of `key=value` pairs and single words, separated by `;`: "" for a word alone,
 * NULL when it is not there. Cut at `size`. */
const char *fz_row_option(const char *options, const char *key, char *value, size_t size);

#endif
