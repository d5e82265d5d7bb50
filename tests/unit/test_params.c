/* Parameter counts: blocks by hand on a model in which no two sizes are equal, and what fz_model_complete()
 * refuses. Whole models against their published counts: test_models.c. */
#include <frenzy/params.h>

#include <stdio.h>
#include <string.h>

#include "tests/harness.h"

/* ---- blocks, by hand ------------------------------------------------------------------------------------ */

/* h 10, 3 heads of 4, 1 key head, MLP 7, V 11, 5 norm vectors in a layer, 2 layers. */
static fz_model dense(void)
{
    return (fz_model){.layers = 2,
                      .hidden = 10,
                      .heads = 3,
                      .kv_heads = 1,
                      .head_dim = 4,
                      .ffn = 7,
                      .vocab = 11,
                      .norms = 5,
                      .final_norms = 1,
                      .gated_mlp = true};
}

static fz_model completed(fz_model model)
{
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_model_complete(&model, &err), FZ_OK);
    if (err.message[0] != '\0')
        printf("\n%s\n", err.message);
    return model;
}

static void a_dense_model(void)
{
    fz_model m = completed(dense());
    CU_ASSERT_EQUAL(fz_params_attention(&m), 10 * 12 + 2 * 10 * 4 + 12 * 10);
    CU_ASSERT_EQUAL(fz_params_dense_mlp(&m), 3 * 10 * 7);
    CU_ASSERT_EQUAL(fz_params_layer_norms(&m), 50);
    CU_ASSERT_EQUAL(fz_params_dense_layer(&m), 320 + 210 + 50);
    CU_ASSERT_EQUAL(fz_params_embedding(&m), 110);
    CU_ASSERT_EQUAL(fz_params_head(&m), 0);
    CU_ASSERT_EQUAL(fz_params_final_norms(&m), 10);
    CU_ASSERT_EQUAL(fz_model_params(&m), 110 + 2 * 580 + 10);
    CU_ASSERT_EQUAL(fz_model_active_params(&m), fz_model_params(&m));
    CU_ASSERT_EQUAL(fz_params_router(&m) + fz_params_expert(&m) + fz_params_expert_mlp(&m), 0);
    CU_ASSERT_EQUAL(fz_params_expert_layer(&m) + fz_model_expert_layers(&m), 0);
}

static uint64_t attention_with(bool all, bool qkv)
{
    fz_model model = dense();
    model.attention_bias = all;
    model.qkv_bias = qkv;
    model = completed(model);
    return fz_params_attention(&model);
}

static void what_some_families_add(void)
{
    CU_ASSERT_EQUAL(attention_with(false, true), 320 + 12 + 4 + 4);
    CU_ASSERT_EQUAL(attention_with(true, false), 320 + 12 + 4 + 4 + 10);
    CU_ASSERT_EQUAL(attention_with(true, true), 320 + 12 + 4 + 4 + 10);
    fz_model m = dense();
    m.mlp_bias = m.head_norms = m.untied_head = true;
    m.positions = 6;
    m.final_norms = 2;
    m.extra_params = 1000;
    m = completed(m);
    CU_ASSERT_EQUAL(fz_params_dense_mlp(&m), 210 + 7 + 7 + 10);
    CU_ASSERT_EQUAL(fz_params_layer_norms(&m), 50 + 2 * 4);
    CU_ASSERT_EQUAL(fz_params_embedding(&m), 110 + 60);
    CU_ASSERT_EQUAL(fz_params_head(&m), 110);
    CU_ASSERT_EQUAL(fz_model_params(&m), 170 + 2 * (320 + 234 + 58) + 20 + 110 + 1000);
    m.gated_mlp = false;
    CU_ASSERT_EQUAL(fz_params_dense_mlp(&m), 2 * 70 + 7 + 10);
}

/* 8 experts of 6, 2 a token, a shared MLP of 9 with a gate, the first of 2 layers dense. */
static fz_model mixture(void)
{
    fz_model model = dense();
    model.experts = 8;
    model.experts_per_token = 2;
    model.expert_ffn = 6;
    model.shared_ffn = 9;
    model.dense_layers = 1;
    model.shared_gate = model.router_bias = true;
    return model;
}

static void a_mixture_of_experts(void)
{
    fz_model m = completed(mixture());
    CU_ASSERT_EQUAL(fz_params_router(&m), 80 + 8);
    CU_ASSERT_EQUAL(fz_params_expert(&m), 180);
    CU_ASSERT_EQUAL(fz_params_shared_mlp(&m), 270 + 10);
    CU_ASSERT_EQUAL(fz_params_expert_mlp(&m), 88 + 8 * 180 + 280);
    CU_ASSERT_EQUAL(fz_params_expert_layer(&m), 320 + 50 + 1808);
    CU_ASSERT_EQUAL(fz_model_expert_layers(&m), 1);
    CU_ASSERT_EQUAL(fz_model_params(&m), 110 + 580 + 2178 + 10);
    CU_ASSERT_EQUAL(fz_model_active_params(&m), fz_model_params(&m) - 6 * 180);
    m.shared_gate = m.router_bias = false;
    CU_ASSERT_EQUAL(fz_params_expert_mlp(&m), 80 + 8 * 180 + 270);
}

/* rq 5, rkv 6, dn 2, dr 1, dv 8; 3 heads. */
static fz_model latent(void)
{
    fz_model model = dense();
    model.head_dim = model.kv_heads = 0;
    model.q_rank = 5;
    model.kv_rank = 6;
    model.nope_dim = 2;
    model.rope_dim = 1;
    model.v_dim = 8;
    return model;
}

static void latent_attention(void)
{
    fz_model m = completed(latent()); /* 3 heads do not divide 10: no matter */
    CU_ASSERT_EQUAL(m.head_dim, 3);
    uint64_t queries = 10 * 5 + 5 + 5 * 3 * (2 + 1);
    uint64_t rest = 10 * (6 + 1) + 6 + 6 * 3 * (2 + 8) + 3 * 8 * 10;
    CU_ASSERT_EQUAL(fz_params_attention(&m), queries + rest);
    m.q_rank = 0;
    CU_ASSERT_EQUAL(fz_params_attention(&m), 10 * 3 * (2 + 1) + rest);
}

/* ---- defaults ------------------------------------------------------------------------------------------- */

static void defaults(void)
{
    fz_model m = completed((fz_model){.layers = 1, .hidden = 12, .heads = 3, .vocab = 5});
    CU_ASSERT(m.kv_heads == 3 && m.head_dim == 4 && m.ffn == 48 && m.norms == 4 && m.final_norms == 2);
    static const uint64_t norms[] = {1, 2, 3, 4}, expected[] = {1, 1, 1, 2};
    for (size_t i = 0; i < 4; i++) {
        fz_model other = dense();
        other.norms = norms[i];
        other.final_norms = 0;
        CU_ASSERT_EQUAL(completed(other).final_norms, expected[i]);
    }
}

/* ---- refusals ------------------------------------------------------------------------------------------- */

static void refused(fz_model model, const char *message)
{
    fz_error err = {0};
    model.name = "m";
    CU_ASSERT_EQUAL(fz_model_complete(&model, &err), FZ_EINVAL);
    CU_ASSERT_STRING_EQUAL(err.message, message);
    if (strcmp(err.message, message) != 0)
        printf("\n%s\n(expected: %s)\n", err.message, message);
}

#define REFUSED(base, field, size, message)                                                                  \
    do {                                                                                                     \
        fz_model model = base;                                                                               \
        model.field = size;                                                                                  \
        refused(model, "model 'm': " message);                                                               \
    } while (0)

static void bad_sizes(void)
{
    REFUSED(dense(), layers, 0, "layers is 0, expected 1 to 2^32");
    REFUSED(dense(), hidden, 0, "hidden is 0, expected 1 to 2^32");
    REFUSED(dense(), heads, 0, "heads is 0, expected 1 to 2^32");
    REFUSED(dense(), kv_heads, 2, "kv_heads 2 does not divide heads 3");
    REFUSED(dense(), head_dim, 0, "heads 3 does not divide hidden 10, and head_dim is not given");
    REFUSED(dense(), vocab, UINT64_MAX, "vocab is 18446744073709551615, expected 0 to 2^32");
    REFUSED(dense(), positions, (uint64_t)1 << 33, "positions is 8589934592, expected 0 to 2^32");
    REFUSED(dense(), final_norms, (uint64_t)1 << 33, "final_norms is 8589934592, expected 1 to 2^32");
}

static void bad_experts(void)
{
    REFUSED(mixture(), experts_per_token, 9, "experts_per_token is 9, expected 1 to 8");
    REFUSED(mixture(), experts_per_token, 0, "experts_per_token is 0, expected 1 to 8");
    REFUSED(mixture(), expert_ffn, 0, "expert_ffn is 0, expected 1 to 2^32");
    REFUSED(mixture(), shared_ffn, (uint64_t)1 << 33, "shared_ffn is 8589934592, expected 0 to 2^32");
    REFUSED(mixture(), shared_ffn, 0, "shared_gate is 1, expected 0 without shared_ffn");
    REFUSED(mixture(), dense_layers, 3, "dense_layers is 3, expected 0 to 2");
    REFUSED(mixture(), experts, (uint64_t)1 << 33, "experts is 8589934592, expected 0 to 2^32");
    REFUSED(dense(), expert_ffn, 5, "expert_ffn is 5, expected 0 without experts");
    REFUSED(dense(), experts_per_token, 1, "experts_per_token is 1, expected 0 without experts");
    REFUSED(dense(), router_bias, true, "router_bias is 1, expected 0 without experts");
}

static void bad_latent_attention(void)
{
    REFUSED(latent(), nope_dim, 0, "nope_dim is 0, expected 1 to 2^32");
    REFUSED(latent(), rope_dim, 0, "rope_dim is 0, expected 1 to 2^32");
    REFUSED(latent(), rope_dim, UINT64_MAX, "rope_dim is 18446744073709551615, expected 1 to 2^32");
    REFUSED(latent(), v_dim, 0, "v_dim is 0, expected 1 to 2^32");
    REFUSED(latent(), qkv_bias, true, "qkv_bias is 1, expected 0 with kv_rank");
    REFUSED(latent(), kv_rank, (uint64_t)1 << 33, "kv_rank is 8589934592, expected 0 to 2^32");
    REFUSED(dense(), q_rank, 5, "q_rank is 5, expected 0 without kv_rank");
}

/* Each size is legal, the product is not: it must not come out small. */
static void too_many_parameters(void)
{
    static const char message[] = "model 'm': layers, hidden, ffn and vocab make more than 2^58 parameters";
    const uint64_t large = (uint64_t)1 << 32;
    fz_model m = dense();
    m.layers = m.hidden = m.ffn = m.vocab = large;
    CU_ASSERT_EQUAL(fz_model_params(&m), UINT64_MAX);
    refused(m, message);
    m = mixture();
    m.hidden = m.experts = m.expert_ffn = large;
    m.dense_layers = 0;
    refused(m, message);
    m = latent();
    m.heads = m.kv_rank = m.v_dim = large;
    refused(m, message);
    m = dense();
    m.extra_params = UINT64_MAX;
    refused(m, message);
    m.extra_params = ((uint64_t)1 << 58) - 1280; /* the rest has 1280 */
    CU_ASSERT_EQUAL(fz_model_complete(&m, NULL), FZ_OK);
    m.extra_params++;
    refused(m, message);
}

int main(void)
{
    static const fz_test tests[] = {
        {"a dense model", a_dense_model},
        {"what some families add", what_some_families_add},
        {"a mixture of experts", a_mixture_of_experts},
        {"latent attention", latent_attention},
        {"defaults", defaults},
        {"bad sizes", bad_sizes},
        {"bad experts", bad_experts},
        {"bad latent attention", bad_latent_attention},
        {"too many parameters", too_many_parameters},
    };
    return FZ_TEST_MAIN("params", tests);
}
