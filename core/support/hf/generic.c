/* Any other model_type, by the keys that most have. A wrong number would be worse than none: what could
 * change the layers in a way that is not known here is refused. */
#include <string.h>

#include "core/support/hf/hf.h"

static fz_status check_plain(const fz_hf_reader *r, fz_error *err)
{
    static const char *const odd[] = {"parallel_attn",
                                      "use_parallel_residual",
                                      "qk_layernorm",
                                      "use_qk_norm",
                                      "qk_norm",
                                      "use_qkv_bias",
                                      "num_shared_layers",
                                      "layers_block_type",
                                      "hybrid_override_pattern"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        const json_t *value = fz_hf_get(r, odd[i]);
        if (value != NULL && !json_is_false(value))
            return fz_hf_refuse(r, odd[i], "what it means for this model_type is not known", err);
    }
    return FZ_OK;
}

/* Families that have the usual keys, and layers or embeddings that these do not tell. */
static fz_status check_known_others(const fz_hf_reader *r, fz_error *err)
{
    static const char *const others[] = {"albert", "apertus",          "deberta",   "deberta-v2", "electra",
                                         "esm",    "exaone4",          "falcon_h1", "gemma3n",    "glm",
                                         "glm4",   "hunyuan_v1_dense", "lfm2",      "nemotron_h", "olmo2",
                                         "olmo3",  "seed_oss"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(r->model_type, others[i]) == 0)
            return fz_hf_refuse(r, "model_type", "its layers differ from what its keys say; not supported",
                                err);
    return FZ_OK;
}

static fz_status missing_norm(const fz_hf_reader *r, fz_error *err)
{
    return fz_fail_at(err, FZ_EUNSUPPORTED, r->path, 0, 0,
                      "model_type '%.60s' needs '%srms_norm_eps' or '%slayer_norm_eps', not in the file",
                      r->model_type, r->prefix, r->prefix);
}

/* RMS norms come with a gated MLP, layer norms with a plain one. */
static fz_status kind_of_layers(const fz_hf_reader *r, bool *rms, fz_error *err)
{
    static const char *const needed[] = {"num_hidden_layers", "hidden_size", "num_attention_heads",
                                         "intermediate_size", "vocab_size",  "hidden_act"};
    const char *activation = "";
    FZ_TRY(fz_hf_present(r, needed, sizeof needed / sizeof needed[0], FZ_EUNSUPPORTED, err));
    *rms = fz_hf_get(r, "rms_norm_eps") != NULL;
    if (!*rms && fz_hf_get(r, "layer_norm_eps") == NULL)
        return missing_norm(r, err);
    FZ_TRY(fz_hf_text(r, "hidden_act", &activation, err));
    bool gated = strcmp(activation, "silu") == 0 || strcmp(activation, "swiglu") == 0;
    if (gated == *rms)
        return FZ_OK;
    return fz_fail_at(
        err, FZ_EUNSUPPORTED, r->path, 0, 0,
        "model_type '%.60s' with '%shidden_act' '%.30s' and %s: whether its MLP is gated is not known",
        r->model_type, r->prefix, activation, *rms ? "RMS norms" : "layer norms");
}

fz_status fz_hf_generic(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    bool rms = false;
    bool rotary = fz_hf_get(r, "rope_theta") != NULL || fz_hf_get(r, "rotary_pct") != NULL;
    FZ_TRY(check_known_others(r, err));
    FZ_TRY(check_plain(r, err));
    FZ_TRY(kind_of_layers(r, &rms, err));
    const fz_hf_names names = {FZ_HF_USUAL_NAMES, .kv_heads = "num_key_value_heads", .head_dim = "head_dim",
                               .max_seq_needed = !rms && !rotary};
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    m->norms = rms ? 2 : 4;
    m->final_norms = rms ? 1 : 2;
    m->gated_mlp = rms;
    m->attention_bias = m->mlp_bias = !rms;
    FZ_TRY(fz_hf_flag(r, "attention_bias", &m->attention_bias, err));
    FZ_TRY(fz_hf_flag(r, "mlp_bias", &m->mlp_bias, err));
    m->positions = names.max_seq_needed ? m->max_seq : 0;
    return fz_hf_head(r, m, err);
}
