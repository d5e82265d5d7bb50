/* What the files of this folder share: JSON keys of one config into fields of fz_model.
 *
 * A family is a row of the table in families.c: a model_type, the function that reads it, and traits, which
 * say where the function's families differ. Functions leave fields alone that fz_model_complete() fills. */
#ifndef FRENZY_SUPPORT_HF_H
#define FRENZY_SUPPORT_HF_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <frenzy/model.h>
#include <frenzy/status.h>

/* Where the families of one reading function differ. */
typedef enum fz_hf_trait {
    FZ_HF_UNTIED = 1 << 0,          /* where tie_word_embeddings is not given */
    FZ_HF_KV_NEEDED = 1 << 1,       /* num_key_value_heads has a default that is not the number of heads */
    FZ_HF_HEAD_DIM_NEEDED = 1 << 2, /* likewise head_dim */
    FZ_HF_QKV_BIAS = 1 << 3,        /* biases on q, k, v */
    FZ_HF_BIAS_KEY = 1 << 4,        /* "attention_bias" counts, on q, k, v, o */
    FZ_HF_MLP_BIAS_KEY = 1 << 5,    /* "mlp_bias" counts */
    FZ_HF_HEAD_NORMS = 1 << 6,      /* norms on q and k */
    FZ_HF_FOUR_NORMS = 1 << 7,      /* RMS norms before and after attention and MLP */
    FZ_HF_ROUTER_BIAS = 1 << 8,
} fz_hf_trait;

/* The object that holds the sizes, and how to name its keys. */
typedef struct fz_hf_reader {
    const char *path;
    const json_t *object;
    const char *prefix; /* "", "text_config.", ... */
    const char *model_type;
    unsigned traits; /* fz_hf_trait */
} fz_hf_reader;

/* All fields but the name. */
fz_status fz_hf_model(const char *path, const json_t *root, fz_model *out, fz_error *err);

/* ---- single keys: keys.c -------------------------------------------------------------------------------- */

/* NULL when absent or null; `key` may be NULL. */
const json_t *fz_hf_get(const fz_hf_reader *r, const char *key);

/* These leave *out alone when the key is absent or null. A size is 1 to 2^32, a count 0 to 2^32. */
fz_status fz_hf_size(const fz_hf_reader *r, const char *key, uint64_t *out, fz_error *err);
fz_status fz_hf_count(const fz_hf_reader *r, const char *key, uint64_t *out, fz_error *err);
fz_status fz_hf_flag(const fz_hf_reader *r, const char *key, bool *out, fz_error *err);
fz_status fz_hf_text(const fz_hf_reader *r, const char *key, const char **out, fz_error *err);

/* `status` with the names of all that are absent; NULLs among `keys` are skipped. */
fz_status fz_hf_present(const fz_hf_reader *r, const char *const *keys, size_t n, fz_status status,
                        fz_error *err);

/* The keys of an object inside, e.g. "attn_config."; without such an object *out has no keys. `prefix` ends
 * with a dot and must live as long as *out. */
fz_status fz_hf_inside(const fz_hf_reader *r, const char *key, const char *prefix, fz_hf_reader *out,
                       fz_error *err);

/* FZ_EUNSUPPORTED "key 'K' is VALUE: why", for shapes that fz_model cannot describe. */
fz_status fz_hf_refuse(const fz_hf_reader *r, const char *key, const char *why, fz_error *err);
/* That, when the flag is there and has this value. */
fz_status fz_hf_refuse_flag(const fz_hf_reader *r, const char *key, bool value, const char *why,
                            fz_error *err);

/* FZ_EPARSE when `value`, of `key`, is above `limit`, the value of the key `of`. */
fz_status fz_hf_at_most(const fz_hf_reader *r, const char *key, uint64_t value, const char *of,
                        uint64_t limit, fz_error *err);

/* "an object", "a list", ...; for messages */
const char *fz_hf_kind(const json_t *value);

/* ---- the sizes that all have: shape.c ------------------------------------------------------------------- */

/* How a family names its sizes; NULL: it has no such key. */
typedef struct fz_hf_names {
    const char *layers, *hidden, *heads, *vocab; /* needed */
    const char *ffn, *kv_heads, *head_dim, *max_seq;
    bool ffn_optional; /* absent: 4 * hidden */
    bool kv_needed, head_dim_needed, max_seq_needed;
} fz_hf_names;

#define FZ_HF_USUAL_NAMES                                                                                    \
    .layers = "num_hidden_layers", .hidden = "hidden_size", .heads = "num_attention_heads",                  \
    .vocab = "vocab_size", .ffn = "intermediate_size", .max_seq = "max_position_embeddings"

/* Reads them; FZ_EPARSE when one is missing or heads do not divide. */
fz_status fz_hf_shape(const fz_hf_reader *r, const fz_hf_names *names, fz_model *m, fz_error *err);

/* tie_word_embeddings, or the trait FZ_HF_UNTIED */
fz_status fz_hf_head(const fz_hf_reader *r, fz_model *m, fz_error *err);

/* How a family names what describes its experts. */
typedef struct fz_hf_expert_names {
    const char *experts, *per_token, *ffn;
} fz_hf_expert_names;

/* Reads them, all needed. */
fz_status fz_hf_experts(const fz_hf_reader *r, const fz_hf_expert_names *names, fz_model *m, fz_error *err);

/* ---- families ------------------------------------------------------------------------------------------- */

typedef fz_status fz_hf_read(const fz_hf_reader *r, fz_model *m, fz_error *err);

fz_hf_read fz_hf_decoder, fz_hf_mixtral, fz_hf_qwen2_moe, fz_hf_qwen3_moe; /* decoder.c, experts.c */
fz_hf_read fz_hf_deepseek;
fz_hf_read fz_hf_gpt2, fz_hf_gpt_neox, fz_hf_opt, fz_hf_bloom, fz_hf_phi; /* gpt.c */
fz_hf_read fz_hf_falcon, fz_hf_mpt;
fz_hf_read fz_hf_bert;
fz_hf_read fz_hf_generic;

#endif
