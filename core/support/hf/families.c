#include <string.h>

#include "core/support/hf/hf.h"

typedef struct family {
    const char *model_type;
    fz_hf_read *read;
    unsigned traits; /* fz_hf_trait */
} family;

enum {
    UNTIED = FZ_HF_UNTIED,
    GROUPS = FZ_HF_KV_NEEDED,
    HEAD_DIM = FZ_HF_HEAD_DIM_NEEDED,
    BIAS_KEY = FZ_HF_BIAS_KEY,
    QKV_BIAS = FZ_HF_QKV_BIAS,
};

static const family families[] = {
    {"bert", fz_hf_bert, 0},
    {"bloom", fz_hf_bloom, 0},
    {"deepseek_v2", fz_hf_deepseek, UNTIED},
    {"deepseek_v3", fz_hf_deepseek, UNTIED | FZ_HF_ROUTER_BIAS},
    {"falcon", fz_hf_falcon, 0},
    {"gemma", fz_hf_decoder, GROUPS | HEAD_DIM | BIAS_KEY},
    {"gemma2", fz_hf_decoder, GROUPS | HEAD_DIM | BIAS_KEY | FZ_HF_FOUR_NORMS},
    {"gemma3_text", fz_hf_decoder, GROUPS | HEAD_DIM | BIAS_KEY | FZ_HF_FOUR_NORMS | FZ_HF_HEAD_NORMS},
    {"gpt2", fz_hf_gpt2, 0},
    {"gpt_neox", fz_hf_gpt_neox, UNTIED},
    {"llama", fz_hf_decoder, UNTIED | BIAS_KEY | FZ_HF_MLP_BIAS_KEY},
    {"mistral", fz_hf_decoder, UNTIED | GROUPS},
    {"mixtral", fz_hf_mixtral, UNTIED | GROUPS},
    {"mpt", fz_hf_mpt, 0},
    {"opt", fz_hf_opt, 0},
    {"phi", fz_hf_phi, UNTIED},
    {"phi3", fz_hf_decoder, UNTIED},
    {"qwen2", fz_hf_decoder, UNTIED | GROUPS | QKV_BIAS},
    {"qwen2_moe", fz_hf_qwen2_moe, UNTIED | GROUPS | QKV_BIAS},
    {"qwen3", fz_hf_decoder, UNTIED | GROUPS | HEAD_DIM | BIAS_KEY | FZ_HF_HEAD_NORMS},
    {"qwen3_moe", fz_hf_qwen3_moe, UNTIED | GROUPS | BIAS_KEY | FZ_HF_HEAD_NORMS},
    {"RefinedWeb", fz_hf_falcon, 0},
    {"RefinedWebModel", fz_hf_falcon, 0},
    {"roberta", fz_hf_bert, 0},
    {"xlm-roberta", fz_hf_bert, 0},
};

static const family generic = {"", fz_hf_generic, 0};

static const family *find(const char *model_type)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].model_type, model_type) == 0)
            return &families[i];
    return &generic;
}

/* Keys that change what a layer is, in a family that is not known to have them. */
static fz_status check_supported(const fz_hf_reader *r, const family *f, fz_error *err)
{
    static const struct {
        const char *key, *what;
    } refused[] = {
        {"num_local_experts", "mixtures of experts are"}, {"num_experts", "mixtures of experts are"},
        {"n_routed_experts", "mixtures of experts are"},  {"moe_num_experts", "mixtures of experts are"},
        {"kv_lora_rank", "latent attention is"},
    };
    bool plain = f->read == fz_hf_generic || f->read == fz_hf_decoder;
    for (size_t i = 0; plain && i < sizeof refused / sizeof refused[0]; i++)
        if (fz_hf_get(r, refused[i].key) != NULL)
            return fz_fail_at(err, FZ_EUNSUPPORTED, r->path, 0, 0,
                              "%s not supported for model_type '%.60s' (key '%s%s')", refused[i].what,
                              r->model_type, r->prefix, refused[i].key);
    return fz_hf_refuse_flag(r, "is_encoder_decoder", true, "encoder-decoder models are not supported", err);
}

fz_status fz_hf_model(const char *path, const json_t *root, fz_model *out, fz_error *err)
{
    fz_hf_reader r = {path, root, "", "(none)", 0};
    if (!json_is_object(root))
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0,
                          "the file holds %s; an object with the keys of a model is expected",
                          fz_hf_kind(root));
    const json_t *inner = json_object_get(root, "text_config");
    if (json_is_object(inner) && json_object_get(root, "hidden_size") == NULL) {
        r.object = inner;
        r.prefix = "text_config.";
    }
    FZ_TRY(fz_hf_text(&r, "model_type", &r.model_type, err));
    const family *f = find(r.model_type);
    r.traits = f->traits;
    FZ_TRY(check_supported(&r, f, err));
    return f->read(&r, out, err);
}
