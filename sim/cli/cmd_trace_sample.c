/* frenzy trace sample: fewer jobs of the same kind. */
#include <math.h>
#include <string.h>

#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/ops/change.h"

static fz_status strata_read(const fz_args *args, fz_sample *sample, fz_error *err)
{
    const char *by = fz_args_get(args, "by");
    sample->by_size =
        by == NULL || strcmp(by, "gpus,vc") == 0 || strcmp(by, "vc,gpus") == 0 || strcmp(by, "gpus") == 0;
    sample->by_vc =
        by == NULL || strcmp(by, "gpus,vc") == 0 || strcmp(by, "vc,gpus") == 0 || strcmp(by, "vc") == 0;
    if (!sample->by_size && !sample->by_vc && strcmp(by, "none") != 0)
        return fz_fail(err, FZ_EUSAGE, "--by: '%.60s' is none of gpus, vc, gpus,vc and none", by);
    return FZ_OK;
}

static fz_status sample_read(const fz_args *args, const fz_trace *trace, fz_sample *sample, fz_error *err)
{
    uint64_t jobs = 0;
    double share = 0;
    *sample = (fz_sample){.seed = 1};
    if (fz_args_has(args, "jobs") == fz_args_has(args, "share"))
        return fz_fail(err, FZ_EUSAGE, "one of --jobs N and --share P is expected");
    FZ_TRY(fz_args_count(args, "jobs", 1, trace->n_jobs, &jobs, err));
    FZ_TRY(fz_args_number(args, "share", 1e-9, 1, &share, err));
    FZ_TRY(fz_args_count(args, "seed", 0, INT64_MAX, &sample->seed, err));
    sample->jobs = jobs > 0 ? (uint32_t)jobs : (uint32_t)llround(share * trace->n_jobs);
    if (sample->jobs == 0)
        return fz_fail(err, FZ_EUSAGE, "--share: %g of %u jobs is less than one", share, trace->n_jobs);
    return strata_read(args, sample, err);
}

static int sample_run(const fz_args *args)
{
    fz_trace *trace = NULL, *out = NULL;
    fz_sample sample;
    fz_error err = {0};
    int code = fz_trace_verb_open(args, &trace);
    if (code != FZ_EXIT_DONE)
        return code;
    fz_status status = sample_read(args, trace, &sample, &err);
    if (status == FZ_OK)
        status = fz_trace_sample(trace, &sample, &out, &err);
    return fz_trace_verb_end(args, status, trace, out, "frenzy-trace-sample-1", &err);
}

static const fz_option options[] = {
    {"jobs", "N", "exactly so many jobs"},
    {"share", "P", "this share of the jobs, above 0 and at most 1"},
    {"by", "WHAT", "strata: gpus, vc, gpus,vc (default) or none"},
    {"seed", "N", "seed (default 1)"},
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_sample_command = {
    .name = "trace sample",
    .summary = "keep a stratified random sample of the jobs",
    .arguments = "FILE (--jobs N | --share P) [--by gpus|vc|gpus,vc|none] [--seed N] [--out TRACE]",
    .examples = "  frenzy trace sample philly.csv --jobs 5000 --out small.csv\n"
                "  frenzy trace sample philly.csv --share 0.1 --by gpus --seed 7 --out tenth.csv\n",
    .notes = "Each size class (1, 2, 3-4, 5-8, ... GPUs) of each VC keeps its share of the jobs, to within "
             "one job.\n"
             "Times stay, so the load falls with the share; `frenzy trace scale` brings it back.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = sample_run,
};
