/* frenzy cluster: checks a cluster file and says what is in it, or makes one of a foreign description. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/cluster_import.h"
#include "sim/cli/cluster_text.h"
#include "sim/cli/commands.h"
#include "sim/cli/say.h"

static int cluster_run(const fz_args *args)
{
    fz_cluster_file *file = NULL;
    fz_error err = {0};
    if (strcmp(args->rest[0], "import") == 0)
        return fz_cluster_import_run(args);
    static const char *const foreign[] = {"out", "gpu", "gpus-per-node", "epoch"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (fz_args_has(args, foreign[i])) {
            fz_fail(&err, FZ_EUSAGE, "--%s is an option of frenzy cluster import", foreign[i]);
            return fz_say_error(&err);
        }
    if (args->n_rest != 1) {
        fz_fail(&err, FZ_EUSAGE,
                "one cluster file is expected; to make one of another description: frenzy cluster "
                "import FORMAT FILE --out CLUSTER");
        return fz_say_error(&err);
    }
    if (fz_cluster_file_read(args->rest[0], &file, &err) != FZ_OK)
        return fz_say_input_error(&err);
    if (file->note[0] != '\0')
        fz_say_warning("%s: %s", file->path, file->note);
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-cluster-1");
        fz_cluster_json(&json, file);
        fz_json_end(&json);
    } else {
        fz_cluster_describe(stdout, file);
    }
    fz_cluster_file_free(file);
    return FZ_EXIT_DONE;
}

static const fz_option options[] = {
    {"out", "CLUSTER", "import: write the cluster file here; - is standard output"},
    {"gpu", "TYPE", "import: what the GPUs are, where the files do not name them"},
    {"gpus-per-node", "N", "import: how many GPUs a node has, where the files do not say"},
    {"epoch", "TIME", "import: wall time of t = 0, such as a trace's # epoch (helios)"},
};

const fz_command fz_command_cluster = {
    .name = "cluster",
    .summary = "check a cluster file and describe it, or make one of a foreign description",
    .arguments = "FILE | import FORMAT FILE... --out CLUSTER [--json]",
    .examples = "  frenzy cluster sia-64\n"
                "  frenzy cluster my-cluster.yaml --json\n"
                "  frenzy cluster import slurm slurm.conf gres.conf --out ours.json\n"
                "  frenzy cluster import gavel 36:36:36 --out gavel.json\n",
    .notes =
        "Bundled: small, workstation, sia-64, gavel-108, uniform-512, mixed-10k. The format is described in\n"
        "workloads/README.md. FORMAT: openb, pai2020, spot2026 (lists of nodes), lingjun, tiresias "
        "(switches),\n"
        "helios (quotas by day), gavel (counts), sia (two maps), slurm.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 4,
    .run = cluster_run,
};
