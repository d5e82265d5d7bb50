/* Alibaba spot GPU trace 2026, nodes: `gpu_model,gpu_capacity_num,cpu_num,node_name`. Their memory is not known;
 * GPU-series-1 and -2 are GPUs that Alibaba does not name. */
#include "workloads/cluster_formats/formats.h"

enum { GPU_MODEL, GPU_CAPACITY, CPU_NUM, NODE_NAME, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"gpu_model", "gpu_capacity_num", "cpu_num", "node_name"};

static fz_status read_row(fz_cluster_table *t, fz_error *err)
{
    uint64_t gpus = 0, cpus = 0;
    FZ_TRY(fz_csv_count(t->csv, t->cells[GPU_CAPACITY], "gpu_capacity_num", FZ_CLUSTER_MAX_GPUS, &gpus, err));
    FZ_TRY(fz_csv_count(t->csv, t->cells[CPU_NUM], "cpu_num", UINT32_MAX, &cpus, err));
    if (gpus > 0 && t->cells[GPU_MODEL]->length == 0)
        return fz_csv_fail(t->csv, t->cells[GPU_MODEL], err, "gpu_model is empty, but the node has GPUs");
    fz_draft_shape shape = fz_draft_shape_of(t->cells[GPU_MODEL]->text, (uint32_t)gpus);
    shape.cpus = (double)cpus;
    return fz_draft_node(t->draft, &shape, t->cells[NODE_NAME]->text, NULL, err);
}

static fz_status spot2026_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    return fz_cluster_table_read(source, draft, names, N_COLUMNS, false, read_row, err);
}

const fz_cluster_format fz_cluster_spot2026 = {
    .name = "spot2026",
    .summary = "Alibaba spot GPU trace 2026, nodes (gpu_model,gpu_capacity_num,cpu_num,node_name)",
    .max_paths = 1,
    .read = spot2026_read,
};
