#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/support/hf_private.h"

#define LARGEST ((uint64_t)1 << 32) /* as in fz_model_complete() */

/* How a family names its sizes (NULL: it has no such key) and what its layers are made of. */
typedef struct family {
    const char *model_type;
    const char *layers, *hidden, *heads, *kv_heads, *head_dim, *ffn, *vocab, *max_seq;
    uint64_t norms;
    bool gated, biases, learned_positions;
    bool ffn_optional; /* absent: 4 * hidden */
    bool untied;       /* where tie_word_embeddings is not given */
} family;

#define GENERIC_KEYS                                                                                         \
    .layers = "num_hidden_layers", .hidden = "hidden_size", .heads = "num_attention_heads",                  \
    .kv_heads = "num_key_value_heads", .head_dim = "head_dim", .ffn = "intermediate_size",                   \
    .vocab = "vocab_size", .max_seq = "max_position_embeddings"

static const family families[] = {
    {.model_type = "gpt2",
     .layers = "n_layer",
     .hidden = "n_embd",
     .heads = "n_head",
     .ffn = "n_inner",
     .vocab = "vocab_size",
     .max_seq = "n_positions",
     .norms = 4,
     .biases = true,
     .learned_positions = true,
     .ffn_optional = true},
    {.model_type = "bert",
     .layers = "num_hidden_layers",
     .hidden = "hidden_size",
     .heads = "num_attention_heads",
     .ffn = "intermediate_size",
     .vocab = "vocab_size",
     .max_seq = "max_position_embeddings",
     .norms = 4,
     .biases = true,
     .learned_positions = true},
    {.model_type = "llama", GENERIC_KEYS, .norms = 2, .gated = true, .untied = true},
    {.model_type = "mistral", GENERIC_KEYS, .norms = 2, .gated = true, .untied = true},
};

/* The object that holds the sizes, and how to name its keys. */
typedef struct reader {
    const char *path;
    const json_t *object;
    const char *prefix; /* "" or "text_config." */
    const char *model_type;
} reader;

static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    case JSON_INTEGER:
    case JSON_REAL:
        break;
    }
    return "a number";
}

/* NULL when absent or null. */
static const json_t *get(const reader *r, const char *key)
{
    const json_t *value = key != NULL ? json_object_get(r->object, key) : NULL;
    return json_is_null(value) ? NULL : value;
}

static fz_status bad_size(const reader *r, const char *key, const char *found, fz_error *err)
{
    return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0,
                      "key '%s%s' is %s; a whole number of 1 to 2^32 is expected", r->prefix, key, found);
}

static fz_status size_of(const reader *r, const char *key, uint64_t *out, fz_error *err)
{
    const json_t *value = get(r, key);
    char text[40];
    if (value == NULL)
        return FZ_OK;
    if (!json_is_number(value))
        return bad_size(r, key, kind_of(value), err);
    double number = json_number_value(value);
    (void)snprintf(text, sizeof text, "%.17g", number);
    if (!(number >= 1 && number <= (double)LARGEST) || number != floor(number))
        return bad_size(r, key, text, err);
    *out = (uint64_t)number;
    return FZ_OK;
}

static fz_status flag_of(const reader *r, const char *key, bool *out, fz_error *err)
{
    const json_t *value = get(r, key);
    if (value == NULL)
        return FZ_OK;
    if (!json_is_boolean(value))
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0, "key '%s%s' is %s; true or false is expected",
                          r->prefix, key, kind_of(value));
    *out = json_is_true(value);
    return FZ_OK;
}

static fz_status text_of(const reader *r, const char *key, const char **out, fz_error *err)
{
    const json_t *value = get(r, key);
    if (value == NULL)
        return FZ_OK;
    if (!json_is_string(value))
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0, "key '%s%s' is %s; a text is expected", r->prefix,
                          key, kind_of(value));
    *out = json_string_value(value);
    return FZ_OK;
}

/* ---- what is missing ------------------------------------------------------------------------------------ */

static fz_status check_present(const reader *r, const char *const *keys, size_t n, fz_status status,
                               fz_error *err)
{
    char missing[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (keys[i] != NULL && get(r, keys[i]) == NULL && used < sizeof missing)
            used += (size_t)snprintf(missing + used, sizeof missing - used, "%s'%s%s'", used > 0 ? ", " : "",
                                     r->prefix, keys[i]);
    if (used == 0)
        return FZ_OK;
    return fz_fail_at(err, status, r->path, 0, 0, "model_type '%.60s' needs %s, not in the file",
                      r->model_type, missing);
}

/* Shapes that fz_model cannot describe; a wrong number would be worse than none. */
static fz_status check_supported(const reader *r, fz_error *err)
{
    static const struct {
        const char *key, *what;
    } refused[] = {
        {"num_local_experts", "mixtures of experts"}, {"num_experts", "mixtures of experts"},
        {"n_routed_experts", "mixtures of experts"},  {"moe_num_experts", "mixtures of experts"},
        {"kv_lora_rank", "latent attention"},
    };
    bool encoder_decoder = false;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (get(r, refused[i].key) != NULL)
            return fz_fail_at(err, FZ_EUNSUPPORTED, r->path, 0, 0, "%s (key '%s%s') are not supported",
                              refused[i].what, r->prefix, refused[i].key);
    FZ_TRY(flag_of(r, "is_encoder_decoder", &encoder_decoder, err));
    if (encoder_decoder)
        return fz_fail_at(err, FZ_EUNSUPPORTED, r->path, 0, 0,
                          "encoder-decoder models (key '%sis_encoder_decoder') are not supported", r->prefix);
    return FZ_OK;
}

/* ---- families ------------------------------------------------------------------------------------------- */

/* Any other model_type, by the keys it has. Transformers ties the head unless told otherwise. */
static fz_status generic_family(const reader *r, family *out, fz_error *err)
{
    static const char *const needed[] = {"num_hidden_layers", "hidden_size", "num_attention_heads",
                                         "intermediate_size", "vocab_size",  "hidden_act"};
    const char *activation = "";
    bool rms = get(r, "rms_norm_eps") != NULL;
    FZ_TRY(check_present(r, needed, sizeof needed / sizeof needed[0], FZ_EUNSUPPORTED, err));
    if (!rms && get(r, "layer_norm_eps") == NULL)
        return fz_fail_at(err, FZ_EUNSUPPORTED, r->path, 0, 0,
                          "model_type '%.60s' needs '%srms_norm_eps' or '%slayer_norm_eps', not in the file",
                          r->model_type, r->prefix, r->prefix);
    FZ_TRY(text_of(r, "hidden_act", &activation, err));
    bool gated = strcmp(activation, "silu") == 0 || strcmp(activation, "swiglu") == 0;
    if (gated != rms)
        return fz_fail_at(
            err, FZ_EUNSUPPORTED, r->path, 0, 0,
            "model_type '%.60s' with '%shidden_act' '%.30s' and %s: whether its MLP is gated is not known",
            r->model_type, r->prefix, activation, rms ? "RMS norms" : "layer norms");
    *out = (family){.model_type = r->model_type, GENERIC_KEYS};
    out->norms = rms ? 2 : 4;
    out->gated = gated;
    out->biases = !rms;
    out->learned_positions = !rms && get(r, "rope_theta") == NULL && get(r, "rotary_pct") == NULL;
    return FZ_OK;
}

static fz_status find_family(const reader *r, family *out, fz_error *err)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].model_type, r->model_type) == 0) {
            *out = families[i];
            return FZ_OK;
        }
    return generic_family(r, out, err);
}

static fz_status read_sizes(const reader *r, const family *f, fz_model *model, fz_error *err)
{
    const char *const needed[] = {f->layers,
                                  f->hidden,
                                  f->heads,
                                  f->vocab,
                                  f->ffn_optional ? NULL : f->ffn,
                                  f->learned_positions ? f->max_seq : NULL};
    FZ_TRY(check_present(r, needed, sizeof needed / sizeof needed[0], FZ_EPARSE, err));
    FZ_TRY(size_of(r, f->layers, &model->layers, err));
    FZ_TRY(size_of(r, f->hidden, &model->hidden, err));
    FZ_TRY(size_of(r, f->heads, &model->heads, err));
    FZ_TRY(size_of(r, f->kv_heads, &model->kv_heads, err));
    FZ_TRY(size_of(r, f->head_dim, &model->head_dim, err));
    FZ_TRY(size_of(r, f->ffn, &model->ffn, err));
    FZ_TRY(size_of(r, f->vocab, &model->vocab, err));
    FZ_TRY(size_of(r, f->max_seq, &model->max_seq, err));
    model->positions = f->learned_positions ? model->max_seq : 0;
    return FZ_OK;
}

static fz_status check_heads(const reader *r, const family *f, const fz_model *model, fz_error *err)
{
    if (model->head_dim == 0 && model->hidden % model->heads != 0)
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0,
                          "key '%s%s' is %llu, which %llu heads ('%s%s') do not divide", r->prefix, f->hidden,
                          (unsigned long long)model->hidden, (unsigned long long)model->heads, r->prefix,
                          f->heads);
    if (model->kv_heads != 0 && model->heads % model->kv_heads != 0)
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0,
                          "key '%s%s' is %llu, which does not divide the %llu of '%s%s'", r->prefix,
                          f->kv_heads, (unsigned long long)model->kv_heads, (unsigned long long)model->heads,
                          r->prefix, f->heads);
    return FZ_OK;
}

static fz_status read_flags(const reader *r, const family *f, fz_model *model, fz_error *err)
{
    bool tied = !f->untied;
    model->norms = f->norms;
    model->gated_mlp = f->gated;
    model->attention_bias = model->mlp_bias = f->biases;
    FZ_TRY(flag_of(r, "attention_bias", &model->attention_bias, err));
    FZ_TRY(flag_of(r, "mlp_bias", &model->mlp_bias, err));
    FZ_TRY(flag_of(r, "tie_word_embeddings", &tied, err));
    model->untied_head = !tied;
    return FZ_OK;
}

fz_status fz_hf_model(const char *path, const json_t *root, fz_model *out, fz_error *err)
{
    reader r = {path, root, "", "(none)"};
    family f = {.model_type = NULL};
    if (!json_is_object(root))
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0,
                          "the file holds %s; an object with the keys of a model is expected", kind_of(root));
    const json_t *inner = json_object_get(root, "text_config");
    if (json_is_object(inner) && json_object_get(root, "hidden_size") == NULL)
        r = (reader){path, inner, "text_config.", "(none)"};
    FZ_TRY(text_of(&r, "model_type", &r.model_type, err));
    FZ_TRY(check_supported(&r, err));
    FZ_TRY(find_family(&r, &f, err));
    FZ_TRY(read_sizes(&r, &f, out, err));
    FZ_TRY(check_heads(&r, &f, out, err));
    return read_flags(&r, &f, out, err);
}
