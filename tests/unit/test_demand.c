/* Demand classes and what happens after running out of memory, worked out by hand. */
#include "sim/engine/demand.h"

#include <frenzy/marp.h>
#include <frenzy/units.h>
#include <string.h>

#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/llm_jobs.h"

/* Nodes of 4 GPUs: type 0 has 10 GiB and is the fastest, type 1 has 20, type 2 has 40. */
static const fz_cluster_spec *ladder(fz_arena *arena)
{
    return test_cluster(arena, 3, (uint32_t[]){10, 20, 40}, (double[]){3, 2, 1}, 3, (uint32_t[]){0, 1, 2},
                        (uint32_t[]){4, 4, 4});
}

/* A cluster, and the classes of a trace on it. */
typedef struct world {
    fz_arena *arena;
    fz_run_spec spec;
    fz_cluster *cluster;
    fz_demands demands;
} world;

static world world_new(void)
{
    world w = {.arena = fz_arena_new(NULL)};
    w.spec.cluster = ladder(w.arena);
    CU_ASSERT_EQUAL_FATAL(fz_cluster_new(w.arena, w.spec.cluster, &w.cluster, NULL), FZ_OK);
    return w;
}

static void build(world *w, bool chooses_plans, bool memory_errors)
{
    fz_demand_options options = {.chooses_plans = chooses_plans, .memory_errors = memory_errors};
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(
        fz_demands_build(w->arena, w->spec.trace, w->cluster, w->spec.models, options, &w->demands, &err),
        FZ_OK);
}

static const fz_demand *demand_of(const world *w, fz_job job)
{
    return &w->demands.demands[w->demands.class_of[job]];
}

/* ---- opaque classes --------------------------------------------------------------------------------- */

static void test_opaque(void)
{
    world w = world_new();
    const test_job rows[] = {
        {.duration_s = 1, .estimate_s = 5, .gpus = 2},
        {.duration_s = 1, .estimate_s = 5, .gpus = 2, .mem_gib = 20},
        {.duration_s = 2, .estimate_s = 6, .gpus = 2}, /* the class of the first */
        {.duration_s = 1, .estimate_s = 5, .gpus = 5}, /* more than any type has, less than all */
        {.duration_s = 1, .estimate_s = 5, .gpus = 13},
        {.duration_s = 1, .estimate_s = 5, .gpus = 1, .mem_gib = 41},
    };
    w.spec.trace = test_trace(w.arena, rows, 6);
    build(&w, false, false);
    CU_ASSERT_EQUAL(w.demands.n_demands, 5);
    CU_ASSERT_EQUAL(w.demands.class_of[0], w.demands.class_of[2]);
    CU_ASSERT_TRUE(demand_of(&w, 0)->opaque);
    CU_ASSERT_EQUAL(demand_of(&w, 0)->fixed.types, 7);
    CU_ASSERT_EQUAL(demand_of(&w, 0)->fixed.gpus, 2);
    CU_ASSERT_EQUAL(demand_of(&w, 0)->n_plans, 1);
    CU_ASSERT_EQUAL(demand_of(&w, 1)->fixed.types, 6);
    CU_ASSERT_EQUAL(demand_of(&w, 3)->fixed.gpus, 0); /* on one type: nowhere */
    CU_ASSERT_EQUAL(demand_of(&w, 3)->n_plans, 1);    /* on mixed types: yes */
    CU_ASSERT_EQUAL(demand_of(&w, 4)->fixed.gpus, 0);
    CU_ASSERT_EQUAL(demand_of(&w, 4)->n_plans, 0);
    CU_ASSERT_EQUAL(demand_of(&w, 5)->n_plans, 0);
    const fz_plan *plan = &demand_of(&w, 0)->fixed; /* an opaque job never runs out of memory */
    CU_ASSERT_EQUAL(fz_demands_after_oom(&w.demands, w.demands.class_of[0], plan, 1), FZ_NO_CLASS);
    fz_arena_free(w.arena);
}

/* Names of types, of catalog entries, lists, letter case; a type that the cluster lacks. */
static void test_type_names(void)
{
    world w = world_new();
    static const char *const texts[] = {"", "g1", "G0|g2", "V100", "g", "tesla t4|none", "g1|"};
    const fz_type_mask masks[] = {7, 2, 5, 0, 0, 1, 2};
    fz_gpu_type types[3];
    memcpy(types, w.spec.cluster->types, sizeof(types));
    types[0].catalog = "Tesla T4";
    fz_cluster_spec cluster = *w.spec.cluster;
    cluster.types = types;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_new(w.arena, &cluster, &w.cluster, NULL), FZ_OK);
    test_job rows[7];
    fz_text_id asked[7];
    for (uint32_t i = 0; i < 7; i++) {
        rows[i] = (test_job){.duration_s = 1, .estimate_s = 1, .gpus = 1};
        asked[i] = i;
    }
    fz_trace *trace = test_trace(w.arena, rows, 7);
    trace->texts = texts;
    trace->n_texts = 7;
    trace->req_types = asked;
    w.spec.trace = trace;
    build(&w, false, false);
    for (uint32_t i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(demand_of(&w, i)->fixed.types, masks[i]);
    CU_ASSERT_EQUAL(demand_of(&w, 3)->fixed.gpus, 0);
    fz_arena_free(w.arena);
}

/* est_s, else limit_s, else the true duration; counted by source. */
static void test_estimates(void)
{
    world w = world_new();
    const test_job rows[] = {{.duration_s = 7, .estimate_s = 5, .gpus = 1},
                             {.duration_s = 7, .estimate_s = -1, .gpus = 1},
                             {.duration_s = 7, .estimate_s = -1, .gpus = 1}};
    const fz_time limit[] = {9 * FZ_SECOND, 9 * FZ_SECOND, FZ_TIME_NONE};
    fz_trace *trace = test_trace(w.arena, rows, 3);
    trace->limit = limit;
    w.spec.trace = trace;
    build(&w, false, false);
    CU_ASSERT_EQUAL(w.demands.estimates[0], 5 * FZ_SECOND);
    CU_ASSERT_EQUAL(w.demands.estimates[1], 9 * FZ_SECOND);
    CU_ASSERT_EQUAL(w.demands.estimates[2], 7 * FZ_SECOND);
    CU_ASSERT_EQUAL(w.demands.estimate_user, 1);
    CU_ASSERT_EQUAL(w.demands.estimate_limit, 1);
    CU_ASSERT_EQUAL(w.demands.estimate_oracle, 1);
    fz_arena_free(w.arena);
}

/* ---- what a user tries ------------------------------------------------------------------------------ */

static void llm_set(world *w, test_llm_job row)
{
    test_trace_llm(w->arena, &w->spec, NULL, 0, &row, 1);
}

/* Moves on after an out-of-memory event on GPUs of `mem_gib`; asserts GPUs and types of what is next. */
static uint32_t next_is(const world *w, uint32_t class, uint32_t mem_gib, uint32_t gpus, fz_type_mask types)
{
    uint32_t next =
        fz_demands_after_oom(&w->demands, class, &w->demands.demands[class].fixed, mem_gib * FZ_GIB);
    CU_ASSERT_NOT_EQUAL_FATAL(next, FZ_NO_CLASS);
    CU_ASSERT_TRUE(next > class);
    CU_ASSERT_EQUAL(w->demands.demands[next].fixed.gpus, gpus);
    CU_ASSERT_EQUAL(w->demands.demands[next].fixed.types, types);
    return next;
}

/* The large model needs 45.01 GiB on 1 GPU, 22.51 on 2, 11.26 on 4. A user of 1 GPU tries any type, then
 * ever larger memory, then 2 GPUs on the largest, then 4: there is no type of 8. */
static void test_user_ladder(void)
{
    world w = world_new();
    llm_set(&w, (test_llm_job){.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1, .gpus = 1});
    build(&w, false, false);
    uint32_t class = w.demands.class_of[0];
    const fz_plan *first = &w.demands.demands[class].fixed;
    CU_ASSERT_EQUAL(first->gpus, 1);
    CU_ASSERT_EQUAL(first->types, 7);
    CU_ASSERT_DOUBLE_EQUAL((double)first->mem_bytes / (double)FZ_GIB, 45.01, 0.01);
    CU_ASSERT_FALSE(w.demands.demands[class].from_marp);
    class = next_is(&w, class, 10, 1, 6); /* 20 GiB or 40 */
    class = next_is(&w, class, 20, 1, 4);
    class = next_is(&w, class, 40, 2, 4);
    CU_ASSERT_DOUBLE_EQUAL((double)w.demands.demands[class].fixed.mem_bytes / (double)FZ_GIB, 22.51, 0.01);
    CU_ASSERT_EQUAL(w.demands.demands[class].fixed.tensor, 2); /* splitting the model saves most */
    class = next_is(&w, class, 40, 4, 4);
    CU_ASSERT_EQUAL(fz_demands_after_oom(&w.demands, class, &w.demands.demands[class].fixed, 40 * FZ_GIB),
                    FZ_NO_CLASS);
    fz_arena_free(w.arena);
}

/* Failed on the largest memory at once: what the smaller ones would be is not tried. */
static void test_user_skips_what_is_ruled_out(void)
{
    world w = world_new();
    llm_set(&w, (test_llm_job){.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1, .gpus = 1});
    build(&w, false, false);
    next_is(&w, w.demands.class_of[0], 40, 2, 4);
    fz_arena_free(w.arena);
}

/* 4 GPUs each: the ladder of 4 ends at the largest memory; of 5, nothing fits at all. */
static void test_user_of_many(void)
{
    world w = world_new();
    llm_set(&w, (test_llm_job){.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1, .gpus = 4});
    build(&w, false, false);
    uint32_t class = next_is(&w, w.demands.class_of[0], 10, 4, 6);
    class = next_is(&w, class, 20, 4, 4);
    CU_ASSERT_EQUAL(fz_demands_after_oom(&w.demands, class, &w.demands.demands[class].fixed, 40 * FZ_GIB),
                    FZ_NO_CLASS);
    for (uint32_t gpus = 5; gpus < 100000; gpus *= 30) { /* 5, 150, 4500: one type, all types, a node */
        llm_set(&w, (test_llm_job){.global_batch = 1, .seq_len = 1, .steps = 1, .gpus = gpus});
        build(&w, false, false);
        CU_ASSERT_EQUAL(demand_of(&w, 0)->fixed.gpus, 0);
    }
    fz_arena_free(w.arena);
}

/* The whole run under opportunistic, which takes the fastest type: 10, 20, 40 GiB, then 2 x 40. Each
 * failure takes 60 s. The last attempt: F = 72 l h^2 (1 + 1/6h) = 14495514624 + 589824 FLOP a step. */
static void test_ladder_in_a_run(void)
{
    world w = world_new();
    llm_set(&w,
            (test_llm_job){.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1000, .gpus = 1});
    w.spec.sched = fz_sched_find("opportunistic");
    w.spec.world.oom_after_s = 60;
    fz_run_result result;
    CU_ASSERT_TRUE_FATAL(test_run(w.arena, &w.spec, &result));
    const fz_job_result *job = &result.jobs[0];
    CU_ASSERT_EQUAL(job->state, FZ_JOB_FINISHED);
    CU_ASSERT_EQUAL(job->attempts, 4);
    CU_ASSERT_EQUAL(result.summary.ooms, 3);
    CU_ASSERT_EQUAL(job->gpus, 2);
    CU_ASSERT_EQUAL(job->start, 0);
    CU_ASSERT_EQUAL(job->end,
                    180 * FZ_SECOND + (fz_time)7248053); /* 1000 x 14496104448 / 2e12 = 7.248052224 s */
    CU_ASSERT_EQUAL(job->gpu_time, 180 * FZ_SECOND + (fz_time)2 * 7248053);
    CU_ASSERT_EQUAL(result.plans[job->plan].tensor, 2);
    fz_arena_free(w.arena);
}

/* ---- what MARP tries -------------------------------------------------------------------------------- */

/* Without an error of the prediction there is one class and no retry. */
static void test_marp_without_errors(void)
{
    world w = world_new();
    llm_set(&w, (test_llm_job){.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1, .gpus = 1});
    build(&w, true, false);
    CU_ASSERT_EQUAL(w.demands.n_demands, 1);
    const fz_demand *demand = demand_of(&w, 0);
    CU_ASSERT_TRUE(demand->from_marp);
    CU_ASSERT_EQUAL(demand->n_plans, 3); /* t = 2 and 4 and 8; 16 GPUs there are not */
    CU_ASSERT_EQUAL(demand->plans[0].gpus, 2);
    CU_ASSERT_EQUAL(demand->plans[0].types, 4); /* 22.51 GiB */
    CU_ASSERT_EQUAL(demand->plans[1].gpus, 4);
    CU_ASSERT_EQUAL(demand->plans[1].types, 6); /* 11.26 GiB */
    CU_ASSERT_EQUAL(demand->plans[2].gpus, 8);
    CU_ASSERT_EQUAL(demand->plans[2].types, 7); /* 5.63 GiB */
    CU_ASSERT_EQUAL(demand->fixed.gpus, 2);
    CU_ASSERT_EQUAL(fz_demands_after_oom(&w.demands, w.demands.class_of[0], &demand->plans[0], 40 * FZ_GIB),
                    FZ_NO_CLASS);
    fz_arena_free(w.arena);
}

/* The need of 22.51 GiB failed on 40 GiB: the truth is above, so the scale is at least 40 / 22.51 = 1.78,
 * the first power of 1.15 above it being 1.15^5 = 2.01 (1.15^4 = 1.75). Under it, 4 GPUs need 22.63 GiB. */
static void test_marp_ladder(void)
{
    world w = world_new();
    llm_set(&w, (test_llm_job){.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1, .gpus = 1});
    build(&w, true, true);
    uint32_t class = w.demands.class_of[0];
    uint32_t next = fz_demands_after_oom(&w.demands, class, &w.demands.demands[class].plans[0], 40 * FZ_GIB);
    CU_ASSERT_NOT_EQUAL_FATAL(next, FZ_NO_CLASS);
    CU_ASSERT_DOUBLE_EQUAL(w.demands.facts[next].mem_scale, 2.0113571875, 1e-9);
    const fz_demand *demand = &w.demands.demands[next];
    CU_ASSERT_EQUAL(demand->n_plans, 2);
    CU_ASSERT_EQUAL(demand->plans[0].gpus, 4);
    CU_ASSERT_EQUAL(demand->plans[0].types, 4);
    CU_ASSERT_EQUAL(demand->plans[1].gpus, 8);
    CU_ASSERT_EQUAL(demand->plans[1].types, 6); /* 11.32 GiB */
    /* 8 GPUs failed on 20 GiB: the scale is above 20 / 5.63 = 3.55: 1.15^10 = 4.05 (1.15^9 = 3.52), where
     * they need 22.76 GiB, and 40 GiB GPUs are but 4, with 45.5 GiB: nothing is left but to give up. */
    CU_ASSERT_EQUAL(fz_demands_after_oom(&w.demands, next, &demand->plans[1], 20 * FZ_GIB), FZ_NO_CLASS);
    fz_arena_free(w.arena);
}

/* A serverless job under a fixed-size policy takes MARP's first plan that one type can host. */
static void test_serverless_fixed(void)
{
    world w = world_new();
    llm_set(&w, (test_llm_job){.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1});
    build(&w, false, false);
    CU_ASSERT_TRUE(demand_of(&w, 0)->from_marp);
    CU_ASSERT_EQUAL(demand_of(&w, 0)->fixed.gpus, 2);
    CU_ASSERT_EQUAL(demand_of(&w, 0)->fixed.types, 4);
    fz_arena_free(w.arena);
}

/* ---- jobs that cannot be simulated ---------------------------------------------------------------------- */

static void test_no_work(void)
{
    world w = world_new();
    fz_error err = {0};
    fz_demand_options options = {0};
    llm_set(&w, (test_llm_job){.global_batch = 1, .seq_len = 1, .steps = 0, .gpus = 1});
    CU_ASSERT_EQUAL(
        fz_demands_build(w.arena, w.spec.trace, w.cluster, w.spec.models, options, &w.demands, &err),
        FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "job '0' has no work to simulate: give req_gpus and duration_s, or "
                                        "model, global_batch, seq_len and steps");
    llm_set(&w, (test_llm_job){.global_batch = 1, .seq_len = 1, .steps = 1, .gpus = 1});
    CU_ASSERT_EQUAL(fz_demands_build(w.arena, w.spec.trace, w.cluster, NULL, options, &w.demands, &err),
                    FZ_EPARSE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "the model 'small' is not known"));
    llm_set(&w, (test_llm_job){.gpus = 1});
    CU_ASSERT_EQUAL(fz_demands_build(w.arena, w.spec.trace, w.cluster, NULL, options, &w.demands, &err),
                    FZ_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "names the profile 'small' in place of a run time"));
    fz_arena_free(w.arena);
}

/* The second of two classes has experts: its first job, which is the third of the trace, is named. */
static void test_unknown_to_the_predictor(void)
{
    static const test_llm_job rows[] = {
        {.model = TEST_SMALL, .global_batch = 1, .seq_len = 1, .steps = 1},
        {.model = TEST_SMALL, .global_batch = 1, .seq_len = 1, .steps = 1},
        {.model = TEST_LARGE, .global_batch = 1, .seq_len = 1, .steps = 1},
    };
    world w = world_new();
    fz_error err = {0};
    test_trace_llm(w.arena, &w.spec, NULL, 0, rows, 3);
    const fz_model **models = FZ_NEW(w.arena, w.spec.trace->n_texts, const fz_model *);
    fz_model mixture = *w.spec.models[w.spec.trace->model[2]];
    mixture.experts = 8;
    for (uint32_t i = 0; i < w.spec.trace->n_texts; i++)
        models[i] = i == w.spec.trace->model[2] ? &mixture : w.spec.models[i];
    CU_ASSERT_EQUAL(
        fz_demands_build(w.arena, w.spec.trace, w.cluster, models, (fz_demand_options){0}, &w.demands, &err),
        FZ_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "job '2': model "));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "does not know mixtures of experts"));
    fz_arena_free(w.arena);
}

int main(void)
{
    const fz_test tests[] = {
        {"opaque classes", test_opaque},
        {"a model that the predictor does not know", test_unknown_to_the_predictor},
        {"names of GPU types", test_type_names},
        {"estimates and their sources", test_estimates},
        {"a user's ladder", test_user_ladder},
        {"what is ruled out is not tried", test_user_skips_what_is_ruled_out},
        {"a user of many GPUs", test_user_of_many},
        {"a ladder in a run", test_ladder_in_a_run},
        {"MARP without errors", test_marp_without_errors},
        {"MARP's ladder", test_marp_ladder},
        {"serverless under a fixed-size policy", test_serverless_fixed},
        {"no work to simulate", test_no_work},
    };
    return FZ_TEST_MAIN("demand", tests);
}
