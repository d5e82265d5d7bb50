#include "sim/cli/cluster_text.h"

#include <frenzy/units.h>

/* What a GPU type adds up to in a cluster. */
typedef struct type_total {
    uint32_t nodes, gpus, smallest, largest;
} type_total;

static type_total total_of(const fz_cluster_spec *spec, uint32_t type)
{
    type_total total = {.smallest = UINT32_MAX};
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        uint32_t gpus = spec->nodes[i].gpus;
        if (spec->nodes[i].type != type)
            continue;
        total.nodes++;
        total.gpus += gpus;
        total.smallest = gpus < total.smallest ? gpus : total.smallest;
        total.largest = gpus > total.largest ? gpus : total.largest;
    }
    return total;
}

static uint32_t gpus_of(const fz_cluster_spec *spec)
{
    uint32_t gpus = 0;
    for (uint32_t i = 0; i < spec->n_nodes; i++)
        gpus += spec->nodes[i].gpus;
    return gpus;
}

static void type_print(FILE *out, const fz_cluster_spec *spec, uint32_t type)
{
    const fz_gpu_type *gpu = &spec->types[type];
    type_total total = total_of(spec, type);
    char size[32], rate[64], memory[32] = "-";
    if (total.smallest == total.largest)
        snprintf(size, sizeof(size), "%u", total.largest);
    else
        snprintf(size, sizeof(size), "%u-%u", total.smallest, total.largest);
    if (gpu->flops_per_s > 0)
        snprintf(rate, sizeof(rate), "%8.1f (%s)", gpu->flops_per_s / 1e12,
                 fz_origin_name(gpu->flops_origin));
    else
        snprintf(rate, sizeof(rate), "%8s (opaque jobs only)", "-");
    if (gpu->mem_bytes > 0)
        snprintf(memory, sizeof(memory), "%.1f", (double)gpu->mem_bytes / (double)FZ_GIB);
    fprintf(out, "  %-18s %8u %10s %8u %10s  %s\n", gpu->name, total.nodes, size, total.gpus, memory, rate);
}

void fz_cluster_describe(FILE *out, const fz_cluster_file *file)
{
    const fz_cluster_spec *spec = &file->spec;
    fprintf(out, "%s: %u GPUs in %u node%s, %u type%s\n\n", spec->name, gpus_of(spec), spec->n_nodes,
            spec->n_nodes == 1 ? "" : "s", spec->n_types, spec->n_types == 1 ? "" : "s");
    fprintf(out, "  %-18s %8s %10s %8s %10s  %s\n", "GPU type", "nodes", "GPUs/node", "GPUs", "mem GiB",
            "16-bit TFLOP/s");
    for (uint32_t type = 0; type < spec->n_types; type++)
        type_print(out, spec, type);
    fprintf(out, "\nsha256 %s\n", file->sha256);
}

void fz_cluster_json(fz_json *json, const fz_cluster_file *file)
{
    const fz_cluster_spec *spec = &file->spec;
    fz_json_text(json, "name", spec->name);
    fz_json_count(json, "gpus", gpus_of(spec));
    fz_json_count(json, "nodes", spec->n_nodes);
    fz_json_text(json, "sha256", file->sha256);
    fz_json_open_list(json, "gpu_types");
    for (uint32_t type = 0; type < spec->n_types; type++) {
        const fz_gpu_type *gpu = &spec->types[type];
        type_total total = total_of(spec, type);
        fz_json_open(json, NULL);
        fz_json_text(json, "name", gpu->name);
        if (gpu->catalog != NULL)
            fz_json_text(json, "catalog", gpu->catalog);
        else
            fz_json_null(json, "catalog");
        fz_json_count(json, "nodes", total.nodes);
        fz_json_count(json, "gpus", total.gpus);
        if (gpu->mem_bytes > 0)
            fz_json_count(json, "mem_bytes", gpu->mem_bytes);
        else
            fz_json_null(json, "mem_bytes");
        fz_json_number(json, "flops_per_s", gpu->flops_per_s);
        fz_json_text(json, "flops_origin", fz_origin_name(gpu->flops_origin));
        fz_json_close(json);
    }
    fz_json_close_list(json);
    fz_json_text(json, "note", file->note);
}
