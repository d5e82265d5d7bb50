/* Model descriptions: Hugging Face config.json files, read through jansson into fz_model.
 *
 * A byte order mark is skipped; the bare tokens Infinity, -Infinity and NaN outside strings count as
 * null. jansson keeps no positions of values, so errors about a value name its key; syntax errors name
 * line and column. */
#ifndef FRENZY_SUPPORT_HF_CONFIG_H
#define FRENZY_SUPPORT_HF_CONFIG_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/model.h>
#include <frenzy/status.h>

/* Reads and completes a model. `path` is a config.json, or a folder that holds one. Understood
 * model_type: gpt2, llama, mistral, bert; any other needs generic fields (num_hidden_layers,
 * hidden_size, num_attention_heads, intermediate_size, vocab_size) or is FZ_EUNSUPPORTED with the
 * missing ones. The name is _name_or_path, else the folder's or file's name. Texts live in `arena`. */
fz_status fz_hf_config_read(const char *path, fz_arena *arena, fz_model *out, fz_error *err);

/* The same out of memory, for configs that are compiled in; `name` stands for the path in messages and
 * names the model where the text does not. */
fz_status fz_hf_config_parse(const char *name, const char *text, uint64_t length, fz_arena *arena,
                             fz_model *out, fz_error *err);

#endif
