#include "calib/groundtruth/row_options.h"

#include <stdlib.h>
#include <string.h>

#include <frenzy/memory_terms.h>

#include "calib/groundtruth/row_fields.h"

uint64_t fz_row_option_count(const char *other, const char *key)
{
    char value[32];
    const char *text = fz_row_option(other, key, value, sizeof value);
    uint64_t count = text != NULL ? strtoull(text, NULL, 10) : 0;
    return count < UINT32_MAX ? count : UINT32_MAX;
}

bool fz_row_option_on(const char *other, const char *key)
{
    char value[32];
    const char *text = fz_row_option(other, key, value, sizeof value);
    return text != NULL && strcmp(text, "false") != 0;
}

/* Keys with such words change the architecture in a way that fz_model cannot say. */
const char *fz_row_strange_key(const char *other)
{
    static const char *const words[] = {"hybrid", "mamba",  "encoder-",        "vision",
                                        "retro",  "window", "linear-attention"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(other, words[i]) != NULL)
            return words[i];
    return NULL;
}

/* "([0]*3+[1]*13)": the first three layers are dense. */
uint64_t fz_row_dense_layers(const char *other)
{
    char value[64];
    const char *text = fz_row_option(other, "moe-layer-freq", value, sizeof value);
    const char *zeros = text != NULL ? strstr(text, "[0]*") : NULL;
    return zeros != NULL ? strtoull(zeros + 4, NULL, 10) : 0;
}

/* Megatron's own layers, not Transformer Engine's: no flash attention, whatever else is said. */
bool fz_row_is_local(const char *other)
{
    char value[32];
    const char *text = fz_row_option(other, "transformer-impl", value, sizeof value);
    return text != NULL && strcmp(text, "local") == 0;
}

/* Megatron's default unless it is set to zero. */
bool fz_row_has_dropout(const fz_run_row *row, const char *other)
{
    char value[32];
    const char *text = fz_row_option(other, "hidden-dropout", value, sizeof value);
    return fz_memory_framework_of(row->run.profile)->traits.pads_vocab &&
           (text == NULL || strtod(text, NULL) > 0);
}

bool fz_row_flash_ruled_out(const fz_run_row *row, const char *other)
{
    return fz_memory_framework_of(row->run.profile)->traits.unfused_when_deterministic && row->run.dropout &&
           fz_row_option_on(other, "deterministic-mode");
}

uint32_t fz_row_dropped_parts(const char *other)
{
    static const struct {
        const char *word;
        uint32_t part;
    } parts[] = {{"core_attn", FZ_DROP_CORE},
                 {"layernorm", FZ_DROP_NORMS},
                 {" mlp ", FZ_DROP_MLP},
                 {"moe_act", FZ_DROP_EXPERT_ACTIVATION},
                 {"mla_up_proj", FZ_DROP_LATENT_PROJECTIONS}};
    char value[128];
    uint32_t dropped = 0;
    const char *text = fz_row_option(other, "recompute-modules", value, sizeof value);
    for (size_t i = 0; text != NULL && i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(text, parts[i].word) != NULL)
            dropped |= parts[i].part;
    return dropped;
}
