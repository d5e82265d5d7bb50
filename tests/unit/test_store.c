/* The results database: what is written reads back, and a writer that is killed leaves no half run. */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/store/store.h"
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/temp.h"
#include "tests/traces.h"

typedef struct world {
    fz_arena *arena;
    fz_run_spec spec;
    fz_run_result result;
    fz_store_run run;
} world;

static world world_new(uint32_t n_jobs, const char *trace_sha)
{
    const uint32_t mem[] = {40};
    const double rate[] = {1};
    static const double params[4] = {0};
    world w = {.arena = fz_arena_new(NULL)};
    fz_random random = {n_jobs};
    fz_trace *trace = test_trace(w.arena, test_jobs_random(w.arena, &random, n_jobs, 8), n_jobs);
    snprintf(trace->sha256, sizeof(trace->sha256), "%s", trace_sha);
    w.spec = (fz_run_spec){.trace = trace,
                           .cluster =
                               test_cluster(w.arena, 1, mem, rate, 2, (uint32_t[]){0, 0}, (uint32_t[]){4, 4}),
                           .sched = fz_sched_find("fifo"),
                           .sched_params = params};
    CU_ASSERT_EQUAL_FATAL(fz_run(w.arena, &w.spec, &w.result, NULL), FZ_OK);
    w.run = (fz_store_run){.trace = trace,
                           .cluster = w.spec.cluster,
                           .cluster_sha256 = "c",
                           .cluster_path = "c.json",
                           .scheduler = "fifo",
                           .config = "scheduler=fifo\n",
                           .version = "test"};
    return w;
}

static int64_t number(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    int64_t value = -1;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return value;
}

static fz_status add_once(const char *path, const world *w, fz_error *err)
{
    fz_store *store = NULL;
    FZ_TRY(fz_store_open(path, &store, err));
    fz_status status = fz_store_add(store, &w->run, &w->result, NULL, err);
    fz_status closed = fz_store_close(store, NULL);
    return status != FZ_OK ? status : closed;
}

static void test_every_job_reads_back(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    const char *path = fz_temp_path(&temp, "r.db");
    world w = world_new(200, "t");
    CU_ASSERT_EQUAL_FATAL(add_once(path, &w, NULL), FZ_OK);
    int64_t starts = 0;
    int64_t gpu_time = 0;
    for (uint32_t i = 0; i < 200; i++) {
        starts += w.result.jobs[i].start;
        gpu_time += w.result.jobs[i].gpu_time;
    }
    CU_ASSERT_EQUAL(number(path, "SELECT sum(start_us) FROM job"), starts);
    CU_ASSERT_EQUAL(number(path, "SELECT sum(gpu_us) FROM job"), gpu_time);
    CU_ASSERT_EQUAL(
        number(path, "SELECT count(*) FROM v_job WHERE nodes IS NOT NULL AND gpu_types IS NOT NULL"), 200);
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM v_job WHERE jct_s < queue_s OR wait_s < 0"), 0);
    CU_ASSERT_EQUAL(number(path, "SELECT finished FROM v_summary"), 200);
    CU_ASSERT_EQUAL(number(path, "PRAGMA user_version"), 2);
    fz_arena_free(w.arena);
    fz_temp_close(&temp);
}

static void test_trace_and_cluster_are_stored_once(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    const char *path = fz_temp_path(&temp, "r.db");
    world a = world_new(20, "a");
    world b = world_new(30, "b");
    CU_ASSERT_EQUAL(add_once(path, &a, NULL), FZ_OK);
    CU_ASSERT_EQUAL(add_once(path, &a, NULL), FZ_OK);
    CU_ASSERT_EQUAL(add_once(path, &b, NULL), FZ_OK);
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM trace"), 2);
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM trace_job"), 50);
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM cluster"), 1);
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM v_job"), 70);
    fz_arena_free(a.arena);
    fz_arena_free(b.arena);
    fz_temp_close(&temp);
}

/* A child adds runs until it is killed, at 20 different moments; whatever is there afterwards is whole. */
static void test_killed_writer(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    const char *path = fz_temp_path(&temp, "r.db");
    world w = world_new(3000, "t");
    CU_ASSERT_EQUAL_FATAL(add_once(path, &w, NULL), FZ_OK);
    for (int moment = 1; moment <= 20; moment++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            while (add_once(path, &w, NULL) == FZ_OK)
                ;
            _exit(1);
        }
        nanosleep(&(struct timespec){.tv_nsec = 1500000L * moment}, NULL);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        CU_ASSERT_TRUE(WIFSIGNALED(status));
        int64_t runs = number(path, "SELECT count(*) FROM run");
        CU_ASSERT_TRUE(runs >= 1);
        CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM job"), 3000 * runs);
        CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM trace_job"), 3000);
    }
    fz_arena_free(w.arena);
    fz_temp_close(&temp);
}

static void test_full_database(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    const char *path = fz_temp_path(&temp, "r.db");
    world w = world_new(5000, "t");
    world small = world_new(10, "s");
    CU_ASSERT_EQUAL_FATAL(add_once(path, &small, NULL), FZ_OK);
    /* one page short of what the large run needs: a trigger stands in for the disk */
    number(path, "SELECT 1");
    sqlite3 *db = NULL;
    CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db,
                 "CREATE TRIGGER full BEFORE INSERT ON job WHEN (NEW.key & 4294967295) = 4000 "
                 "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
                 NULL, NULL, NULL);
    sqlite3_close(db);
    fz_error err = {0};
    CU_ASSERT_EQUAL(add_once(path, &w, &err), FZ_EDB);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "full"));
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM run"), 1); /* all of it was taken back */
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM job"), 10);
    CU_ASSERT_EQUAL(number(path, "SELECT count(*) FROM trace"), 1);
    fz_arena_free(w.arena);
    fz_arena_free(small.arena);
    fz_temp_close(&temp);
}

static void test_bad_places(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    world w = world_new(5, "t");
    fz_error err = {0};
    CU_ASSERT_NOT_EQUAL(add_once(fz_temp_path(&temp, "no/such/folder.db"), &w, &err), FZ_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.file, "folder.db"));
    fz_arena_free(w.arena);
    fz_temp_close(&temp);
}

int main(void)
{
    const fz_test tests[] = {
        {"every job reads back", test_every_job_reads_back},
        {"trace and cluster are stored once", test_trace_and_cluster_are_stored_once},
        {"a killed writer leaves whole runs", test_killed_writer},
        {"a failure in the middle takes all back", test_full_database},
        {"bad places", test_bad_places},
    };
    return FZ_TEST_MAIN("store", tests);
}
