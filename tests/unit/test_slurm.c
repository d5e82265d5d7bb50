/* slurm_fifo and slurm_backfill on small cases worked out by hand. */
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/traces.h"

enum { MAX_JOBS = 8 };

typedef struct world {
    fz_arena *arena;
    fz_run_spec spec;
    fz_run_result result;
    fz_placement where;
    double params[3];
} world;

/* Nodes n-0 (4 x g0), n-1 (4 x g0), n-2 (4 x g1); weights as given. */
static world world_new(const uint32_t weights[3], const test_job *rows, uint32_t n, const uint32_t *req_nodes)
{
    world w = {.arena = fz_arena_new(NULL)};
    fz_cluster_spec *cluster = test_cluster(w.arena, 2, (uint32_t[]){40, 40}, (double[]){1, 1}, 3,
                                            (uint32_t[]){0, 0, 1}, (uint32_t[]){4, 4, 4});
    fz_node_spec *nodes = FZ_NEW(w.arena, 3, fz_node_spec);
    fz_cluster *state = NULL;
    for (uint32_t i = 0; i < 3; i++) {
        nodes[i] = cluster->nodes[i];
        nodes[i].weight = weights[i];
    }
    cluster->nodes = nodes;
    fz_trace *trace = test_trace(w.arena, rows, n);
    trace->req_nodes = req_nodes;
    w.spec.trace = trace;
    w.spec.cluster = cluster;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_new(w.arena, cluster, &state, NULL), FZ_OK);
    w.where = fz_placement_new(w.arena, state);
    return w;
}

static void replay(world *w, const char *policy)
{
    w->spec.sched = fz_sched_find(policy);
    w->spec.world.restart_s = 0;
    CU_ASSERT_FATAL(test_run(w->arena, &w->spec, &w->result));
}

static void replay_every(world *w, double bf_interval, double bf_max_job_test)
{
    fz_error err = {0};
    w->params[0] = bf_interval;
    w->params[1] = 1440;
    w->params[2] = bf_max_job_test;
    w->spec.sched = fz_sched_find("slurm_backfill");
    w->spec.sched_params = w->params;
    w->spec.check_invariants = true;
    CU_ASSERT_EQUAL_FATAL(fz_run(w->arena, &w->spec, &w->result, &err), FZ_OK);
}

/* The job runs from `start_s` on these nodes (bits), with `each` GPUs on every one. */
static void ran(world *w, fz_job job, int64_t start_s, uint32_t nodes, uint32_t each)
{
    const fz_job_result *record = &w->result.jobs[job];
    uint32_t found = 0;
    CU_ASSERT_EQUAL(record->start, start_s * FZ_SECOND);
    CU_ASSERT_FATAL(record->state == FZ_JOB_FINISHED);
    fz_places_read(w->result.places, record->place, &w->where);
    for (uint32_t i = 0; i < w->where.n_parts; i++) {
        found |= 1u << w->where.parts[i].node;
        CU_ASSERT_EQUAL(w->where.parts[i].gpus, each);
    }
    CU_ASSERT_EQUAL(found, nodes);
}

/* n-2 has the smallest weight: job 0 goes there, job 1 does not fit beside it and takes n-0, job 2 fits on n-2
 * again (first fit, though n-0 would be left fuller), job 3 wants two nodes and waits for n-0 until 50 s;
 * job 4 would fit on n-1 at once, but the head blocks. */
static void fifo(void)
{
    const uint32_t weights[3] = {2, 2, 1};
    const uint32_t req_nodes[] = {1, 1, 1, 2, 1};
    const test_job rows[] = {{.duration_s = 100, .estimate_s = -1, .gpus = 2},
                             {.duration_s = 50, .estimate_s = -1, .gpus = 3},
                             {.duration_s = 10, .estimate_s = -1, .gpus = 1},
                             {.submit_s = 1, .duration_s = 5, .estimate_s = -1, .gpus = 8},
                             {.submit_s = 2, .duration_s = 5, .estimate_s = -1, .gpus = 4}};
    world w = world_new(weights, rows, 5, req_nodes);
    replay(&w, "slurm_fifo");
    ran(&w, 0, 0, 4, 2);
    ran(&w, 1, 0, 1, 3);
    ran(&w, 2, 0, 4, 1);
    ran(&w, 3, 50, 3, 4);
    ran(&w, 4, 55, 1, 4);
    fz_arena_free(w.arena);
}

/* No two nodes of one type have 5 GPUs each; 12 GPUs are on no type. */
static void never(void)
{
    const uint32_t weights[3] = {0};
    const uint32_t req_nodes[] = {3, 1, 0, 0};
    const test_job rows[] = {{.duration_s = 1, .estimate_s = -1, .gpus = 3}, /* g0 has but two nodes */
                             {.duration_s = 1, .estimate_s = -1, .gpus = 5},
                             {.duration_s = 1, .estimate_s = -1, .gpus = 12},
                             {.duration_s = 1, .estimate_s = -1, .gpus = 8}};
    static const char *const policies[] = {"slurm_fifo", "slurm_backfill"};
    for (uint32_t i = 0; i < 2; i++) {
        world w = world_new(weights, rows, 4, req_nodes);
        replay(&w, policies[i]);
        for (fz_job job = 0; job < 3; job++)
            CU_ASSERT_EQUAL(w.result.jobs[job].state, FZ_JOB_REJECTED);
        ran(&w, 3, 0, 3, 4);
        fz_arena_free(w.arena);
    }
}

/* All three nodes: job 0 holds 3 GPUs of n-0 until 50, job 1 all of n-1, job 2 all of n-2 until 200. Job 3
 * wants 2 GPUs: reserved on n-0 for [50, 70). Job 4 wants the one idle GPU of n-0 for 100 s: [3, 103) overlaps
 * the closure of the whole node, so it is tested at 50 (closed) and 70: it starts there. Job 5 wants it for
 * 20 s, which ends before 50: at once. Estimates are exact. */
static void whole_nodes(void)
{
    const uint32_t weights[3] = {0};
    const test_job rows[] = {{.duration_s = 50, .estimate_s = 50, .gpus = 3},
                             {.duration_s = 200, .estimate_s = 200, .gpus = 4},
                             {.duration_s = 200, .estimate_s = 200, .gpus = 4},
                             {.submit_s = 2, .duration_s = 20, .estimate_s = 20, .gpus = 2},
                             {.submit_s = 3, .duration_s = 100, .estimate_s = 100, .gpus = 1},
                             {.submit_s = 4, .duration_s = 20, .estimate_s = 20, .gpus = 1}};
    const uint32_t req_nodes[] = {1, 1, 1, 1, 1, 1};
    world w = world_new(weights, rows, 6, req_nodes);
    replay_every(&w, 0, 500);
    ran(&w, 0, 0, 1, 3);
    ran(&w, 3, 50, 1, 2);
    ran(&w, 4, 50, 1, 1); /* at 50 job 3 runs: what it leaves idle is closed to nobody */
    ran(&w, 5, 4, 1, 1);
    fz_arena_free(w.arena);

    w = world_new(weights, rows, 6, req_nodes);
    replay_every(&w, 30,
                 500); /* passes at 0, 30, 60: job 5 would end at 50, just as the reservation begins */
    ran(&w, 5, 30, 1, 1);
    fz_arena_free(w.arena);

    w = world_new(weights, rows, 6, req_nodes);
    replay_every(&w, 0, 2); /* a pass sees jobs 3 and 4 only: job 5 starts as the head, behind job 4 */
    ran(&w, 5, 50, 1, 1);
    fz_arena_free(w.arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"slurm_fifo: weights, first fit, two nodes, the head blocks", fifo},
        {"jobs that no empty cluster hosts", never},
        {"slurm_backfill: whole nodes, passes, jobs tested", whole_nodes},
    };
    return FZ_TEST_MAIN("Slurm presets", tests);
}
