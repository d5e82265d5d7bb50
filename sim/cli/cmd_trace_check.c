/* frenzy trace check: faults of a trace. */
#include <stdio.h>

#include "sim/cli/inputs.h"
#include "sim/cli/report_text.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"

static int check_run(const fz_args *args)
{
    fz_trace_report report = {0};
    fz_trace *trace = NULL;
    fz_bad_rows bad_rows = FZ_BAD_ROWS_DROP; /* see everything, not only the first fault */
    fz_error err = {0};
    if (fz_args_has(args, "bad-rows") && fz_bad_rows_option(args, &bad_rows, &err) != FZ_OK)
        return fz_say_error(&err);
    int code = fz_trace_open(args->rest[0], bad_rows, &trace, &report);
    if (code != FZ_EXIT_DONE)
        return code;
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

static const fz_option options[] = {
    {"bad-rows", "POLICY", "drop (default), clamp or fail"},
};

const fz_command fz_trace_check_command = {
    .name = "trace check",
    .summary = "look for faults in a trace",
    .arguments = "FILE [--bad-rows POLICY] [--json]",
    .examples = "  frenzy trace check trace.csv\n",
    .notes = "Reads the whole file and counts every cause with its first line; exit code 3 if a row cannot "
             "be used.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = check_run,
};
