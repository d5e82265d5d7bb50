/* A thin wrapper of SQLite that turns its codes into fz_status (FZ_EDB, FZ_EIO) with the file's name
 * and the words of SQLite. Knows no table: the SQL is in sim/store (results) and calib (parameters). */
#ifndef FRENZY_SUPPORT_DB_H
#define FRENZY_SUPPORT_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

typedef struct fz_db fz_db;

/* Opens (creates) a database: WAL on local files, foreign keys on, a busy wait of 10 s. A file that is
 * not a database, a directory, a read-only folder are errors in words. */
fz_status fz_db_open(const char *path, fz_db **out, fz_error *err);
fz_status fz_db_open_readonly(const char *path, fz_db **out, fz_error *err);
/* Closes; checkpoints the log into the file and reports when that failed. NULL is allowed. */
fz_status fz_db_close(fz_db *db, fz_error *err);

sqlite3 *fz_db_handle(fz_db *db);

/* Brings the schema from its user_version to `n` by running scripts[user_version .. n-1], each in one
 * transaction. A database with a later version is FZ_EDB ("made by a newer frenzy"). `application_id`
 * is checked, and set in a new file: somebody else's database is refused. */
fz_status fz_db_migrate(fz_db *db, int32_t application_id, const char *const *scripts, uint32_t n,
                        fz_error *err);

fz_status fz_db_exec(fz_db *db, const char *sql, fz_error *err);
fz_status fz_db_prepare(fz_db *db, const char *sql, sqlite3_stmt **out, fz_error *err);
/* One row or the end: *row says which. */
fz_status fz_db_step(fz_db *db, sqlite3_stmt *stmt, bool *row, fz_error *err);
/* Steps a statement that returns nothing, and resets it. */
fz_status fz_db_run(fz_db *db, sqlite3_stmt *stmt, fz_error *err);

fz_status fz_db_begin(fz_db *db, fz_error *err); /* BEGIN IMMEDIATE */
fz_status fz_db_commit(fz_db *db, fz_error *err);
void fz_db_rollback(fz_db *db);

#endif
