#include <frenzy/params.h>

/* Sums and products that stay at the largest number instead of wrapping around. */
static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* A linear map with an optional bias. */
static uint64_t linear(uint64_t in, uint64_t out, bool bias)
{
    return plus(times(in, out), bias ? out : 0);
}

/* An MLP of inner size `inner`. */
static uint64_t mlp(const fz_model *m, uint64_t inner)
{
    uint64_t up = linear(m->hidden, inner, m->mlp_bias);
    uint64_t down = linear(inner, m->hidden, m->mlp_bias);
    return plus(times(m->gated_mlp ? 2 : 1, up), down);
}

/* ---- blocks of a layer ---------------------------------------------------------------------------------- */

/* Queries: compressed to q_rank, normed, expanded; or directly. */
static uint64_t latent_queries(const fz_model *m)
{
    uint64_t width = times(m->heads, plus(m->nope_dim, m->rope_dim));
    if (m->q_rank == 0)
        return times(m->hidden, width);
    return plus(plus(times(m->hidden, m->q_rank), m->q_rank), times(m->q_rank, width));
}

static uint64_t latent_attention(const fz_model *m)
{
    uint64_t compress = plus(times(m->hidden, plus(m->kv_rank, m->rope_dim)), m->kv_rank);
    uint64_t expand = times(m->kv_rank, times(m->heads, plus(m->nope_dim, m->v_dim)));
    uint64_t out = times(times(m->heads, m->v_dim), m->hidden);
    return plus(plus(latent_queries(m), compress), plus(expand, out));
}

uint64_t fz_params_attention(const fz_model *m)
{
    if (m->kv_rank > 0)
        return latent_attention(m);
    bool qkv_bias = m->qkv_bias || m->attention_bias;
    uint64_t q = times(m->heads, m->head_dim);
    uint64_t kv = times(m->kv_heads, m->head_dim);
    uint64_t in = plus(linear(m->hidden, q, qkv_bias), times(2, linear(m->hidden, kv, qkv_bias)));
    return plus(in, linear(q, m->hidden, m->attention_bias));
}

uint64_t fz_params_layer_norms(const fz_model *m)
{
    return plus(times(m->norms, m->hidden), m->head_norms ? times(2, m->head_dim) : 0);
}

uint64_t fz_params_dense_mlp(const fz_model *m)
{
    return mlp(m, m->ffn);
}

uint64_t fz_params_router(const fz_model *m)
{
    return linear(m->hidden, m->experts, m->router_bias);
}

uint64_t fz_params_expert(const fz_model *m)
{
    return m->experts > 0 ? mlp(m, m->expert_ffn) : 0;
}

uint64_t fz_params_shared_mlp(const fz_model *m)
{
    if (m->shared_ffn == 0)
        return 0;
    return plus(mlp(m, m->shared_ffn), m->shared_gate ? m->hidden : 0);
}

uint64_t fz_params_expert_mlp(const fz_model *m)
{
    return plus(fz_params_router(m), plus(times(m->experts, fz_params_expert(m)), fz_params_shared_mlp(m)));
}

uint64_t fz_params_dense_layer(const fz_model *m)
{
    return plus(plus(fz_params_attention(m), fz_params_layer_norms(m)), fz_params_dense_mlp(m));
}

uint64_t fz_params_expert_layer(const fz_model *m)
{
    if (m->experts == 0)
        return 0;
    return plus(plus(fz_params_attention(m), fz_params_layer_norms(m)), fz_params_expert_mlp(m));
}

uint64_t fz_model_expert_layers(const fz_model *m)
{
    return m->experts > 0 ? m->layers - m->dense_layers : 0;
}

/* ---- outside the layers, and the whole ------------------------------------------------------------------ */

uint64_t fz_params_embedding(const fz_model *m)
{
    return times(plus(m->vocab, m->positions), m->hidden);
}

uint64_t fz_params_final_norms(const fz_model *m)
{
    return times(m->final_norms, m->hidden);
}

uint64_t fz_params_head(const fz_model *m)
{
    return m->untied_head ? times(m->vocab, m->hidden) : 0;
}

uint64_t fz_model_params(const fz_model *m)
{
    uint64_t with_experts = fz_model_expert_layers(m);
    uint64_t dense = times(m->layers - with_experts, fz_params_dense_layer(m));
    uint64_t layers = plus(dense, times(with_experts, fz_params_expert_layer(m)));
    uint64_t ends = plus(fz_params_embedding(m), plus(fz_params_final_norms(m), fz_params_head(m)));
    return plus(plus(layers, ends), m->extra_params);
}

uint64_t fz_model_active_params(const fz_model *m)
{
    uint64_t all = fz_model_params(m);
    uint64_t idle = times(m->experts - m->experts_per_token, fz_params_expert(m));
    uint64_t resting = times(fz_model_expert_layers(m), idle);
    return resting <= all ? all - resting : 0;
}
