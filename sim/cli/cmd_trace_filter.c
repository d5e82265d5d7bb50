/* frenzy trace filter: jobs that meet conditions. */
#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/ops/change.h"

enum { MAX_CONDITIONS = 32 };

static fz_status filter_trace(const fz_args *args, const fz_trace *trace, fz_trace **out, fz_error *err)
{
    const char *conditions[MAX_CONDITIONS];
    uint32_t n = 0;
    for (const char *next = fz_args_nth(args, "where", 0); next != NULL;
         next = fz_args_nth(args, "where", n)) {
        if (n == MAX_CONDITIONS)
            return fz_fail(err, FZ_EUSAGE, "--where: at most %d conditions are possible", MAX_CONDITIONS);
        conditions[n++] = next;
    }
    if (n == 0)
        return fz_fail(err, FZ_EUSAGE, "--where CONDITION is missing");
    return fz_trace_filter(trace, conditions, n, out, err);
}

static int filter_run(const fz_args *args)
{
    fz_trace *trace = NULL, *out = NULL;
    fz_error err = {0};
    int code = fz_trace_verb_open(args, &trace);
    if (code != FZ_EXIT_DONE)
        return code;
    fz_status status = filter_trace(args, trace, &out, &err);
    return fz_trace_verb_end(args, status, trace, out, "frenzy-trace-filter-1", &err);
}

static const fz_option options[] = {
    {"where", "CONDITION", "such as gpus>=8, vc=a, state!=FAILED; several must all hold"},
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_filter_command = {
    .name = "trace filter",
    .summary = "keep the jobs that meet conditions",
    .arguments = "FILE --where CONDITION... [--out TRACE]",
    .examples =
        "  frenzy trace filter philly.csv --where 'gpus>=8' --where 'duration<86400' --out large.csv\n"
        "  frenzy trace filter venus.csv --where state=COMPLETED --where vc!=vc-1 --out rest.csv\n",
    .notes = "A condition is COLUMN OP VALUE without blanks, OP one of = != < <= > >=; quote it, for the "
             "shell takes <\n"
             "and > for itself. A column may be called without req_ or _s (gpus, duration, submit). Texts "
             "know = and !=\n"
             "only. `vc=` means jobs without one; a job that lacks a value meets no other condition on it.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = filter_run,
};
