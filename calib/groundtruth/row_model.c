#include "calib/groundtruth/row_model.h"

#include <string.h>

#include "calib/groundtruth/row_options.h"

static void read_experts(fz_row_fields *f, const char *other, fz_model *m)
{
    m->experts = fz_row_count(f, "n_experts");
    if (m->experts == 0)
        return;
    m->experts_per_token = fz_row_count(f, "topk");
    m->expert_ffn = fz_row_count(f, "moe_ffn");
    m->shared_ffn = fz_row_count(f, "shared_ffn");
    m->dense_layers = fz_row_dense_layers(other);
    if (m->experts_per_token == 0)
        m->experts_per_token = 1;
    if (m->expert_ffn == 0)
        m->expert_ffn = m->ffn;
}

/* Megatron's defaults where the ranks alone are printed: 128 without position, 64 with, values 128. */
static void read_latent(const char *other, fz_model *m)
{
    if (!fz_row_option_on(other, "multi-latent-attention"))
        return;
    m->q_rank = fz_row_option_count(other, "q-lora-rank");
    m->kv_rank = fz_row_option_count(other, "kv-lora-rank");
    m->nope_dim = m->v_dim = 128;
    m->rope_dim = 64;
}

void fz_row_read_model(fz_row_fields *f, const char *other, fz_model *m)
{
    char value[32];
    m->layers = fz_row_count(f, "layers");
    m->hidden = fz_row_count(f, "hidden");
    m->heads = fz_row_count(f, "heads");
    m->kv_heads = fz_row_count(f, "kv_heads");
    m->head_dim = fz_row_count(f, "head_dim");
    m->ffn = fz_row_count(f, "ffn");
    m->vocab = fz_row_count(f, "vocab");
    m->gated_mlp = fz_row_count(f, "gated_mlp") != 0;
    m->untied_head = fz_row_has(f, "tied_emb") && fz_row_count(f, "tied_emb") == 0;
    m->norms = m->gated_mlp ? 2 : 4;
    m->final_norms = m->norms / 2;
    m->attention_bias = m->mlp_bias = !m->gated_mlp;
    const char *position = fz_row_option(other, "position-embedding-type", value, sizeof value);
    if (position == NULL || strcmp(position, "rope") != 0)
        m->positions = fz_row_option_count(other, "max-position-embeddings");
    read_experts(f, other, m);
    read_latent(other, m);
}
