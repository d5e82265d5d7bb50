/* frenzy trace merge: several traces as one. */
#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/ops/change.h"

enum { MAX_TRACES = 64 };

static int merge_run(const fz_args *args)
{
    fz_trace *traces[MAX_TRACES] = {NULL}, *out = NULL;
    const fz_trace *inputs[MAX_TRACES] = {NULL};
    uint32_t n = args->n_rest, renamed = 0;
    int code = FZ_EXIT_DONE;
    fz_error err = {0};
    fz_status status = FZ_OK;
    for (uint32_t i = 0; i < n && status == FZ_OK; i++)
        status = fz_trace_out_check(args, args->rest[i], &err);
    if (status != FZ_OK)
        return fz_say_error(&err);
    for (uint32_t i = 0; i < n && code == FZ_EXIT_DONE; i++) {
        fz_trace_report report;
        code = fz_trace_open(args->rest[i], FZ_BAD_ROWS_DEFAULT, &traces[i], &report);
        inputs[i] = traces[i];
    }
    if (code == FZ_EXIT_DONE) {
        status = fz_trace_merge(inputs, n, &out, &renamed, &err);
        if (renamed > 0 && status == FZ_OK)
            fz_say_note("%u ids that were there before got a number, such as '#2'", renamed);
        code = fz_trace_verb_end(args, status, NULL, out, "frenzy-trace-merge-1", &err);
    }
    for (uint32_t i = 0; i < n; i++)
        fz_trace_free(traces[i]);
    return code;
}

static const fz_option options[] = {
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_merge_command = {
    .name = "trace merge",
    .summary = "put several traces into one",
    .arguments = "FILE FILE... [--out TRACE]",
    .examples = "  frenzy trace merge venus.csv earth.csv --out helios.csv\n",
    .notes = "Jobs are sorted by submission. Traces with an epoch are put on the clock of the earliest one; "
             "traces without\n"
             "all begin at t = 0; a mixture is refused. Ids that repeat get a number.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 2,
    .max_rest = MAX_TRACES,
    .run = merge_run,
};
