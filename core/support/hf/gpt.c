/* GPT-2 and its relatives: LayerNorms with biases, an MLP of two matrices, biases throughout. */
#include "core/support/hf/hf.h"

static void layers_of_gpt(fz_model *m)
{
    m->norms = 4;
    m->final_norms = 2;
    m->attention_bias = m->mlp_bias = true;
}

fz_status fz_hf_gpt2(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_names names = {.layers = "n_layer",
                                      .hidden = "n_embd",
                                      .heads = "n_head",
                                      .vocab = "vocab_size",
                                      .ffn = "n_inner",
                                      .max_seq = "n_positions",
                                      .ffn_optional = true,
                                      .max_seq_needed = true};
    FZ_TRY(fz_hf_refuse_flag(r, "add_cross_attention", true, "cross attention is not supported", err));
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    layers_of_gpt(m);
    m->positions = m->max_seq;
    return fz_hf_head(r, m, err);
}

fz_status fz_hf_gpt_neox(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_names names = {FZ_HF_USUAL_NAMES};
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    layers_of_gpt(m);
    FZ_TRY(fz_hf_flag(r, "attention_bias", &m->attention_bias, err));
    return fz_hf_head(r, m, err);
}

/* OPT-350m has its norms after attention and MLP, none after the last layer, and a narrow embedding. */
static fz_status opt_as_others(const fz_hf_reader *r, const fz_model *m, fz_error *err)
{
    uint64_t width = m->hidden;
    FZ_TRY(fz_hf_size(r, "word_embed_proj_dim", &width, err));
    if (width != m->hidden)
        return fz_hf_refuse(r, "word_embed_proj_dim",
                            "an embedding narrower than 'hidden_size' is not supported", err);
    FZ_TRY(
        fz_hf_refuse_flag(r, "do_layer_norm_before", false, "norms after the blocks are not supported", err));
    FZ_TRY(fz_hf_refuse_flag(r, "_remove_final_layer_norm", true,
                             "a stack without a last norm is not supported", err));
    return fz_hf_refuse_flag(r, "layer_norm_elementwise_affine", false,
                             "norms without weights are not supported", err);
}

fz_status fz_hf_opt(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_names names = {.layers = "num_hidden_layers",
                                      .hidden = "hidden_size",
                                      .heads = "num_attention_heads",
                                      .vocab = "vocab_size",
                                      .ffn = "ffn_dim",
                                      .max_seq = "max_position_embeddings",
                                      .max_seq_needed = true};
    bool biases = true;
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    FZ_TRY(opt_as_others(r, m, err));
    FZ_TRY(fz_hf_flag(r, "enable_bias", &biases, err));
    layers_of_gpt(m);
    m->attention_bias = m->mlp_bias = biases;
    m->positions = m->max_seq + 2; /* the table begins two rows before the first position */
    return fz_hf_head(r, m, err);
}

/* Its files use either set of names. */
fz_status fz_hf_bloom(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    const fz_hf_names names = {
        .layers = fz_hf_get(r, "num_hidden_layers") != NULL ? "num_hidden_layers" : "n_layer",
        .hidden = fz_hf_get(r, "n_embed") != NULL ? "n_embed" : "hidden_size",
        .heads = fz_hf_get(r, "num_attention_heads") != NULL ? "num_attention_heads" : "n_head",
        .vocab = "vocab_size",
        .max_seq = "seq_length"};
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    layers_of_gpt(m);
    m->extra_params = 2 * m->hidden; /* the norm of the embedding */
    return fz_hf_head(r, m, err);
}

/* Phi-1, 1.5 and 2: attention and MLP side by side behind one norm, a head with a bias. */
fz_status fz_hf_phi(const fz_hf_reader *r, fz_model *m, fz_error *err)
{
    static const fz_hf_names names = {FZ_HF_USUAL_NAMES, .kv_heads = "num_key_value_heads"};
    FZ_TRY(fz_hf_refuse_flag(r, "qk_layernorm", true, "norms on q and k are not supported", err));
    FZ_TRY(fz_hf_shape(r, &names, m, err));
    layers_of_gpt(m);
    m->norms = 2;
    m->extra_params = m->vocab;
    return fz_hf_head(r, m, err);
}
