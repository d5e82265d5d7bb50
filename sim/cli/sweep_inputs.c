#include "sim/cli/sweep_inputs.h"

#include <stdio.h>

#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "workloads/models.h"

/* A file that is not there is a fault of the experiment file, at the line that names it. */
static int file_refuse(const fz_experiment *experiment, const fz_doc_node *node, const fz_error *err)
{
    fz_error here = {0};
    if (err->status != FZ_EIO && err->status != FZ_ENOTFOUND)
        return fz_say_input_error(err);
    bool named = err->file[0] != '\0';
    (void)fz_doc_fail(experiment->doc, node, &here, "%.100s%s%s", err->file, named ? ": " : "", err->message);
    return fz_say_input_error(&here);
}

static int trace_read(const fz_experiment *experiment, uint32_t i, fz_arena *arena, fz_sweep_inputs *out)
{
    fz_error err = {0};
    fz_trace_report report;
    if (fz_trace_read(experiment->trace_paths[i], FZ_BAD_ROWS_DEFAULT, &out->traces[i], &report, &err) !=
        FZ_OK)
        return file_refuse(experiment, experiment->trace_nodes[i], &err);
    out->n_traces = i + 1;
    fz_trace_report_say(out->traces[i], &report);
    fz_trace_assumptions_say(out->traces[i]);
    if (fz_models_of_trace(out->traces[i], arena, &out->models[i], &err) != FZ_OK)
        return fz_say_input_error(&err);
    return FZ_EXIT_DONE;
}

static int cluster_read(const fz_experiment *experiment, uint32_t i, fz_sweep_inputs *out)
{
    fz_error err = {0};
    if (fz_cluster_file_read(experiment->cluster_paths[i], &out->clusters[i], &err) != FZ_OK)
        return file_refuse(experiment, experiment->cluster_nodes[i], &err);
    out->n_clusters = i + 1;
    if (out->clusters[i]->note[0] != '\0')
        fz_say_warning("%s: %s", out->clusters[i]->path, out->clusters[i]->note);
    return FZ_EXIT_DONE;
}

static int tables_read(const fz_experiment *experiment, fz_sweep_inputs *out)
{
    fz_error err = {0};
    if (experiment->profiles == NULL ||
        fz_work_tables_read(experiment->profiles, &out->tables, &err) == FZ_OK)
        return FZ_EXIT_DONE;
    return file_refuse(experiment, experiment->profiles_node, &err);
}

int fz_sweep_inputs_read(const fz_experiment *experiment, fz_arena *arena, const char *version,
                         fz_sweep_inputs *out)
{
    *out = (fz_sweep_inputs){0};
    out->traces = FZ_NEW(arena, experiment->n_traces, fz_trace *);
    out->models = FZ_NEW(arena, experiment->n_traces, const fz_model *const *);
    out->clusters = FZ_NEW(arena, experiment->n_clusters, fz_cluster_file *);
    if (out->traces == NULL || out->models == NULL || out->clusters == NULL) {
        fz_error err;
        fz_fail(&err, FZ_ENOMEM, "no memory");
        return fz_say_error(&err);
    }
    int code = FZ_EXIT_DONE;
    for (uint32_t i = 0; code == FZ_EXIT_DONE && i < experiment->n_traces; i++)
        code = trace_read(experiment, i, arena, out);
    for (uint32_t i = 0; code == FZ_EXIT_DONE && i < experiment->n_clusters; i++)
        code = cluster_read(experiment, i, out);
    if (code == FZ_EXIT_DONE)
        code = tables_read(experiment, out);
    out->grid = (fz_grid_inputs){.traces = (const fz_trace *const *)out->traces,
                                 .models = out->models,
                                 .clusters = (const fz_cluster_file *const *)out->clusters,
                                 .tables = out->tables,
                                 .version = version};
    return code;
}

void fz_sweep_inputs_release(fz_sweep_inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->n_traces; i++)
        fz_trace_free(inputs->traces[i]);
    fz_work_tables_free(inputs->tables);
    for (uint32_t i = 0; i < inputs->n_clusters; i++)
        fz_cluster_file_free(inputs->clusters[i]);
    *inputs = (fz_sweep_inputs){0};
}
