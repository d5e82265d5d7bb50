#include <frenzy/step.h>

#include <math.h>
#include <stddef.h>

#include "memory_activations.h"
#include "memory_weights.h"

/* ---- hardware ------------------------------------------------------------------------------------------- */

fz_step_hardware fz_step_hardware_of(const fz_gpu_type *type, uint32_t node_gpus)
{
    double capability = type->compute_capability;
    bool server = type->mem_bandwidth >= 700e9; /* HBM: the boards that come with NVLink */
    double node = !server ? 12.5e9 : capability >= 9 ? 400e9 : capability >= 8 ? 250e9 : 150e9;
    double link = capability >= 9 ? 50e9 : capability >= 8 ? 25e9 : 12.5e9;
    return (fz_step_hardware){
        .matrix_flops = type->peak_matrix_flops > 0 ? type->peak_matrix_flops : type->flops_per_s,
        .memory_bandwidth = type->mem_bandwidth > 0 ? type->mem_bandwidth : 500e9,
        .compute_capability = capability,
        .node_bandwidth = node,
        .link_bandwidth = link,
        .node_gpus = node_gpus > 0 ? node_gpus : 1,
    };
}

static int generation(const fz_step_hardware *hw)
{
    double c = hw->compute_capability;
    return c >= 10 || c < 7 ? FZ_SC_GEMM_OTHER
           : c >= 9         ? FZ_SC_GEMM_HOPPER
           : c >= 8         ? FZ_SC_GEMM_AMPERE
                            : FZ_SC_GEMM_VOLTA;
}

/* The link of a group of `members` that are `stride` ranks apart: the slowest one inside it. */
static double link_of(const fz_step_hardware *hw, double members, double stride)
{
    return members * stride <= hw->node_gpus ? hw->node_bandwidth : hw->link_bandwidth;
}

/* ---- one pass of a layer -------------------------------------------------------------------------------- */

/* Elements of the matrices that a token meets on one GPU: experts are dealt out, a token meets its top k. */
static double layer_matrices(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    double h = (double)m->hidden;
    double heads = (double)m->heads;
    double gates = m->gated_mlp ? 3 : 2;
    double attention = m->kv_rank > 0 ? h * (double)(m->q_rank + m->kv_rank + m->rope_dim) +
                                            heads * (double)(m->q_rank * (m->nope_dim + m->rope_dim) +
                                                             m->kv_rank * (m->nope_dim + m->v_dim)) +
                                            heads * (double)m->v_dim * h
                                      : 2 * h * (heads + (double)m->kv_heads) * (double)m->head_dim;
    double mlp =
        m->experts > 0 ? (double)(m->experts_per_token * m->expert_ffn + m->shared_ffn) : (double)m->ffn;
    return (attention + gates * h * mlp) / t;
}

/* 2 FLOP a multiplication and addition. */
static double layer_flops(const fz_training_run *run)
{
    return 2 * memory_tokens(run) * layer_matrices(run);
}

/* Queries times keys and scores times values: 2 x 2 s b s a d / t, half of it under a causal mask, which flash kernels
 * skip. */
static double attention_flops(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double width = (double)m->heads * (double)(m->kv_rank > 0 ? m->nope_dim + m->rope_dim : m->head_dim);
    double all = 4 * memory_tokens(run) * (double)run->seq_len * width / memory_degree(run->tensor);
    return run->flash_attention ? all / 2 : all;
}

/* Weights once, inputs and outputs of the products, and about ten passes over the residual stream. */
static double layer_traffic(const fz_training_run *run)
{
    const fz_model *m = run->model;
    double t = memory_degree(run->tensor);
    double split = run->sequence_parallel ? t : 1;
    double h = (double)m->hidden;
    double inner =
        m->experts > 0 ? (double)(m->experts_per_token * m->expert_ffn + m->shared_ffn) : (double)m->ffn;
    double widths =
        10 * h / split + ((m->gated_mlp ? 4 : 3) * inner + 3 * (double)(m->heads * m->head_dim)) / t;
    return 2 * layer_matrices(run) + 2 * memory_tokens(run) * widths;
}

/* The s x s matrix is written and read by product, softmax, dropout and product. */
static double score_traffic(const fz_training_run *run)
{
    if (run->flash_attention)
        return 0;
    return 8 * memory_tokens(run) * (double)run->seq_len * (double)run->model->heads /
           memory_degree(run->tensor);
}

/* Head and loss, on the last stage: 2 s b h V / t. */
static double head_flops(const fz_training_run *run)
{
    return 2 * memory_tokens(run) * (double)run->model->hidden * (double)run->model->vocab /
           memory_degree(run->tensor);
}

/* Two all-reduces of the residual stream a pass, each 2 (t - 1) / t of it over the wire, in 16 bit. */
static double tensor_bytes(const fz_training_run *run)
{
    double t = memory_degree(run->tensor);
    return 2 * 2 * (t - 1) / t * 2 * memory_tokens(run) * (double)run->model->hidden;
}

/* ---- one step ------------------------------------------------------------------------------------------- */

/* Forward passes that a step is worth: 1 forward, 2 backward, 1 more under full recomputation. Frozen weights need
 * no gradient of their own. */
static double passes(const fz_training_run *run)
{
    double back = run->tuning == FZ_TUNE_ADAPTER ? 1 : 2;
    return 1 + back + (run->recompute == FZ_RECOMPUTE_FULL ? 1 : 0);
}

/* Times a stage works on a micro-batch, the pipeline's bubble included. */
static double turns(const fz_training_run *run)
{
    double p = memory_degree(run->pipeline);
    double m = run->micro_batches > 0 ? (double)run->micro_batches : p;
    return m + (p - 1) / memory_degree(run->virtual_stages);
}

/* Layers of a stage. */
static double stage_depth(const fz_training_run *run)
{
    return (double)run->model->layers / memory_degree(run->pipeline);
}

/* Parameters on the first stage, which is as heavy as any. */
static double weights_here(const fz_training_run *run)
{
    static const fz_memory_traits plain = {.zero3_states = 18};
    weights_held first = memory_weights(run, &plain, 0);
    return first.layers + first.experts + first.ends;
}

static void compute_terms(const fz_training_run *run, const fz_step_hardware *hw, fz_step_terms *out)
{
    double work = turns(run) * passes(run);
    double layers = stage_depth(run);
    double share = 1 / memory_degree(run->pipeline); /* the head, over the stages of a long pipeline */
    double head = head_flops(run) * (3 / passes(run)) * fmax(share, 1 / layers);
    double rate = hw->matrix_flops * (run->precision == FZ_FP8_MIXED ? 2 : 1);
    out->x[generation(hw)] = work * (layers * layer_flops(run) + head) / rate;
    out->x[FZ_SC_ATTENTION] = work * layers * attention_flops(run) / hw->matrix_flops;
    out->x[FZ_SC_SCORES] = work * layers * score_traffic(run) / hw->memory_bandwidth;
    out->x[FZ_SC_TRAFFIC] = work * layers * layer_traffic(run) / hw->memory_bandwidth;
    out->x[FZ_SC_LAYER] = work * layers * 1e-3;
}

static void communication_terms(const fz_training_run *run, const fz_step_hardware *hw, fz_step_terms *out)
{
    double t = memory_degree(run->tensor);
    double p = memory_degree(run->pipeline);
    double d = memory_degree(run->data) * memory_degree(run->context);
    double weights = weights_here(run);
    double m = run->micro_batches > 0 ? (double)run->micro_batches : p;
    double between = link_of(hw, d, t * p > hw->node_gpus ? hw->node_gpus : t * p);
    double ring = (d - 1) / d;
    out->x[FZ_SC_TENSOR] =
        turns(run) * passes(run) * stage_depth(run) * tensor_bytes(run) / link_of(hw, t, 1);
    if (p > 1)
        out->x[FZ_SC_PIPELINE] =
            2 * turns(run) * 2 * memory_tokens(run) * (double)run->model->hidden / (t * link_of(hw, p, t));
    out->x[FZ_SC_GRADIENTS] = 2 * ring * 2 * weights / between;
    if (run->zero >= 3)
        out->x[FZ_SC_GATHER] = 2 * m * ring * 2 * weights / between;
}

void fz_step_terms_of(const fz_training_run *run, const fz_step_hardware *hardware, fz_step_terms *out)
{
    double d = memory_degree(run->data) * memory_degree(run->context);
    *out = (fz_step_terms){{0}};
    compute_terms(run, hardware, out);
    communication_terms(run, hardware, out);
    /* Reads and writes master copy and both moments, reads gradients, writes weights: 30 bytes a parameter. */
    double trained = run->tuning == FZ_TUNE_ADAPTER ? run->trainable : weights_here(run);
    out->x[FZ_SC_OPTIMIZER] = 30 * trained / (run->zero >= 1 ? d : 1) / hardware->memory_bandwidth;
    out->x[FZ_SC_STEP] = 1e-3;
}

double fz_step_sum(const fz_step_terms *terms, const double constants[FZ_SC_N], fz_step *parts)
{
    double c[FZ_SC_N];
    double all = 0;
    for (int j = 0; j < FZ_SC_N; j++) {
        c[j] = constants[j] * terms->x[j];
        all += c[j];
    }
    if (parts != NULL) {
        parts->communication = c[FZ_SC_TENSOR] + c[FZ_SC_PIPELINE] + c[FZ_SC_GRADIENTS] + c[FZ_SC_GATHER];
        parts->overhead = c[FZ_SC_LAYER] + c[FZ_SC_OPTIMIZER] + c[FZ_SC_STEP];
        parts->compute = all - parts->communication - parts->overhead;
        parts->seconds = all;
    }
    return all;
}

fz_status fz_step_prepare(const fz_training_run *run, double confidence, fz_step_basis *out, fz_error *err)
{
    fz_fitted_table table = fz_step_table();
    if (!(confidence >= 0.5 && confidence <= 0.98))
        return fz_fail(err, FZ_EINVAL, "confidence %g: 0.5 to 0.98 is expected", confidence);
    const fz_fitted_node *spread = fz_fitted_spread_of(table, run, 0);
    *out = (fz_step_basis){
        .constants = fz_fitted_of(table, run)->constants,
        .lo = exp(fz_fitted_quantile(spread, 0, (1 - confidence) / 2)),
        .hi = exp(fz_fitted_quantile(spread, 0, (1 + confidence) / 2)),
    };
    return FZ_OK;
}

void fz_step_time(const fz_step_basis *basis, const fz_training_run *run, const fz_step_hardware *hardware,
                  fz_step *out)
{
    fz_step_terms terms;
    fz_step_terms_of(run, hardware, &terms);
    double seconds = fz_step_sum(&terms, basis->constants, out);
    out->lo = seconds * basis->lo;
    out->hi = seconds * basis->hi;
}
