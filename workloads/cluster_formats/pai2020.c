/* Alibaba PAI 2020, machines: `machine,gpu_type,cap_cpu,cap_mem,cap_gpu`, published without a header line: the first
 * line is a machine. CPU machines have no GPU; MISC are older GPUs of several kinds. cap_mem is taken for GiB: sizes
 * such as 512 are those of memory modules. */
#include <string.h>

#include "workloads/cluster_formats/formats.h"

enum { MACHINE, GPU_TYPE, CAP_CPU, CAP_MEM, CAP_GPU, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu"};

static fz_status read_row(fz_cluster_table *t, fz_error *err)
{
    uint64_t gpus = 0;
    fz_draft_shape shape = fz_draft_shape_of(t->cells[GPU_TYPE]->text, 0);
    FZ_TRY(fz_csv_number(t->csv, t->cells[CAP_CPU], "cap_cpu", &shape.cpus, err));
    FZ_TRY(fz_csv_number(t->csv, t->cells[CAP_MEM], "cap_mem", &shape.mem_gib, err));
    FZ_TRY(fz_csv_count(t->csv, t->cells[CAP_GPU], "cap_gpu", FZ_CLUSTER_MAX_GPUS, &gpus, err));
    if (shape.cpus < 0 || shape.mem_gib < 0)
        return fz_csv_fail(t->csv, t->cells[CAP_CPU], err, "CPUs and memory must not be negative");
    if ((gpus == 0) != (strcmp(t->cells[GPU_TYPE]->text, "CPU") == 0))
        return fz_csv_fail(t->csv, t->cells[GPU_TYPE], err, "%llu GPUs of type '%.60s': which is meant?",
                           (unsigned long long)gpus, t->cells[GPU_TYPE]->text);
    shape.parts[0].count = (uint32_t)gpus;
    shape.n_parts = gpus > 0;
    return fz_draft_node(t->draft, &shape, t->cells[MACHINE]->text, NULL, err);
}

static fz_status pai2020_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    return fz_cluster_table_read(source, draft, names, N_COLUMNS, true, read_row, err);
}

const fz_cluster_format fz_cluster_pai2020 = {
    .name = "pai2020",
    .summary = "Alibaba PAI 2020, machines (machine,gpu_type,cap_cpu,cap_mem,cap_gpu; no header line)",
    .max_paths = 1,
    .read = pai2020_read,
};
