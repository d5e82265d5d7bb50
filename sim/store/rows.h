/* Bulk insert: arrays of the program as a table of SQLite, so that one statement inserts them all. The
 * rows are asked for as they are written; nothing is bound, stepped or copied row by row, which makes
 * this several times faster than a prepared INSERT. */
#ifndef FRENZY_SIM_STORE_ROWS_H
#define FRENZY_SIM_STORE_ROWS_H

#include <sqlite3.h>
#include <stdint.h>

#include "core/support/db.h"

#define FZ_ROWS_COLUMNS 12 /* c0 .. c11 */

typedef struct fz_rows {
    uint64_t n_rows;
    const void *context;
    /* Sets one value by sqlite3_result_*(). Texts must stay where they are until the statement ends. */
    void (*column)(const void *context, uint64_t row, int column, sqlite3_context *out);
} fz_rows;

/* Runs `sql`, which reads the table `fz_rows` with columns c0 .. c11 in row order, as in
 * "INSERT INTO plan SELECT c0, c1 FROM fz_rows". */
fz_status fz_rows_insert(fz_db *db, const char *sql, const fz_rows *rows, fz_error *err);

#endif
