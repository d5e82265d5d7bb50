#include "sim/store/rows.h"

#include <stdlib.h>

typedef struct rows_table {
    sqlite3_vtab base;
    const fz_rows *rows;
} rows_table;

typedef struct rows_cursor {
    sqlite3_vtab_cursor base;
    uint64_t row;
} rows_cursor;

static const fz_rows *rows_of(const sqlite3_vtab_cursor *cursor)
{
    return ((const rows_table *)cursor->pVtab)->rows;
}

static int rows_connect(sqlite3 *db, void *rows, int argc, const char *const *argv, sqlite3_vtab **out,
                        char **message)
{
    (void)argc;
    (void)argv;
    (void)message;
    int code =
        sqlite3_declare_vtab(db, "CREATE TABLE fz_rows (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11)");
    if (code != SQLITE_OK)
        return code;
    rows_table *table = calloc(1, sizeof(*table));
    if (table == NULL)
        return SQLITE_NOMEM;
    table->rows = rows;
    *out = &table->base;
    return SQLITE_OK;
}

static int rows_disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* There is one way to read: all rows in order. */
static int rows_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    const fz_rows *rows = ((const rows_table *)table)->rows;
    info->estimatedRows = (sqlite3_int64)rows->n_rows;
    info->estimatedCost = (double)rows->n_rows;
    return SQLITE_OK;
}

static int rows_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    rows_cursor *cursor = calloc(1, sizeof(*cursor));
    if (cursor == NULL)
        return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int rows_filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int argc,
                       sqlite3_value **argv)
{
    (void)number;
    (void)text;
    (void)argc;
    (void)argv;
    ((rows_cursor *)cursor)->row = 0;
    return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *cursor)
{
    ((rows_cursor *)cursor)->row++;
    return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *cursor)
{
    return ((const rows_cursor *)cursor)->row >= rows_of(cursor)->n_rows;
}

static int rows_column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int column)
{
    const fz_rows *rows = rows_of(cursor);
    rows->column(rows->context, ((const rows_cursor *)cursor)->row, column, out);
    return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    *rowid = (sqlite3_int64)((const rows_cursor *)cursor)->row;
    return SQLITE_OK;
}

/* No xCreate: the table exists by itself and is never stored in the database. */
static const sqlite3_module module = {
    .iVersion = 0,
    .xConnect = rows_connect,
    .xBestIndex = rows_best_index,
    .xDisconnect = rows_disconnect,
    .xOpen = rows_open,
    .xClose = rows_close,
    .xFilter = rows_filter,
    .xNext = rows_next,
    .xEof = rows_eof,
    .xColumn = rows_column,
    .xRowid = rows_rowid,
};

fz_status fz_rows_insert(fz_db *db, const char *sql, const fz_rows *rows, fz_error *err)
{
    fz_rows own = *rows; /* SQLite wants a pointer to something that it may write */
    sqlite3 *handle = fz_db_handle(db);
    if (sqlite3_create_module(handle, "fz_rows", &module, &own) != SQLITE_OK)
        return fz_fail(err, FZ_EDB, "cannot insert rows: %s", sqlite3_errmsg(handle));
    fz_status status = fz_db_exec(db, sql, err);
    sqlite3_create_module(handle, "fz_rows", NULL, NULL);
    return status;
}
