/* MARP against the golden values of the published formula (computed independently of this code from the table
 * of the formula: parameter counts, static bytes, activations, number and order of plans), and against a
 * naive enumeration for random models. */
#include <frenzy/marp.h>
#include <frenzy/units.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/random.h"

/* GPT-like: biases everywhere, two LayerNorms with bias, MLP of 4 h, tied head. */
static fz_model gpt(uint64_t layers, uint64_t heads, uint64_t hidden, uint64_t vocab)
{
    fz_model model = {.name = "gpt",
                      .layers = layers,
                      .hidden = hidden,
                      .heads = heads,
                      .vocab = vocab,
                      .attention_bias = true,
                      .mlp_bias = true};
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&model, NULL), FZ_OK);
    return model;
}

/* A plan as the golden table gives it: N, t, d, and S in units of 1e9 bytes with three decimals. */
typedef struct golden_plan {
    size_t at; /* place in the ranking; SIZE_MAX: the last */
    uint32_t n, t, d;
    double s;
} golden_plan;

typedef struct golden {
    uint64_t l, a, h, s, v, b;
    double params, static_bytes, activations;
    size_t n_plans;
    golden_plan plans[8]; /* n == 0 ends the list */
} golden;

#define LAST SIZE_MAX

static const golden table[] = {
    {32,
     32,
     4096,
     2048,
     28996,
     1,
     6562922496,
     131258449920,
     30601641984,
     6,
     {{0, 1, 1, 1, 161.860},
      {1, 2, 2, 1, 82.272},
      {2, 4, 4, 1, 42.478},
      {3, 8, 8, 1, 22.581},
      {4, 16, 16, 1, 12.633},
      {LAST, 32, 32, 1, 7.659}}},
    {40,
     40,
     5120,
     2048,
     28996,
     1,
     12734033920,
     254680678400,
     47815065600,
     8,
     {{0, 1, 1, 1, 302.496},
      {1, 2, 2, 1, 153.345},
      {2, 4, 4, 1, 78.770},
      {3, 5, 5, 1, 63.855},
      {4, 8, 8, 1, 41.482},
      {5, 10, 10, 1, 34.024},
      {LAST, 40, 40, 1, 11.652}}},
    {12,
     12,
     768,
     512,
     28996,
     8,
     107323392,
     2146467840,
     2793406464,
     24,
     {{0, 1, 1, 1, 4.940},
      {1, 2, 2, 1, 2.659},
      {2, 2, 1, 2, 3.543},
      {3, 3, 3, 1, 1.898},
      {4, 4, 4, 1, 1.518},
      {5, 4, 2, 2, 1.866},
      {LAST, 96, 12, 8, 0.251}}},
    {24,
     16,
     1024,
     1024,
     28996,
     4,
     332001280,
     6640025600,
     11475615744,
     15,
     {{0, 1, 1, 1, 18.116},
      {1, 2, 2, 1, 9.561},
      {2, 2, 1, 2, 12.378},
      {3, 4, 4, 1, 5.284},
      {4, 4, 2, 2, 6.441},
      {5, 4, 1, 4, 9.509},
      {LAST, 64, 16, 4, 0.830}}},
    {48,
     25,
     1600,
     1024,
     50257,
     8,
     1555969600,
     31119392000,
     71722598400,
     12, /* GPT-2 XL: 25 heads */
     {{0, 1, 1, 1, 102.842},
      {1, 2, 1, 2, 66.981},
      {2, 4, 1, 4, 49.050},
      {3, 5, 5, 1, 25.602},
      {4, 8, 1, 8, 40.085},
      {5, 10, 5, 2, 15.913},
      {LAST, 200, 25, 8, 2.358}}},
    {96,
     96,
     12288,
     2048,
     0,
     64,
     173961510912,
     3479230218240,
     17626545782784,
     77,
     {{0, 1, 1, 1, 21105.776}, {LAST, 3072, 48, 64, 101.878}}},
};

static bool plan_equal(const fz_plan *plan, const golden_plan *expected)
{
    char text[32];
    char name[32];
    fz_plan_format(plan, text, sizeof(text));
    snprintf(name, sizeof(name), "d%ut%up1z0", expected->d, expected->t);
    double s = round((double)plan->mem_bytes / 1e6) / 1e3;
    bool equal = plan->gpus == expected->n && strcmp(text, name) == 0 && fabs(s - expected->s) < 0.0015;
    if (!equal)
        printf("plan %s with %u GPUs and %.3f GB, expected %s with %u and %.3f\n", text, plan->gpus, s, name,
               expected->n, expected->s);
    return equal;
}

static void golden_check(const golden *g)
{
    fz_model model = gpt(g->l, g->a, g->h, g->v);
    fz_training training = {.global_batch = g->b, .seq_len = g->s};
    fz_marp_parts parts;
    double need = fz_marp_need(&model, &training, 1, 1, &parts);
    CU_ASSERT_EQUAL(fz_marp_params(&model), g->params);
    CU_ASSERT_EQUAL(parts.weights + parts.gradients + parts.optimizer, g->static_bytes);
    CU_ASSERT_EQUAL(parts.activations, g->activations);
    CU_ASSERT_EQUAL(need, g->static_bytes + g->activations);
    fz_plan plans[FZ_MARP_MAX_PLANS];
    CU_ASSERT_EQUAL_FATAL(fz_marp_plans(&model, &training, plans), g->n_plans);
    for (size_t i = 0; i < 8 && g->plans[i].n > 0; i++) {
        size_t at = g->plans[i].at == LAST ? g->n_plans - 1 : g->plans[i].at;
        CU_ASSERT_TRUE(plan_equal(&plans[at], &g->plans[i]));
    }
}

static void test_golden(void)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        golden_check(&table[i]);
}

/* The first golden case has 42.478 GB at t = 4: above a nominal 40 in either unit; at t = 8 22.581 GB below.
 * Case 5 at t = 1, d = 8 has 40.085e9 bytes: above 40 GB, below 40 GiB = 42.950e9. The 7.4 % trap. */
static void test_units(void)
{
    fz_model model = gpt(48, 25, 1600, 50257);
    fz_training training = {.global_batch = 8, .seq_len = 1024};
    double need = fz_marp_need(&model, &training, 1, 8, NULL);
    CU_ASSERT_TRUE(need > fz_marp_capacity(40, FZ_MARP_GB));
    CU_ASSERT_TRUE(need < fz_marp_capacity(40, FZ_MARP_GIB));
    CU_ASSERT_EQUAL(fz_marp_capacity(40, FZ_MARP_GB), 40e9);
    CU_ASSERT_EQUAL(fz_marp_capacity(40, FZ_MARP_GIB), 42949672960.0);
}

/* The published generalisation, by hand. LLaMA-3 8B: q and o 4096 x 4096, k and v 4096 x 1024, gate, up and
 * down 4096 x 14336, one norm of 2 x 4096, no biases, own head:
 *   2 x 4096 x 4096 + 2 x 4096 x 1024 + 3 x 4096 x 14336 + 2 x 4096 = 218,112,000 a layer
 *   128256 x 4096 x 2 + 32 x 218,112,000 = 1,050,673,152 + 6,979,584,000 = 8,030,257,152
 * (the model card counts 8,030,261,248: the final norm of 4,096 is not in the published formula).
 * Mistral 7B is the same with V = 32000: 262,144,000 + 6,979,584,000 = 7,241,728,000. */
static void test_llama_style(void)
{
    fz_model model = {.name = "llama-3-8b",
                      .layers = 32,
                      .hidden = 4096,
                      .heads = 32,
                      .kv_heads = 8,
                      .ffn = 14336,
                      .vocab = 128256,
                      .norms = 2,
                      .gated_mlp = true,
                      .untied_head = true};
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&model, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_marp_params(&model), 8030257152.0);
    model.vocab = 32000;
    CU_ASSERT_EQUAL(fz_marp_params(&model), 7241728000.0);
}

/* By hand, with every size different, so that no two can be swapped: h 10, q 3 x 4 = 12, k and v 1 x 4 = 4,
 * MLP 7, 5 norm vectors, V 11, 2 layers, tied.
 *   attention with biases: (10 x 12 + 12) + 2 (10 x 4 + 4) + (12 x 10 + 10) = 132 + 88 + 130 = 350
 *   gated MLP without: 3 x 10 x 7 = 210;  norms 5 x 10 = 50;  110 + 2 x 610 = 1330
 *   without the first biases (30 fewer) and with the second (7 + 7 + 10 more): 110 + 2 x 604 = 1318 */
static void test_every_field_counts(void)
{
    fz_model model = {.layers = 2,
                      .hidden = 10,
                      .heads = 3,
                      .kv_heads = 1,
                      .head_dim = 4,
                      .ffn = 7,
                      .vocab = 11,
                      .norms = 5,
                      .gated_mlp = true,
                      .attention_bias = true};
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&model, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_marp_params(&model), 1330);
    model.attention_bias = false;
    model.mlp_bias = true;
    CU_ASSERT_EQUAL(fz_marp_params(&model), 1318);
}

/* The parts of the 20 W: 6 weights, 6 gradients, 8 optimizer. */
static void test_parts(void)
{
    fz_model model = gpt(12, 12, 768, 28996);
    fz_training training = {.global_batch = 8, .seq_len = 512};
    fz_marp_parts parts;
    fz_marp_need(&model, &training, 4, 2, &parts);
    CU_ASSERT_EQUAL(parts.weights, 160985088.0); /* 6 x 107,323,392 / 4 */
    CU_ASSERT_EQUAL(parts.gradients, parts.weights);
    CU_ASSERT_EQUAL(parts.optimizer, 214646784.0); /* 8 x 107,323,392 / 4 */
}

static void test_bind_at_the_border(void)
{
    fz_plan plan = {.gpus = 1, .data = 1, .tensor = 1, .pipeline = 1, .mem_bytes = 1000};
    fz_gpu_type type = {.name = "exact", .mem_bytes = 1000};
    CU_ASSERT_EQUAL(fz_marp_bind(&plan, 1, &type, 1, FZ_ALL_TYPES, 1, 1), 1);
    type.mem_bytes = 999;
    CU_ASSERT_EQUAL(fz_marp_bind(&plan, 1, &type, 1, FZ_ALL_TYPES, 1, 1), 0);
}

static void test_bind(void)
{
    const fz_gpu_type types[] = {{.name = "small", .mem_bytes = 20 * FZ_GB},
                                 {.name = "large", .mem_bytes = 80 * FZ_GB}};
    fz_model model = gpt(32, 32, 4096, 28996); /* S: 161.9, 82.3, 42.5, 22.6, 12.6, 7.7 GB */
    fz_training training = {.global_batch = 1, .seq_len = 2048};
    fz_plan plans[FZ_MARP_MAX_PLANS];
    size_t n = fz_marp_bind(plans, fz_marp_plans(&model, &training, plans), types, 2, FZ_ALL_TYPES, 1, 16);
    CU_ASSERT_EQUAL_FATAL(n, 3); /* 4 and 8 GPUs on the large, 16 on both; 32 are too many */
    CU_ASSERT_EQUAL(plans[0].gpus, 4);
    CU_ASSERT_EQUAL(plans[0].types, 2);
    CU_ASSERT_EQUAL(plans[1].types, 2);
    CU_ASSERT_EQUAL(plans[2].gpus, 16);
    CU_ASSERT_EQUAL(plans[2].types, 3);
    n = fz_marp_bind(plans, fz_marp_plans(&model, &training, plans), types, 2, FZ_ALL_TYPES, 2, 64);
    CU_ASSERT_EQUAL_FATAL(n, 3); /* twice the need: 45.2 and 25.3 on the large, 15.3 on both */
    CU_ASSERT_EQUAL(plans[0].gpus, 8);
    CU_ASSERT_EQUAL(plans[2].types, 3);
    n = fz_marp_bind(plans, fz_marp_plans(&model, &training, plans), types, 2, 1, 1, 64);
    CU_ASSERT_EQUAL(n, 2); /* on the small only: 16 and 32 GPUs */
}

/* A user's 6 GPUs for 12 heads: (t, d) in (1, 6), (2, 3), (3, 2), (6, 1), the least memory is t = 6. */
static void test_plan_for(void)
{
    fz_model model = gpt(12, 12, 768, 28996);
    fz_training training = {.global_batch = 8, .seq_len = 512};
    fz_plan plan = fz_marp_plan_for(&model, &training, 6);
    CU_ASSERT_EQUAL(plan.gpus, 6);
    CU_ASSERT_EQUAL(plan.tensor, 6);
    CU_ASSERT_EQUAL(plan.data, 1);
    plan = fz_marp_plan_for(&model, &training, 7); /* 7 divides no head count here: data parallel only */
    CU_ASSERT_EQUAL(plan.tensor, 1);
    CU_ASSERT_EQUAL(plan.data, 7);
    plan = fz_marp_plan_for(&model, &training, 70001); /* a prime above 2^16 */
    CU_ASSERT_EQUAL(plan.gpus, 70001);
    CU_ASSERT_EQUAL(plan.data, 70001);
    plan = fz_marp_plan_for(&model, &training, 786432); /* 12 x 2^16 */
    CU_ASSERT_EQUAL(plan.tensor, 12);
    CU_ASSERT_EQUAL(plan.data, 65536);
}

/* ---- properties -------------------------------------------------------------------------------------------- */

static bool ranked(const fz_plan *plans, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (plans[i - 1].gpus > plans[i].gpus ||
            (plans[i - 1].gpus == plans[i].gpus && plans[i - 1].mem_bytes > plans[i].mem_bytes))
            return false;
    return true;
}

static bool contains(const fz_plan *plans, size_t n, uint32_t t, uint32_t d, double need)
{
    for (size_t i = 0; i < n; i++)
        if (plans[i].tensor == t && plans[i].data == d)
            return plans[i].gpus == t * d && plans[i].pipeline == 1 && plans[i].zero == 0 &&
                   fabs((double)plans[i].mem_bytes - need) <= 1 + need * 1e-12;
    return false;
}

static void test_no_training(void)
{
    fz_model model = gpt(12, 12, 768, 50257);
    fz_plan plans[FZ_MARP_MAX_PLANS];
    CU_ASSERT_EQUAL(fz_marp_plans(&model, &(fz_training){.seq_len = 8}, plans), 0);
    CU_ASSERT_EQUAL(fz_marp_plans(&model, &(fz_training){.global_batch = 8}, plans), 0);
    CU_ASSERT(fz_marp_plans(&model, &(fz_training){.global_batch = 8, .seq_len = 8}, plans) > 0);
}

static bool enumeration_right(uint64_t seed)
{
    fz_random random = {seed};
    uint64_t heads = fz_random_between(&random, 1, 96);
    fz_model model = gpt(fz_random_between(&random, 1, 120), heads,
                         heads * fz_random_between(&random, 8, 128), fz_random_below(&random, 200000));
    fz_training training = {.global_batch = fz_random_between(&random, 1, 2000),
                            .seq_len = fz_random_between(&random, 1, 8192)};
    fz_plan plans[FZ_MARP_MAX_PLANS];
    size_t n = fz_marp_plans(&model, &training, plans);
    size_t expected = 0;
    double l = (double)model.layers, h = (double)model.hidden, a = (double)model.heads,
           s = (double)training.seq_len;
    double w = (double)model.vocab * h + l * (12 * h * h + 13 * h);
    for (uint32_t t = 1; t <= 64; t++)
        for (uint32_t d = 1; d <= 512 && heads % t == 0; d *= 2) {
            if (training.global_batch / d < 1)
                continue;
            double act =
                (double)training.global_batch / d * s * h * l * (10 + 24.0 / t + 5 * a * s / (h * t));
            if (!contains(plans, n, t, d, 20 * w / t + act))
                return false;
            expected++;
        }
    return n == expected && ranked(plans, n);
}

static void test_enumeration(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        bool right = enumeration_right(seed);
        if (!right)
            printf("seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE_FATAL(right);
    }
}

/* More tensor or data parallelism never needs more memory per GPU. */
static void test_monotone(void)
{
    fz_model model = gpt(24, 64, 4096, 50000);
    fz_training training = {.global_batch = 512, .seq_len = 2048};
    for (uint32_t t = 1; t < 64; t *= 2)
        for (uint32_t d = 1; d < 512; d *= 2) {
            double need = fz_marp_need(&model, &training, t, d, NULL);
            CU_ASSERT_TRUE(fz_marp_need(&model, &training, 2 * t, d, NULL) < need);
            CU_ASSERT_TRUE(fz_marp_need(&model, &training, t, 2 * d, NULL) < need);
        }
}

/* A model of nearly the 2^58 parameters that one may have: the need is far beyond 64 bits and must not come out small. */
static void test_absurd_sizes(void)
{
    fz_model model = gpt((uint64_t)1 << 14, 2, (uint64_t)1 << 20, (uint64_t)1 << 32);
    fz_training training = {.global_batch = (uint64_t)1 << 32, .seq_len = (uint64_t)1 << 32};
    fz_plan plans[FZ_MARP_MAX_PLANS];
    size_t n = fz_marp_plans(&model, &training, plans);
    CU_ASSERT_EQUAL(n, 20);
    for (size_t i = 0; i < n; i++)
        CU_ASSERT_EQUAL(plans[i].mem_bytes, (uint64_t)1 << 63);
    for (size_t i = 1; i < n; i++) /* equal needs: the larger tensor degree first */
        CU_ASSERT_TRUE(plans[i - 1].gpus < plans[i].gpus || plans[i - 1].tensor > plans[i].tensor);
}

/* Counted as dense models these would come out far too small. */
static void test_refused(void)
{
    fz_model model = gpt(2, 2, 8, 10);
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_marp_check(&model, &err), FZ_OK);
    model.name = "mine";
    model.experts = 4;
    CU_ASSERT_EQUAL(fz_marp_check(&model, &err), FZ_EUNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(err.message,
                           "model 'mine': the published memory formula does not know mixtures of experts");
    model.experts = 0;
    model.kv_rank = 4;
    CU_ASSERT_EQUAL(fz_marp_check(&model, &err), FZ_EUNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(err.message,
                           "model 'mine': the published memory formula does not know latent attention");
}

int main(void)
{
    const fz_test tests[] = {
        {"what the formula does not know", test_refused},
        {"golden values of the published formula", test_golden},
        {"both unit conventions", test_units},
        {"LLaMA-style generalisation", test_llama_style},
        {"every field of a model counts", test_every_field_counts},
        {"the parts of the static memory", test_parts},
        {"binding to GPU types", test_bind},
        {"binding at the border", test_bind_at_the_border},
        {"a user's GPU count", test_plan_for},
        {"all plans, against a naive enumeration", test_enumeration},
        {"memory falls with t and d", test_monotone},
        {"absurd sizes", test_absurd_sizes},
        {"no training, no plans", test_no_training},
    };
    return FZ_TEST_MAIN("MARP", tests);
}
