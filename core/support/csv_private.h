/* What csv.c (files, header, rows) and csv_scan.c (one row of bytes into fields) share. */
#ifndef FRENZY_SUPPORT_CSV_PRIVATE_H
#define FRENZY_SUPPORT_CSV_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frenzy/arena.h>

#include "core/support/csv.h"
#include "core/support/input.h"
#include "core/support/utf8.h"

enum {
    FZ_CSV_FIELD_MAX = 1 << 20,
    FZ_CSV_ROW_MAX = 16 << 20,
    FZ_CSV_FIELDS_MAX = 8192,
};

struct fz_csv {
    fz_input *input;
    fz_csv_options options;
    fz_arena *arena; /* names and comments */
    char *buffer;    /* [start, end) is not handed out yet; buffer[end] is 0 */
    size_t start, end, capacity;
    bool at_end;        /* the file has no more bytes */
    bool in_body;       /* behind the header, or the first row without one */
    uint32_t line;      /* of the current row */
    uint32_t next_line; /* of `start` */
    fz_csv_field *fields;
    uint32_t n_fields, fields_capacity;
    bool doubled;         /* some quoted field of the row holds doubled quotes */
    uint8_t special[256]; /* not 0: a byte that may end an unquoted field */
    const char **names;
    uint32_t n_columns;
    struct fz_csv_comment {
        const char *text;
        fz_place place; /* of its first character, in bytes */
    } * comments;
    uint32_t n_comments, comments_capacity;
};

void fz_csv_scan_setup(fz_csv *csv);

/* Reads one row at `start` into `fields` without changing the buffer. *row_end is the byte behind it
 * (its newline included), or NULL when the buffer ends before the row does. */
fz_status fz_csv_scan(fz_csv *csv, char **row_end, fz_error *err);

/* Ends all texts with a zero and undoubles quotes; the row must be complete. */
void fz_csv_scan_finish(fz_csv *csv);

#endif
