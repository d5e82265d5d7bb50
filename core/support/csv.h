/* Streaming CSV reader: RFC 4180 quotes, a byte order mark, CRLF or LF, a missing last newline, blank
 * lines and `#` comment lines before the header; plain or gzip files alike. One pass: the SHA-256 of
 * the unpacked bytes comes for free.
 *
 * Rows are handed out as fields that point into the reader's buffer, valid until the next row. Each
 * knows its line and column (in bytes from 1). Errors: FZ_EIO (cannot open, a directory, a truncated
 * gzip), FZ_EPARSE (an empty file, unbalanced or misplaced quotes, a carriage return without a newline,
 * too many or too few fields, a column named twice, a zero byte, text that is not UTF-8
 * (but for comments of other formats), a field above 1 MiB, a row above 16 MiB
 * or of more than 8,192 fields), always with file and line. After an error only closing is allowed. */
#ifndef FRENZY_SUPPORT_CSV_H
#define FRENZY_SUPPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frenzy/status.h>
#include <frenzy/units.h>

#include "core/support/utf8.h"

typedef struct fz_csv fz_csv;

typedef struct fz_csv_field {
    const char *text; /* zero-terminated, unquoted */
    uint32_t length;
    uint32_t column; /* where it starts in its line, bytes from 1 */
    bool quoted;
} fz_csv_field;

typedef struct fz_csv_options {
    char separator; /* 0: ',' */
    bool no_header; /* rows start at once; the number of fields may vary from row to row */
    bool blanks;    /* fields are separated by runs of blanks or tabs, as in SWF; no quotes */
    char comment;   /* lines that start with it are comments anywhere; 0: only `#` lines before the header */
} fz_csv_options;

/* "-" is standard input. Reads up to the header. `path` is copied. NULL options: all defaults. */
fz_status fz_csv_open(const char *path, const fz_csv_options *options, fz_csv **out, fz_error *err);
/* The same over bytes in memory, borrowed until closing; `name` stands for the path. */
fz_status fz_csv_open_bytes(const char *name, const char *bytes, size_t length, const fz_csv_options *options,
                            fz_csv **out, fz_error *err);
void fz_csv_close(fz_csv *csv); /* NULL is allowed */

/* The header (unquoted names lose blanks around them), and comment lines before it or, without a header,
 * before the first row (without `#` and blanks around). */
uint32_t fz_csv_n_columns(const fz_csv *csv);
const char *fz_csv_column_name(const fz_csv *csv, uint32_t column);
/* Where the name stands, for messages; valid until the first row is read. */
const fz_csv_field *fz_csv_column_field(const fz_csv *csv, uint32_t column);
int fz_csv_find_column(const fz_csv *csv, const char *name); /* -1 if absent */
uint32_t fz_csv_n_comments(const fz_csv *csv);
const char *fz_csv_comment(const fz_csv *csv, uint32_t index);
fz_place fz_csv_comment_place(const fz_csv *csv, uint32_t index); /* of its text; the column in bytes */

/* The next row. `*fields` is NULL at the end of the file. With a header each row has exactly as many
 * fields as the header; a row of one unquoted field with nothing but blanks is a blank line and skipped. */
fz_status fz_csv_next(fz_csv *csv, const fz_csv_field **fields, uint32_t *n_fields, fz_error *err);

uint32_t fz_csv_line(const fz_csv *csv); /* line of the current row, from 1 */
const char *fz_csv_path(const fz_csv *csv);

/* Only after the last row, once. */
void fz_csv_sha256(fz_csv *csv, char hex[65]);

/* FZ_EPARSE at a field of the current row; NULL field: at the row's line. */
fz_status fz_csv_fail(const fz_csv *csv, const fz_csv_field *field, fz_error *err, const char *format, ...)
    FZ_PRINTF(4, 5);

/* Numbers, exactly as written or an error naming the text; the whole field must be used. Times are
 * decimal seconds, rounded to the microsecond, NaN and infinity refused, |t| <= FZ_TIME_LIMIT. An
 * exponent is allowed. Integers may be written as 4.0. `what` names the column in messages. */
fz_status fz_csv_time(const fz_csv *csv, const fz_csv_field *field, const char *what, fz_time *out,
                      fz_error *err);
fz_status fz_csv_number(const fz_csv *csv, const fz_csv_field *field, const char *what, double *out,
                        fz_error *err);
fz_status fz_csv_count(const fz_csv *csv, const fz_csv_field *field, const char *what, uint64_t max,
                       uint64_t *out, fz_error *err);

#endif
