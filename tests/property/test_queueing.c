/* fifo, fifo_skip, sjf and easy on one pool against a second, naive writing of their rules: every start
 * time must be equal on random lists. And EASY's promise: with estimates >= durations, no job starts
 * later than its first reservation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"

enum { GPUS = 16, MAX_JOBS = 120, SEEDS = 300 };

/* ---- the naive scheduler: seconds, arrays, no index -------------------------------------------------------- */

typedef struct naive {
    const test_job *rows;
    uint32_t n;
    int64_t start[MAX_JOBS]; /* -1: not started */
    bool fresh[MAX_JOBS];    /* started in this pass: holds its GPUs even if it has length 0 */
    int64_t now;
    uint32_t idle;
} naive;

static bool waits(const naive *sim, uint32_t i)
{
    return sim->rows[i].submit_s <= sim->now && sim->start[i] < 0;
}

static bool runs(const naive *sim, uint32_t i)
{
    return sim->start[i] >= 0 && (sim->fresh[i] || sim->start[i] + sim->rows[i].duration_s > sim->now);
}

static void start(naive *sim, uint32_t i)
{
    sim->start[i] = sim->now;
    sim->fresh[i] = true;
    sim->idle -= sim->rows[i].gpus;
}

static bool comes_first(const naive *sim, bool by_estimate, uint32_t a, uint32_t b)
{
    if (by_estimate && sim->rows[a].estimate_s != sim->rows[b].estimate_s)
        return sim->rows[a].estimate_s < sim->rows[b].estimate_s;
    return a < b;
}

static uint32_t head_of(const naive *sim, bool by_estimate)
{
    uint32_t head = sim->n;
    for (uint32_t i = 0; i < sim->n; i++)
        if (waits(sim, i) && (head == sim->n || comes_first(sim, by_estimate, i, head)))
            head = i;
    return head;
}

static uint32_t heads_start(naive *sim, bool by_estimate)
{
    uint32_t head = head_of(sim, by_estimate);
    for (; head < sim->n && sim->rows[head].gpus <= sim->idle; head = head_of(sim, by_estimate))
        start(sim, head);
    return head;
}

static void skip_pass(naive *sim)
{
    for (uint32_t i = 0; i < sim->n; i++)
        if (waits(sim, i) && sim->rows[i].gpus <= sim->idle)
            start(sim, i);
}

/* GPUs idle at `then` by the estimates of what runs now. */
static uint32_t idle_at(const naive *sim, int64_t then)
{
    uint32_t idle = sim->idle;
    for (uint32_t i = 0; i < sim->n; i++)
        if (runs(sim, i) && sim->start[i] + sim->rows[i].estimate_s <= then)
            idle += sim->rows[i].gpus;
    return idle;
}

static void easy_pass(naive *sim)
{
    uint32_t head = heads_start(sim, false);
    if (head == sim->n)
        return;
    int64_t shadow = sim->now;
    while (idle_at(sim, shadow) < sim->rows[head].gpus)
        shadow++;
    uint32_t extra = idle_at(sim, shadow) - sim->rows[head].gpus;
    for (uint32_t i = head + 1; i < sim->n; i++) {
        const test_job *job = &sim->rows[i];
        bool in_time = sim->now + job->estimate_s <= shadow;
        if (!waits(sim, i) || job->gpus > sim->idle || !(in_time || job->gpus <= extra))
            continue;
        start(sim, i);
        extra -= in_time ? 0 : job->gpus;
    }
}

static void pass(naive *sim, const char *policy)
{
    if (strcmp(policy, "fifo_skip") == 0)
        skip_pass(sim);
    else if (strcmp(policy, "easy") == 0)
        easy_pass(sim);
    else
        heads_start(sim, strcmp(policy, "sjf") == 0);
}

/* Steps through every second; zero-length jobs end at once, so a pass is repeated until nothing moves. */
static void naive_run(naive *sim, const char *policy)
{
    for (uint32_t i = 0; i < sim->n; i++)
        sim->start[i] = -1;
    uint32_t left = sim->n;
    for (sim->now = 0; left > 0; sim->now++) {
        uint32_t before = 0;
        do {
            before = left;
            memset(sim->fresh, 0, sizeof(sim->fresh));
            sim->idle = GPUS;
            for (uint32_t i = 0; i < sim->n; i++)
                sim->idle -= runs(sim, i) ? sim->rows[i].gpus : 0;
            pass(sim, policy);
            left = 0;
            for (uint32_t i = 0; i < sim->n; i++)
                left += sim->start[i] < 0;
        } while (left < before);
    }
}

/* ---- comparing ---------------------------------------------------------------------------------------------- */

static fz_run_spec spec_of(fz_arena *arena, const test_job *rows, uint32_t n, const char *policy)
{
    const uint32_t mem[] = {40};
    const double rate[] = {1};
    return (fz_run_spec){
        .trace = test_trace(arena, rows, n),
        .cluster = test_cluster(arena, 1, mem, rate, 4, (uint32_t[]){0, 0, 0, 0}, (uint32_t[]){4, 4, 4, 4}),
        .sched = fz_sched_find(policy),
    };
}

static bool starts_equal(uint64_t seed, const char *policy)
{
    fz_random random = {seed};
    fz_arena *arena = fz_arena_new(NULL);
    naive sim = {.n = fz_random_between(&random, 1, MAX_JOBS)};
    sim.rows = test_jobs_random(arena, &random, sim.n, GPUS);
    naive_run(&sim, policy);
    fz_run_spec spec = spec_of(arena, sim.rows, sim.n, policy);
    fz_run_result result;
    bool equal = test_run(arena, &spec, &result);
    for (uint32_t i = 0; equal && i < sim.n; i++)
        if (result.jobs[i].start != sim.start[i] * FZ_SECOND) {
            printf("%s, seed %llu: job %u starts at %lld s, the naive rule says %lld\n", policy,
                   (unsigned long long)seed, i, (long long)(result.jobs[i].start / FZ_SECOND),
                   (long long)sim.start[i]);
            equal = false;
        }
    fz_arena_free(arena);
    return equal;
}

static void against_naive(const char *policy)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        CU_ASSERT_TRUE_FATAL(starts_equal(seed, policy));
}

static void test_fifo(void)
{
    against_naive("fifo");
}

static void test_fifo_skip(void)
{
    against_naive("fifo_skip");
}

static void test_sjf(void)
{
    against_naive("sjf");
}

static void test_easy(void)
{
    against_naive("easy");
}

/* ---- EASY's promise: a policy around easy that notes the first reservation of every head -------------------- */

typedef struct witness {
    void *easy;
    uint32_t arrived;
    bool *started;
    fz_time *promise; /* by job: FZ_TIME_NONE until it was a blocked head */
} witness;

static fz_status witness_init(void *state, const fz_sched_env *env, fz_error *err)
{
    witness *self = state;
    const fz_sched_ops *easy = fz_sched_find("easy");
    self->easy = fz_arena_alloc(env->arena, 1, easy->state_size);
    self->started = FZ_NEW(env->arena, env->n_jobs, bool);
    self->promise = FZ_NEW(env->arena, env->n_jobs, fz_time);
    for (uint32_t i = 0; i < env->n_jobs; i++)
        self->promise[i] = FZ_TIME_NONE;
    return easy->init(self->easy, env, err);
}

static fz_status witness_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    witness *self = state;
    self->arrived += fz_view_arrived(view).n_jobs;
    FZ_TRY(fz_sched_find("easy")->decide(self->easy, view, decision, err));
    for (fz_job job = 0; job < self->arrived; job++) {
        self->started[job] |= fz_view_running(view, job);
        if (self->started[job]) {
            if (self->promise[job] != FZ_TIME_NONE && fz_view_running(view, job) &&
                fz_view_run(view, job) == 0 && fz_view_now(view) > self->promise[job])
                return fz_fail(err, FZ_EINVAL, "job %u starts at %lld us, promised %lld", job,
                               (long long)fz_view_now(view), (long long)self->promise[job]);
            continue;
        }
        fz_time when = 0;
        uint32_t idle = 0;
        if (fz_view_when_idle(view, 0, fz_view_demand(view, job)->fixed.gpus, &when, &idle) &&
            self->promise[job] == FZ_TIME_NONE)
            self->promise[job] = when;
        break; /* only the head holds a reservation */
    }
    return FZ_OK;
}

static void test_first_reservation_is_kept(void)
{
    const fz_sched_ops ops = {.name = "witness",
                              .caps = FZ_SCHED_ENDS,
                              .state_size = sizeof(witness),
                              .init = witness_init,
                              .decide = witness_decide};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        fz_random random = {seed};
        fz_arena *arena = fz_arena_new(NULL);
        test_job *rows = test_jobs_random(arena, &random, MAX_JOBS, GPUS);
        fz_run_spec spec = spec_of(arena, rows, MAX_JOBS, "easy");
        spec.sched = &ops;
        fz_run_result result;
        bool kept = test_run(arena, &spec, &result);
        if (!kept)
            printf("seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE_FATAL(kept);
        CU_ASSERT_EQUAL(result.summary.finished, MAX_JOBS);
        fz_arena_free(arena);
    }
}

int main(void)
{
    const fz_test tests[] = {
        {"fifo against the naive rule", test_fifo},
        {"fifo_skip against the naive rule", test_fifo_skip},
        {"sjf against the naive rule", test_sjf},
        {"easy against the naive rule", test_easy},
        {"EASY keeps its first reservation", test_first_reservation_is_kept},
    };
    return FZ_TEST_MAIN("queueing", tests);
}
