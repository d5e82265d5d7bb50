/* frenzy trace models: models for jobs that name none. */
#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/ops/assign_models.h"

fz_status fz_models_assign_named(const char *mix_name, uint64_t seed, fz_trace **trace, fz_error *err)
{
    fz_mix *mix = NULL;
    fz_trace *out = NULL;
    fz_assign_report report = {0};
    fz_status status = fz_mix_read(mix_name, &mix, err);
    if (status == FZ_ENOTFOUND && err != NULL)
        err->status = status = FZ_EUSAGE;
    FZ_TRY(status);
    status = fz_trace_assign_models(*trace, mix, seed, &out, &report, err);
    if (status == FZ_OK) {
        fz_say_note("assumed: models of %u jobs, drawn from the mix %s; %u jobs named one, %u have no GPUs "
                    "or no duration",
                    report.assigned, mix->name, report.had, report.left);
        fz_trace_free(*trace);
        *trace = out;
    }
    fz_mix_free(mix);
    return status;
}

static int models_run(const fz_args *args)
{
    fz_trace *trace = NULL;
    uint64_t seed = 1;
    fz_error err = {0};
    const char *mix = fz_args_get(args, "mix");
    if (fz_args_count(args, "seed", 0, INT64_MAX, &seed, &err) != FZ_OK)
        return fz_say_error(&err);
    int code = fz_trace_verb_open(args, &trace);
    if (code != FZ_EXIT_DONE)
        return code;
    fz_status status = fz_models_assign_named(mix != NULL ? mix : "llm-by-size", seed, &trace, &err);
    if (status == FZ_EPARSE) {
        fz_trace_free(trace);
        return fz_say_input_error(&err);
    }
    return fz_trace_verb_end(args, status, NULL, trace, "frenzy-trace-models-1", &err);
}

static const fz_option options[] = {
    {"mix", "NAME", "llm-by-size (default), llm-small, or a file of yours"},
    {"seed", "N", "seed (default 1)"},
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_models_command = {
    .name = "trace models",
    .summary = "give models to jobs that name none (an assumption)",
    .arguments = "FILE [--mix NAME] [--seed N] [--out TRACE]",
    .examples = "  frenzy trace models philly.csv --mix llm-by-size --out philly-llm.csv\n",
    .notes = "A job of D seconds on G GPUs becomes an LLM job with as much work: a model of the mix for G "
             "GPUs, drawn by\n"
             "seed and job id, and steps for D x G GPU-seconds. req_gpus stays as the user's request; "
             "duration_s becomes\n"
             "x_observed_s. The trace says in a line '# assumed:' that this was made up, and so does every "
             "replay.\n"
             "Mixes are described in workloads/README.md.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = models_run,
};
