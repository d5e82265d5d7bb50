/* frenzy trace: hands over to its verbs. */
#include "sim/cli/commands.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"

static const fz_command *const verbs[] = {
    &fz_trace_generate_command, &fz_trace_stats_command,  &fz_trace_check_command,  &fz_trace_cut_command,
    &fz_trace_scale_command,    &fz_trace_sample_command, &fz_trace_filter_command, &fz_trace_merge_command,
    &fz_trace_map_gpus_command, &fz_trace_models_command, &fz_trace_export_command,
};

/* Only without a verb: an option stands where it belongs. */
static int trace_run(const fz_args *args)
{
    fz_error err;
    const fz_command *verb = NULL;
    if (fz_command_verb(&fz_command_trace, args->rest[0], &verb, &err) == FZ_OK)
        fz_fail(&err, FZ_EUSAGE, "options come behind the verb: frenzy trace %s ...", args->rest[0]);
    return fz_say_error(&err);
}

const fz_command fz_command_trace = {
    .name = "trace",
    .summary = "generate, check, describe and change traces",
    .arguments = "VERB ...",
    .examples = "  frenzy trace generate venus --jobs 5000 --seed 7 --out venus.csv\n"
                "  frenzy trace stats venus.csv\n"
                "  frenzy trace check venus.csv --cluster uniform-512\n"
                "  frenzy trace cut venus.csv --from 1d --to 8d --zero --out week.csv\n",
    .notes = "`frenzy trace VERB --help` has more. The trace format is described in workloads/README.md.\n",
    .min_rest = 1,
    .max_rest = UINT32_MAX,
    .run = trace_run,
    .verbs = verbs,
    .n_verbs = sizeof(verbs) / sizeof(verbs[0]),
};
