/* A thin wrapper of SQLite that turns its codes into fz_status with the file's name and the words of
 * SQLite: FZ_EIO when the disk, the file or its rights are at fault, FZ_EDB otherwise. Knows no table:
 * the SQL is in sim/store (results) and calib (parameters).
 *
 * One object belongs to one thread. Nothing is ever half-written: each transaction is there as a whole
 * or not at all, also after a crash or a power failure (write-ahead log and synchronous=FULL). */
#ifndef FRENZY_SUPPORT_DB_H
#define FRENZY_SUPPORT_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frenzy/status.h>

typedef struct fz_db fz_db;

/* For programs that fork often, before the first database is opened: pages of databases (up to `bytes` of them) are
 * kept in memory that children do not share. Nothing happens when it is too late or there is no memory. */
void fz_db_fork_often(size_t bytes);

/* How long a call waits for another process that writes, unless the environment variable FRENZY_DB_WAIT_MS
 * says otherwise (0 to 3600000; anything else counts as absent). */
enum { FZ_DB_WAIT_MS = 10000 };

/* Opens (creates) a database: write-ahead log on local files, a rollback journal on network file systems
 * (the log needs shared memory), foreign keys on, a wait of FZ_DB_WAIT_MS. A new file starts with a rollback
 * journal, which writes its pages once instead of twice, and gets the log when it is closed. A file that is not a database,
 * a directory, a read-only file or folder, a locked database are errors in words. */
fz_status fz_db_open(const char *path, fz_db **out, fz_error *err);
fz_status fz_db_open_waiting(const char *path, int wait_ms, fz_db **out, fz_error *err);
/* Must exist; nothing is written. */
fz_status fz_db_open_readonly(const char *path, fz_db **out, fz_error *err);
/* Closes; checkpoints the log into the file and reports when that failed (not when other processes still
 * read: the last one does it then). All statements must be finalized. NULL is allowed. */
fz_status fz_db_close(fz_db *db, fz_error *err);

sqlite3 *fz_db_handle(fz_db *db);
const char *fz_db_path(const fz_db *db);

/* Brings the schema from its user_version to `n` by running scripts[user_version .. n-1], all in one
 * transaction. A database with a later version is FZ_EDB ("made by a newer frenzy"). `application_id`
 * is checked, and set in a new file: somebody else's database is refused. */
fz_status fz_db_migrate(fz_db *db, int32_t application_id, const char *const *scripts, uint32_t n,
                        fz_error *err);

fz_status fz_db_exec(fz_db *db, const char *sql, fz_error *err);
fz_status fz_db_prepare(fz_db *db, const char *sql, sqlite3_stmt **out, fz_error *err);
/* One row or the end: *row says which. */
fz_status fz_db_step(fz_db *db, sqlite3_stmt *stmt, bool *row, fz_error *err);
/* Steps a statement that returns nothing, and resets it (after an error as well). */
fz_status fz_db_run(fz_db *db, sqlite3_stmt *stmt, fz_error *err);

fz_status fz_db_begin(fz_db *db, fz_error *err);  /* BEGIN IMMEDIATE */
fz_status fz_db_commit(fz_db *db, fz_error *err); /* after an error the transaction is still open */
void fz_db_rollback(fz_db *db);                   /* harmless when none is open */

#endif
