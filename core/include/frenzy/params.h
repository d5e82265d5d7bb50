/* How many parameters a model has, exactly: the whole, and the blocks it is made of.
 *
 * Counts are those of model cards and of safetensors files: what is trained, vocabulary rows as the model
 * has them (not padded for a tensor degree), a tied head once. Every function takes a model that
 * fz_model_complete() has accepted; counts that do not fit into 64 bits come out as UINT64_MAX, which that
 * function refuses. Pure functions, thread-safe.
 *
 *   model = embedding + layers + final norms + head + extra_params
 *   layer = attention + norms + (dense MLP, or router + experts + shared MLP)
 */
#ifndef FRENZY_PARAMS_H
#define FRENZY_PARAMS_H

#include <stdint.h>

#include <frenzy/export.h>
#include <frenzy/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The whole model. */
FZ_API uint64_t fz_model_params(const fz_model *model);

/* What one token passes through: the whole less the experts that are not chosen. Equal to
 * fz_model_params() where there are no experts. Embedding and head count in full, as model cards count. */
FZ_API uint64_t fz_model_active_params(const fz_model *model);

/* ---- blocks of a layer ---------------------------------------------------------------------------------- */

/* Matrices and biases of q, k, v and o: 2 h a d + 2 h kv d. Latent attention (kv_rank > 0), with the norms of
 * its compressed vectors: h rq + rq + rq a (dn + dr), or h a (dn + dr) without q_rank, and
 * h (rkv + dr) + rkv + rkv a (dn + dv) + a dv h. */
FZ_API uint64_t fz_params_attention(const fz_model *model);

/* All norms of `hidden` elements, and those of head_dim elements (head_norms). */
FZ_API uint64_t fz_params_layer_norms(const fz_model *model);

/* The MLP of a layer without experts: (3 gated or 2 plain) h ffn and biases. */
FZ_API uint64_t fz_params_dense_mlp(const fz_model *model);

/* Of a layer with experts, 0 where there are none: the router h E with its bias, one expert, the shared MLP
 * with its gate, and the three together (router + E experts + shared). */
FZ_API uint64_t fz_params_router(const fz_model *model);
FZ_API uint64_t fz_params_expert(const fz_model *model);
FZ_API uint64_t fz_params_shared_mlp(const fz_model *model);
FZ_API uint64_t fz_params_expert_mlp(const fz_model *model);

/* Whole layers, without and with experts, and how many there are of the latter. */
FZ_API uint64_t fz_params_dense_layer(const fz_model *model);
FZ_API uint64_t fz_params_expert_layer(const fz_model *model);
FZ_API uint64_t fz_model_expert_layers(const fz_model *model);

/* ---- outside the layers --------------------------------------------------------------------------------- */

/* V h, and the position table. */
FZ_API uint64_t fz_params_embedding(const fz_model *model);
FZ_API uint64_t fz_params_final_norms(const fz_model *model);
/* V h where the head is untied, else 0. */
FZ_API uint64_t fz_params_head(const fz_model *model);

#ifdef __cplusplus
}
#endif
#endif
