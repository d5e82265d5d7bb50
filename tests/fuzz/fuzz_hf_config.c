/* Any bytes as a Hugging Face config.json. */
#include <assert.h>
#include <string.h>

#include <frenzy/params.h>

#include "core/support/hf_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_model model = {0};
    fz_error err = {0};
    fz_arena *arena = fz_arena_new(NULL);
    if (arena == NULL)
        return 0;
    if (fz_hf_config_parse("fuzz", (const char *)data, size, arena, &model, &err) == FZ_OK) {
        assert(model.name != NULL && strlen(model.name) > 0);
        assert(model.layers > 0 && model.hidden > 0 && model.heads > 0 && model.ffn > 0 && model.norms > 0);
        assert(model.kv_heads > 0 && model.heads % model.kv_heads == 0 && model.head_dim > 0);
        assert(model.final_norms > 0 && model.experts_per_token <= model.experts);
        assert(fz_model_params(&model) <= (uint64_t)1 << 58);
        assert(fz_model_active_params(&model) <= fz_model_params(&model));
        assert((fz_model_active_params(&model) == fz_model_params(&model)) ==
               (fz_model_expert_layers(&model) == 0 || model.experts_per_token == model.experts));
    } else {
        assert(err.message[0] != '\0');
    }
    fz_arena_free(arena);
    return 0;
}
