/* Falcon, in its three forms: 7B (one norm, one key head), 40B and later ("new decoder architecture": two
 * norms, groups of key heads), RW (as GPT, without a position table). RefinedWeb and RefinedWebModel are
 * names and keys of its first files. */
#include <string.h>

#include "core/support/hf/hf.h"

typedef struct falcon {
    bool multi_query, parallel, biases, grouped;
} falcon;

static fz_status read_form(const fz_hf_reader *r, falcon *f, fz_error *err)
{
    *f = (falcon){.multi_query = true, .parallel = true, .grouped = strcmp(r->model_type, "RefinedWeb") == 0};
    FZ_TRY(fz_hf_flag(r, "multi_query", &f->multi_query, err));
    FZ_TRY(fz_hf_flag(r, "parallel_attn", &f->parallel, err));
    FZ_TRY(fz_hf_flag(r, "bias", &f->biases, err));
    return fz_hf_flag(r, "new_decoder_architecture", &f->grouped, err);
}

static fz_status read_norms(const fz_hf_reader *r, const falcon *f, fz_model *m, fz_error *err)
{
    uint64_t parallel_norms = f->grouped ? 2 : 1;
    FZ_TRY(fz_hf_size(r, "num_ln_in_parallel_attn", &parallel_norms, err));
    if (parallel_norms > 2)
        return fz_hf_refuse(r, "num_ln_in_parallel_attn", "1 or 2 is supported", err);
    m->norms = f->parallel ? 2 * parallel_norms : 4;
    m->final_norms = 2;
    return FZ_OK;
}

static const char *either(const fz_hf_reader *r, const char *key, const char *old)
{
    return fz_hf_get(r, key) == NULL && fz_hf_get(r, old) != NULL ? old : key;
}

fz_status fz_hf_falcon(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    falcon f;
    FZ_TRY(read_form(r, &f, err));
    const fz_hf_names names = {.layers = either(r, "num_hidden_layers", "n_layer"),
                               .hidden = "hidden_size",
                               .heads = either(r, "num_attention_heads", "n_head"),
                               .kv_heads = f.grouped ? either(r, "num_kv_heads", "n_head_kv") : NULL,
                               .vocab = "vocab_size",
                               .ffn = "ffn_hidden_size",
                               .ffn_optional = true};
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    if (!f.grouped && f.multi_query)
        m->kv_heads = 1;
    m->attention_bias = m->mlp_bias = f.biases;
    FZ_TRY(read_norms(r, &f, m, err));
    return fz_hf_head(r, m, err);
}
