/* frenzy import: a foreign trace becomes a frenzy trace. */
#include <stdio.h>
#include <string.h>

#include "core/support/number.h"
#include "core/support/suggest.h"
#include "sim/cli/commands.h"
#include "sim/cli/inputs.h"
#include "sim/cli/report_text.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"

static fz_status format_unknown(const char *name, fz_error *err)
{
    uint32_t n = 0;
    const fz_trace_format *const *all = fz_trace_formats(&n);
    const char *names[64];
    char list[512] = "auto";
    for (uint32_t i = 0; i < n && i < 64; i++) {
        size_t length = strlen(list);
        names[i] = all[i]->name;
        snprintf(list + length, sizeof(list) - length, ", %s", names[i]);
    }
    const char *near = fz_suggest(name, names, n < 64 ? n : 64);
    if (near != NULL)
        return fz_fail(err, FZ_EUSAGE, "unknown format '%s' (did you mean '%s'?); there are %s", name, near,
                       list);
    return fz_fail(err, FZ_EUSAGE, "unknown format '%s'; there are %s", name, list);
}

static fz_status format_choose(const char *name, const char *path, const fz_trace_format **format,
                               fz_error *err)
{
    if (strcmp(name, "auto") == 0)
        return fz_trace_format_probe(path, format, err);
    *format = fz_trace_format_find(name);
    return *format != NULL ? FZ_OK : format_unknown(name, err);
}

static void result_print(const fz_args *args, const fz_trace_format *format, const fz_trace_report *report,
                         const fz_trace *trace)
{
    const char *out = fz_args_get(args, "out");
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-import-1");
        fz_json_text(&json, "format", format->name);
        fz_report_json(&json, report, trace);
        fz_json_end(&json);
        return;
    }
    bool data_on_stdout = out != NULL && strcmp(out, "-") == 0;
    fz_report_print(data_on_stdout ? stderr : stdout, report);
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

static fz_status options_suit(const fz_trace_format *format, const fz_import_options *how, fz_error *err)
{
    if (how->submits_per_h > 0 && !format->may_lack_times)
        return fz_fail(err, FZ_EUSAGE, "--submit is for lists without times; a %s trace has its own",
                       format->name);
    if (how->attempts != NULL && !format->has_attempts)
        return fz_fail(err, FZ_EUSAGE, "--attempts has no effect: a %s trace tells no attempts",
                       format->name);
    return FZ_OK;
}

/* No two files of the command line may be one. */
static fz_status outputs_check(const fz_args *args, const char *path, fz_error *err)
{
    const char *out = fz_args_get(args, "out"), *attempts = fz_args_get(args, "attempts");
    FZ_TRY(fz_args_one_output(args, "out", err));
    FZ_TRY(fz_args_one_output(args, "attempts", err));
    FZ_TRY(fz_output_spares("out", out, path, err));
    FZ_TRY(fz_output_spares("attempts", attempts, path, err));
    FZ_TRY(fz_output_spares("attempts", attempts, out, err));
    if (out != NULL && attempts != NULL && strcmp(out, "-") == 0 && strcmp(attempts, "-") == 0)
        return fz_fail(err, FZ_EUSAGE, "--out and --attempts both want standard output");
    return FZ_OK;
}

static int import_run(const fz_args *args)
{
    const char *path = args->rest[1];
    const char *out = fz_args_get(args, "out");
    const fz_trace_format *format = NULL;
    fz_trace_report report = {0};
    fz_trace *trace = NULL;
    fz_import_options how = {0};
    fz_error err = {0};
    if (outputs_check(args, path, &err) != FZ_OK || options_read(args, &how, &err) != FZ_OK ||
        format_choose(args->rest[0], path, &format, &err) != FZ_OK ||
        options_suit(format, &how, &err) != FZ_OK || format->read(path, &how, &trace, &report, &err) != FZ_OK)
        return fz_say_input_error(&err);
    const char *mix = fz_args_get(args, "models");
    fz_status status = mix != NULL ? fz_models_assign_named(mix, how.seed, &trace, &err) : FZ_OK;
    if (status == FZ_OK && out != NULL)
        status = fz_trace_write(trace, out, &err);
    if (status == FZ_OK)
        result_print(args, format, &report, trace);
    fz_trace_free(trace);
    if (status == FZ_EPARSE) /* the mix */
        return fz_say_input_error(&err);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
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
    .arguments = "FORMAT FILE [--out TRACE] [--bad-rows drop|clamp|fail] [--cpu-jobs] [--json]",
    .examples = "  frenzy import philly philly_jobs.csv.gz --out philly.csv\n"
                "  frenzy import auto HPC2N.swf.gz --out hpc2n.csv\n"
                "  frenzy import philly cluster_job_log --out philly.csv --attempts attempts.csv\n"
                "  frenzy import openb openb_pod_list_multigpu20.csv --submit poisson:240 --out pods.csv\n",
    .notes = "FORMAT: philly, helios, acme, pai2020, openb, spot2026, rubick, muri, chronus, elasticflow,\n"
             "tiresias, nrel_eagle, shockwave, sia, gavel, swf, canonical, or auto. Plain and gzip files\n"
             "alike. Without --out the file is only checked. Every row that was dropped or changed is "
             "counted by cause.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 2,
    .max_rest = 2,
    .run = import_run,
};
