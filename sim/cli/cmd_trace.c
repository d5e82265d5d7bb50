/* frenzy trace: check a trace, or generate one. */
#include <stdio.h>
#include <string.h>

#include "core/support/suggest.h"
#include "sim/cli/commands.h"
#include "sim/cli/report_text.h"
#include "sim/cli/say.h"
#include "workloads/generate.h"

/* Options of the other verb would be ignored without a word. */
static fz_status options_of_verb(const fz_args *args, const char *const *foreign, uint32_t n, fz_error *err)
{
    for (uint32_t i = 0; i < n; i++)
        if (fz_args_has(args, foreign[i]))
            return fz_fail(err, FZ_EUSAGE, "frenzy trace %s has no option --%s; see frenzy trace --help",
                           args->rest[0], foreign[i]);
    return FZ_OK;
}

static int check_run(const fz_args *args)
{
    fz_trace_report report = {0};
    fz_trace *trace = NULL;
    fz_bad_rows bad_rows = FZ_BAD_ROWS_DROP; /* see everything, not only the first fault */
    fz_error err = {0};
    if (args->n_rest != 2) {
        fz_fail(&err, FZ_EUSAGE, "something is missing: frenzy trace check FILE");
        return fz_say_error(&err);
    }
    static const char *const foreign[] = {"jobs", "seed", "rate", "out"};
    if (options_of_verb(args, foreign, 4, &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_args_has(args, "bad-rows") && fz_bad_rows_option(args, &bad_rows, &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_trace_read(args->rest[1], bad_rows, &trace, &report, &err) != FZ_OK)
        return fz_say_input_error(&err);
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-trace-check-1");
        fz_report_json(&json, &report, trace);
        fz_json_text(&json, "sha256", trace->sha256);
        fz_json_end(&json);
    } else {
        fz_report_print(stdout, &report);
        printf("sha256 %s\n", trace->sha256);
    }
    bool dropped = report.rows_kept < report.rows_read;
    fz_trace_free(trace);
    return dropped ? FZ_EXIT_INPUT : FZ_EXIT_DONE;
}

static int generate_run(const fz_args *args)
{
    fz_generate_llm_options options = fz_generate_llm_defaults();
    uint64_t jobs = options.jobs;
    const char *out = fz_args_get(args, "out");
    fz_trace *trace = NULL;
    fz_error err = {0};
    if (args->n_rest != 2 || strcmp(args->rest[1], "llm") != 0) {
        fz_fail(&err, FZ_EUSAGE, "trace generate wants a profile; there is: llm");
        return fz_say_error(&err);
    }
    static const char *const foreign[] = {"bad-rows"};
    fz_status status = options_of_verb(args, foreign, 1, &err);
    if (status == FZ_OK && fz_args_has(args, "json") && (out == NULL || strcmp(out, "-") == 0))
        status =
            fz_fail(&err, FZ_EUSAGE, "--json and the trace both want standard output; give --out a file");
    if (status == FZ_OK)
        status = fz_args_count(args, "jobs", 1, 100000000, &jobs, &err);
    if (status == FZ_OK)
        status = fz_args_count(args, "seed", 0, INT64_MAX, &options.seed, &err);
    if (status == FZ_OK)
        status = fz_args_number(args, "rate", 1e-6, 1e6, &options.jobs_per_h, &err);
    options.jobs = (uint32_t)jobs;
    if (status == FZ_OK)
        status = fz_generate_llm(&options, &trace, &err);
    if (status == FZ_OK)
        status = fz_trace_write(trace, out != NULL ? out : "-", &err);
    if (status == FZ_OK && fz_args_has(args, "json") && out != NULL) {
        fz_json json = fz_json_start(stdout, "frenzy-trace-generate-1");
        fz_json_count(&json, "jobs", trace->n_jobs);
        fz_json_text(&json, "out", out);
        fz_json_end(&json);
    }
    fz_trace_free(trace);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

static int trace_run(const fz_args *args)
{
    static const char *const verbs[] = {"check", "generate"};
    const char *verb = args->rest[0];
    fz_error err;
    if (strcmp(verb, "check") == 0)
        return check_run(args);
    if (strcmp(verb, "generate") == 0)
        return generate_run(args);
    const char *near = fz_suggest(verb, verbs, 2);
    fz_fail(&err, FZ_EUSAGE, "unknown: frenzy trace %s%s%s%s; there are check and generate", verb,
            near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "");
    return fz_say_error(&err);
}

static const fz_option options[] = {
    {"bad-rows", "POLICY", "check: drop (default), clamp or fail"},
    {"jobs", "N", "generate: number of jobs (default 500)"},
    {"seed", "N", "generate: seed (default 1)"},
    {"rate", "JOBS_PER_H", "generate: mean rate of a day (default 8)"},
    {"out", "TRACE", "generate: write here instead of standard output"},
};

const fz_command fz_command_trace = {
    .name = "trace",
    .summary = "check a trace, or generate one",
    .arguments = "check FILE | generate llm [--jobs N] [--seed N] [--rate JOBS_PER_H] [--out TRACE]",
    .examples = "  frenzy trace check trace.csv\n"
                "  frenzy trace generate llm --jobs 2000 --seed 7 --rate 12 --out llm.csv\n",
    .notes = "check reads the whole file and counts every cause with its first line; exit code 3 if a row "
             "cannot be\n"
             "used. The trace format is described in workloads/README.md.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 2,
    .run = trace_run,
};
