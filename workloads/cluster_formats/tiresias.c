/* Tiresias' clusters: `num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node`, one row: equal
 * switches with equal nodes. GPUs are not named. */
#include <stdio.h>

#include "workloads/cluster_formats/formats.h"

enum { NUM_SWITCH, NODES, GPUS, CPUS, MEM, N_COLUMNS, MAX_SWITCHES = 9000, MAX_NODES = 1 << 20 };
static const char *const names[N_COLUMNS] = {"num_switch", "num_node_p_switch", "num_gpu_p_node",
                                             "num_cpu_p_node", "mem_p_node"};

static fz_status count(fz_cluster_table *t, uint32_t which, uint64_t max, uint64_t *out, fz_error *err)
{
    FZ_TRY(fz_csv_count(t->csv, t->cells[which], names[which], max, out, err));
    if (*out > 0 || which == CPUS)
        return FZ_OK;
    return fz_csv_fail(t->csv, t->cells[which], err, "%s is 0; at least 1 is expected", names[which]);
}

static fz_status read_row(fz_cluster_table *t, fz_error *err)
{
    uint64_t switches = 0, nodes = 0, gpus = 0, cpus = 0;
    char id[32];
    FZ_TRY(count(t, NUM_SWITCH, MAX_SWITCHES, &switches, err));
    FZ_TRY(count(t, NODES, MAX_NODES, &nodes, err));
    FZ_TRY(count(t, GPUS, FZ_CLUSTER_MAX_GPUS, &gpus, err));
    FZ_TRY(count(t, CPUS, UINT32_MAX, &cpus, err));
    fz_draft_shape shape = fz_draft_shape_of(t->source->gpu != NULL ? t->source->gpu : "GPU", (uint32_t)gpus);
    shape.cpus = (double)cpus;
    FZ_TRY(fz_csv_number(t->csv, t->cells[MEM], names[MEM], &shape.mem_gib, err));
    if (shape.mem_gib < 0)
        return fz_csv_fail(t->csv, t->cells[MEM], err, "mem_p_node must not be negative");
    FZ_TRY(fz_draft_switch(t->draft, "core", NULL, err));
    for (uint64_t i = 0; i < switches; i++) {
        (void)snprintf(id, sizeof id, "switch-%u", (unsigned)i);
        FZ_TRY(fz_draft_switch(t->draft, id, "core", err));
        FZ_TRY(fz_draft_nodes(t->draft, &shape, (uint32_t)nodes, id, err));
    }
    return FZ_OK;
}

static fz_status tiresias_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    if (source->gpu == NULL)
        FZ_TRY(fz_draft_note(draft, "the file does not name the GPUs", err));
    return fz_cluster_table_read(source, draft, names, N_COLUMNS, false, read_row, err);
}

const fz_cluster_format fz_cluster_tiresias = {
    .name = "tiresias",
    .summary = "Tiresias' clusters (num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node)",
    .max_paths = 1,
    .takes_gpu = true,
    .read = tiresias_read,
};
