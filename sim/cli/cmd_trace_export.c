/* frenzy trace export: a trace for programs that read another format. */
#include <string.h>

#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/canonical.h"

/* What the format cannot say of these jobs. */
static void losses_say(const fz_trace *trace)
{
    uint32_t no_time = 0, shares = 0;
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        no_time += trace->duration == NULL || trace->duration[job] == FZ_TIME_NONE;
        shares += trace->req_gpus_exact != NULL && trace->req_gpus_exact[job] > 0;
    }
    if (no_time > 0)
        fz_say_note("%u jobs have no run time: field 4 is -1, and most programs leave such jobs out",
                    no_time);
    if (shares > 0)
        fz_say_note("%u jobs ask for shares of GPUs: field 8 has the whole GPUs that hold them", shares);
    if (trace->req_types != NULL || trace->model != NULL)
        fz_say_note("SWF knows no GPU types and no models: these are left out");
}

static int export_run(const fz_args *args)
{
    const char *format = fz_args_get(args, "format"), *out = fz_args_get(args, "out");
    fz_trace *trace = NULL;
    fz_error err = {0};
    if (format != NULL && strcmp(format, "swf") != 0) {
        fz_fail(&err, FZ_EUSAGE, "--format: '%.60s' cannot be written; there is swf", format);
        return fz_say_error(&err);
    }
    int code = fz_trace_verb_open(args, &trace);
    if (code != FZ_EXIT_DONE)
        return code;
    losses_say(trace);
    if (fz_trace_write_swf(trace, out != NULL ? out : "-", &err) != FZ_OK)
        code = fz_say_error(&err);
    fz_trace_free(trace);
    return code;
}

static const fz_option options[] = {
    {"format", "NAME", "swf (default)"},
    {"out", "FILE", "write here instead of standard output"},
};

const fz_command fz_trace_export_command = {
    .name = "trace export",
    .summary = "write a trace in the Standard Workload Format",
    .arguments = "FILE [--format swf] [--out FILE]",
    .examples = "  frenzy trace export philly.csv --out philly.swf\n",
    .notes = "GPUs become processors; texts of users and queues become numbers from 1 in the order in which\n"
             "they come; ids stay if all are whole numbers. What SWF cannot say is left out, and said.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = export_run,
};
