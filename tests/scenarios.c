#include "tests/scenarios.h"

#include <frenzy/units.h>

#include "tests/clusters.h"
#include "tests/llm_jobs.h"
#include "tests/traces.h"

enum { MAX_WORLD_PARAMS = 16 };

fz_world test_world_default(void)
{
    double values[MAX_WORLD_PARAMS] = {0};
    uint32_t count = 0;
    const fz_param *params = fz_world_params(&count);
    for (uint32_t i = 0; i < count && i < MAX_WORLD_PARAMS; i++)
        values[i] = params[i].fallback;
    return fz_world_from(values);
}

/* ---- clusters --------------------------------------------------------------------------------------- */

static const fz_cluster_spec *one_gpu(fz_arena *arena)
{
    return test_cluster(arena, 1, (uint32_t[]){40}, (double[]){1}, 1, (uint32_t[]){0}, (uint32_t[]){1});
}

/* 4 nodes of 4 GPUs. */
static const fz_cluster_spec *pool(fz_arena *arena)
{
    return test_cluster(arena, 1, (uint32_t[]){40}, (double[]){1}, 4, (uint32_t[]){0, 0, 0, 0},
                        (uint32_t[]){4, 4, 4, 4});
}

/* Hosts of two GPU types each: neighbours with one name. */
static const fz_cluster_spec *two_types_a_host(fz_arena *arena)
{
    enum { HOSTS = 3 };
    uint32_t type[2 * HOSTS];
    uint32_t gpus[2 * HOSTS];
    for (uint32_t i = 0; i < 2 * HOSTS; i++) {
        type[i] = i % 2;
        gpus[i] = i % 2 == 0 ? 4 : 2;
    }
    fz_cluster_spec *spec =
        test_cluster(arena, 2, (uint32_t[]){16, 40}, (double[]){1, 2}, 2 * HOSTS, type, gpus);
    fz_node_spec *nodes = FZ_NEW(arena, spec->n_nodes, fz_node_spec);
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        nodes[i] = spec->nodes[i];
        nodes[i].name = spec->nodes[i & ~1u].name;
    }
    spec->nodes = nodes;
    return spec;
}

/* ---- scenarios of opaque jobs -------------------------------------------------------------------------- */

static void rows_set(fz_arena *arena, fz_run_spec *spec, const fz_cluster_spec *cluster, const test_job *rows,
                     uint32_t n)
{
    spec->cluster = cluster;
    spec->trace = test_trace(arena, rows, n);
}

static void empty_trace(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    (void)random;
    rows_set(arena, spec, pool(arena), NULL, 0);
}

static void one_job(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    const test_job row = {.submit_s = fz_random_below(random, 100),
                          .duration_s = 10,
                          .estimate_s = -1,
                          .gpus = fz_random_between(random, 1, 16)};
    rows_set(arena, spec, pool(arena), &row, 1);
}

static void single_gpu(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    rows_set(arena, spec, one_gpu(arena), test_jobs_random(arena, random, 60, 2), 60);
}

static void all_at_once(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 150 };
    test_job *rows = test_jobs_random(arena, random, N, 16);
    for (uint32_t i = 0; i < N; i++)
        rows[i].submit_s = 7;
    rows_set(arena, spec, pool(arena), rows, N);
}

static void all_too_large(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 30 };
    test_job *rows = test_jobs_random(arena, random, N, 16);
    for (uint32_t i = 0; i < N; i++) {
        if (i % 2 == 0)
            rows[i].gpus += 16; /* more than there are */
        else
            rows[i].mem_gib = 41; /* more than any GPU has */
    }
    rows_set(arena, spec, pool(arena), rows, N);
}

static void identical_jobs(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 120 };
    test_job *rows = FZ_NEW(arena, N, test_job);
    uint32_t gpus = fz_random_between(random, 1, 9);
    for (uint32_t i = 0; i < N; i++)
        rows[i] = (test_job){.submit_s = 3, .duration_s = 11, .estimate_s = 13, .gpus = gpus};
    rows_set(arena, spec, pool(arena), rows, N);
}

/* Everything that starts on arrival ends at multiples of 100 s, where the next wave arrives. */
static void simultaneous_ends(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 120 };
    test_job *rows = FZ_NEW(arena, N, test_job);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t wave = 100 * (i / 12);
        uint32_t late = 10 * (i % 12 / 4);
        rows[i] = (test_job){.submit_s = wave + late,
                             .duration_s = 100 - late,
                             .estimate_s = 100 - late,
                             .gpus = fz_random_between(random, 1, 3)};
    }
    rows_set(arena, spec, pool(arena), rows, N);
}

static void zero_length(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 100 };
    test_job *rows = test_jobs_random(arena, random, N, 16);
    for (uint32_t i = 0; i < N; i++) {
        rows[i].duration_s = fz_random_below(random, 4) == 0 ? rows[i].duration_s : 0;
        rows[i].estimate_s = fz_random_below(random, 3) == 0 ? -1 : rows[i].estimate_s;
    }
    rows_set(arena, spec, pool(arena), rows, N);
}

/* Estimates far too short, far too long, and absent. */
static void wrong_estimates(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 100 };
    test_job *rows = test_jobs_random(arena, random, N, 16);
    for (uint32_t i = 0; i < N; i++)
        rows[i].estimate_s = (int64_t[]){-1, 0, 1, 5000}[fz_random_below(random, 4)];
    rows_set(arena, spec, pool(arena), rows, N);
}

static void host_of_two_types(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 100 };
    static const char *const texts[] = {"", "g1", "G0|g1", "V100"};
    test_job *rows = test_jobs_random(arena, random, N, 18);
    fz_text_id *types = FZ_NEW(arena, N, fz_text_id);
    for (uint32_t i = 0; i < N; i++) {
        rows[i].mem_gib = fz_random_below(random, 3) == 0 ? 20 : 0;
        types[i] = fz_random_below(random, 4); /* the last one names a type that the cluster lacks */
    }
    fz_trace *trace = test_trace(arena, rows, N);
    trace->texts = texts;
    trace->n_texts = 4;
    trace->req_types = types;
    spec->trace = trace;
    spec->cluster = two_types_a_host(arena);
}

static void enforced_limits(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 100 };
    fz_trace *trace = test_trace(arena, test_jobs_random(arena, random, N, 16), N);
    fz_time *limit = FZ_NEW(arena, N, fz_time);
    for (uint32_t i = 0; i < N; i++)
        limit[i] = fz_random_below(random, 4) == 0 ? FZ_TIME_NONE : fz_random_below(random, 50) * FZ_SECOND;
    trace->limit = limit;
    trace->estimate = NULL;
    spec->trace = trace;
    spec->cluster = pool(arena);
    spec->world.enforce_limit = true;
}

/* The longest times that input may name, one behind the other. */
static void end_of_time(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 4 };
    (void)random;
    int64_t longest = FZ_TIME_LIMIT / FZ_SECOND;
    test_job *rows = FZ_NEW(arena, N, test_job);
    for (uint32_t i = 0; i < N; i++)
        rows[i] = (test_job){
            .submit_s = i < 2 ? 0 : longest, .duration_s = longest, .estimate_s = longest, .gpus = 10};
    rows_set(arena, spec, pool(arena), rows, N);
}

static void mixed_cluster(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 150 };
    spec->cluster = test_cluster_random(arena, random, 10);
    test_job *rows = test_jobs_random(arena, random, N, 24);
    for (uint32_t i = 0; i < N; i++)
        rows[i].mem_gib = fz_random_below(random, 2) == 0 ? 0 : 10 * fz_random_between(random, 1, 4);
    spec->trace = test_trace(arena, rows, N);
}

/* ---- scenarios of LLM jobs ----------------------------------------------------------------------------- */

static void llm_jobs(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    enum { N = 60 };
    spec->cluster = test_cluster_random(arena, random, 8);
    test_trace_llm(arena, spec, test_jobs_random(arena, random, N, 12), N, test_llm_random(arena, random, N),
                   N);
}

static void oom_storm(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    llm_jobs(arena, random, spec);
    spec->world.mem_error_sigma = 1;
    spec->world.restart_s = 5;
    spec->seed = fz_random_next(random);
}

/* Runs that do not fit die in the instant of their start. */
static void oom_at_once(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    oom_storm(arena, random, spec);
    spec->world.oom_after_s = 0;
}

/* GPUs without a catalog entry: no speed, no LLM jobs there. */
static void types_without_speed(fz_arena *arena, fz_random *random, fz_run_spec *spec)
{
    llm_jobs(arena, random, spec);
    fz_cluster_spec *cluster = FZ_NEW(arena, 1, fz_cluster_spec);
    fz_gpu_type *types = FZ_NEW(arena, spec->cluster->n_types, fz_gpu_type);
    *cluster = *spec->cluster;
    for (uint32_t i = 0; i < cluster->n_types; i++) {
        types[i] = spec->cluster->types[i];
        types[i].flops_per_s = i % 2 == 0 ? 0 : types[i].flops_per_s;
    }
    cluster->types = types;
    spec->cluster = cluster;
}

const test_scenario *test_scenarios(uint32_t *count)
{
    static const test_scenario all[] = {
        {"empty trace", empty_trace},
        {"one job", one_job},
        {"one GPU", single_gpu},
        {"all at once", all_at_once},
        {"all too large", all_too_large},
        {"identical jobs", identical_jobs},
        {"simultaneous ends", simultaneous_ends},
        {"zero length", zero_length},
        {"wrong estimates", wrong_estimates},
        {"two GPU types on a host", host_of_two_types},
        {"enforced limits", enforced_limits},
        {"end of time", end_of_time},
        {"mixed cluster", mixed_cluster},
        {"LLM jobs", llm_jobs},
        {"out-of-memory storm", oom_storm},
        {"out of memory at once", oom_at_once},
        {"types without speed", types_without_speed},
    };
    *count = sizeof(all) / sizeof(all[0]);
    return all;
}
