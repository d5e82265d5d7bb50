/* MPT: with no_bias its norms have no bias either. Its position table is used only without ALiBi. */
#include <string.h>

#include "core/support/hf/hf.h"

static fz_status read_key_heads(const fz_hf_reader *attention, const char *type, fz_model *m, fz_error *err)
{
    static const char *const needed[] = {"kv_n_heads"};
    if (strcmp(type, "multihead_attention") == 0)
        return FZ_OK;
    if (strcmp(type, "multiquery_attention") == 0) {
        m->kv_heads = 1;
        return FZ_OK;
    }
    if (strcmp(type, "grouped_query_attention") != 0)
        return fz_hf_refuse(attention, "attn_type",
                            "only multi-head, multi-query and grouped-query attention are supported", err);
    FZ_TRY(fz_hf_present(attention, needed, 1, FZ_EPARSE, err));
    return fz_hf_size(attention, needed[0], &m->kv_heads, err);
}

static fz_status read_attention(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    fz_hf_reader attention;
    const char *type = "multihead_attention";
    bool alibi = false, rope = false, learned = true;
    FZ_TRY(fz_hf_inside(r, "attn_config", "attn_config.", &attention, err));
    FZ_TRY(fz_hf_text(&attention, "attn_type", &type, err));
    FZ_TRY(fz_hf_flag(&attention, "alibi", &alibi, err));
    FZ_TRY(fz_hf_flag(&attention, "rope", &rope, err));
    FZ_TRY(fz_hf_flag(r, "learned_pos_emb", &learned, err));
    FZ_TRY(fz_hf_refuse_flag(&attention, "qk_ln", true, "norms over all of q and k are not supported", err));
    FZ_TRY(read_key_heads(&attention, type, m, err));
    m->positions = learned && !alibi && !rope ? m->max_seq : 0;
    return FZ_OK;
}

static fz_status read_ffn(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    uint64_t ratio = 4;
    FZ_TRY(fz_hf_size(r, "expansion_ratio", &ratio, err));
    if (ratio > 1024) /* so that the product stays in range */
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0,
                          "key '%sexpansion_ratio' is %llu; 1 to 1024 is expected", r->prefix,
                          (unsigned long long)ratio);
    m->ffn = ratio * m->hidden;
    return FZ_OK;
}

fz_status fz_hf_mpt(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_names names = {.layers = "n_layers",
                                      .hidden = "d_model",
                                      .heads = "n_heads",
                                      .vocab = "vocab_size",
                                      .max_seq = "max_seq_len",
                                      .max_seq_needed = true};
    bool no_bias = false;
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    FZ_TRY(read_ffn(r, m, err));
    FZ_TRY(read_attention(r, m, err));
    FZ_TRY(fz_hf_flag(r, "no_bias", &no_bias, err));
    m->norms = no_bias ? 2 : 4;
    m->final_norms = no_bias ? 1 : 2;
    m->attention_bias = m->mlp_bias = !no_bias;
    return fz_hf_head(r, m, err);
}
