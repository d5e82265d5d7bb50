#include "memory_activations.h"

#include <math.h>

#include "memory_weights.h"

double memory_tokens(const fz_training_run *run)
{
    return (double)run->seq_len / memory_degree(run->context) * (double)run->micro_batch;
}

static double split_by_sequence(const fz_training_run *run)
{
    return run->sequence_parallel ? memory_degree(run->tensor) : 1;
}

static bool drops(const fz_training_run *run, uint32_t what)
{
    uint32_t dropped = run->dropped != 0 ? run->dropped : FZ_DROP_CORE;
    return run->recompute == FZ_RECOMPUTE_SELECTIVE && (dropped & what) != 0;
}

/* Inputs of both norms, of the attention and of the MLP: 2 bytes each; two masks of a byte with dropout
 * (Korthikanti et al.). Without fused kernels a norm keeps an fp32 copy of what it reads. */
static double residual_bytes(const fz_training_run *run, const fz_memory_traits *traits)
{
    double per_element = 8 + (run->dropout ? 2 : 0) + (traits->eager ? 8 : 0);
    if (drops(run, FZ_DROP_NORMS))
        per_element -= 4;
    return per_element * memory_tokens(run) * (double)run->model->hidden / split_by_sequence(run);
}

/* Queries, keys and values: 2 s b (a + 2 kv) d / t. */
static double qkv_bytes(const fz_training_run *run, const fz_memory_traits *traits)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    double a = (double)m->heads / t;
    double kv = (double)m->kv_heads / fmin(t, (double)m->kv_heads);
    double d = (double)m->head_dim;
    double copies = traits->eager ? (a + kv) + 2 * (a - kv) : 0; /* rotated; expanded to all heads */
    return 2 * memory_tokens(run) * (a + 2 * kv + copies) * d;
}

/* Compressed queries, keys and values, and what is made of them (arXiv 2405.04434). */
static double latent_bytes(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    double compressed =
        2 * (double)(m->q_rank + m->kv_rank) + (double)m->rope_dim; /* and their norms' inputs */
    double heads = (double)m->heads / t;
    double expanded = heads * (double)(2 * (m->nope_dim + m->rope_dim) + m->v_dim);
    if (drops(run, FZ_DROP_LATENT_PROJECTIONS))
        expanded = 0;
    return 2 * memory_tokens(run) * (compressed / split_by_sequence(run) + expanded);
}

static double value_width(const fz_model *m)
{
    return (double)m->heads * (double)(m->kv_rank > 0 ? m->v_dim : m->head_dim);
}

/* The s x s matrices: softmax output, dropout mask, dropout output. */
static double score_bytes(const fz_training_run *run, const fz_memory_traits *traits)
{
    double per_score = run->dropout ? 5 : 2;
    if (traits->eager)
        per_score += 4; /* softmax in fp32 */
    return per_score * (double)run->model->heads / memory_degree(run->tensor) * memory_tokens(run) *
           (double)run->seq_len;
}

/* Output of the attention and what its backward pass needs of the softmax. */
static double core_bytes(const fz_training_run *run, const fz_memory_traits *traits)
{
    double t = memory_degree(run->tensor);
    double output = 2 * memory_tokens(run) * value_width(run->model) / t;
    bool whole = !run->flash_attention && !drops(run, FZ_DROP_CORE);
    double rest = whole ? score_bytes(run, traits) : 4 * memory_tokens(run) * (double)run->model->heads / t;
    return output + rest;
}

/* Inner tensors of an MLP that are kept: before and after the activation, and the gate's. */
static double inner_copies(const fz_training_run *run, const fz_memory_traits *traits)
{
    return !run->model->gated_mlp ? 2 : traits->eager ? 4 : 3;
}

static double mlp_bytes(const fz_training_run *run, const fz_memory_traits *traits, double inner)
{
    if (drops(run, FZ_DROP_MLP))
        return 0;
    return 2 * memory_tokens(run) * inner * inner_copies(run, traits) / memory_degree(run->tensor);
}

/* Tokens sent to experts: in, permuted and out (6 h), and the inner tensors. */
static double expert_bytes(const fz_training_run *run, const fz_memory_traits *traits)
{
    const fz_model *m = run->model;
    double split = memory_degree(run->expert_tensor > 0 ? run->expert_tensor : run->tensor);
    double tokens = memory_tokens(run) * (double)m->experts_per_token / split_by_sequence(run);
    double copies =
        drops(run, FZ_DROP_EXPERT_ACTIVATION) ? inner_copies(run, traits) - 1 : inner_copies(run, traits);
    double router =
        8 * memory_tokens(run) * (double)m->experts / split_by_sequence(run); /* fp32 scores, twice */
    double shared = m->shared_ffn > 0 ? mlp_bytes(run, traits, (double)m->shared_ffn) : 0;
    return tokens * (6 * (double)m->hidden + 2 * copies * (double)m->expert_ffn / split) + router + shared;
}

/* Input, the attention's output with its softmax sums, and half of what the matrix products make. */
static double selected_bytes(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    double h = (double)m->hidden / split_by_sequence(run);
    double heads = (double)m->heads / t;
    double d = (double)m->head_dim;
    double kv = (double)m->kv_heads / fmin(t, (double)m->kv_heads);
    double products = (heads + 2 * kv) * d + 2 * h + (double)m->ffn / t * (m->gated_mlp ? 2 : 1);
    return memory_tokens(run) * (2 * h + 2 * heads * d + 4 * heads + products);
}

static double layer_bytes(const fz_training_run *run, const fz_memory_traits *traits, bool experts)
{
    double attention = run->model->kv_rank > 0 ? latent_bytes(run) : qkv_bytes(run, traits);
    double mlp = experts ? expert_bytes(run, traits) : mlp_bytes(run, traits, (double)run->model->ffn);
    return residual_bytes(run, traits) + attention + core_bytes(run, traits) + mlp;
}

/* Micro-batches whose activations are alive on a stage: 1F1B, interleaved with v > 1 (arXiv 2104.04473). */
static double in_flight(const fz_training_run *run, uint32_t stage)
{
    double p = memory_degree(run->pipeline);
    double v = memory_degree(run->virtual_stages);
    double m = run->micro_batches > 0 ? (double)run->micro_batches : p;
    if (p <= 1)
        return 1;
    if (v <= 1)
        return fmin(m, p - stage);
    return fmin(m * v, 2 * (p - stage - 1) + (v - 1) * p + 1) / v;
}

/* What selective recomputation without flash attention makes again, a layer at a time. */
static double recomputed_scores(const fz_training_run *run, const fz_memory_traits *traits)
{
    return drops(run, FZ_DROP_CORE) && !run->flash_attention ? score_bytes(run, traits) : 0;
}

double memory_activations(const fz_training_run *run, const fz_memory_traits *traits, uint32_t stage)
{
    stage_layers layers = memory_stage_layers(run, stage);
    double dense = layer_bytes(run, traits, false);
    double sparse = run->model->experts > 0 ? layer_bytes(run, traits, true) : 0;
    double flights = in_flight(run, stage);
    double n = layers.dense + layers.experts;
    double all = layers.dense * dense + layers.experts * sparse;
    if (run->recompute == FZ_RECOMPUTE_SELECTIVE && traits->selects_operators)
        return flights * n * selected_bytes(run) + fmax(dense, sparse);
    if (run->recompute != FZ_RECOMPUTE_FULL)
        return flights * all + recomputed_scores(run, traits);
    double input = run->offload_activations
                       ? 0
                       : 2 * memory_tokens(run) * (double)run->model->hidden / split_by_sequence(run);
    double share = run->recompute_layers > 0 ? fmin(1, run->recompute_layers / fmax(n, 1)) : 1;
    double again = layers.experts > 0 ? fmax(dense, sparse) : dense;
    return flights * (share * n * input + (1 - share) * all) + again;
}

double memory_widest_tensor(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    double inner = (double)m->ffn * (m->gated_mlp ? 2 : 1) / t;
    double heads = (double)(m->heads + 2 * m->kv_heads) * (double)m->head_dim / t;
    return 2 * memory_tokens(run) * fmax(fmax(inner, heads), (double)m->hidden);
}
