#include "workloads/generate/mix.h"

const fz_mix_model fz_mix_models[] = {
    {"gpt2", 124e6, 20, {256, 512, 1024}, {8, 16, 32}},
    {"gpt2-medium", 355e6, 14, {256, 512, 1024}, {4, 8, 16}},
    {"gpt2-large", 774e6, 12, {256, 512, 1024}, {2, 4, 8}},
    {"gpt2-xl", 1558e6, 10, {256, 512, 1024}, {1, 2, 4}},
    {"bert-base", 110e6, 14, {128, 256, 512}, {8, 16, 32}},
    {"bert-large", 340e6, 10, {128, 256, 512}, {4, 8, 16}},
    {"llama-2-7b", 6738e6, 7, {512, 1024, 2048}, {1, 2, 4}},
    {"mistral-7b", 7242e6, 4, {512, 1024, 2048}, {1, 2, 4}},
    {"llama-3-8b", 8030e6, 4, {512, 1024, 2048}, {1, 2, 4}},
    {"llama-2-13b", 13016e6, 5, {256, 512, 1024}, {1, 2, 4}},
};

const uint32_t fz_mix_n_models = sizeof fz_mix_models / sizeof *fz_mix_models;
