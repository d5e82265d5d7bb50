#include <stdbool.h>
#include <string.h>

#include "core/support/suggest.h"
#include "workloads/catalog_data.h"
#include "workloads/cluster_file.h"

enum { KEY_SIZE = 64 }; /* longer names are in no catalog */

const fz_catalog_gpu *fz_catalog(uint32_t *count)
{
    *count = fz_catalog_n_gpus;
    return fz_catalog_gpus;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_separator(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c;
}

/* The name without "G", "GB" or "GiB" where it ends in a separator, digits and one of these. */
static size_t length_without_unit(const char *name)
{
    size_t length = strlen(name), end = length;
    if (end > 0 && lower(name[end - 1]) == 'b')
        end--;
    if (end > 0 && end < length && lower(name[end - 1]) == 'i')
        end--;
    if (end == 0 || lower(name[end - 1]) != 'g')
        return length;
    end--;
    while (end > 0 && is_separator(name[end - 1]))
        end--;
    size_t digits = end;
    while (digits > 0 && is_digit(name[digits - 1]))
        digits--;
    return digits < end && digits > 0 && is_separator(name[digits - 1]) ? end : length;
}

static const char *without_maker(const char *key)
{
    static const char *const words[] = {"nvidia", "tesla", "geforce", "amd", "instinct", "intel"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(key, words[i], length) == 0)
            key += length;
    }
    return key;
}

/* What counts of a name: lower case, no separators, no unit, no maker. Empty when it is too long. */
static const char *key_of(const char *name, char key[KEY_SIZE])
{
    size_t length = length_without_unit(name), n = 0;
    for (size_t i = 0; i < length && n < KEY_SIZE; i++)
        if (!is_separator(name[i]))
            key[n++] = lower(name[i]);
    key[n < KEY_SIZE ? n : 0] = '\0';
    return without_maker(key);
}

const fz_catalog_gpu *fz_catalog_find(const char *name)
{
    char wanted_key[KEY_SIZE], key[KEY_SIZE];
    const char *wanted = key_of(name, wanted_key);
    for (uint32_t i = 0; i < fz_catalog_n_names; i++)
        if (strcmp(key_of(fz_catalog_names[i], key), wanted) == 0)
            return &fz_catalog_gpus[fz_catalog_name_gpu[i]];
    return NULL;
}

const char *fz_catalog_suggest(const char *name)
{
    return fz_suggest(name, fz_catalog_names, fz_catalog_n_names);
}

fz_gpu_type fz_catalog_gpu_type(const fz_catalog_gpu *gpu, const char *name)
{
    fz_gpu_type type = {
        .name = name,
        .catalog = gpu->name,
        .mem_bytes = gpu->mem_bytes,
        .price_usd_per_h = gpu->price_usd_per_h,
        .peak_matrix_flops = gpu->rates.peak_fp16_tflops * 1e12,
        .mem_bandwidth = gpu->mem_bw_bytes_per_s,
        .compute_capability = gpu->rates.compute_capability,
    };
    type.flops_per_s = fz_gpu_rate(&gpu->rates, &type.flops_origin);
    return type;
}
