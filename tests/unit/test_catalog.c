#include <frenzy/units.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "workloads/cluster_file.h"

static void finds(const char *name, const char *expected)
{
    const fz_catalog_gpu *gpu = fz_catalog_find(name);
    CU_ASSERT_STRING_EQUAL(gpu != NULL ? gpu->name : "(unknown)", expected);
}

static void names_and_aliases(void)
{
    finds("A100-SXM4-80GB", "A100-SXM4-80GB");
    finds("a100", "A100-SXM4-80GB");
    finds("a100-80g", "A100-SXM4-80GB");
    finds("A100_80GB", "A100-SXM4-80GB");
    finds("a100 80 GB", "A100-SXM4-80GB"); /* blanks do not count */
    finds("NVIDIA A100-SXM4-40GB", "A100-SXM4-40GB");
    finds("a100-40", "A100-SXM4-40GB");
    finds("NVIDIA A100 80GB PCIe", "A100-PCIE-80GB");
    finds("a800-80gb", "A800-SXM4-80GB");
    finds("t4", "T4");
    finds("Tesla T4", "T4");
    finds("2080ti", "RTX 2080 Ti");
    finds("NVIDIA GeForce RTX 2080 Ti", "RTX 2080 Ti");
    finds("v100", "V100-SXM2-16GB");
    finds("v100-32g", "V100-SXM2-32GB");
    finds("V100M32", "V100-SXM2-32GB");
    finds("k80", "K80");
    finds("p100", "P100-PCIE-16GB");
    finds("a10", "A10");
    finds("A10G", "A10G"); /* no unit behind a size */
    finds("a10g-24gb", "A10G");
    finds("h100-80gb", "H100 SXM");
    finds("NVIDIA H100 80GB HBM3", "H100 SXM");
    finds("h100-96gb", "H100 SXM 96GB");
    finds("a6000-48gb", "RTX A6000");
    finds("rtx4090-24gb", "RTX 4090");
    finds("gb200", "GB200");
    finds("AMD Instinct MI300X", "MI300X");
}

static void unknown_names(void)
{
    static const char *const names[] = {
        "",
        "A101",
        "G2",
        "NVIDIA",
        "-80GB",
        "GPU-series-1",
        "a-name-much-longer-than-any-gpu-has-ever-had-in-the-whole-history-of-gpus"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CU_ASSERT_PTR_NULL(fz_catalog_find(names[i]));
    CU_ASSERT_STRING_EQUAL(fz_catalog_suggest("A100-SXM4-80G"), "A100-SXM4-80GB");
    CU_ASSERT_STRING_EQUAL(fz_catalog_suggest("v1000"), "v100");
    CU_ASSERT_PTR_NULL(fz_catalog_suggest("GPU-series-1"));
}

/* Usable memory in MiB, out of the specification: what CUDA reports, else the total less 1.5 %. */
static void usable_memory(void)
{
    CU_ASSERT_EQUAL(fz_catalog_find("a100-80")->mem_bytes, 81203 * FZ_MIB);
    CU_ASSERT_EQUAL(fz_catalog_find("a100-40")->mem_bytes, 40441 * FZ_MIB);
    CU_ASSERT_EQUAL(fz_catalog_find("t4")->mem_bytes, 15109 * FZ_MIB);
    CU_ASSERT_EQUAL(fz_catalog_find("h200")->mem_bytes, 143771 * FZ_MIB * 985 / 1000);
    CU_ASSERT_EQUAL(fz_catalog_find("MI325X")->mem_bytes, 0); /* total not known */
    CU_ASSERT_EQUAL(fz_catalog_find("mi250x")->mem_bytes, 65520 * FZ_MIB * 985 / 1000);
}

/* Which figure becomes the rate of a type, for each of the four cases of fz_gpu_rate(). */
static void rates(void)
{
    fz_gpu_type a100 = fz_catalog_gpu_type(fz_catalog_find("a100"), "big");
    CU_ASSERT_STRING_EQUAL(a100.name, "big");
    CU_ASSERT_STRING_EQUAL(a100.catalog, "A100-SXM4-80GB");
    CU_ASSERT_EQUAL(a100.flops_origin, FZ_ORIGIN_MEASURED);
    CU_ASSERT_DOUBLE_EQUAL(a100.flops_per_s, 258.74e12, 1e3);
    CU_ASSERT_EQUAL(a100.price_usd_per_h, 1.89);

    fz_gpu_type a10g = fz_catalog_gpu_type(fz_catalog_find("a10g"), "a10g"); /* bf16 only */
    CU_ASSERT_EQUAL(a10g.flops_origin, FZ_ORIGIN_MEASURED);
    CU_ASSERT_DOUBLE_EQUAL(a10g.flops_per_s, 69.7e12, 1e3);

    fz_gpu_type h800 = fz_catalog_gpu_type(fz_catalog_find("h800"), "h800"); /* data sheet only */
    CU_ASSERT_EQUAL(h800.flops_origin, FZ_ORIGIN_CATALOG);
    CU_ASSERT_DOUBLE_EQUAL(h800.flops_per_s, 0.79 * 989e12, 1e3);

    fz_gpu_type k80 = fz_catalog_gpu_type(fz_catalog_find("k80"), "k80"); /* no 16 bit at all */
    CU_ASSERT_EQUAL(k80.flops_origin, FZ_ORIGIN_CATALOG);
    CU_ASSERT_DOUBLE_EQUAL(k80.flops_per_s, 0.79 * 4.37e12, 1e3);
}

/* No name leads to another GPU, and every line makes sense. */
static void the_whole_catalog(void)
{
    uint32_t count;
    const fz_catalog_gpu *gpus = fz_catalog(&count);
    CU_ASSERT(count >= 52);
    for (uint32_t i = 0; i < count; i++) {
        CU_ASSERT_PTR_EQUAL(fz_catalog_find(gpus[i].name), &gpus[i]);
        char aliases[256];
        CU_ASSERT((size_t)snprintf(aliases, sizeof aliases, "%s", gpus[i].aliases) < sizeof aliases);
        char *rest = aliases;
        for (char *alias = strtok_r(rest, "|", &rest); alias != NULL; alias = strtok_r(NULL, "|", &rest))
            CU_ASSERT_PTR_EQUAL(fz_catalog_find(alias), &gpus[i]);
        CU_ASSERT(gpus[i].mem_nominal_gib > 0);
        CU_ASSERT((double)gpus[i].mem_bytes <= 1.03 * gpus[i].mem_nominal_gib * (double)FZ_GIB);
        CU_ASSERT(gpus[i].mem_bytes == 0 ||
                  (double)gpus[i].mem_bytes >= 0.9 * gpus[i].mem_nominal_gib * (double)FZ_GB);
        CU_ASSERT(gpus[i].mem_bw_bytes_per_s >= 1e11 && gpus[i].mem_bw_bytes_per_s < 1e13);
        CU_ASSERT(fz_catalog_gpu_type(&gpus[i], "x").flops_per_s > 1e12);
        CU_ASSERT(gpus[i].source[0] != '\0');
    }
}

int main(void)
{
    static const fz_test tests[] = {
        {"names and aliases", names_and_aliases}, {"unknown names", unknown_names},
        {"usable memory", usable_memory},         {"rates", rates},
        {"the whole catalog", the_whole_catalog},
    };
    return FZ_TEST_MAIN("catalog", tests);
}
