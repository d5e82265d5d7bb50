/* frenzy trace scale: other times between submissions. */
#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/cluster_file.h"
#include "workloads/ops/change.h"
#include "workloads/ops/load.h"

static fz_status options_check(const fz_args *args, fz_error *err)
{
    bool factor = fz_args_has(args, "factor"), load = fz_args_has(args, "load");
    if (factor == load)
        return fz_fail(err, FZ_EUSAGE, "one of --factor F and --load X is expected");
    if (load != fz_args_has(args, "cluster"))
        return fz_fail(err, FZ_EUSAGE, "--load X and --cluster FILE go together");
    return FZ_OK;
}

/* The factor that gives the load: the same work in another time. */
static fz_status factor_for_load(const fz_args *args, const fz_trace *trace, const fz_cluster_spec *cluster,
                                 double *factor, fz_error *err)
{
    fz_load load;
    double wanted = 0;
    FZ_TRY(fz_args_number(args, "load", 1e-6, 1e6, &wanted, err));
    FZ_TRY(fz_load_of(trace, cluster, &load, err));
    if (!(load.load > 0))
        return fz_fail(err, FZ_EINVAL,
                       "the load of this trace is not known: all jobs come at once, or have no work");
    *factor = load.load / wanted;
    fz_say_note("load %.4g on %s becomes %.4g: times between submissions x %.6g", load.load, cluster->name,
                wanted, *factor);
    if (load.unknown > 0)
        fz_say_warning("%u jobs do not count: their work is not known", load.unknown);
    return FZ_OK;
}

static int scale_run(const fz_args *args)
{
    fz_trace *trace = NULL, *out = NULL;
    fz_cluster_file *cluster = NULL;
    double factor = 1;
    fz_error err = {0};
    if (options_check(args, &err) != FZ_OK ||
        fz_args_number(args, "factor", 1e-9, 1e9, &factor, &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_args_has(args, "cluster") &&
        fz_cluster_file_read(fz_args_get(args, "cluster"), &cluster, &err) != FZ_OK)
        return fz_say_input_error(&err);
    int code = fz_trace_verb_open(args, &trace);
    if (code != FZ_EXIT_DONE) {
        fz_cluster_file_free(cluster);
        return code;
    }
    fz_status status = FZ_OK;
    if (cluster != NULL)
        status = factor_for_load(args, trace, &cluster->spec, &factor, &err);
    if (status == FZ_OK)
        status = fz_trace_scale(trace, factor, &out, &err);
    fz_cluster_file_free(cluster);
    return fz_trace_verb_end(args, status, trace, out, "frenzy-trace-scale-1", &err);
}

static const fz_option options[] = {
    {"factor", "F", "times since the first submission x F: 0.5 is twice the load"},
    {"load", "X", "the factor at which X of the cluster's GPU time is asked for"},
    {"cluster", "FILE", "that cluster"},
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_scale_command = {
    .name = "trace scale",
    .summary = "bring submissions closer together or further apart",
    .arguments = "FILE (--factor F | --load X --cluster FILE) [--out TRACE]",
    .examples = "  frenzy trace scale philly.csv --load 0.9 --cluster sia-64 --out busy.csv\n"
                "  frenzy trace scale philly.csv --factor 0.5 --out twice.csv\n",
    .notes = "The jobs stay as they are; deadlines keep their distance to the submission. start_s and end_s "
             "are left\n"
             "out: they were the answer to other arrivals. Day and night are stretched as well.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = scale_run,
};
