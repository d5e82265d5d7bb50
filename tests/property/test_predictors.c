/* What must hold for every training run: memory and time move the right way with sizes and degrees, parts add up,
 * intervals enclose; and the plan search finds what trying everything finds. Seeds are printed. */
#include <frenzy/search.h>
#include <frenzy/step.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/harness.h"
#include "tests/random.h"

#define ROUNDS 400

static uint64_t below(fz_random *random, uint64_t n)
{
    return fz_random_next(random) % n;
}

static uint64_t power(fz_random *random, uint64_t most)
{
    return (uint64_t)1 << below(random, most + 1);
}

static fz_model any_model(fz_random *random)
{
    fz_model m = {.name = "any", .layers = 8 * power(random, 2), .heads = 8 * power(random, 2)};
    m.head_dim = 32 * power(random, 2);
    m.hidden = m.heads * m.head_dim;
    m.kv_heads = m.heads / power(random, 3);
    m.ffn = 4 * m.hidden;
    m.vocab = 1000 + below(random, 100000);
    m.gated_mlp = below(random, 2) != 0;
    m.untied_head = below(random, 2) != 0;
    if (below(random, 4) == 0) {
        m.experts = 8;
        m.experts_per_token = 2;
        m.expert_ffn = m.ffn / 2;
    }
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&m, NULL), FZ_OK);
    return m;
}

static fz_training_run any_run(fz_random *random, const fz_model *model)
{
    static const char *const profiles[] = {NULL, "megatron-core", "torch-fsdp", "transformers-deepspeed",
                                           "litgpt"};
    fz_training_run run = {
        .model = model, .seq_len = 512 * power(random, 3), .micro_batch = power(random, 2)};
    run.data = (uint32_t)power(random, 3);
    run.tensor = (uint32_t)power(random, 2);
    run.pipeline = (uint32_t)power(random, 2);
    run.micro_batches = power(random, 4);
    run.zero = (uint8_t)below(random, 4);
    run.recompute = (fz_recompute)below(random, 3);
    run.flash_attention = below(random, 2) != 0;
    run.sequence_parallel = run.tensor > 1 && below(random, 2) != 0;
    run.profile = profiles[below(random, 5)];
    run.metric = (fz_memory_metric)below(random, 4);
    return run;
}

static double need(const fz_training_run *run)
{
    fz_memory memory = {0};
    CU_ASSERT_EQUAL_FATAL(fz_memory_estimate(run, 0.9, &memory, NULL), FZ_OK);
    return memory.need;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static void grows_with(fz_training_run run, fz_model *model, uint64_t *size, const char *what, uint64_t seed)
{
    double before = need(&run);
    run.model = model;
    *size *= 2;
    double after = need(&run);
    *size /= 2;
    CU_ASSERT(after >= before);
    if (after < before)
        printf("\nseed %llu: memory falls when %s doubles\n", (unsigned long long)seed, what);
}

static void memory_grows_with_sizes(void)
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_training_run run = any_run(&random, &model);
        double before = need(&run);
        run.micro_batch *= 2;
        CU_ASSERT(need(&run) >= before);
        run.micro_batch /= 2;
        run.seq_len *= 2;
        CU_ASSERT(need(&run) >= before);
        run.seq_len /= 2;
        grows_with(run, &model, &model.layers, "layers", seed);
        grows_with(run, &model, &model.vocab, "vocabulary", seed);
        grows_with(run, &model, &model.ffn, "the MLP", seed);
    }
}

/* ZeRO's buckets and gathers come with it: compared are the states. On one rank there is nothing to shard. */
static void states_fall_with_zero(void)
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_training_run run = any_run(&random, &model);
        double before = INFINITY;
        run.data *= 2;
        for (uint8_t zero = 0; zero <= 3; zero++) {
            fz_memory memory = {0};
            run.zero = zero;
            CU_ASSERT_EQUAL_FATAL(fz_memory_estimate(&run, 0.9, &memory, NULL), FZ_OK);
            double states = memory.parts.weights + memory.parts.gradients + memory.parts.optimizer;
            CU_ASSERT(states <= before * (1 + 1e-12));
            before = states;
        }
    }
}

static void memory_falls_with_recomputation(void)
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_training_run run = any_run(&random, &model);
        run.pipeline = 1; /* with one layer a stage, making it again saves nothing */
        run.recompute = FZ_RECOMPUTE_NONE;
        double none = need(&run);
        run.recompute = FZ_RECOMPUTE_FULL;
        CU_ASSERT(need(&run) <= none);
    }
}

static void parts_add_up_and_intervals_enclose(void)
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_training_run run = any_run(&random, &model);
        fz_memory m = {0}, wide = {0};
        CU_ASSERT_EQUAL_FATAL(fz_memory_estimate(&run, 0.8, &m, NULL), FZ_OK);
        CU_ASSERT_EQUAL_FATAL(fz_memory_estimate(&run, 0.95, &wide, NULL), FZ_OK);
        double sum = m.parts.weights + m.parts.gradients + m.parts.optimizer + m.parts.activations +
                     m.parts.logits + m.parts.buffers + m.parts.context + m.parts.fragmentation;
        CU_ASSERT_DOUBLE_EQUAL(sum, m.need, 1e-9 * m.need);
        CU_ASSERT(m.lo <= m.need && m.need <= m.hi);
        CU_ASSERT(wide.lo <= m.lo && m.hi <= wide.hi && wide.need == m.need);
    }
}

/* ---- time ----------------------------------------------------------------------------------------------- */

static fz_step_hardware any_hardware(fz_random *random)
{
    fz_step_hardware hw = {.matrix_flops = 1e14 * (1 + (double)below(random, 10)),
                           .memory_bandwidth = 1e12 * (1 + (double)below(random, 3)),
                           .compute_capability = 7 + (double)below(random, 3),
                           .node_bandwidth = 1e11 * (1 + (double)below(random, 4)),
                           .node_gpus = 8};
    hw.link_bandwidth = hw.node_bandwidth / (1 + (double)below(random, 16));
    return hw;
}

static double seconds(const fz_training_run *run, const fz_step_hardware *hardware)
{
    fz_step_basis basis = {0};
    fz_step step = {0};
    CU_ASSERT_EQUAL_FATAL(fz_step_prepare(run, 0.9, &basis, NULL), FZ_OK);
    fz_step_time(&basis, run, hardware, &step);
    CU_ASSERT_DOUBLE_EQUAL(step.compute + step.communication + step.overhead, step.seconds,
                           1e-9 * step.seconds);
    CU_ASSERT(step.lo <= step.seconds && step.seconds <= step.hi);
    return step.seconds;
}

/* Speed never grows when a link gets slower or a GPU smaller. */
static void slower_hardware_is_slower(void)
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_training_run run = any_run(&random, &model);
        fz_step_hardware hw = any_hardware(&random);
        double before = seconds(&run, &hw);
        double *const rates[] = {&hw.matrix_flops, &hw.memory_bandwidth, &hw.node_bandwidth,
                                 &hw.link_bandwidth};
        for (size_t i = 0; i < 4; i++) {
            *rates[i] /= 2;
            CU_ASSERT(seconds(&run, &hw) >= before);
            *rates[i] *= 2;
        }
    }
}

/* Twice the ranks with half the micro-batches each: at most twice the speed. */
static void doubling_data_at_most_doubles(void)
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_training_run run = any_run(&random, &model);
        fz_step_hardware hw = any_hardware(&random);
        run.micro_batches = 2 * power(&random, 3);
        double before = seconds(&run, &hw);
        run.data *= 2;
        run.micro_batches /= 2;
        double after = seconds(&run, &hw);
        CU_ASSERT(2 * after >= before * (1 - 1e-9));
        if (2 * after < before * (1 - 1e-9))
            printf("\nseed %llu: d %u to %u: %g to %g s\n", (unsigned long long)seed, run.data / 2, run.data,
                   before, after);
    }
}

/* ---- search against trying everything ------------------------------------------------------------------- */

enum { MOST = 16 };

typedef struct best {
    bool found;
    double step, hi;
} best;

static bool divides(uint64_t a, uint64_t b)
{
    return a != 0 && b % a == 0;
}

/* All runs on `gpus` GPUs of a type that fit, the fastest; nothing is pruned. */
static best try_everything(const fz_search *search, const fz_search_type *type, uint32_t gpus)
{
    best out = {0};
    fz_step_basis speed = {0};
    fz_step_hardware hw = fz_step_hardware_of(type->gpu, type->node_gpus);
    fz_memory_basis basis = {0};
    (void)fz_step_prepare(&search->job, 0.9, &speed, NULL);
    (void)fz_memory_prepare(&search->job, search->confidence, &basis, NULL);
    for (uint32_t t = 1; t <= type->node_gpus; t++)
        for (uint32_t p = 1; p <= gpus; p++)
            for (int way = 0; way < 4 * 3; way++)
                for (uint64_t b = 1; b <= 64; b *= 2) {
                    fz_search_plan plan = {.gpus = gpus,
                                           .tensor = t,
                                           .pipeline = p,
                                           .micro_batch = b,
                                           .zero = (uint8_t)(way / 3),
                                           .recompute = (fz_recompute)(way % 3)};
                    if (!divides(t, search->job.model->heads) || !divides(p, search->job.model->layers) ||
                        !divides((uint64_t)t * p, gpus))
                        continue;
                    plan.data = gpus / (t * p);
                    bool sharded = plan.data > 1 ? plan.zero > 0 : plan.zero == 0;
                    if (!divides(plan.data * b, search->global_batch) || !sharded ||
                        (p > 1 && plan.zero > 1) || plan.recompute == FZ_RECOMPUTE_SELECTIVE)
                        continue;
                    fz_training_run run = fz_search_run(search, &plan);
                    double hi = fz_memory_need(&basis, &run) * basis.hi;
                    fz_step step;
                    fz_step_time(&speed, &run, &hw, &step);
                    if (hi <= (double)type->gpu->mem_bytes && (!out.found || step.seconds < out.step))
                        out = (best){true, step.seconds, hi};
                }
    return out;
}

/* The search leaves the ways to save memory that come after the first that fits, and more stages than needed: it may
 * miss a slightly faster plan, never one where there is any, and never shows one that does not fit. */
static void search_against_everything(void)
{
    uint32_t exact = 0, cases = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_gpu_type gpu = {.name = "gpu",
                           .mem_bytes = (uint64_t)(16 + below(&random, 65)) << 30,
                           .peak_matrix_flops = 3e14,
                           .mem_bandwidth = 1.5e12,
                           .compute_capability = 8};
        fz_search_type type = {.gpu = &gpu, .gpus = MOST, .node_gpus = 8};
        fz_search search = {.job = {.model = &model, .seq_len = 2048, .flash_attention = true},
                            .global_batch = 32,
                            .zero = FZ_SEARCH_ANY,
                            .recompute = FZ_SEARCH_ANY,
                            .max_gpus = MOST,
                            .confidence = 0.9};
        fz_search_plan plans[FZ_SEARCH_PER_TYPE];
        size_t n = 0;
        CU_ASSERT_EQUAL_FATAL(fz_search_plans(&search, &type, 1, plans, &n, NULL), FZ_OK);
        for (uint32_t gpus = 1; gpus <= MOST; gpus++) {
            best all = try_everything(&search, &type, gpus);
            const fz_search_plan *found = NULL;
            for (size_t i = 0; i < n; i++)
                if (plans[i].gpus == gpus)
                    found = &plans[i];
            CU_ASSERT_EQUAL(found != NULL, all.found);
            if ((found != NULL) != all.found)
                printf("\nseed %llu, %u GPUs: found %d, there is %d\n", (unsigned long long)seed, gpus,
                       found != NULL, all.found);
            if (found == NULL || !all.found)
                continue;
            cases++;
            exact += found->step_s <= all.step * (1 + 1e-9);
            CU_ASSERT(found->hi <= (double)gpu.mem_bytes);
            CU_ASSERT(found->step_s <= 1.25 * all.step);
            if (found->step_s > 1.25 * all.step)
                printf("\nseed %llu, %u GPUs: %g s, but %g s is possible\n", (unsigned long long)seed, gpus,
                       found->step_s, all.step);
        }
    }
    printf("\nthe search found the fastest plan in %u of %u cases\n", exact, cases);
    CU_ASSERT(exact * 10 >= cases * 9);
}

static void near_miss_is_near(void)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        fz_random random = (fz_random){seed};
        fz_model model = any_model(&random);
        fz_gpu_type gpu = {.name = "gpu", .mem_bytes = (uint64_t)(8 + below(&random, 33)) << 30};
        fz_search_type type = {.gpu = &gpu, .gpus = MOST, .node_gpus = 8};
        fz_search search = {.job = {.model = &model, .seq_len = 2048, .flash_attention = true},
                            .global_batch = 32,
                            .zero = FZ_SEARCH_ANY,
                            .recompute = FZ_SEARCH_ANY,
                            .max_gpus = MOST,
                            .confidence = 0.9};
        fz_search_plan plans[FZ_SEARCH_PER_TYPE], miss;
        size_t n = 0;
        uint32_t least = 0;
        CU_ASSERT_EQUAL_FATAL(fz_search_plans(&search, &type, 1, plans, &n, NULL), FZ_OK);
        for (size_t i = 0; i < n; i++)
            least = least == 0 || plans[i].gpus < least ? plans[i].gpus : least;
        if (fz_search_near_miss(&search, &type, least, &miss)) {
            CU_ASSERT(miss.hi > (double)gpu.mem_bytes);
            CU_ASSERT(least == 0 || miss.gpus < least);
        } else {
            CU_ASSERT_EQUAL(least, 1);
        }
    }
}

int main(void)
{
    static const fz_test tests[] = {{"memory grows with sizes", memory_grows_with_sizes},
                                    {"states fall with ZeRO", states_fall_with_zero},
                                    {"memory falls with recomputation", memory_falls_with_recomputation},
                                    {"parts add up, intervals enclose", parts_add_up_and_intervals_enclose},
                                    {"slower hardware is slower", slower_hardware_is_slower},
                                    {"doubling data at most doubles", doubling_data_at_most_doubles},
                                    {"search against everything", search_against_everything},
                                    {"a near miss is near", near_miss_is_near}};
    printf("seeds 1 to %d\n", ROUNDS);
    return FZ_TEST_MAIN("predictors", tests);
}
