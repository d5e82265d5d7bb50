/* Alibaba openb 2023, nodes: `sn,cpu_milli,memory_mib,gpu,model`; the model is empty for nodes without GPUs. G2 and
 * G3 are GPUs that Alibaba does not name. */
#include "workloads/cluster_formats/formats.h"

enum { SN, CPU_MILLI, MEMORY_MIB, GPU, MODEL, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"sn", "cpu_milli", "memory_mib", "gpu", "model"};

static fz_status read_row(fz_cluster_table *t, fz_error *err)
{
    uint64_t cpu_milli = 0, mib = 0, gpus = 0;
    FZ_TRY(fz_csv_count(t->csv, t->cells[CPU_MILLI], "cpu_milli", UINT32_MAX, &cpu_milli, err));
    FZ_TRY(fz_csv_count(t->csv, t->cells[MEMORY_MIB], "memory_mib", UINT32_MAX, &mib, err));
    FZ_TRY(fz_csv_count(t->csv, t->cells[GPU], "gpu", FZ_CLUSTER_MAX_GPUS, &gpus, err));
    if ((gpus > 0) != (t->cells[MODEL]->length > 0))
        return fz_csv_fail(t->csv, t->cells[MODEL], err, "%llu GPUs of model '%.60s': which is meant?",
                           (unsigned long long)gpus, t->cells[MODEL]->text);
    fz_draft_shape shape = fz_draft_shape_of(t->cells[MODEL]->text, (uint32_t)gpus);
    shape.cpus = (double)cpu_milli / 1000;
    shape.mem_gib = (double)mib / 1024;
    return fz_draft_node(t->draft, &shape, t->cells[SN]->text, NULL, err);
}

static fz_status openb_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    return fz_cluster_table_read(source, draft, names, N_COLUMNS, false, read_row, err);
}

const fz_cluster_format fz_cluster_openb = {
    .name = "openb",
    .summary = "Alibaba openb 2023, nodes (sn,cpu_milli,memory_mib,gpu,model)",
    .max_paths = 1,
    .read = openb_read,
};
