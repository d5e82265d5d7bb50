/* Mixtures of experts over the layers of decoder.c. */
#include "core/support/hf/hf.h"

fz_status fz_hf_mixtral(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_expert_names names = {"num_local_experts", "num_experts_per_tok", "intermediate_size"};
    FZ_TRY(fz_hf_decoder(r, m, err));
    return fz_hf_experts(r, &names, m, err);
}

/* Qwen can put dense layers anywhere; fz_model knows them at the front only, and these families not even
 * there. */
static fz_status all_layers_alike(const fz_hf_reader *r, fz_error *err)
{
    uint64_t step = 1;
    const json_t *dense = fz_hf_get(r, "mlp_only_layers");
    FZ_TRY(fz_hf_count(r, "decoder_sparse_step", &step, err));
    if (step != 1)
        return fz_hf_refuse(r, "decoder_sparse_step", "only layers that all have experts (1) are supported",
                            err);
    if (dense != NULL && !json_is_array(dense))
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0, "key '%smlp_only_layers' is %s; a list is expected",
                          r->prefix, fz_hf_kind(dense));
    if (json_array_size(dense) > 0)
        return fz_hf_refuse(r, "mlp_only_layers", "layers without experts in between are not supported", err);
    return FZ_OK;
}

static fz_status qwen_experts(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_expert_names names = {"num_experts", "num_experts_per_tok", "moe_intermediate_size"};
    FZ_TRY(all_layers_alike(r, err));
    FZ_TRY(fz_hf_decoder(r, m, err));
    return fz_hf_experts(r, &names, m, err);
}

fz_status fz_hf_qwen2_moe(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const char *const needed[] = {"shared_expert_intermediate_size"};
    FZ_TRY(qwen_experts(r, m, err));
    FZ_TRY(fz_hf_flag(r, "qkv_bias", &m->qkv_bias, err));
    FZ_TRY(fz_hf_present(r, needed, 1, FZ_EPARSE, err));
    FZ_TRY(fz_hf_size(r, needed[0], &m->shared_ffn, err));
    m->shared_gate = true;
    return FZ_OK;
}

fz_status fz_hf_qwen3_moe(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    return qwen_experts(r, m, err);
}
