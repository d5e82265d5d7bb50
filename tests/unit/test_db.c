#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/support/db.h"
#include "tests/harness.h"
#include "tests/temp.h"

static fz_temp temp;
enum { APPLICATION = 0x667a7431 };
static const char *const scripts[] = {
    "CREATE TABLE t (a INTEGER NOT NULL) STRICT; INSERT INTO t VALUES (1)",
    "ALTER TABLE t ADD COLUMN b TEXT; INSERT INTO t VALUES (2, 'x')",
};

/* Whether `call` failed so, with `part` in its message and the file's name in the record. */
static bool failed(fz_status status, fz_status expected, const fz_error *err, const char *part)
{
    bool good =
        status == expected && strstr(err->message, part) != NULL && strstr(err->file, temp.folder) != NULL;
    if (!good)
        printf("\n%s: %s: %s (expected %s: %s)\n", fz_status_name(status), err->file, err->message,
               fz_status_name(expected), part);
    return good;
}

static fz_db *open_migrated(const char *name)
{
    fz_db *db = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(fz_db_open_waiting(fz_temp_path(&temp, name), 10, &db, &err), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_db_migrate(db, APPLICATION, scripts, 2, &err), FZ_OK);
    return db;
}

static int64_t number(fz_db *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    bool row = false;
    CU_ASSERT_EQUAL_FATAL(fz_db_prepare(db, sql, &stmt, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_step(db, stmt, &row, NULL), FZ_OK);
    int64_t value = row ? sqlite3_column_int64(stmt, 0) : -1;
    (void)sqlite3_finalize(stmt);
    return value;
}

static void rows_come_back(void)
{
    fz_db *db = open_migrated("rows.db");
    sqlite3_stmt *insert = NULL;
    CU_ASSERT_EQUAL(fz_db_begin(db, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_db_prepare(db, "INSERT INTO t VALUES (?, 'y')", &insert, NULL), FZ_OK);
    for (int i = 0; i < 100; i++) {
        (void)sqlite3_bind_int(insert, 1, i);
        CU_ASSERT_EQUAL(fz_db_run(db, insert, NULL), FZ_OK);
    }
    (void)sqlite3_finalize(insert);
    CU_ASSERT_EQUAL(fz_db_commit(db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(access(fz_temp_path(&temp, "rows.db-wal"), F_OK), -1); /* all is in the one file */
    CU_ASSERT_EQUAL_FATAL(fz_db_open_readonly(fz_temp_path(&temp, "rows.db"), &db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM t WHERE b = 'y'"), 100);
    fz_error err = {0};
    CU_ASSERT(failed(fz_db_exec(db, "DELETE FROM t", &err), FZ_EIO, &err, "readonly"));
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(NULL, NULL), FZ_OK);
}

static void settings(void)
{
    fz_db *db = open_migrated("settings.db");
    CU_ASSERT_EQUAL(number(db, "PRAGMA synchronous"), 2);
    CU_ASSERT_EQUAL(number(db, "PRAGMA foreign_keys"), 1);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK); /* a new file gets its log at the end */
    db = open_migrated("settings.db");
    CU_ASSERT_EQUAL(number(db, "PRAGMA synchronous"), 2);
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"), 1);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
}

static void a_rollback_leaves_nothing(void)
{
    fz_db *db = open_migrated("rollback.db");
    fz_db_rollback(db); /* none is open */
    CU_ASSERT_EQUAL(fz_db_begin(db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_exec(db, "DELETE FROM t", NULL), FZ_OK);
    fz_db_rollback(db);
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM t"), 2);
    CU_ASSERT_EQUAL(fz_db_begin(db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_exec(db, "DELETE FROM t", NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK); /* not committed, so not done */
    db = open_migrated("rollback.db");
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM t"), 2);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
}

/* A process killed in the middle of a transaction: what was committed is there, the rest is not. */
static void a_killed_writer(void)
{
    fz_db *db = open_migrated("killed.db");
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    pid_t child = fork();
    if (child == 0) {
        if (fz_db_open(fz_temp_path(&temp, "killed.db"), &db, NULL) == FZ_OK &&
            fz_db_exec(db, "INSERT INTO t VALUES (3, 'kept')", NULL) == FZ_OK &&
            fz_db_begin(db, NULL) == FZ_OK)
            (void)fz_db_exec(db, "INSERT INTO t VALUES (4, 'lost')", NULL);
        _exit(0);
    }
    CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
    db = open_migrated("killed.db");
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM t WHERE b = 'kept'"), 1);
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM t WHERE b = 'lost'"), 0);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
}

static void migrations(void)
{
    fz_db *db = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(fz_db_open(fz_temp_path(&temp, "steps.db"), &db, &err), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_migrate(db, APPLICATION, scripts, 1, &err), FZ_OK);
    CU_ASSERT_EQUAL(number(db, "PRAGMA user_version"), 1);
    CU_ASSERT_EQUAL(number(db, "PRAGMA application_id"), APPLICATION);
    CU_ASSERT_EQUAL(fz_db_migrate(db, APPLICATION, scripts, 2, &err), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_migrate(db, APPLICATION, scripts, 2, &err), FZ_OK); /* nothing left to do */
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM t"), 2);
    CU_ASSERT(
        failed(fz_db_migrate(db, APPLICATION, scripts, 1, &err), FZ_EDB, &err, "made by a newer frenzy"));
    CU_ASSERT(failed(fz_db_migrate(db, APPLICATION + 1, scripts, 2, &err), FZ_EDB, &err, "another program"));
    const char *const broken[] = {scripts[0], scripts[1], "CREATE TABLE u (a TEXT) STRICT", "nonsense"};
    CU_ASSERT(failed(fz_db_migrate(db, APPLICATION, broken, 4, &err), FZ_EDB, &err, "syntax error"));
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'u'"), 0);
    CU_ASSERT_EQUAL(number(db, "PRAGMA user_version"), 2);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
}

static void somebody_elses_database(void)
{
    fz_db *db = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(fz_db_open(fz_temp_path(&temp, "theirs.db"), &db, &err), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_exec(db, "CREATE TABLE photos (a)", &err), FZ_OK); /* no marks at all */
    CU_ASSERT(failed(fz_db_migrate(db, APPLICATION, scripts, 2, &err), FZ_EDB, &err, "another program"));
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM sqlite_schema"), 1);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
}

static void what_cannot_be_opened(void)
{
    fz_db *db = NULL;
    fz_error err = {0};
    char text[2000];
    memset(text, 'x', sizeof text);
    CU_ASSERT(failed(fz_db_open(temp.folder, &db, &err), FZ_EIO, &err, "directory"));
    CU_ASSERT(failed(fz_db_open(fz_temp_path(&temp, "no/folder.db"), &db, &err), FZ_EIO, &err,
                     "does the folder exist"));
    CU_ASSERT(failed(fz_db_open_readonly(fz_temp_path(&temp, "absent.db"), &db, &err), FZ_EIO, &err,
                     "unable to open"));
    const char *path = fz_temp_write(&temp, "text.db", text, sizeof text);
    CU_ASSERT(failed(fz_db_open(path, &db, &err), FZ_EDB, &err, "not a database"));
    CU_ASSERT(failed(fz_db_open_readonly(path, &db, &err), FZ_EDB, &err, "not a database"));
    struct stat st;
    CU_ASSERT(stat(path, &st) == 0 && st.st_size == (off_t)sizeof text); /* left as it was */
    CU_ASSERT_EQUAL(fz_db_open(path, &db, NULL), FZ_EDB);
    CU_ASSERT_PTR_NULL(db);
}

/* The superuser may write everywhere, so the test drops its rights while it opens. */
static void rights(void)
{
    fz_db *db = open_migrated("rights.db");
    fz_error err = {0};
    bool super = geteuid() == 0;
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(chmod(fz_temp_path(&temp, "rights.db"), 0444), 0);
    CU_ASSERT_EQUAL(chmod(temp.folder, 0555), 0);
    CU_ASSERT_EQUAL_FATAL(super ? seteuid(65534) : 0, 0);
    CU_ASSERT(failed(fz_db_open(fz_temp_path(&temp, "rights.db"), &db, &err), FZ_EIO, &err, "read-only"));
    CU_ASSERT(
        failed(fz_db_open(fz_temp_path(&temp, "new.db"), &db, &err), FZ_EIO, &err, "may you write to it"));
    CU_ASSERT_EQUAL_FATAL(super ? seteuid(0) : 0, 0);
    CU_ASSERT_EQUAL(chmod(temp.folder, 0755), 0);
}

static void a_locked_database(void)
{
    fz_db *first = open_migrated("locked.db"), *second = open_migrated("locked.db");
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_db_begin(first, NULL), FZ_OK);
    CU_ASSERT(failed(fz_db_begin(second, &err), FZ_EDB, &err, "another process writes to it"));
    CU_ASSERT_EQUAL(fz_db_commit(first, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_begin(second, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_commit(second, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_exec(first, "BEGIN EXCLUSIVE", NULL), FZ_OK);
    fz_db *third = NULL;
    fz_status status = fz_db_open_waiting(fz_temp_path(&temp, "locked.db"), 10, &third, &err);
    CU_ASSERT_EQUAL(status, FZ_OK); /* readers do not wait for a writer */
    CU_ASSERT_EQUAL(fz_db_close(third, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(first, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(second, NULL), FZ_OK);
}

/* As on a full disk: the database may not grow. Nothing of the transaction stays, what was there does. */
static void a_full_disk(void)
{
    fz_db *db = open_migrated("full.db");
    fz_error err = {0};
    fz_status status = FZ_OK;
    CU_ASSERT_EQUAL(fz_db_exec(db, "PRAGMA max_page_count=8", NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_begin(db, NULL), FZ_OK);
    for (int i = 0; i < 100 && status == FZ_OK; i++)
        status = fz_db_exec(db, "INSERT INTO t VALUES (9, hex(zeroblob(2000)))", &err);
    CU_ASSERT(failed(status, FZ_EIO, &err, "free some space"));
    fz_db_rollback(db);
    CU_ASSERT_EQUAL(number(db, "SELECT count(*) FROM t"), 2);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
}

/* Names that mean something else to SQLite are plain files here; an empty one is refused. */
static void names_with_a_meaning(void)
{
    static const char *const names[] = {":memory:", "file:a.db?mode=memory", "file:b.db"};
    char before[4096];
    fz_error err = {0};
    fz_db *db = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(before, sizeof before));
    CU_ASSERT_EQUAL_FATAL(chdir(temp.folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CU_ASSERT_EQUAL_FATAL(fz_db_open(names[i], &db, &err), FZ_OK);
        CU_ASSERT_EQUAL(fz_db_migrate(db, APPLICATION, scripts, 2, &err), FZ_OK);
        CU_ASSERT_STRING_EQUAL(fz_db_path(db), names[i]);
        CU_ASSERT_EQUAL(fz_db_close(db, &err), FZ_OK);
        CU_ASSERT_EQUAL(access(names[i], R_OK), 0);
    }
    CU_ASSERT_EQUAL(chdir(before), 0);
    CU_ASSERT_EQUAL(fz_db_open("", &db, &err), FZ_EIO);
    CU_ASSERT_STRING_EQUAL(err.message, "a database has no name; name a file for it");
}

static void bad_statements(void)
{
    fz_db *db = open_migrated("bad.db");
    fz_error err = {0};
    sqlite3_stmt *stmt = NULL;
    CU_ASSERT(failed(fz_db_prepare(db, "SELECT a FROM nowhere", &stmt, &err), FZ_EDB, &err, "no such table"));
    CU_ASSERT_EQUAL_FATAL(fz_db_prepare(db, "INSERT INTO t VALUES ('text', NULL)", &stmt, NULL), FZ_OK);
    CU_ASSERT(failed(fz_db_run(db, stmt, &err), FZ_EDB, &err, "cannot store TEXT value"));
    (void)sqlite3_finalize(stmt);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
}

int main(void)
{
    static const fz_test tests[] = {
        {"rows come back", rows_come_back},
        {"settings", settings},
        {"a rollback leaves nothing", a_rollback_leaves_nothing},
        {"a killed writer", a_killed_writer},
        {"migrations", migrations},
        {"somebody else's database", somebody_elses_database},
        {"what cannot be opened", what_cannot_be_opened},
        {"rights", rights},
        {"a locked database", a_locked_database},
        {"a full disk", a_full_disk},
        {"names with a meaning", names_with_a_meaning},
        {"bad statements", bad_statements},
    };
    fz_temp_open(&temp);
    int failures = FZ_TEST_MAIN("db", tests);
    fz_temp_close(&temp);
    return failures;
}
