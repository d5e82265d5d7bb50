/* frenzy import: a foreign trace becomes a frenzy trace. */
#include <stdio.h>
#include <string.h>

#include "core/support/number.h"
#include "sim/cli/commands.h"
#include "sim/cli/import_files.h"
#include "sim/cli/inputs.h"
#include "sim/cli/report_text.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"

static void result_print(const fz_args *args, const fz_import_files *files, const fz_rejected *rejected)
{
    const char *out = fz_args_get(args, "out");
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-import-1");
        fz_json_text(&json, "format", files->format->name);
        fz_report_json(&json, &files->report, files->trace);
        if (rejected->rows > 0)
            fz_json_text(&json, "rejected_rows", rejected->path);
        fz_json_end(&json);
        return;
    }
    bool data_on_stdout = out != NULL && strcmp(out, "-") == 0;
    fz_report_print(data_on_stdout ? stderr : stdout, &files->report);
    if (rejected->rows > 0)
        fz_say_note("rejected rows: %s", rejected->path);
    if (out != NULL && !data_on_stdout)
        fz_say_note("next: frenzy replay %s --cluster sia-64 --scheduler has", out);
}

/* `poisson:RATE`, in jobs an hour. */
static fz_status submit_read(const fz_args *args, fz_import_options *how, fz_error *err)
{
    static const char prefix[] = "poisson:";
    const char *text = fz_args_get(args, "submit");
    if (text == NULL && fz_args_has(args, "seed") && !fz_args_has(args, "models"))
        return fz_fail(err, FZ_EUSAGE, "--seed has no effect without --submit or --models");
    if (text == NULL)
        return FZ_OK;
    const char *rate = text + sizeof prefix - 1;
    if (strncmp(text, prefix, sizeof prefix - 1) != 0 ||
        fz_number_real(rate, strlen(rate), &how->submits_per_h) != FZ_NUMBER_OK ||
        !(how->submits_per_h >= 1e-6 && how->submits_per_h <= 1e6))
        return fz_fail(err, FZ_EUSAGE,
                       "--submit: '%.60s' is unknown; such as poisson:120 is expected, in jobs an hour",
                       text);
    return FZ_OK;
}

static fz_status options_read(const fz_args *args, fz_import_options *how, fz_error *err)
{
    how->seed = 1;
    how->cpu_jobs = fz_args_has(args, "cpu-jobs");
    how->attempts = fz_args_get(args, "attempts");
    FZ_TRY(fz_bad_rows_option(args, &how->bad_rows, err));
    FZ_TRY(submit_read(args, how, err));
    return fz_args_count(args, "seed", 0, INT64_MAX, &how->seed, err);
}

/* No two files of the command line may be one. */
static fz_status outputs_check(const fz_args *args, const char *rejected, fz_error *err)
{
    const char *out = fz_args_get(args, "out"), *attempts = fz_args_get(args, "attempts");
    FZ_TRY(fz_args_one_output(args, "out", err));
    FZ_TRY(fz_args_one_output(args, "attempts", err));
    for (uint32_t i = 1; i < args->n_rest; i++) {
        FZ_TRY(fz_output_spares("out", out, args->rest[i], err));
        FZ_TRY(fz_output_spares("attempts", attempts, args->rest[i], err));
        if (rejected != NULL && strcmp(rejected, args->rest[i]) == 0)
            return fz_fail(err, FZ_EUSAGE, "--out %.200s: its rejected rows would replace %.200s", out,
                           rejected);
    }
    FZ_TRY(fz_output_spares("attempts", attempts, out, err));
    if (out != NULL && attempts != NULL && strcmp(out, "-") == 0 && strcmp(attempts, "-") == 0)
        return fz_fail(err, FZ_EUSAGE, "--out and --attempts both want standard output");
    return FZ_OK;
}

/* Where the rows that are left out go: jobs.csv.gz -> jobs.rejected.csv; NULL without an output file. */
static const char *rejected_path(const char *out, char *text, size_t size)
{
    static const char *const endings[] = {".gz", ".csv"};
    if (out == NULL || strcmp(out, "-") == 0)
        return NULL;
    size_t length = strlen(out);
    for (int i = 0; i < 2; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(out + length - ending, endings[i]) == 0)
            length -= ending;
    }
    (void)snprintf(text, size, "%.*s.rejected.csv", (int)length, out);
    return text;
}

/* The trace, with models where a mix was named. */
static fz_status files_write(const fz_args *args, const fz_import_options *how, fz_import_files *files,
                             fz_error *err)
{
    const char *mix = fz_args_get(args, "models"), *out = fz_args_get(args, "out");
    if (mix != NULL)
        FZ_TRY(fz_models_assign_named(mix, how->seed, &files->trace, err));
    return out != NULL ? fz_trace_write(files->trace, out, err) : FZ_OK;
}

static int import_run(const fz_args *args)
{
    char path[4096];
    fz_rejected rejected = {.path = rejected_path(fz_args_get(args, "out"), path, sizeof path)};
    fz_import_options how = {.rejected = rejected.path != NULL ? &rejected : NULL};
    fz_import_files files = {0};
    fz_error err = {0};
    if (outputs_check(args, rejected.path, &err) != FZ_OK || options_read(args, &how, &err) != FZ_OK)
        return fz_say_error(&err);
    fz_status status = fz_import_files_read(args, &how, &files, &err);
    bool read = status == FZ_OK;
    if (read)
        status = files_write(args, &how, &files, &err);
    fz_error ended = {0};
    fz_status end = fz_rejected_end(&rejected, status == FZ_OK, &ended);
    if (status == FZ_OK && end != FZ_OK) {
        status = end;
        err = ended;
    }
    if (status == FZ_OK)
        result_print(args, &files, &rejected);
    fz_trace_free(files.trace);
    if (status == FZ_OK)
        return FZ_EXIT_DONE;
    return !read || status == FZ_EPARSE /* the mix */ ? fz_say_input_error(&err) : fz_say_error(&err);
}

static const fz_option options[] = {
    {"out", "TRACE", "write the frenzy trace here; - is standard output"},
    {"bad-rows", "POLICY", "drop (default), clamp (make usable where that has one meaning), or fail"},
    {"cpu-jobs", NULL, "keep jobs that ask for no GPU; a replay leaves them out"},
    {"attempts", "FILE", "write job_id,attempt,start_s,end_s,node,gpus here (Philly's job log)"},
    {"submit", "poisson:RATE", "lists without times: jobs come at random, RATE an hour"},
    {"models", "MIX", "jobs without a model get one of this mix, an assumption: see frenzy trace models"},
    {"seed", "N", "of those times and models (default 1)"},
};

const fz_command fz_command_import = {
    .name = "import",
    .summary = "turn a foreign trace into a frenzy trace",
    .arguments = "FORMAT FILE... [--out TRACE] [--bad-rows drop|clamp|fail] [--cpu-jobs] [--json]",
    .examples = "  frenzy import philly philly_jobs.csv.gz --out philly.csv\n"
                "  frenzy import gavel 0e4a51.trace.gz ee9e8c.trace.gz --out gavel.csv\n"
                "  frenzy import auto HPC2N.swf.gz --out hpc2n.csv\n"
                "  frenzy import philly cluster_job_log --out philly.csv --attempts attempts.csv\n"
                "  frenzy import openb openb_pod_list_multigpu20.csv --submit poisson:240 --out pods.csv\n",
    .notes =
        "FORMAT: philly, helios, acme, pai2020, openb, spot2026, rubick, muri, chronus, elasticflow,\n"
        "tiresias, nrel_eagle, shockwave, sia, gavel, swf, canonical, or auto. Plain and gzip files\n"
        "alike. Several files of one format become one trace. Without --out files are only checked. Every\n"
        "row that was dropped or changed is counted by cause; with --out jobs.csv those dropped are in\n"
        "jobs.rejected.csv, with file, line and reason.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 2,
    .max_rest = 1 + FZ_MAX_IMPORT_FILES,
    .run = import_run,
};
