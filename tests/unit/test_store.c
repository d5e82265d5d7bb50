/* The results database: what goes in comes out of the views, and nothing is ever there by half. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/support/db.h"
#include "sim/store/store.h"
#include "tests/harness.h"
#include "tests/sample_run.h"
#include "tests/temp.h"

static fz_temp temp;

static fz_status run_add(fz_store *store, const sample_run *run, uint64_t seed, fz_error *err)
{
    const fz_store_run row = {.trace = run->trace,
                              .cluster = run->cluster,
                              .cluster_sha256 = "cafe",
                              .cluster_path = "clusters/test.json",
                              .scheduler = "fifo",
                              .config = "scheduler=fifo\nconsolidate=0\n",
                              .version = "1.2.3",
                              .seed = seed};
    return fz_store_add(store, &row, &run->result, NULL, err);
}

static fz_store *opened(const char *name)
{
    fz_store *store = NULL;
    fz_error err = {0};
    fz_status status = fz_store_open(fz_temp_path(&temp, name), &store, &err);
    if (status != FZ_OK)
        printf("\n%s: %s\n", err.file, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    return store;
}

/* Opens, adds one run, closes. */
static void stored(const char *name, const sample_run *run, uint64_t seed)
{
    fz_store *store = opened(name);
    CU_ASSERT_EQUAL(run_add(store, run, seed, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
}

/* ---- reading by plain SQLite ---------------------------------------------------------------------------- */

/* All rows of a query: values joined by '|', rows by a line break; "~" is NULL. */
static const char *rows_of(const char *name, const char *sql)
{
    static char text[4096];
    fz_db *db = NULL;
    sqlite3_stmt *stmt = NULL;
    bool row = false;
    size_t length = 0;
    CU_ASSERT_EQUAL_FATAL(fz_db_open_readonly(fz_temp_path(&temp, name), &db, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_db_prepare(db, sql, &stmt, NULL), FZ_OK);
    text[0] = '\0';
    while (fz_db_step(db, stmt, &row, NULL) == FZ_OK && row)
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            const char *value = (const char *)sqlite3_column_text(stmt, i);
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
                                       i > 0        ? "|"
                                       : length > 0 ? "\n"
                                                    : "",
                                       value != NULL ? value : "~");
            CU_ASSERT_FATAL(length < sizeof(text));
        }
    (void)sqlite3_finalize(stmt);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    return text;
}

static void expect_rows(const char *name, const char *sql, const char *expected)
{
    const char *found = rows_of(name, sql);
    CU_ASSERT_STRING_EQUAL(found, expected);
    if (strcmp(found, expected) != 0)
        printf("\n%s\n%s\n", sql, found);
}

/* What is there fits together: no run without its jobs, no jobs without their run. */
static void expect_whole(const char *name)
{
    expect_rows(name, "PRAGMA integrity_check", "ok");
    expect_rows(name, "PRAGMA foreign_key_check", "");
    expect_rows(name,
                "SELECT count(*) FROM run WHERE jobs <> (SELECT count(*) FROM v_job WHERE run_id = run.id)",
                "0");
    expect_rows(name, "SELECT count(*) FROM job WHERE key >> 32 NOT IN (SELECT id FROM run)", "0");
    expect_rows(name, "SELECT count(*) FROM trace_job WHERE key >> 32 NOT IN (SELECT id FROM trace)", "0");
    expect_rows(name, "SELECT count(*) FROM job WHERE node_list NOT IN (SELECT id FROM node_list)", "0");
}

/* ---- what comes out ------------------------------------------------------------------------------------- */

static void every_job(void)
{
    sample_run run = sample_run_new("f00d");
    stored("jobs.db", &run, 7);
    expect_rows("jobs.db",
                "SELECT run_id, scheduler, seed, row, job_id, user, vc, model, req_gpus FROM v_job",
                "1|fifo|7|0|a|~|~|~|4\n"
                "1|fifo|7|1|b,\"2\"|ann|ann|llama-2-7b|~\n"
                "1|fifo|7|2|c|~|~|~|4\n"
                "1|fifo|7|3|d|~|~|~|4\n"
                "1|fifo|7|4|e|~|~|~|4\n"
                "1|fifo|7|5|f|~|~|~|4");
    expect_rows("jobs.db",
                "SELECT submit_s, start_s, end_s, state, gpus, gpu_types, nodes, plan, attempts, preemptions "
                "FROM v_job",
                "0.0|0.5|10.25|FINISHED|4|g0:2|g1:2|n-0:2|n-1:2|~|1|0\n"
                "1.5|1.5|100.000001|FINISHED|4|g1:4|n-1:4|d2t2p1z0|2|1\n"
                "2.0|~|~|REJECTED|~|~|~|~|0|0\n"
                "10.0|12.0|13.0|OOM|2|g0:2|n-0:2|~|1|0\n"
                "20.0|20.0|~|RUNNING|2|g0:2|n-0:2|~|1|0\n"
                "30.0|~|~|WAITING|~|~|~|~|0|0");
    expect_rows("jobs.db", "SELECT queue_s, jct_s, wait_s, run_s, gpu_s FROM v_job",
                "0.5|10.25|0.5|9.75|39.0\n"
                "0.0|98.500001|8.500001|90.0|360.0\n"
                "~|~|~|0.0|0.0\n"
                "2.0|3.0|2.0|1.0|2.0\n"
                "0.0|~|~|5.0|10.0\n"
                "~|~|~|0.0|0.0");
    expect_rows("jobs.db", "SELECT count(*) FROM node_list", "3"); /* the same nodes once */
    expect_whole("jobs.db");
    sample_run_free(&run);
}

static void the_run(void)
{
    sample_run run = sample_run_new("f00d");
    stored("run.db", &run, INT64_MAX);
    expect_rows("run.db",
                "SELECT run_id, scheduler, seed, trace_sha256, cluster_path, cluster_sha256, gpus, config, "
                "version FROM v_run",
                "1|fifo|9223372036854775807|f00d|clusters/test.json|cafe|8|scheduler=fifo\nconsolidate=0\n|"
                "1.2.3");
    expect_rows("run.db", "SELECT added GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-*T*Z' FROM v_run", "1");
    expect_rows("run.db", /* -1 stands for a figure that does not exist; 0 is a figure */
                "SELECT jobs, finished, rejected, ooms, wait_avg_s, alloc_frac, wall_s, decide_ms_p99, "
                "peak_rss_bytes FROM v_summary",
                "6|2|1|1|~|0.0|0.25|0.5|1073741824");
    expect_rows("run.db", "SELECT jct_avg_s = 0.1 AND jct_p50_s = 1.0 / 3 FROM v_summary", "1");
    sample_run_free(&run);
}

static void what_is_shared_is_stored_once(void)
{
    sample_run first = sample_run_new("one"), second = sample_run_large("two", 3);
    fz_store *store = opened("shared.db");
    for (uint64_t seed = 0; seed < 2; seed++) {
        CU_ASSERT_EQUAL(run_add(store, &first, seed, NULL), FZ_OK);
        CU_ASSERT_EQUAL(run_add(store, &second, seed, NULL), FZ_OK);
    }
    CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
    stored("shared.db", &first, 2); /* by another process, as it were */
    expect_rows("shared.db",
                "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM trace), (SELECT "
                "count(*) FROM trace_job), (SELECT count(*) FROM cluster), (SELECT count(*) FROM "
                "job), (SELECT count(*) FROM word), (SELECT count(*) FROM plan)",
                "5|2|9|1|24|2|1");
    expect_rows("shared.db", "SELECT run_id, count(*), min(job_id) FROM v_job GROUP BY run_id",
                "1|6|a\n2|3|job-0\n3|6|a\n4|3|job-0\n5|6|a");
    expect_rows("shared.db", "SELECT count(DISTINCT nodes || gpu_types) FROM v_job WHERE job_id = 'a'", "1");
    expect_whole("shared.db");
    sample_run_free(&first);
    sample_run_free(&second);
}

static void an_empty_trace(void)
{
    sample_run run = sample_run_large("none", 0);
    stored("none.db", &run, 0);
    expect_rows("none.db", "SELECT count(*) FROM v_run", "1");
    expect_rows("none.db", "SELECT count(*) FROM v_job", "0");
    sample_run_free(&run);
}

static void tables_are_strict(void)
{
    sample_run run = sample_run_new("strict");
    stored("strict.db", &run, 0);
    expect_rows("strict.db",
                "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                "AND name NOT LIKE 'sqlite_%' AND strict = 0",
                "0");
    expect_rows("strict.db", "PRAGMA user_version", "5");
    expect_rows("strict.db", "PRAGMA application_id", "1719300657");
    sample_run_free(&run);
}

/* ---- what must not go wrong ----------------------------------------------------------------------------- */

/* Some MiB: they fit SQLite's cache and are all written at the commit, where the tests below strike. */
enum { LARGE = 60000 };

static off_t size_of(const char *name)
{
    struct stat st;
    return stat(fz_temp_path(&temp, name), &st) == 0 ? st.st_size : 0;
}

/* Adds a large run in a process of its own whose files may grow by `room` bytes only. Beyond that it dies
 * where it stands (`die`), or meets a disk that is full. Returns what waitpid() says. */
static int add_in_small_room(const char *name, const sample_run *run, off_t room, bool die)
{
    pid_t child = fork();
    if (child == 0) {
        fz_store *store = NULL;
        fz_error err = {0};
        rlim_t limit = (rlim_t)(size_of(name) + room);
        (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
        (void)signal(SIGXFSZ, die ? SIG_DFL : SIG_IGN);
        fz_status status = fz_store_open(fz_temp_path(&temp, name), &store, &err);
        if (status == FZ_OK)
            status = run_add(store, run, 1, &err);
        _exit(status == FZ_EIO && strstr(err.file, name) != NULL && err.message[0] != '\0' ? 3 : 4);
    }
    int how = 0;
    CU_ASSERT_EQUAL(waitpid(child, &how, 0), child);
    return how;
}

/* The run before is there, the new one is not, and the database goes on to be used. */
static void expect_first_run_only(const char *name, const sample_run *again)
{
    fz_store *store = opened(name); /* takes back what is half-written */
    CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
    expect_whole(name);
    expect_rows(name, "SELECT count(*), min(seed) FROM run", "1|0");
    expect_rows(name, "SELECT count(*) FROM trace", "1");
    stored(name, again, 2);
    expect_whole(name);
    expect_rows(name, "SELECT count(*) FROM run", "2");
}

static void killed_in_the_middle(void)
{
    static const off_t rooms[] = {1 << 14, 1 << 17, 1 << 20};
    sample_run small = sample_run_new("small"), large = sample_run_large("large", LARGE);
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "killed-%zu.db", i);
        stored(name, &small, 0);
        int how = add_in_small_room(name, &large, rooms[i], true);
        CU_ASSERT(WIFSIGNALED(how) && WTERMSIG(how) == SIGXFSZ);
        expect_first_run_only(name, &large);
    }
    sample_run_free(&small);
    sample_run_free(&large);
}

static void a_full_disk(void)
{
    static const off_t rooms[] = {1 << 14, 1 << 17, 1 << 20};
    sample_run small = sample_run_new("small"), large = sample_run_large("large", LARGE);
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "full-%zu.db", i);
        stored(name, &small, 0);
        int how = add_in_small_room(name, &large, rooms[i], false);
        CU_ASSERT(WIFEXITED(how) && WEXITSTATUS(how) == 3);
        expect_first_run_only(name, &large);
    }
    sample_run_free(&small);
    sample_run_free(&large);
}

/* A row that is refused, far into the run: all of it is taken back, and the same store goes on. */
static void a_failure_in_the_middle(void)
{
    sample_run small = sample_run_new("small"), large = sample_run_large("large", 5000);
    fz_error err = {0};
    fz_db *db = NULL;
    stored("middle.db", &small, 0);
    CU_ASSERT_EQUAL_FATAL(fz_db_open(fz_temp_path(&temp, "middle.db"), &db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_exec(db,
                               "CREATE TRIGGER full BEFORE INSERT ON job WHEN (NEW.key & 4294967295) = 4000 "
                               "BEGIN SELECT RAISE(ABORT, 'no more of this'); END",
                               NULL),
                    FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    fz_store *store = opened("middle.db");
    CU_ASSERT_EQUAL(run_add(store, &large, 1, &err), FZ_EDB);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "no more of this"));
    CU_ASSERT_EQUAL(run_add(store, &small, 2, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
    expect_whole("middle.db");
    expect_rows("middle.db",
                "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM job), (SELECT count(*) "
                "FROM trace), (SELECT count(*) FROM trace_job)",
                "2|12|1|6");
    sample_run_free(&small);
    sample_run_free(&large);
}

/* A new file is written by another road (a rollback journal): the first run killed, too. */
static void killed_in_the_first_run(void)
{
    sample_run large = sample_run_large("large", LARGE);
    int how = add_in_small_room("first.db", &large, 1 << 20, true);
    CU_ASSERT(WIFSIGNALED(how) && WTERMSIG(how) == SIGXFSZ);
    fz_store *store = opened("first.db");
    CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
    expect_whole("first.db");
    expect_rows("first.db", "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM trace)", "0");
    stored("first.db", &large, 0);
    expect_whole("first.db");
    sample_run_free(&large);
}

/* Killed at moments that nobody chose: what is there is whole runs, the first ones in order. */
static void killed_at_any_moment(void)
{
    sample_run run = sample_run_large("any", 2000);
    for (int round = 0; round < 5; round++) {
        pid_t child = fork();
        if (child == 0) {
            fz_store *store = NULL;
            (void)fz_store_open(fz_temp_path(&temp, "any.db"), &store, NULL);
            for (uint64_t seed = 0; store != NULL; seed++)
                (void)run_add(store, &run, seed, NULL);
            _exit(1);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 7000000L * (round + 1)}, NULL);
        (void)kill(child, SIGKILL);
        CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
        fz_store *store = opened("any.db");
        CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
        expect_whole("any.db");
    }
    sample_run_free(&run);
}

/* ---- what cannot be opened or written -------------------------------------------------------------------- */

static bool open_fails(const char *path, fz_status expected, const char *part)
{
    fz_store *store = NULL;
    fz_error err = {0};
    fz_status status = fz_store_open(path, &store, &err);
    if (status == expected && store == NULL && strstr(err.message, part) != NULL)
        return true;
    printf("\n%s: %s: %s\n", path, fz_status_name(status), err.message);
    return false;
}

static void what_cannot_be_opened(void)
{
    CU_ASSERT(open_fails(temp.folder, FZ_EIO, "directory"));
    CU_ASSERT(open_fails(fz_temp_path(&temp, "no/folder.db"), FZ_EIO, "does the folder exist"));
    CU_ASSERT(open_fails(fz_temp_text(&temp, "text.db", "this is no database but a text that is long enough"),
                         FZ_EDB, "not a database"));
    sample_run run = sample_run_new("newer");
    stored("newer.db", &run, 0);
    fz_db *db = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_db_open(fz_temp_path(&temp, "newer.db"), &db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_exec(db, "PRAGMA user_version = 99", NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    CU_ASSERT(open_fails(fz_temp_path(&temp, "newer.db"), FZ_EDB, "made by a newer frenzy"));
    CU_ASSERT_EQUAL_FATAL(fz_db_open(fz_temp_path(&temp, "other.db"), &db, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_exec(db, "CREATE TABLE photos (a)", NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_close(db, NULL), FZ_OK);
    CU_ASSERT(open_fails(fz_temp_path(&temp, "other.db"), FZ_EDB, "another program"));
    expect_rows("other.db", "SELECT name FROM sqlite_schema", "photos"); /* left as it was */
    CU_ASSERT_EQUAL(fz_store_close(NULL, NULL), FZ_OK);
    sample_run_free(&run);
}

/* The superuser may write everywhere, so the test drops its rights while it opens. */
static void a_read_only_folder(void)
{
    sample_run run = sample_run_new("rights");
    stored("rights.db", &run, 0);
    bool super = geteuid() == 0;
    CU_ASSERT_EQUAL(chmod(fz_temp_path(&temp, "rights.db"), 0444), 0);
    CU_ASSERT_EQUAL(chmod(temp.folder, 0555), 0);
    CU_ASSERT_EQUAL_FATAL(super ? seteuid(65534) : 0, 0);
    CU_ASSERT(open_fails(fz_temp_path(&temp, "rights.db"), FZ_EIO, "read-only"));
    CU_ASSERT(open_fails(fz_temp_path(&temp, "fresh.db"), FZ_EIO, "may you write to it"));
    CU_ASSERT_EQUAL_FATAL(super ? seteuid(0) : 0, 0);
    CU_ASSERT_EQUAL(chmod(temp.folder, 0755), 0);
    CU_ASSERT_EQUAL(access(fz_temp_path(&temp, "fresh.db"), F_OK), -1);
    sample_run_free(&run);
}

/* Another process writes: this one waits until it is done. */
static void a_locked_database(void)
{
    sample_run run = sample_run_new("locked");
    stored("locked.db", &run, 0);
    fz_store *store = opened("locked.db");
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        fz_db *db = NULL;
        bool held = fz_db_open(fz_temp_path(&temp, "locked.db"), &db, NULL) == FZ_OK &&
                    fz_db_begin(db, NULL) == FZ_OK;
        held = write(ends[1], held ? "y" : "n", 1) == 1 && held;
        (void)nanosleep(&(struct timespec){.tv_nsec = 200000000L}, NULL);
        _exit(held && fz_db_commit(db, NULL) == FZ_OK ? 0 : 1);
    }
    char answer = 'n';
    int how = 0;
    CU_ASSERT(read(ends[0], &answer, 1) == 1 && answer == 'y');
    CU_ASSERT_EQUAL(run_add(store, &run, 1, NULL), FZ_OK);
    CU_ASSERT(waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 0);
    CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
    (void)close(ends[0]);
    (void)close(ends[1]);
    expect_rows("locked.db", "SELECT count(*) FROM run", "2");
    sample_run_free(&run);
}

/* One that writes and writes: after FZ_DB_WAIT_MS that is said, and nothing was changed. */
static void a_database_that_stays_locked(void)
{
    sample_run run = sample_run_new("stuck");
    stored("stuck.db", &run, 0);
    fz_store *store = opened("stuck.db");
    fz_db *holder = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(fz_db_open(fz_temp_path(&temp, "stuck.db"), &holder, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_db_begin(holder, NULL), FZ_OK);
    CU_ASSERT_EQUAL(run_add(store, &run, 1, &err), FZ_EDB);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "another process writes to it"));
    fz_db_rollback(holder);
    CU_ASSERT_EQUAL(fz_db_close(holder, NULL), FZ_OK);
    CU_ASSERT_EQUAL(run_add(store, &run, 2, NULL), FZ_OK); /* the same store goes on */
    CU_ASSERT_EQUAL(fz_store_close(store, NULL), FZ_OK);
    expect_rows("stuck.db", "SELECT seed FROM run ORDER BY id", "0\n2");
    sample_run_free(&run);
}

int main(void)
{
    static const fz_test tests[] = {
        {"every job", every_job},
        {"the run", the_run},
        {"what is shared is stored once", what_is_shared_is_stored_once},
        {"an empty trace", an_empty_trace},
        {"tables are strict", tables_are_strict},
        {"killed in the middle", killed_in_the_middle},
        {"a full disk", a_full_disk},
        {"a failure in the middle", a_failure_in_the_middle},
        {"killed in the first run", killed_in_the_first_run},
        {"killed at any moment", killed_at_any_moment},
        {"what cannot be opened", what_cannot_be_opened},
        {"a read-only folder", a_read_only_folder},
        {"a locked database", a_locked_database},
        {"a database that stays locked", a_database_that_stays_locked},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("store", tests);
    fz_temp_close(&temp);
    return failed;
}
