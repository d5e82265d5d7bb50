/* frenzy trace cut: a window of time. */
#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/ops/change.h"

static fz_status window_read(const fz_args *args, const fz_trace *trace, fz_cut *cut, fz_error *err)
{
    *cut = (fz_cut){.from = 0, .to = FZ_TIME_MAX, .zero = fz_args_has(args, "zero")};
    if (!fz_args_has(args, "from") && !fz_args_has(args, "to"))
        return fz_fail(err, FZ_EUSAGE, "--from TIME or --to TIME is missing");
    FZ_TRY(fz_trace_time_option(args, "from", trace, &cut->from, err));
    return fz_trace_time_option(args, "to", trace, &cut->to, err);
}

static int cut_run(const fz_args *args)
{
    fz_trace *trace = NULL, *out = NULL;
    fz_cut cut;
    fz_error err = {0};
    int code = fz_trace_verb_open(args, &trace);
    if (code != FZ_EXIT_DONE)
        return code;
    fz_status status = window_read(args, trace, &cut, &err);
    if (status == FZ_OK)
        status = fz_trace_cut(trace, &cut, &out, &err);
    return fz_trace_verb_end(args, status, trace, out, "frenzy-trace-cut-1", &err);
}

static const fz_option options[] = {
    {"from", "TIME", "jobs submitted from here on (default 0)"},
    {"to", "TIME", "and before this time (default: the end)"},
    {"zero", NULL, "--from becomes t = 0, and the epoch moves with it"},
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_cut_command = {
    .name = "trace cut",
    .summary = "keep a window of time",
    .arguments = "FILE [--from TIME] [--to TIME] [--zero] [--out TRACE]",
    .examples =
        "  frenzy trace cut philly.csv --from 28d --to 98d --zero --out dense.csv\n"
        "  frenzy trace cut philly.csv --from 2017-10-02T00:00:00 --to 2017-12-11T00:00:00 --out dense.csv\n",
    .notes = "TIME is in seconds, or with a unit behind (s, m, h, d, w: 1.5d), or a wall time where the "
             "trace has an\n"
             "epoch. `frenzy trace stats` shows when a trace is dense.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = cut_run,
};
