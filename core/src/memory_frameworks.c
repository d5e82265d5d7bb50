/* Frameworks and what they do in their own way. */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include <frenzy/memory_terms.h>

/* Gradients in fp32 buffers, optimizer apart; fp16 keeps fp32 gradients beside its master copy. */
#define MEGATRON                                                                                             \
    .bf16_gradient = 4, .fp16_gradient = 2, .fp16_extra = 4, .zero3_states = 18, .fp8_copies = 2,            \
    .pads_vocab = true, .splits_models = true, .zero_most = 1
/* Shards in fp32: weight, gradient, two moments. */
#define FSDP      .bf16_gradient = 4, .fp16_gradient = 4, .zero3_states = 16, .fp8_copies = 0, .zero_most = 3
#define DEEPSPEED .bf16_gradient = 2, .fp16_gradient = 2, .fp16_extra = 4, .zero3_states = 18, .zero_most = 3
#define EAGER     .bf16_gradient = 4, .fp16_gradient = 4, .zero3_states = 16, .eager = true, .zero_most = 3

/* Sorted so that a more special name comes before a more general one: the first whose `pattern` is in the
 * name is taken. Patterns are in lower case, without anything but letters and digits. */
static const struct {
    const char *pattern;
    fz_memory_framework framework;
} frameworks[] = {
    {"megatroncoredev", {"megatron-core-dev", "megatron-core", {MEGATRON}}},
    {"megatroncorelts",
     {"megatron-core-lts", "megatron-core", {MEGATRON, .unfused_when_deterministic = true}}},
    {"megatroncore", {"megatron-core", "megatron-core", {MEGATRON}}},
    {"nemo", {"megatron-core", "megatron-core", {MEGATRON}}},
    {"megatrondeepspeed2021", {"megatron-deepspeed-2021", "megatron-deepspeed", {MEGATRON}}},
    {"megatrondeepspeed2022", {"megatron-deepspeed-2022", "megatron-deepspeed", {MEGATRON}}},
    {"megatrondeepspeed", {"megatron-deepspeed", "megatron-deepspeed", {MEGATRON}}},
    {"megatron", {"megatron-lm", "megatron-core", {MEGATRON}}},
    {"llmfoundry", {"llm-foundry", "torch-fsdp", {FSDP}}},
    {"composer", {"llm-foundry", "torch-fsdp", {FSDP}}},
    {"torchtitan", {"torchtitan", "torch-fsdp", {FSDP, .selects_operators = true, .splits_models = true}}},
    {"fsdp", {"torch-fsdp", "torch-fsdp", {FSDP}}},
    {"msswift", {"ms-swift", "transformers", {EAGER}}},
    {"transformersdeepspeed", {"transformers-deepspeed", "transformers", {DEEPSPEED, .eager = true}}},
    {"transformers", {"transformers", "transformers", {EAGER}}},
    {"xtuner", {"transformers", "transformers", {EAGER}}},
    {"llamafactory", {"transformers", "transformers", {EAGER}}},
    {"axolotl", {"transformers", "transformers", {EAGER}}},
    {"peft", {"transformers", "transformers", {EAGER}}},
    {"deepspeed", {"deepspeed", "deepspeed", {DEEPSPEED, .splits_models = true}}},
    {"litgpt8641822", {"litgpt-2023", "torch-native", {EAGER}}},
    {"litgpt", {"litgpt", "torch-native", {EAGER}}},
    {"torchtune", {"torchtune", "torch-native", {EAGER}}},
    {"torchnative", {"torch-native", "torch-native", {EAGER}}},
    {"internevo", {"internevo", "internevo", {DEEPSPEED, .splits_models = true}}},
    {"paddle", {"paddle", "paddle", {MEGATRON}}},
    {"alpa", {"alpa", "alpa", {DEEPSPEED, .splits_models = true}}},
};

#define N_FRAMEWORKS (sizeof frameworks / sizeof frameworks[0])

static const fz_memory_framework plain = {"all", "all", {FSDP, .splits_models = true}};

static void squeeze(const char *name, char *out, size_t size)
{
    size_t n = 0;
    for (; *name != '\0' && n + 1 < size; name++)
        if (isalnum((unsigned char)*name))
            out[n++] = (char)tolower((unsigned char)*name);
    out[n] = '\0';
}

const char *fz_memory_profile_find(const char *name)
{
    char text[128];
    squeeze(name, text, sizeof text);
    for (size_t i = 0; i < N_FRAMEWORKS; i++)
        if (strstr(text, frameworks[i].pattern) != NULL)
            return frameworks[i].framework.name;
    return NULL;
}

const char *fz_memory_profile_name(uint32_t index)
{
    for (size_t i = 0, n = 0; i < N_FRAMEWORKS; i++) {
        if (i > 0 && strcmp(frameworks[i].framework.name, frameworks[i - 1].framework.name) == 0)
            continue;
        if (n++ == index)
            return frameworks[i].framework.name;
    }
    return NULL;
}

const fz_memory_framework *fz_memory_framework_of(const char *profile)
{
    for (size_t i = 0; profile != NULL && i < N_FRAMEWORKS; i++)
        if (strcmp(frameworks[i].framework.name, profile) == 0)
            return &frameworks[i].framework;
    return &plain;
}
