/* Runs in worker processes: the same results in the same order whatever happens to whom. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/experiment/pool.h"
#include "tests/harness.h"
#include "tests/sample_run.h"
#include "tests/synthetic.h"

enum { MAX_RUNS = 32 };

/* ---- policies that misbehave ---------------------------------------------------------------------------- */

static fz_status fifo_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    return fz_sched_find("fifo")->decide(state, view, decision, err);
}

/* Slow at its first decision. */
static fz_status slow_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    if (fz_view_now(view) == 0)
        (void)nanosleep(&(struct timespec){.tv_nsec = 150000000L}, NULL);
    return fifo_decide(state, view, decision, err);
}

static fz_status killed_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)kill(getpid(), SIGKILL);
    return fifo_decide(state, view, decision, err);
}

static fz_status leaving_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)state;
    (void)view;
    (void)decision;
    (void)err;
    for (int line = 0; line < 1000; line++) /* more than is kept */
        (void)fprintf(stderr, "line %d\n", line);
    (void)fprintf(stderr, "these are my \x01last words");
    (void)fflush(stderr);
    _exit(5);
}

static fz_status failing_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)state;
    (void)view;
    (void)decision;
    return fz_fail(err, FZ_EUSAGE, "this policy always fails");
}

static fz_status endless_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)state;
    (void)view;
    (void)decision;
    (void)err;
    for (int second = 0; second < 60; second++) /* longer than any test waits */
        (void)nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    return FZ_OK;
}

typedef fz_status (*decide)(void *state, const fz_view *view, fz_decision *decision, fz_error *err);

/* ---- a list of runs ------------------------------------------------------------------------------------- */

typedef struct crew {
    fz_arena *arena;
    double params[MAX_RUNS]; /* fifo's defaults: shared by all runs */
    fz_sched_ops scheds[MAX_RUNS];
    fz_run_spec specs[MAX_RUNS];
    uint32_t n_runs;
    /* what came back */
    uint32_t n_done;
    uint32_t order[MAX_RUNS];
    fz_error failures[MAX_RUNS]; /* status FZ_OK: a result */
    fz_run_failure last_failure;
    const char *kinds[MAX_RUNS];
    bool unwanted[MAX_RUNS];
    uint64_t digests[MAX_RUNS];
    uint32_t stop_after; /* runs; then `done` fails */
} crew;

static uint64_t digest_add(uint64_t digest, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        digest = (digest ^ at[i]) * 0x100000001b3; /* FNV-1a */
    return digest;
}

/* All of a result but its cost. */
static uint64_t digest_of(const fz_run_result *result)
{
    uint64_t digest = digest_add(0xcbf29ce484222325, &result->n_jobs, sizeof(result->n_jobs));
    for (uint32_t i = 0; i < result->n_jobs; i++) {
        digest = digest_add(digest, &result->jobs[i].start, sizeof(fz_time));
        digest = digest_add(digest, &result->jobs[i].end, sizeof(fz_time));
        digest = digest_add(digest, &result->jobs[i].gpu_time, sizeof(fz_time));
    }
    digest = digest_add(digest, result->places, result->places_len);
    return digest_add(digest, &result->summary.jct_avg_s, sizeof(double));
}

static fz_status run_done(void *context, uint32_t run, const fz_run_result *result,
                          const fz_run_failure *failure, fz_error *err)
{
    crew *self = context;
    self->order[self->n_done++] = run;
    if (result != NULL) {
        self->digests[run] = digest_of(result);
    } else {
        self->failures[run] = failure->error;
        self->kinds[run] = failure->kind;
        if (failure->last_words[0] != '\0')
            self->last_failure = *failure;
    }
    if (self->n_done == self->stop_after)
        return fz_fail(err, FZ_EDB, "enough");
    return FZ_OK;
}

/* `n` runs of the same trace, each on a cluster of another size, under fifo. */
static crew *crew_new(uint32_t n, uint32_t n_jobs)
{
    crew *self = calloc(1, sizeof(*self));
    if (self == NULL)
        abort();
    self->arena = fz_arena_new(NULL);
    self->n_runs = n;
    const synthetic options = {.n_jobs = n_jobs, .n_sizes = 4, .gpus = 64, .load = 0.9, .seed = 1};
    const fz_trace *trace = synthetic_trace(self->arena, &options);
    const fz_sched_ops *fifo = fz_sched_find("fifo");
    uint32_t n_world = 0;
    double world[MAX_RUNS];
    const fz_param *params = fz_world_params(&n_world);
    for (uint32_t i = 0; i < n_world; i++)
        world[i] = params[i].fallback;
    for (uint32_t i = 0; i < fifo->n_params; i++)
        self->params[i] = fifo->params[i].fallback;
    for (uint32_t i = 0; i < n; i++) {
        self->scheds[i] = *fifo;
        self->specs[i] = (fz_run_spec){.trace = trace,
                                       .cluster = synthetic_cluster(self->arena, 8 + i, 8),
                                       .sched = &self->scheds[i],
                                       .sched_params = self->params,
                                       .world = fz_world_from(world)};
    }
    return self;
}

static void crew_free(crew *self)
{
    fz_arena_free(self->arena);
    free(self);
}

static void behave(crew *self, uint32_t run, decide how)
{
    self->scheds[run].decide = how;
}

static fz_status crew_run(crew *self, uint32_t workers, fz_error *err)
{
    const fz_pool pool = {.workers = workers, .done = run_done, .context = self};
    return fz_pool_run(&pool, self->specs, self->n_runs, err);
}

static int open_files(void)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL)
        return 0;
    while (readdir(folder) != NULL)
        n++;
    (void)closedir(folder);
    return n;
}

static void expect_no_child(void)
{
    CU_ASSERT(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static void expect_in_order(const crew *self)
{
    CU_ASSERT_EQUAL(self->n_done, self->n_runs);
    for (uint32_t i = 0; i < self->n_done; i++)
        CU_ASSERT_EQUAL(self->order[i], i);
}

/* ---- tests ---------------------------------------------------------------------------------------------- */

/* The result of a run in this process. */
static uint64_t digest_alone(const fz_run_spec *spec)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_run_result result;
    CU_ASSERT_EQUAL_FATAL(fz_run(arena, spec, &result, NULL), FZ_OK);
    uint64_t digest = digest_of(&result);
    fz_arena_free(arena);
    return digest;
}

static void the_same_as_alone(void)
{
    static const uint32_t workers[] = {1, 2, 5, 40};
    for (size_t k = 0; k < sizeof(workers) / sizeof(workers[0]); k++) {
        crew *self = crew_new(7, 20000); /* results of more than a pipe holds */
        int files = open_files();
        CU_ASSERT_EQUAL(crew_run(self, workers[k], NULL), FZ_OK);
        expect_in_order(self);
        for (uint32_t i = 0; i < self->n_runs; i++)
            CU_ASSERT_EQUAL(self->digests[i], digest_alone(&self->specs[i]));
        CU_ASSERT_EQUAL(open_files(), files);
        expect_no_child();
        crew_free(self);
    }
}

static void the_first_is_the_slowest(void)
{
    crew *self = crew_new(6, 100);
    behave(self, 0, slow_decide);
    behave(self, 3, slow_decide);
    CU_ASSERT_EQUAL(crew_run(self, 3, NULL), FZ_OK);
    expect_in_order(self);
    crew_free(self);
}

static void failures_are_their_own(void)
{
    crew *self = crew_new(6, 100);
    behave(self, 0, killed_decide);
    behave(self, 2, leaving_decide);
    behave(self, 4, failing_decide);
    CU_ASSERT_EQUAL(crew_run(self, 2, NULL), FZ_OK);
    expect_in_order(self);
    CU_ASSERT_EQUAL(self->failures[0].status, FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(self->failures[0].message, "signal 9"));
    CU_ASSERT_PTR_NOT_NULL(strstr(self->failures[2].message, "exit code 5"));
    CU_ASSERT_EQUAL(self->failures[4].status, FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(self->failures[4].message, "this policy always fails"));
    for (uint32_t i = 1; i < self->n_runs; i += 2) {
        CU_ASSERT_EQUAL(self->failures[i].status, FZ_OK);
        CU_ASSERT_EQUAL(self->digests[i], digest_alone(&self->specs[i]));
    }
    expect_no_child();
    crew_free(self);
}

static void kinds_and_last_words(void)
{
    crew *self = crew_new(3, 100);
    behave(self, 0, killed_decide);
    behave(self, 1, leaving_decide);
    behave(self, 2, failing_decide);
    CU_ASSERT_EQUAL(crew_run(self, 2, NULL), FZ_OK);
    CU_ASSERT_STRING_EQUAL(self->kinds[0], "killed");
    CU_ASSERT_STRING_EQUAL(self->kinds[1], "exit");
    CU_ASSERT_STRING_EQUAL(self->kinds[2], "error");
    const char *words = self->last_failure.last_words;
    CU_ASSERT(strlen(words) == FZ_LAST_WORDS - 1); /* the end of them */
    CU_ASSERT_PTR_NOT_NULL(strstr(words, "line 999\nthese are my ?last words"));
    CU_ASSERT_PTR_NULL(strstr(words, "line 7\n"));
    crew_free(self);
}

static bool is_wanted(void *context, uint32_t run)
{
    return !((const crew *)context)->unwanted[run];
}

/* The slow first run does not hold the others up; what is not wanted is left out; an endless one is stopped. */
static void as_they_come(void)
{
    crew *self = crew_new(6, 100);
    behave(self, 0, slow_decide);
    behave(self, 4, endless_decide);
    self->unwanted[2] = true;
    const fz_pool pool = {.workers = 2,
                          .done = run_done,
                          .context = self,
                          .as_they_come = true,
                          .time_limit_s = 1,
                          .wanted = is_wanted};
    CU_ASSERT_EQUAL(fz_pool_run(&pool, self->specs, self->n_runs, NULL), FZ_OK);
    CU_ASSERT_EQUAL(self->n_done, 5);
    CU_ASSERT(self->order[0] != 0);
    for (uint32_t i = 0; i < self->n_done; i++)
        CU_ASSERT(self->order[i] != 2);
    CU_ASSERT_STRING_EQUAL(self->kinds[4], "time");
    CU_ASSERT_PTR_NOT_NULL(strstr(self->failures[4].message, "time limit of 1 s"));
    CU_ASSERT_EQUAL(self->digests[5], digest_alone(&self->specs[5]));
    expect_no_child();
    crew_free(self);
}

static void the_receiver_has_enough(void)
{
    crew *self = crew_new(8, 100);
    fz_error err = {0};
    behave(self, 3, endless_decide);
    self->stop_after = 2;
    int files = open_files();
    CU_ASSERT_EQUAL(crew_run(self, 4, &err), FZ_EDB);
    CU_ASSERT_STRING_EQUAL(err.message, "enough");
    CU_ASSERT_EQUAL(self->n_done, 2);
    CU_ASSERT_EQUAL(open_files(), files);
    expect_no_child(); /* the endless one is gone, too */
    crew_free(self);
}

static bool always(void)
{
    return true;
}

static void interrupted(void)
{
    crew *self = crew_new(4, 100);
    for (uint32_t i = 0; i < self->n_runs; i++)
        behave(self, i, endless_decide);
    const fz_pool pool = {.workers = 2, .done = run_done, .context = self, .interrupted = always};
    CU_ASSERT_EQUAL(fz_pool_run(&pool, self->specs, self->n_runs, NULL), FZ_EINTERRUPTED);
    CU_ASSERT_EQUAL(self->n_done, 0);
    expect_no_child();
    crew_free(self);
}

static void nothing_to_run(void)
{
    crew *self = crew_new(0, 1);
    CU_ASSERT_EQUAL(crew_run(self, 2, NULL), FZ_OK);
    CU_ASSERT_EQUAL(self->n_done, 0);
    crew_free(self);
}

/* When the parent is killed, nobody waits for the workers' results: they must not go on. */
static void the_parent_is_killed(void)
{
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    crew *self = crew_new(2, 100);
    behave(self, 0, endless_decide);
    behave(self, 1, endless_decide);
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        (void)crew_run(self, 2, NULL);
        _exit(1);
    }
    (void)close(ends[1]); /* now held by the child and its workers only */
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000L}, NULL);
    (void)kill(child, SIGKILL);
    CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
    (void)alarm(20);
    char byte;
    CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 0); /* returns when the last of them is gone */
    (void)alarm(0);
    (void)close(ends[0]);
    crew_free(self);
}

int main(void)
{
    static const fz_test tests[] = {
        {"the same as alone", the_same_as_alone},
        {"the first is the slowest", the_first_is_the_slowest},
        {"failures are their own", failures_are_their_own},
        {"kinds and last words", kinds_and_last_words},
        {"as they come", as_they_come},
        {"the receiver has enough", the_receiver_has_enough},
        {"interrupted", interrupted},
        {"nothing to run", nothing_to_run},
        {"the parent is killed", the_parent_is_killed},
    };
    return FZ_TEST_MAIN("pool", tests);
}
