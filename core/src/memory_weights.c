#include "memory_weights.h"

#include <math.h>

double memory_padded_vocab(const fz_training_run *run, const fz_memory_traits *traits)
{
    double rows = (double)run->model->vocab;
    double unit = 128 * memory_degree(run->tensor);
    return traits->pads_vocab ? ceil(rows / unit) * unit : rows;
}

/* h a d for queries and output, h kv d for keys and values; key/value heads are copied where t exceeds them. */
static double attention_weights(const fz_model *m, double t)
{
    double h = (double)m->hidden;
    double q = (double)m->heads * (double)m->head_dim / t;
    double kv = (double)m->kv_heads * (double)m->head_dim / fmin(t, (double)m->kv_heads);
    double biases = m->attention_bias ? q + 2 * kv + h : m->qkv_bias ? q + 2 * kv : 0;
    return 2 * h * q + 2 * h * kv + biases + (m->head_norms ? 2 * (double)m->head_dim : 0);
}

/* Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): down projections are whole on each rank, up
 * projections are split by heads. */
static double latent_weights(const fz_model *m, double t)
{
    double h = (double)m->hidden;
    double rq = (double)m->q_rank;
    double rkv = (double)m->kv_rank;
    double query = (double)m->heads * (double)(m->nope_dim + m->rope_dim) / t;
    double queries = rq > 0 ? h * rq + rq + rq * query : h * query;
    double keys =
        h * (rkv + (double)m->rope_dim) + rkv + rkv * (double)m->heads * (double)(m->nope_dim + m->v_dim) / t;
    return queries + keys + (double)m->heads * (double)m->v_dim * h / t;
}

static double mlp_weights(const fz_model *m, double inner, double t)
{
    double h = (double)m->hidden;
    double matrices = m->gated_mlp ? 3 : 2;
    double biases = m->mlp_bias ? (matrices - 1) * inner / t + h : 0;
    return matrices * h * inner / t + biases;
}

static double norm_weights(const fz_model *m)
{
    return (double)m->norms * (double)m->hidden;
}

static double common_weights(const fz_model *m, double t)
{
    return (m->kv_rank > 0 ? latent_weights(m, t) : attention_weights(m, t)) + norm_weights(m);
}

/* Router h E, and the MLP that every token sees. */
static double expert_layer_weights(const fz_model *m, double t)
{
    double h = (double)m->hidden;
    double router = h * (double)m->experts + (m->router_bias ? (double)m->experts : 0);
    double shared = m->shared_ffn > 0 ? mlp_weights(m, (double)m->shared_ffn, t) : 0;
    return common_weights(m, t) + router + shared + (m->shared_gate ? h : 0);
}

static double expert_tensor(const fz_training_run *run)
{
    return memory_degree(run->expert_tensor > 0 ? run->expert_tensor : run->tensor);
}

/* (E / ep) matrices h ffn_e / etp */
static double experts_of_layer(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double here = (double)m->experts / memory_degree(run->expert);
    return here * mlp_weights(m, (double)m->expert_ffn, expert_tensor(run));
}

/* Layers of a stage, from the first: even, or with short ends, or with the embedding and the loss counted
 * as a layer each. The longer stages come first where the division leaves a rest. */
static void stage_range(const fz_training_run *run, uint32_t stage, double *from, double *count)
{
    double l = (double)run->model->layers;
    uint32_t p = run->pipeline > 0 ? run->pipeline : 1;
    bool ends =
        p > 1 && (run->ends_as_layers || (run->model->layers % p != 0 && (run->model->layers + 2) % p == 0));
    double first = run->first_stage_layers;
    double last = run->last_stage_layers;
    double uneven = (first > 0) + (last > 0);
    if (p == 1) {
        *from = 0;
        *count = l;
    } else if (ends) {
        double each = (l + 2) / p;
        *count = stage == 0 || stage == p - 1 ? each - 1 : each;
        *from = stage == 0 ? 0 : each * stage - 1;
    } else if (uneven > 0) {
        double middle = p > uneven ? (l - first - last) / (p - uneven) : 0;
        double begin = first > 0 ? first : middle;
        *count = stage == 0 ? begin : stage == p - 1 && last > 0 ? last : middle;
        *from = stage == 0 ? 0 : begin + middle * (stage - 1);
    } else {
        double each = floor(l / p);
        double rest = l - each * p;
        *count = each + (stage < rest ? 1 : 0);
        *from = each * stage + fmin(stage, rest);
    }
}

stage_layers memory_stage_layers(const fz_training_run *run, uint32_t stage)
{
    double from = 0;
    double count = 0;
    stage_range(run, stage, &from, &count);
    uint32_t p = run->pipeline > 0 ? run->pipeline : 1;
    double predict = stage == p - 1 ? run->predict_layers : 0;
    if (run->model->experts == 0)
        return (stage_layers){.dense = count + predict};
    double dense = fmin(fmax((double)run->model->dense_layers - from, 0), count);
    return (stage_layers){.dense = dense, .experts = count - dense + predict};
}

/* Embedding on the first stage; head on the last: its own, or a copy of a tied embedding where that is
 * elsewhere. */
static double ends_of_stage(const fz_training_run *run, const fz_memory_traits *traits, uint32_t stage)
{
    const fz_model *m = run->model;
    uint32_t p = run->pipeline > 0 ? run->pipeline : 1;
    double h = (double)m->hidden;
    double table = memory_padded_vocab(run, traits) * h / memory_degree(run->tensor);
    double ends = 0;
    if (stage == 0)
        ends += table + (double)m->positions * h + (double)m->extra_params;
    if (stage == p - 1)
        ends += (m->untied_head || p > 1 ? table : 0) + (double)m->final_norms * h +
                run->predict_layers * 2 * h * h / memory_degree(run->tensor);
    return ends;
}

weights_held memory_weights(const fz_training_run *run, const fz_memory_traits *traits, uint32_t stage)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    stage_layers layers = memory_stage_layers(run, stage);
    double dense_layer = common_weights(m, t) + mlp_weights(m, (double)m->ffn, t);
    return (weights_held){
        .layers = layers.dense * dense_layer + layers.experts * expert_layer_weights(m, t),
        .experts = m->experts > 0 ? layers.experts * experts_of_layer(run) : 0,
        .ends = ends_of_stage(run, traits, stage),
    };
}

double memory_largest_layer(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    if (m->experts > 0)
        return expert_layer_weights(m, t) + experts_of_layer(run);
    return common_weights(m, t) + mlp_weights(m, (double)m->ffn, t);
}
