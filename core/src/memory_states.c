#include "memory_states.h"

#include <math.h>

/* Bytes a parameter, unsharded. */
typedef struct recipe {
    double weight, gradient, optimizer;
} recipe;

/* Moments and master copy of mixed precision. */
static double mixed_optimizer(fz_optimizer optimizer)
{
    switch (optimizer) {
    case FZ_ADAM:
        return 12;
    case FZ_ADAM_8BIT:
        return 6;
    case FZ_MUON:
        return 8;
    case FZ_SGD:
        break;
    }
    return 4;
}

/* Moments in the type of the weights, `bytes` each. */
static double plain_optimizer(fz_optimizer optimizer, double bytes)
{
    switch (optimizer) {
    case FZ_ADAM:
        return 2 * bytes;
    case FZ_ADAM_8BIT:
        return 2;
    case FZ_MUON:
        return bytes;
    case FZ_SGD:
        break;
    }
    return 0;
}

static recipe recipe_of(const fz_training_run *run, const fz_memory_traits *traits)
{
    double mixed = mixed_optimizer(run->optimizer);
    switch (run->precision) {
    case FZ_BF16_MIXED:
        return (recipe){2, traits->bf16_gradient, mixed};
    case FZ_FP8_MIXED:
        return (recipe){2 + traits->fp8_copies, traits->bf16_gradient, mixed};
    case FZ_FP16_MIXED:
        return (recipe){2, traits->fp16_gradient, mixed + traits->fp16_extra};
    case FZ_BF16_TRUE:
        return (recipe){2, 2, plain_optimizer(run->optimizer, 2)};
    case FZ_FP32:
        break;
    }
    return (recipe){4, 4, plain_optimizer(run->optimizer, 4)};
}

static bool is_mixed(const fz_training_run *run)
{
    return run->precision != FZ_BF16_TRUE && run->precision != FZ_FP32;
}

/* `n` elements sharded over `ranks` by the ZeRO stage (Rajbhandari et al. 2020). */
static state_bytes sharded(const fz_training_run *run, const fz_memory_traits *traits, double n, double ranks)
{
    recipe r = recipe_of(run, traits);
    if (run->zero >= 3 && is_mixed(run)) /* whole, the master copies may be the shards themselves */
        r.weight = fmax(0, traits->zero3_states - r.gradient - r.optimizer) +
                   (run->precision == FZ_FP8_MIXED ? traits->fp8_copies : 0);
    return (state_bytes){
        .weights = r.weight * n / (run->zero >= 3 ? ranks : 1),
        .gradients = r.gradient * n / (run->zero >= 2 ? ranks : 1),
        .optimizer = r.optimizer * n / (run->zero >= 1 ? ranks : 1),
    };
}

static double ranks_of_weights(const fz_training_run *run)
{
    double all = memory_degree(run->data) * memory_degree(run->context);
    return fmax(1, all / memory_degree(run->optimizer_instances));
}

/* Experts live on d cp t / (ep etp) ranks alike. */
static double ranks_of_experts(const fz_training_run *run)
{
    double etp = memory_degree(run->expert_tensor > 0 ? run->expert_tensor : run->tensor);
    double all = memory_degree(run->data) * memory_degree(run->context) * memory_degree(run->tensor);
    return fmax(1, all / (memory_degree(run->expert) * etp) / memory_degree(run->optimizer_instances));
}

static state_bytes trained_states(const fz_training_run *run, const fz_memory_traits *traits,
                                  weights_held held)
{
    state_bytes common = sharded(run, traits, held.layers + held.ends, ranks_of_weights(run));
    state_bytes experts = sharded(run, traits, held.experts, ranks_of_experts(run));
    return (state_bytes){
        .weights = common.weights + experts.weights,
        .gradients = common.gradients + experts.gradients,
        .optimizer = common.optimizer + experts.optimizer,
        .trained = held.layers + held.ends + held.experts,
    };
}

/* LoRA of rank 8 on queries, keys, values and output, where the caller does not say. */
static double default_trainable(const fz_model *m)
{
    double h = (double)m->hidden;
    double q = (double)(m->heads * m->head_dim);
    double kv = (double)(m->kv_heads * m->head_dim);
    return (double)m->layers * 8 * (2 * (h + q) + 2 * (h + kv));
}

/* Frozen weights of the layers at their storage width, ends at 2 bytes; 16 bytes a trained parameter; a
 * trained embedding and head keep a copy in bf16 with gradient, moments and the step's temporaries. */
static state_bytes adapter_states(const fz_training_run *run, weights_held held)
{
    double width = run->frozen_bytes > 0 ? run->frozen_bytes : 2;
    double ranks = run->zero >= 3 ? ranks_of_weights(run) : 1;
    double trained = run->trainable > 0 ? run->trainable : default_trainable(run->model);
    trained /= memory_degree(run->pipeline) * memory_degree(run->tensor);
    double share = run->zero >= 2 ? ranks_of_weights(run) : 1;
    double ends = run->embeddings_trained ? held.ends : 0;
    return (state_bytes){
        .weights =
            (width * (held.layers + held.experts) + 2 * held.ends) / ranks + 4 * trained / ranks + 2 * ends,
        .gradients = 4 * trained / share + 2 * ends,
        .optimizer = 8 * trained / share + 8 * ends,
        .trained = trained / share,
    };
}

state_bytes memory_states(const fz_training_run *run, const fz_memory_traits *traits, weights_held held)
{
    return run->tuning == FZ_TUNE_ADAPTER ? adapter_states(run, held) : trained_states(run, traits, held);
}
