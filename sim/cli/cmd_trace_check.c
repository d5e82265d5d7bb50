/* frenzy trace check: faults of a trace. */
#include <stdio.h>

#include "sim/cli/inputs.h"
#include "sim/cli/report_text.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/cluster_file.h"
#include "workloads/ops/check.h"

static void findings_print(const fz_trace_check *check)
{
    for (uint32_t i = 0; i < check->n_findings; i++) {
        const fz_check_finding *finding = &check->findings[i];
        printf("  %-8s %10llu  %s", "found", (unsigned long long)finding->count, finding->text);
        if (finding->first_line > 0)
            printf(" (first in line %u)", finding->first_line);
        printf("\n");
    }
}

static void demand_print(const fz_trace_check *check, const fz_cluster_spec *cluster)
{
    const fz_load *load = &check->load;
    if (load->gpu_s > 0)
        printf("demand   %.0f GPU-h in %.1f days; %.0f GPUs at most if all started at once\n",
               load->gpu_s / 3600, load->span_s / 86400, check->peak_gpus);
    if (cluster == NULL)
        return;
    if (load->load >= 0)
        printf("load     %.3f of the %.0f GPUs of %s\n", load->load, load->capacity, cluster->name);
    else
        printf("load     not known: all jobs come at once, or their work is not known\n");
    if (load->unknown > 0)
        printf("         without %u jobs whose work is not known\n", load->unknown);
    if (check->above_frac >= 0)
        printf("         demand above supply in %.1f %% of the time\n", 100 * check->above_frac);
    for (uint32_t i = 0; i < check->n_supplies; i++)
        printf("         %.3f of %u GPUs: jobs for %s only\n", check->supplies[i].load,
               check->supplies[i].gpus, check->supplies[i].types);
}

static void check_json(fz_json *json, const fz_trace_check *check, bool cluster)
{
    fz_json_open_list(json, "findings");
    for (uint32_t i = 0; i < check->n_findings; i++) {
        const fz_check_finding *finding = &check->findings[i];
        fz_json_open(json, NULL);
        fz_json_text(json, "key", finding->key);
        fz_json_text(json, "text", finding->text);
        fz_json_count(json, "count", finding->count);
        if (finding->first_line > 0)
            fz_json_count(json, "first_line", finding->first_line);
        else
            fz_json_null(json, "first_line");
        fz_json_close(json);
    }
    fz_json_close_list(json);
    fz_json_number(json, "peak_gpus", check->peak_gpus);
    if (!cluster)
        return;
    fz_json_figure(json, "load", check->load.load);
    fz_json_figure(json, "above_frac", check->above_frac);
    fz_json_open_list(json, "types");
    for (uint32_t i = 0; i < check->n_supplies; i++) {
        fz_json_open(json, NULL);
        fz_json_text(json, "types", check->supplies[i].types);
        fz_json_count(json, "gpus", check->supplies[i].gpus);
        fz_json_number(json, "load", check->supplies[i].load);
        fz_json_close(json);
    }
    fz_json_close_list(json);
}

static void result_print(const fz_args *args, const fz_trace *trace, const fz_trace_report *report,
                         const fz_trace_check *check, const fz_cluster_spec *cluster)
{
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-trace-check-1");
        fz_report_json(&json, report, trace);
        fz_json_text(&json, "sha256", trace->sha256);
        check_json(&json, check, cluster != NULL);
        fz_json_end(&json);
        return;
    }
    fz_report_print(stdout, report);
    findings_print(check);
    demand_print(check, cluster);
    printf("sha256 %s\n", trace->sha256);
}

static int check_run(const fz_args *args)
{
    fz_trace_report report = {0};
    fz_trace *trace = NULL;
    fz_cluster_file *cluster = NULL;
    fz_trace_check check;
    fz_bad_rows bad_rows = FZ_BAD_ROWS_DROP; /* see everything, not only the first fault */
    fz_error err = {0};
    if (fz_args_has(args, "bad-rows") && fz_bad_rows_option(args, &bad_rows, &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_args_has(args, "cluster") &&
        fz_cluster_file_read(fz_args_get(args, "cluster"), &cluster, &err) != FZ_OK)
        return fz_say_input_error(&err);
    const fz_cluster_spec *spec = cluster != NULL ? &cluster->spec : NULL;
    int code = fz_trace_open(args->rest[0], bad_rows, &trace, &report);
    if (code == FZ_EXIT_DONE && fz_trace_check_of(trace, spec, &check, &err) != FZ_OK)
        code = fz_say_error(&err);
    if (code == FZ_EXIT_DONE) {
        result_print(args, trace, &report, &check, spec);
        code = report.rows_kept < report.rows_read ? FZ_EXIT_INPUT : FZ_EXIT_DONE;
    }
    fz_trace_free(trace);
    fz_cluster_file_free(cluster);
    return code;
}

static const fz_option options[] = {
    {"cluster", "FILE", "compare with this cluster: load, demand above supply, jobs that fit nowhere"},
    {"bad-rows", "POLICY", "drop (default), clamp or fail"},
};

const fz_command fz_trace_check_command = {
    .name = "trace check",
    .summary = "look for faults in a trace, and for demand above supply",
    .arguments = "FILE [--cluster FILE] [--bad-rows POLICY] [--json]",
    .examples = "  frenzy trace check trace.csv\n  frenzy trace check trace.csv --cluster sia-64\n",
    .notes = "Reads the whole file and counts every cause with its first line. Exit code 3 if a row cannot "
             "be used; what\n"
             "is only odd is found and changes no exit code. Load is GPU time asked for / GPU time of the "
             "cluster\n"
             "between first and last submission.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = check_run,
};
