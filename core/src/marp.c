#include <frenzy/marp.h>

#include <frenzy/units.h>
#include <stdlib.h>

/* Bytes per parameter, mixed precision with Adam: fp16 + fp32 copies of weights and gradients, two
 * fp32 moments. Together the 20 W of the paper. */
#define WEIGHT_BYTES    6.0
#define GRADIENT_BYTES  6.0
#define OPTIMIZER_BYTES 8.0

#define TENSOR_MAX 64u
#define DATA_MAX   512u

fz_status fz_marp_check(const fz_model *m, fz_error *err)
{
    const char *what = m->experts > 0 ? "mixtures of experts" : "latent attention";
    if (m->experts == 0 && m->kv_rank == 0)
        return FZ_OK;
    return fz_fail(err, FZ_EUNSUPPORTED, "model '%s': the published memory formula does not know %s",
                   m->name != NULL ? m->name : "?", what);
}

/* Parameters of a linear map with an optional bias. */
static double linear(double in, double out, bool bias)
{
    return in * out + (bias ? out : 0);
}

static double attention_params(const fz_model *m)
{
    double h = (double)m->hidden;
    double q = (double)m->heads * (double)m->head_dim;
    double kv = (double)m->kv_heads * (double)m->head_dim;
    return linear(h, q, m->attention_bias) + 2 * linear(h, kv, m->attention_bias) +
           linear(q, h, m->attention_bias);
}

static double mlp_params(const fz_model *m)
{
    double h = (double)m->hidden;
    double ffn = (double)m->ffn;
    double gate = m->gated_mlp ? linear(h, ffn, m->mlp_bias) : 0;
    return linear(h, ffn, m->mlp_bias) + gate + linear(ffn, h, m->mlp_bias);
}

double fz_marp_params(const fz_model *m)
{
    double h = (double)m->hidden;
    double layer = attention_params(m) + mlp_params(m) + (double)m->norms * h;
    double embedding = (double)m->vocab * h;
    return embedding + (double)m->layers * layer + (m->untied_head ? embedding : 0);
}

/* (B/d) s h l (10 + 24/t + 5 a s / (h t)): Korthikanti et al. 2022, tensor parallel only. */
static double activation_bytes(const fz_model *m, const fz_training *training, double t, double d)
{
    double s = (double)training->seq_len;
    double h = (double)m->hidden;
    double per_unit = 10 + 24 / t + 5 * (double)m->heads * s / (h * t);
    return (double)training->global_batch / d * s * h * (double)m->layers * per_unit;
}

double fz_marp_need(const fz_model *model, const fz_training *training, uint32_t tensor, uint32_t data,
                    fz_marp_parts *parts)
{
    double share = fz_marp_params(model) / tensor;
    fz_marp_parts all = {
        .weights = WEIGHT_BYTES * share,
        .gradients = GRADIENT_BYTES * share,
        .optimizer = OPTIMIZER_BYTES * share,
        .activations = activation_bytes(model, training, tensor, data),
    };
    if (parts != NULL)
        *parts = all;
    return (WEIGHT_BYTES + GRADIENT_BYTES + OPTIMIZER_BYTES) * share + all.activations;
}

/* ---- plans ---------------------------------------------------------------------------------------------- */

static fz_plan plan_make(const fz_model *model, const fz_training *training, uint32_t tensor, uint32_t data)
{
    double need = fz_marp_need(model, training, tensor, data, NULL);
    return (fz_plan){
        .gpus = tensor * data,
        .data = data,
        .tensor = (uint16_t)tensor,
        .pipeline = 1,
        .mem_bytes = need < 0x1p63 ? (uint64_t)need : (uint64_t)1 << 63,
        .types = FZ_ALL_TYPES,
    };
}

/* (N, S), then the larger tensor degree, so that the order is total. */
static int by_rank(const void *a, const void *b)
{
    const fz_plan *x = a;
    const fz_plan *y = b;
    if (x->gpus != y->gpus)
        return x->gpus < y->gpus ? -1 : 1;
    if (x->mem_bytes != y->mem_bytes)
        return x->mem_bytes < y->mem_bytes ? -1 : 1;
    return (x->tensor < y->tensor) - (x->tensor > y->tensor);
}

size_t fz_marp_plans(const fz_model *model, const fz_training *training, fz_plan *plans)
{
    size_t n = 0;
    if (fz_training_check(training, NULL) != FZ_OK)
        return 0;
    for (uint32_t tensor = 1; tensor <= TENSOR_MAX; tensor++) {
        if (model->heads % tensor != 0)
            continue;
        for (uint32_t data = 1; data <= DATA_MAX && data <= training->global_batch; data *= 2)
            plans[n++] = plan_make(model, training, tensor, data);
    }
    qsort(plans, n, sizeof(*plans), by_rank);
    return n;
}

static fz_type_mask types_that_hold(const fz_gpu_type *types, uint32_t n_types, fz_type_mask allowed,
                                    double need)
{
    fz_type_mask fitting = 0;
    for (uint32_t type = 0; type < n_types; type++)
        if ((allowed & FZ_TYPE_BIT(type)) != 0 && (double)types[type].mem_bytes >= need)
            fitting |= FZ_TYPE_BIT(type);
    return fitting;
}

size_t fz_marp_bind(fz_plan *plans, size_t n_plans, const fz_gpu_type *types, uint32_t n_types,
                    fz_type_mask allowed, double scale, uint32_t max_gpus)
{
    size_t kept = 0;
    for (size_t i = 0; i < n_plans; i++) {
        fz_plan plan = plans[i];
        plan.types = types_that_hold(types, n_types, allowed, (double)plan.mem_bytes * scale);
        if (plan.types != 0 && plan.gpus <= max_gpus)
            plans[kept++] = plan;
    }
    return kept;
}

fz_plan fz_marp_plan_for(const fz_model *model, const fz_training *training, uint32_t gpus)
{
    fz_plan best = plan_make(model, training, 1, gpus);
    for (uint32_t tensor = 2; tensor <= TENSOR_MAX && tensor <= gpus; tensor++) {
        if (gpus % tensor != 0 || model->heads % tensor != 0)
            continue;
        fz_plan plan = plan_make(model, training, tensor, gpus / tensor);
        if (by_rank(&plan, &best) < 0)
            best = plan;
    }
    return best;
}

double fz_marp_capacity(double nominal, fz_marp_unit unit)
{
    return nominal * (double)(unit == FZ_MARP_GIB ? FZ_GIB : FZ_GB);
}
