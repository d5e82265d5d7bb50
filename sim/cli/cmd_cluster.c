/* frenzy cluster: checks a cluster file and says what is in it. */
#include <stdio.h>

#include <frenzy/units.h>

#include "sim/cli/commands.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"
#include "workloads/cluster_file.h"

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

static void type_print(const fz_cluster_spec *spec, uint32_t type)
{
    const fz_gpu_type *gpu = &spec->types[type];
    type_total total = total_of(spec, type);
    char size[32], rate[64];
    if (total.smallest == total.largest)
        snprintf(size, sizeof(size), "%u", total.largest);
    else
        snprintf(size, sizeof(size), "%u-%u", total.smallest, total.largest);
    if (gpu->flops_per_s > 0)
        snprintf(rate, sizeof(rate), "%8.1f (%s)", gpu->flops_per_s / 1e12,
                 fz_origin_name(gpu->flops_origin));
    else
        snprintf(rate, sizeof(rate), "%8s (opaque jobs only)", "-");
    printf("  %-18s %8u %10s %8u %10.1f  %s\n", gpu->name, total.nodes, size, total.gpus,
           (double)gpu->mem_bytes / (double)FZ_GIB, rate);
}

static void describe(const fz_cluster_file *file)
{
    const fz_cluster_spec *spec = &file->spec;
    printf("%s: %u GPUs in %u node%s, %u type%s\n\n", spec->name, gpus_of(spec), spec->n_nodes,
           spec->n_nodes == 1 ? "" : "s", spec->n_types, spec->n_types == 1 ? "" : "s");
    printf("  %-18s %8s %10s %8s %10s  %s\n", "GPU type", "nodes", "GPUs/node", "GPUs", "mem GiB",
           "16-bit TFLOP/s");
    for (uint32_t type = 0; type < spec->n_types; type++)
        type_print(spec, type);
    printf("\nsha256 %s\n", file->sha256);
}

static void describe_json(const fz_cluster_file *file)
{
    const fz_cluster_spec *spec = &file->spec;
    fz_json json = fz_json_start(stdout, "frenzy-cluster-1");
    fz_json_text(&json, "name", spec->name);
    fz_json_count(&json, "gpus", gpus_of(spec));
    fz_json_count(&json, "nodes", spec->n_nodes);
    fz_json_text(&json, "sha256", file->sha256);
    fz_json_open_list(&json, "gpu_types");
    for (uint32_t type = 0; type < spec->n_types; type++) {
        const fz_gpu_type *gpu = &spec->types[type];
        type_total total = total_of(spec, type);
        fz_json_open(&json, NULL);
        fz_json_text(&json, "name", gpu->name);
        if (gpu->catalog != NULL)
            fz_json_text(&json, "catalog", gpu->catalog);
        else
            fz_json_null(&json, "catalog");
        fz_json_count(&json, "nodes", total.nodes);
        fz_json_count(&json, "gpus", total.gpus);
        fz_json_count(&json, "mem_bytes", gpu->mem_bytes);
        fz_json_number(&json, "flops_per_s", gpu->flops_per_s);
        fz_json_text(&json, "flops_origin", fz_origin_name(gpu->flops_origin));
        fz_json_close(&json);
    }
    fz_json_close_list(&json);
    fz_json_text(&json, "note", file->note);
    fz_json_end(&json);
}

static int cluster_run(const fz_args *args)
{
    fz_cluster_file *file = NULL;
    fz_error err;
    if (fz_cluster_file_read(args->rest[0], &file, &err) != FZ_OK)
        return fz_say_input_error(&err);
    if (file->note[0] != '\0')
        fz_say_warning("%s: %s", file->path, file->note);
    if (fz_args_has(args, "json"))
        describe_json(file);
    else
        describe(file);
    fz_cluster_file_free(file);
    return FZ_EXIT_DONE;
}

const fz_command fz_command_cluster = {
    .name = "cluster",
    .summary = "check a cluster file and describe it",
    .arguments = "FILE [--json]",
    .examples = "  frenzy cluster sia-64\n  frenzy cluster my-cluster.yaml --json\n",
    .notes =
        "Bundled: small, workstation, sia-64, gavel-108, uniform-512, mixed-10k. The format is described in\n"
        "workloads/README.md.\n",
    .min_rest = 1,
    .max_rest = 1,
    .run = cluster_run,
};
