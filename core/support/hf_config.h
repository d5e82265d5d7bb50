/* Model descriptions: Hugging Face config.json files, read through jansson into fz_model.
 *
 * A byte order mark is skipped; the bare tokens Infinity, -Infinity and NaN outside strings count as
 * null; whole numbers beyond 64 bits are read as floating point. jansson keeps no positions of values, so
 * errors about a value name its key path ("text_config.hidden_size"); syntax errors name line and column.
 *
 * Known model_type: hf/README.md lists them. Any other is read by the usual keys hidden_size,
 * num_hidden_layers, num_attention_heads, intermediate_size, vocab_size, and either
 * rms_norm_eps with hidden_act silu (a gated MLP, no biases) or layer_norm_eps with another hidden_act (a plain
 * MLP, biases). A config whose sizes stand in `text_config` is read there.
 * Refused (FZ_EUNSUPPORTED, with the key): what fz_model cannot describe, such as layers with and without
 * experts in turn, and encoder-decoder models; missing usual keys of an unknown model_type. FZ_EPARSE: no
 * JSON, a missing or bad value of a known model_type, a size of 0 or above 2^32, heads that do not divide,
 * more than 2^58 parameters. FZ_EIO: cannot be read, above 16 MiB. */
#ifndef FRENZY_SUPPORT_HF_CONFIG_H
#define FRENZY_SUPPORT_HF_CONFIG_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/model.h>
#include <frenzy/status.h>

/* Reads and completes a model. `path` is a config.json, or a folder that holds one. The name is
 * _name_or_path, else the folder's name, or the file's where it is not config.json. Texts live in `arena`. */
fz_status fz_hf_config_read(const char *path, fz_arena *arena, fz_model *out, fz_error *err);

/* The same out of memory, for configs that are compiled in; `name` stands for the path in messages and
 * names the model where the text does not. */
fz_status fz_hf_config_parse(const char *name, const char *text, uint64_t length, fz_arena *arena,
                             fz_model *out, fz_error *err);

#endif
