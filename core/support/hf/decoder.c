/* LLaMA and its relatives: RMS norms, a gated MLP, rotary positions. Mixtures of experts begin as these do. */
#include "core/support/hf/hf.h"

static bool has(const fz_hf_reader *r, fz_hf_trait trait)
{
    return (r->traits & (unsigned)trait) != 0;
}

fz_status fz_hf_decoder(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    const fz_hf_names names = {FZ_HF_USUAL_NAMES, .kv_heads = "num_key_value_heads", .head_dim = "head_dim",
                               .kv_needed = has(r, FZ_HF_KV_NEEDED),
                               .head_dim_needed = has(r, FZ_HF_HEAD_DIM_NEEDED)};
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    m->gated_mlp = true;
    m->norms = has(r, FZ_HF_FOUR_NORMS) ? 4 : 2;
    m->final_norms = 1;
    m->head_norms = has(r, FZ_HF_HEAD_NORMS);
    m->qkv_bias = has(r, FZ_HF_QKV_BIAS);
    if (has(r, FZ_HF_BIAS_KEY))
        FZ_TRY(fz_hf_flag(r, "attention_bias", &m->attention_bias, err));
    if (has(r, FZ_HF_MLP_BIAS_KEY))
        FZ_TRY(fz_hf_flag(r, "mlp_bias", &m->mlp_bias, err));
    return fz_hf_head(r, m, err);
}
