/* frenzy trace generate: a synthetic trace after a profile. */
#include <stdio.h>

#include "core/support/timetext.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/bundled.h"
#include "workloads/cluster_file.h"
#include "workloads/generate.h"

static fz_status options_read(const fz_args *args, fz_generate_options *options, fz_error *err)
{
    uint64_t jobs = 0;
    options->seed = 1;
    options->no_requests = fz_args_has(args, "no-requests");
    if (fz_args_has(args, "load") != fz_args_has(args, "cluster"))
        return fz_fail(err, FZ_EUSAGE, "--load X and --cluster FILE go together");
    if (fz_args_has(args, "load") && fz_args_has(args, "rate"))
        return fz_fail(err, FZ_EUSAGE, "--load and --rate exclude each other");
    FZ_TRY(fz_trace_out_check(args, NULL, err));
    FZ_TRY(fz_args_count(args, "jobs", 1, 100000000, &jobs, err));
    options->jobs = (uint32_t)jobs;
    FZ_TRY(fz_args_count(args, "seed", 0, INT64_MAX, &options->seed, err));
    return fz_args_number(args, "rate", 1e-6, 1e6, &options->jobs_per_h, err);
}

/* --load X --cluster FILE becomes a rate. */
static int load_resolve(const fz_args *args, const fz_profile *profile, fz_generate_options *options)
{
    fz_error err = {0};
    fz_cluster_file *cluster = NULL;
    double load = 1;
    char text[FZ_NUMBER_TEXT];
    if (!fz_args_has(args, "load"))
        return FZ_EXIT_DONE;
    if (fz_args_number(args, "load", 1e-6, 1e6, &load, &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_cluster_file_read(fz_args_get(args, "cluster"), &cluster, &err) != FZ_OK)
        return fz_say_input_error(&err);
    fz_status status = fz_generate_rate(profile, options, &cluster->spec, load, &options->jobs_per_h, &err);
    if (status == FZ_OK) {
        (void)fz_number_text(options->jobs_per_h, text);
        fz_say_note("a load of %g on %s is --rate %s with this seed and number of jobs", load,
                    cluster->spec.name, text);
    }
    fz_cluster_file_free(cluster);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

static int generate_run(const fz_args *args)
{
    fz_generate_options options = {0};
    fz_profile *profile = NULL;
    fz_trace *trace = NULL;
    fz_error err = {0};
    if (options_read(args, &options, &err) != FZ_OK)
        return fz_say_error(&err);
    fz_status status = fz_profile_read(args->rest[0], &profile, &err);
    if (status != FZ_OK)
        return status == FZ_ENOTFOUND ? (err.status = FZ_EUSAGE, fz_say_error(&err))
                                      : fz_say_input_error(&err);
    int code = load_resolve(args, profile, &options);
    if (code == FZ_EXIT_DONE && fz_generate(profile, &options, &trace, &err) != FZ_OK) {
        err.status = err.status == FZ_EINVAL ? FZ_EUSAGE : err.status;
        code = fz_say_error(&err);
    }
    if (code == FZ_EXIT_DONE)
        code = fz_trace_put(args, trace, "frenzy-trace-generate-1");
    fz_trace_free(trace);
    fz_profile_free(profile);
    return code;
}

static const fz_option options[] = {
    {"jobs", "N", "number of jobs (default: the profile's)"},
    {"seed", "N", "seed (default 1)"},
    {"rate", "JOBS_PER_H", "mean rate of a week (default: the profile's)"},
    {"load", "X", "in place of --rate: so many jobs that X of the cluster's GPU time is asked for"},
    {"cluster", "FILE", "that cluster"},
    {"no-requests", NULL, "LLM jobs ask for no number of GPUs (serverless)"},
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_generate_command = {
    .name = "trace generate",
    .summary = "make a synthetic trace after a profile",
    .arguments = "PROFILE [--jobs N] [--seed N] [--rate JOBS_PER_H | --load X --cluster FILE] [--out TRACE]",
    .examples = "  frenzy trace generate llm --jobs 2000 --seed 7 --rate 12 --out llm.csv\n"
                "  frenzy trace generate philly --jobs 50000 --load 0.9 --cluster uniform-512 --out p.csv\n"
                "  frenzy trace generate my-profile.yaml --out mine.csv\n",
    .notes =
        "PROFILE: llm (models, no durations), venus, philly, openb, spot2026, or a file of yours; copy one "
        "from\n"
        "workloads/generate/profiles/ to begin with: they say where each number comes from. Load is GPU "
        "time\n"
        "asked for / GPU time of the cluster between first and last submission. The same profile, seed and\n"
        "options give the same bytes; the header of the trace has the command that makes it again.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = generate_run,
};
