/* What a user submits: a model and its training configuration. Nothing about GPUs.
 *
 * Plain structs, filled by the caller (the program fills them from Hugging Face config.json files).
 * Shapes are those of a decoder or encoder stack of identical layers. */
#ifndef FRENZY_MODEL_H
#define FRENZY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/export.h>
#include <frenzy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes are counts of elements. A zero in a field marked "0: ..." takes the default named there
 * when fz_model_complete() is called; other fields are required to be positive. */
typedef struct fz_model {
    const char *name;
    uint64_t layers;   /* l */
    uint64_t hidden;   /* h */
    uint64_t heads;    /* a, attention heads */
    uint64_t kv_heads; /* 0: heads. Grouped-query attention has fewer */
    uint64_t head_dim; /* 0: hidden / heads */
    uint64_t ffn;      /* 0: 4 * hidden. Inner size of the MLP; of the dense layers where there are experts */
    uint64_t vocab;    /* V; 0 is a legal size (no embedding) only for the published formula */
    uint64_t max_seq;  /* longest sequence the model was made for; 0: unknown */
    uint64_t positions;  /* rows of a learned position table; 0: none (rotary, ALiBi) */
    uint64_t norms;      /* normalisation weight vectors in a layer, each of `hidden` elements;
                              a LayerNorm with bias counts 2. 0: 4 (two LayerNorms with bias) */
    bool gated_mlp;      /* SwiGLU and relatives: three matrices instead of two */
    bool attention_bias; /* biases on q, k, v, o */
    bool mlp_bias;       /* biases on the MLP matrices */
    bool untied_head;    /* the output head has its own V x h matrix */

    /* Parts that only some families have; 0 or false: the model has none. */
    bool qkv_bias;         /* biases on q, k, v but not on o (Qwen2); attention_bias implies it */
    bool head_norms;       /* q and k norms of head_dim elements each in a layer (Qwen3) */
    uint64_t final_norms;  /* vectors of `hidden` elements after the last layer: RMS norm 1, LayerNorm 2.
                              0: norms / 2, at least 1. BERT has none there but one on its embedding, which
                              counts as this */
    uint64_t extra_params; /* all else, outside the layers: embedding norms, segments, pooler, head bias */

    /* Mixture of experts: layers from `dense_layers` on hold `experts` MLPs of inner size expert_ffn (gated
     * as gated_mlp says), a router of h x experts, and MLPs of inner size shared_ffn in sum that see every
     * token. */
    uint64_t experts;
    uint64_t experts_per_token; /* top-k */
    uint64_t expert_ffn;
    uint64_t shared_ffn;
    uint64_t dense_layers; /* layers without experts; they come first */
    bool shared_gate;      /* a gate of h elements on the shared MLP (Qwen2-MoE) */
    bool router_bias;      /* one number an expert (DeepSeek-V3) */

    /* Multi-head latent attention (DeepSeek): used where kv_rank > 0; then head_dim and kv_heads play no part. */
    uint64_t q_rank; /* 0: queries are not compressed */
    uint64_t kv_rank;
    uint64_t nope_dim; /* dn, of a head, without position */
    uint64_t rope_dim; /* dr, of a head, rotary; shared by the heads in the keys */
    uint64_t v_dim;    /* dv, of a head */
} fz_model;

/* The training configuration. */
typedef struct fz_training {
    uint64_t global_batch; /* sequences in a step over all GPUs; > 0 */
    uint64_t seq_len;      /* tokens in a sequence; > 0 */
} fz_training;

/* Fills defaults and checks: FZ_EINVAL with the field's name when a field is missing, heads do not
 * divide hidden without head_dim, kv_heads does not divide heads, a size is above 2^32, the fields of experts
 * or of latent attention contradict each other (experts_per_token <= experts, dense_layers <= layers, all
 * three dims with kv_rank, nothing of either where experts or kv_rank is 0, no biases with latent attention),
 * or the whole has more than 2^58 parameters (fz_model_params() in params.h). */
FZ_API fz_status fz_model_complete(fz_model *model, fz_error *err);
FZ_API fz_status fz_training_check(const fz_training *training, fz_error *err);

#ifdef __cplusplus
}
#endif
#endif
