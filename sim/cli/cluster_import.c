#include "sim/cli/cluster_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/output.h"
#include "core/support/suggest.h"
#include "sim/cli/cluster_text.h"
#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "workloads/cluster_formats/formats.h"

static fz_status format_unknown(const char *name, fz_error *err)
{
    uint32_t n = 0;
    const fz_cluster_format *const *all = fz_cluster_formats(&n);
    const char *names[64];
    char list[512] = "";
    for (uint32_t i = 0; i < n && i < 64; i++) {
        size_t length = strlen(list);
        names[i] = all[i]->name;
        snprintf(list + length, sizeof(list) - length, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = fz_suggest(name, names, n < 64 ? n : 64);
    if (near != NULL)
        return fz_fail(err, FZ_EUSAGE, "unknown format '%s' of a cluster (did you mean '%s'?); there are %s",
                       name, near, list);
    return fz_fail(err, FZ_EUSAGE, "unknown format '%s' of a cluster; there are %s", name, list);
}

/* An option that the format has no use for would be ignored without a word. */
static fz_status options_suit(const fz_args *args, const fz_cluster_format *format, fz_error *err)
{
    if (fz_args_has(args, "gpu") && !format->takes_gpu)
        return fz_fail(err, FZ_EUSAGE, "--gpu has no effect: %s names its GPUs", format->name);
    if (fz_args_has(args, "gpus-per-node") && !format->takes_gpus_per_node)
        return fz_fail(err, FZ_EUSAGE, "--gpus-per-node has no effect: %s says how many a node has",
                       format->name);
    if (fz_args_has(args, "epoch") && !format->takes_epoch)
        return fz_fail(err, FZ_EUSAGE, "--epoch has no effect: nothing changes over time in %s",
                       format->name);
    return FZ_OK;
}

static fz_status source_read(const fz_args *args, const fz_cluster_format **format, fz_cluster_source *source,
                             fz_error *err)
{
    uint64_t each = 0;
    if (args->n_rest < 3)
        return fz_fail(err, FZ_EUSAGE,
                       "something is missing: frenzy cluster import FORMAT FILE --out CLUSTER");
    *format = fz_cluster_format_find(args->rest[1]);
    if (*format == NULL)
        return format_unknown(args->rest[1], err);
    source->paths = (const char *const *)args->rest + 2;
    source->n_paths = args->n_rest - 2;
    if (source->n_paths > (*format)->max_paths)
        return fz_fail(err, FZ_EUSAGE, "%s takes at most %u file%s", (*format)->name, (*format)->max_paths,
                       (*format)->max_paths == 1 ? "" : "s");
    FZ_TRY(options_suit(args, *format, err));
    FZ_TRY(fz_args_count(args, "gpus-per-node", 1, FZ_CLUSTER_MAX_GPUS, &each, err));
    source->gpus_per_node = (uint32_t)each;
    source->gpu = fz_args_get(args, "gpu");
    source->epoch = fz_args_get(args, "epoch");
    for (uint32_t i = 0; i < source->n_paths; i++)
        FZ_TRY(fz_output_spares("out", fz_args_get(args, "out"), source->paths[i], err));
    return fz_args_one_output(args, "out", err);
}

static fz_status text_write(const char *path, const char *text, size_t length, fz_error *err)
{
    fz_output *output = NULL;
    if (path == NULL)
        return FZ_OK;
    FZ_TRY(fz_output_open(path, &output, err));
    fz_output_write(output, text, length);
    return fz_output_commit(output, err);
}

static void result_print(const fz_args *args, const fz_cluster_format *format, const fz_cluster_file *file)
{
    const char *out = fz_args_get(args, "out");
    bool data_on_stdout = out != NULL && strcmp(out, "-") == 0;
    if (file->note[0] != '\0')
        fz_say_warning("%s: %s", file->spec.name, file->note);
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-cluster-import-1");
        fz_json_text(&json, "format", format->name);
        fz_cluster_json(&json, file);
        fz_json_end(&json);
        return;
    }
    fz_cluster_describe(data_on_stdout ? stderr : stdout, file);
    if (out != NULL && !data_on_stdout)
        fz_say_note("next: frenzy replay demo --cluster %s --scheduler has", out);
}

int fz_cluster_import_run(const fz_args *args)
{
    const fz_cluster_format *format = NULL;
    fz_cluster_source source = {0};
    fz_cluster_file *file = NULL;
    char *text = NULL;
    size_t length = 0;
    fz_error err = {0};
    if (source_read(args, &format, &source, &err) != FZ_OK || format == NULL)
        return fz_say_error(&err);
    if (fz_cluster_import(format, &source, &text, &length, &err) != FZ_OK)
        return fz_say_input_error(&err);
    const char *out = fz_args_get(args, "out");
    fz_status status = fz_cluster_file_parse(out != NULL ? out : "-", text, length, &file, &err);
    if (status == FZ_OK)
        status = text_write(out, text, length, &err);
    if (status == FZ_OK)
        result_print(args, format, file);
    fz_cluster_file_free(file);
    free(text);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}
