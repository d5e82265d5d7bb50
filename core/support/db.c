#include "core/support/db.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "core/support/unshared.h"

struct fz_db {
    sqlite3 *handle;
    char *path;
    bool readonly;
    bool fresh; /* the file was made by this open */
};

/* A slot of SQLite's page cache: a page of the size that set_up() chooses and what SQLite keeps about it. */
enum { PAGE_BYTES = 16384, SLOT_EXTRA = 512 };

void fz_db_fork_often(size_t bytes)
{
    int slot = PAGE_BYTES + SLOT_EXTRA;
    int n = (int)(bytes / (size_t)slot);
    size_t size = (size_t)slot * (size_t)n;
    void *pages = fz_unshared_new(&size);
    if (pages != NULL && sqlite3_config(SQLITE_CONFIG_PAGECACHE, pages, slot, n) != SQLITE_OK)
        fz_unshared_free(pages, size);
}

/* What to do about a code of SQLite; "" where its own words are all there is to say. */
static const char *advice(int code)
{
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "; another process writes to it: wait for it or stop it";
    case SQLITE_FULL:
        return "; free some space and run again: what was committed before is safe";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return "; check the rights of the file and its folder";
    case SQLITE_CANTOPEN:
        return "; does the folder exist, and may you write to it?";
    case SQLITE_NOTADB:
        return "; name another file, this one is left as it is";
    case SQLITE_CORRUPT:
        return "; restore it from a copy, or run again into a new file";
    default:
        return "";
    }
}

static fz_status status_of(int code)
{
    switch (code) {
    case SQLITE_NOMEM:
        return FZ_ENOMEM;
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        return FZ_EIO;
    default:
        return FZ_EDB;
    }
}

/* The last error of the handle as an error record. */
static fz_status failed(const fz_db *db, const char *doing, fz_error *err)
{
    int code = db->handle != NULL ? sqlite3_errcode(db->handle) : SQLITE_NOMEM;
    const char *words = db->handle != NULL ? sqlite3_errmsg(db->handle) : "out of memory";
    return fz_fail_at(err, status_of(code & 0xff), db->path, 0, 0, "cannot %s the database: %s%s", doing,
                      words, advice(code & 0xff));
}

static fz_status exec(fz_db *db, const char *doing, const char *sql, fz_error *err)
{
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? FZ_OK : failed(db, doing, err);
}

/* The first column of the first row of a query, as a number. */
static fz_status query_number(fz_db *db, const char *sql, int64_t *out, fz_error *err)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW) {
        (void)sqlite3_finalize(stmt);
        return failed(db, "read", err);
    }
    *out = sqlite3_column_int64(stmt, 0);
    return sqlite3_finalize(stmt) == SQLITE_OK ? FZ_OK : failed(db, "read", err);
}

/* Network file systems by the magic numbers of their statfs(): the write-ahead log shares memory between
 * processes, which works on one machine only. */
static bool is_on_network(const char *path)
{
    static const uint32_t magics[] = {
        0x6969,     /* NFS */
        0x517b,     /* SMB */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB2 */
        0x0bd00bd0, /* Lustre */
        0x47504653, /* GPFS */
        0x19830326, /* BeeGFS */
        0x00c36400, /* Ceph */
        0x65735546, /* FUSE: sshfs, GlusterFS and others */
        0x01021997, /* 9P */
        0x5346414f, /* AFS */
    };
    struct statfs fs;
    if (statfs(path, &fs) != 0)
        return false;
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if ((uint32_t)fs.f_type == magics[i])
            return true;
    return false;
}

/* The write-ahead log, so that readers and a writer do not wait for each other. */
static fz_status log_use(fz_db *db, fz_error *err)
{
    return exec(db, "set up",
                is_on_network(db->path) ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL", err);
}

/* A file that is being made has no readers yet. With a rollback journal its pages are written once; the log
 * would write them twice. It gets the log when it is closed. */
static fz_status set_up(fz_db *db, fz_error *err)
{
    int64_t pages = 0;
    if (!db->readonly && sqlite3_db_readonly(db->handle, "main") == 1)
        return fz_fail_at(err, FZ_EIO, db->path, 0, 0,
                          "the database is read-only; check the rights of the file");
    FZ_TRY(query_number(db, "SELECT page_count FROM pragma_page_count", &pages,
                        err)); /* reads the file at last */
    if (db->readonly)
        return FZ_OK;
    db->fresh = pages == 0;
    if (db->fresh)
        FZ_TRY(exec(db, "set up", "PRAGMA page_size=16384; PRAGMA journal_mode=TRUNCATE", err));
    else
        FZ_TRY(log_use(db, err));
    return exec(db, "set up", "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", err);
}

/* SQLite gives some names a meaning of their own: "" and ":memory:" are lost when they are closed, "file:" is
 * a URI. With a folder in front every name is that of a file. */
static int open_handle(fz_db *db, int flags)
{
    if (db->path[0] == '/')
        return sqlite3_open_v2(db->path, &db->handle, flags, NULL);
    char *name = sqlite3_mprintf("./%s", db->path);
    int code = name != NULL ? sqlite3_open_v2(name, &db->handle, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    return code;
}

static fz_status open_file(fz_db *db, int wait_ms, fz_error *err)
{
    struct stat st;
    int flags = db->readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (db->path[0] == '\0')
        return fz_fail(err, FZ_EIO, "a database has no name; name a file for it");
    if (stat(db->path, &st) == 0 && S_ISDIR(st.st_mode))
        return fz_fail_at(err, FZ_EIO, db->path, 0, 0, "this is a directory; name a file for the database");
    if (open_handle(db, flags | SQLITE_OPEN_NOMUTEX) != SQLITE_OK)
        return failed(db, "open", err);
    (void)sqlite3_extended_result_codes(db->handle, 1);
    (void)sqlite3_busy_timeout(db->handle, wait_ms);
    return set_up(db, err);
}

static fz_status open_any(const char *path, bool readonly, int wait_ms, fz_db **out, fz_error *err)
{
    fz_db *db = calloc(1, sizeof *db);
    char *copy = strdup(path);
    if (db == NULL || copy == NULL) {
        free(db);
        free(copy);
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    }
    db->path = copy;
    db->readonly = readonly;
    fz_status status = open_file(db, wait_ms, err);
    if (status == FZ_OK) {
        *out = db;
        return FZ_OK;
    }
    (void)sqlite3_close(db->handle);
    free(db->path);
    free(db);
    return status;
}

/* FRENZY_DB_WAIT_MS where it is a whole number up to an hour. */
static int usual_wait_ms(void)
{
    const char *text = getenv("FRENZY_DB_WAIT_MS");
    char *end = NULL;
    long wait = text != NULL && *text != '\0' ? strtol(text, &end, 10) : -1;
    return end != NULL && *end == '\0' && wait >= 0 && wait <= 3600000 ? (int)wait : FZ_DB_WAIT_MS;
}

fz_status fz_db_open(const char *path, fz_db **out, fz_error *err)
{
    return open_any(path, false, usual_wait_ms(), out, err);
}

fz_status fz_db_open_waiting(const char *path, int wait_ms, fz_db **out, fz_error *err)
{
    return open_any(path, false, wait_ms, out, err);
}

fz_status fz_db_open_readonly(const char *path, fz_db **out, fz_error *err)
{
    return open_any(path, true, usual_wait_ms(), out, err);
}

fz_status fz_db_close(fz_db *db, fz_error *err)
{
    fz_status status = FZ_OK;
    if (db == NULL)
        return FZ_OK;
    fz_db_rollback(db);
    if (!db->readonly) {
        (void)sqlite3_busy_timeout(db->handle, 0);
        if (db->fresh)
            (void)log_use(db,
                          NULL); /* somebody may be reading already: then the next one to open it does this */
        int code = sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) & 0xff;
        if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED)
            status = failed(db, "close", err);
    }
    int code = sqlite3_close(db->handle);
    assert(code == SQLITE_OK); /* else a statement was not finalized */
    (void)code;
    free(db->path);
    free(db);
    return status;
}

sqlite3 *fz_db_handle(fz_db *db)
{
    return db->handle;
}

const char *fz_db_path(const fz_db *db)
{
    return db->path;
}

/* A file without tables and marks is new. */
static fz_status check_owner(fz_db *db, int32_t application_id, fz_error *err)
{
    int64_t id = 0, tables = 0;
    FZ_TRY(query_number(db, "PRAGMA application_id", &id, err));
    FZ_TRY(query_number(db, "SELECT count(*) FROM sqlite_schema", &tables, err));
    if (id != application_id && (id != 0 || tables != 0))
        return fz_fail_at(
            err, FZ_EDB, db->path, 0, 0,
            "this database belongs to another program, or to another part of frenzy; name another file");
    return FZ_OK;
}

static fz_status migrate(fz_db *db, int32_t application_id, const char *const *scripts, uint32_t n,
                         fz_error *err)
{
    int64_t version = 0;
    char sql[128];
    FZ_TRY(check_owner(db, application_id, err));
    FZ_TRY(query_number(db, "PRAGMA user_version", &version, err));
    if (version < 0 || version > (int64_t)n)
        return fz_fail_at(
            err, FZ_EDB, db->path, 0, 0,
            "the database was made by a newer frenzy (version %lld, this one knows up to %u); use that one",
            (long long)version, n);
    for (uint32_t i = (uint32_t)version; i < n; i++)
        FZ_TRY(exec(db, "migrate", scripts[i], err));
    (void)snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%u", (int)application_id,
                   n);
    return (uint32_t)version < n ? exec(db, "migrate", sql, err) : FZ_OK;
}

fz_status fz_db_migrate(fz_db *db, int32_t application_id, const char *const *scripts, uint32_t n,
                        fz_error *err)
{
    FZ_TRY(fz_db_begin(db, err)); /* so that two processes do not migrate at once */
    fz_status status = migrate(db, application_id, scripts, n, err);
    if (status == FZ_OK)
        status = fz_db_commit(db, err);
    if (status != FZ_OK)
        fz_db_rollback(db);
    return status;
}

fz_status fz_db_exec(fz_db *db, const char *sql, fz_error *err)
{
    return exec(db, "use", sql, err);
}

fz_status fz_db_prepare(fz_db *db, const char *sql, sqlite3_stmt **out, fz_error *err)
{
    return sqlite3_prepare_v2(db->handle, sql, -1, out, NULL) == SQLITE_OK ? FZ_OK : failed(db, "query", err);
}

fz_status fz_db_step(fz_db *db, sqlite3_stmt *stmt, bool *row, fz_error *err)
{
    int code = sqlite3_step(stmt);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return FZ_OK;
    return failed(db, sqlite3_stmt_readonly(stmt) ? "read" : "write to", err);
}

fz_status fz_db_run(fz_db *db, sqlite3_stmt *stmt, fz_error *err)
{
    bool row = false;
    fz_status status = fz_db_step(db, stmt, &row, err);
    (void)sqlite3_reset(stmt);
    return status;
}

fz_status fz_db_begin(fz_db *db, fz_error *err)
{
    return exec(db, "write to", "BEGIN IMMEDIATE", err);
}

fz_status fz_db_commit(fz_db *db, fz_error *err)
{
    return exec(db, "write to", "COMMIT", err);
}

void fz_db_rollback(fz_db *db)
{
    if (sqlite3_get_autocommit(db->handle) == 0)
        (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}
