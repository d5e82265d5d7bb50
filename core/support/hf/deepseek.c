/* DeepSeek-V2 and V3: latent attention, dense layers first, then experts with shared ones. The layers that
 * predict further tokens (num_nextn_predict_layers) are not part of the model here. */
#include <string.h>

#include "core/support/hf/hf.h"

static fz_status latent_attention(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const char *const needed[] = {"kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim",
                                         "v_head_dim"};
    FZ_TRY(
        fz_hf_refuse_flag(r, "attention_bias", true, "latent attention with biases is not supported", err));
    FZ_TRY(fz_hf_present(r, needed, sizeof needed / sizeof needed[0], FZ_EPARSE, err));
    FZ_TRY(fz_hf_size(r, "q_lora_rank", &m->q_rank, err)); /* null: queries are not compressed */
    FZ_TRY(fz_hf_size(r, "kv_lora_rank", &m->kv_rank, err));
    FZ_TRY(fz_hf_size(r, "qk_nope_head_dim", &m->nope_dim, err));
    FZ_TRY(fz_hf_size(r, "qk_rope_head_dim", &m->rope_dim, err));
    return fz_hf_size(r, "v_head_dim", &m->v_dim, err);
}

/* V3 chooses experts with a learned offset for each ("noaux_tc"). */
static fz_status router_bias(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    const char *method = "noaux_tc";
    FZ_TRY(fz_hf_text(r, "topk_method", &method, err));
    m->router_bias = (r->traits & FZ_HF_ROUTER_BIAS) != 0 && strcmp(method, "noaux_tc") == 0;
    return FZ_OK;
}

static fz_status shared_experts(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    uint64_t shared = 0;
    FZ_TRY(fz_hf_count(r, "n_shared_experts", &shared, err)); /* null: none */
    FZ_TRY(fz_hf_at_most(r, "n_shared_experts", shared, "n_routed_experts", m->experts, err));
    m->shared_ffn = shared * m->expert_ffn; /* were this to wrap around, the experts would be refused */
    return FZ_OK;
}

static fz_status experts(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_expert_names names = {"n_routed_experts", "num_experts_per_tok",
                                             "moe_intermediate_size"};
    static const char *const needed[] = {"first_k_dense_replace"};
    uint64_t every = 1;
    FZ_TRY(fz_hf_experts(r, &names, m, err));
    FZ_TRY(fz_hf_size(r, "moe_layer_freq", &every, err));
    if (every != 1)
        return fz_hf_refuse(r, "moe_layer_freq",
                            "only experts in each layer after the dense ones (1) are supported", err);
    FZ_TRY(fz_hf_present(r, needed, 1, FZ_EPARSE, err));
    FZ_TRY(fz_hf_count(r, needed[0], &m->dense_layers, err));
    FZ_TRY(fz_hf_at_most(r, needed[0], m->dense_layers, "num_hidden_layers", m->layers, err));
    FZ_TRY(shared_experts(r, m, err));
    return router_bias(r, m, err);
}

fz_status fz_hf_deepseek(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_names names = {FZ_HF_USUAL_NAMES};
    FZ_TRY(latent_attention(r, m, err));
    m->head_dim = m->nope_dim + m->rope_dim; /* hidden / heads plays no part */
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    m->gated_mlp = true;
    m->norms = 2;
    m->final_norms = 1;
    if (fz_hf_get(r, "n_routed_experts") != NULL) /* null: a dense model */
        FZ_TRY(experts(r, m, err));
    return fz_hf_head(r, m, err);
}
