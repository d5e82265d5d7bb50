/* Alibaba Lingjun 2023, topology: `ip,DSW,PSW,ASW`, the core, aggregation and top-of-rack switch of each host. The
 * name of an ASW is unique only under its PSW, so switches are called by their path: G6, G6/P10, G6/P10/S14. The
 * file names no GPUs; the paper (Crux, SIGCOMM 2024) says 8 a host. */
#include <stdio.h>

#include "workloads/cluster_formats/formats.h"

enum { IP, DSW, PSW, ASW, N_COLUMNS, GPUS_PER_HOST = 8 };
static const char *const names[N_COLUMNS] = {"ip", "DSW", "PSW", "ASW"};

static fz_status read_row(fz_cluster_table *t, fz_error *err)
{
    char psw[128], asw[192];
    for (uint32_t i = 0; i < N_COLUMNS; i++)
        if (t->cells[i]->length == 0 || (i != IP && t->cells[i]->length > 60))
            return fz_csv_fail(t->csv, t->cells[i], err, "%s: a name of 1 to 60 characters is expected",
                               names[i]);
    const char *dsw = t->cells[DSW]->text;
    (void)snprintf(psw, sizeof psw, "%s/%s", dsw, t->cells[PSW]->text);
    (void)snprintf(asw, sizeof asw, "%s/%s", psw, t->cells[ASW]->text);
    FZ_TRY(fz_draft_switch(t->draft, dsw, NULL, err));
    FZ_TRY(fz_draft_switch(t->draft, psw, dsw, err));
    FZ_TRY(fz_draft_switch(t->draft, asw, psw, err));
    uint32_t gpus = t->source->gpus_per_node > 0 ? t->source->gpus_per_node : GPUS_PER_HOST;
    fz_draft_shape shape = fz_draft_shape_of(t->source->gpu != NULL ? t->source->gpu : "GPU", gpus);
    return fz_draft_node(t->draft, &shape, t->cells[IP]->text, asw, err);
}

static fz_status lingjun_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    if (source->gpus_per_node == 0)
        FZ_TRY(fz_draft_note(draft, "8 GPUs a host by the paper; the file does not say", err));
    if (source->gpu == NULL)
        FZ_TRY(fz_draft_note(draft, "the file does not name the GPUs", err));
    return fz_cluster_table_read(source, draft, names, N_COLUMNS, false, read_row, err);
}

const fz_cluster_format fz_cluster_lingjun = {
    .name = "lingjun",
    .summary = "Alibaba Lingjun 2023, topology (ip,DSW,PSW,ASW)",
    .max_paths = 1,
    .takes_gpu = true,
    .takes_gpus_per_node = true,
    .read = lingjun_read,
};
