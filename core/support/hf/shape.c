#include "core/support/hf/hf.h"

static fz_status heads_divide(const fz_hf_reader *r, const fz_hf_names *names, const fz_model *m,
                              fz_error *err)
{
    if (m->head_dim == 0 && m->hidden % m->heads != 0)
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0,
                          "key '%s%s' is %llu, which %llu heads ('%s%s') do not divide", r->prefix,
                          names->hidden, (unsigned long long)m->hidden, (unsigned long long)m->heads,
                          r->prefix, names->heads);
    if (m->kv_heads != 0 && m->heads % m->kv_heads != 0)
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0,
                          "key '%s%s' is %llu, which does not divide the %llu of '%s%s'", r->prefix,
                          names->kv_heads, (unsigned long long)m->kv_heads, (unsigned long long)m->heads,
                          r->prefix, names->heads);
    return FZ_OK;
}

fz_status fz_hf_shape(const fz_hf_reader *r, const fz_hf_names *names, fz_model *m, fz_error *err)
{
    const char *const needed[] = {names->layers,
                                  names->hidden,
                                  names->heads,
                                  names->ffn_optional ? NULL : names->ffn,
                                  names->vocab,
                                  names->kv_needed ? names->kv_heads : NULL,
                                  names->head_dim_needed ? names->head_dim : NULL,
                                  names->max_seq_needed ? names->max_seq : NULL};
    FZ_TRY(fz_hf_present(r, needed, sizeof needed / sizeof needed[0], FZ_EPARSE, err));
    FZ_TRY(fz_hf_size(r, names->layers, &m->layers, err));
    FZ_TRY(fz_hf_size(r, names->hidden, &m->hidden, err));
    FZ_TRY(fz_hf_size(r, names->heads, &m->heads, err));
    FZ_TRY(fz_hf_size(r, names->vocab, &m->vocab, err));
    FZ_TRY(fz_hf_size(r, names->ffn, &m->ffn, err));
    FZ_TRY(fz_hf_size(r, names->kv_heads, &m->kv_heads, err));
    FZ_TRY(fz_hf_size(r, names->head_dim, &m->head_dim, err));
    FZ_TRY(fz_hf_size(r, names->max_seq, &m->max_seq, err));
    return heads_divide(r, names, m, err);
}

fz_status fz_hf_head(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    bool tied = (r->traits & FZ_HF_UNTIED) == 0;
    FZ_TRY(fz_hf_flag(r, "tie_word_embeddings", &tied, err));
    m->untied_head = !tied;
    return FZ_OK;
}

fz_status fz_hf_experts(const fz_hf_reader *r, const fz_hf_expert_names *names, fz_model *m, fz_error *err)
{
    const char *const needed[] = {names->experts, names->per_token, names->ffn};
    FZ_TRY(fz_hf_present(r, needed, sizeof needed / sizeof needed[0], FZ_EPARSE, err));
    FZ_TRY(fz_hf_size(r, names->experts, &m->experts, err));
    FZ_TRY(fz_hf_size(r, names->per_token, &m->experts_per_token, err));
    FZ_TRY(fz_hf_size(r, names->ffn, &m->expert_ffn, err));
    return fz_hf_at_most(r, names->per_token, m->experts_per_token, names->experts, m->experts, err);
}
