/* BERT and RoBERTa: the encoder with its pooler, without the heads of pre-training. */
#include <string.h>

#include "core/support/hf/hf.h"

fz_status fz_hf_bert(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_names names = {FZ_HF_USUAL_NAMES, .max_seq_needed = true};
    static const char *const needed[] = {"type_vocab_size"};
    const char *positions = "absolute";
    uint64_t types = 0;
    FZ_TRY(fz_hf_refuse_flag(r, "add_cross_attention", true, "cross attention is not supported", err));
    FZ_TRY(fz_hf_text(r, "position_embedding_type", &positions, err));
    if (strcmp(positions, "absolute") != 0)
        return fz_hf_refuse(r, "position_embedding_type", "only \"absolute\" is supported", err);
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    FZ_TRY(fz_hf_present(r, needed, 1, FZ_EPARSE, err));
    FZ_TRY(fz_hf_size(r, needed[0], &types, err));
    m->norms = 4;
    m->final_norms = 2; /* of the embedding: model.h */
    m->attention_bias = m->mlp_bias = true;
    m->positions = m->max_seq;
    /* Token types and the pooler. Where this wraps around, hidden is so large that the model is refused. */
    m->extra_params = types * m->hidden + m->hidden * m->hidden + m->hidden;
    return FZ_OK;
}
