/* The verbs of `frenzy trace`, one file each (cmd_trace_*.c), and what they share. */
#ifndef FRENZY_SIM_CLI_TRACE_VERBS_H
#define FRENZY_SIM_CLI_TRACE_VERBS_H

#include "sim/cli/options.h"
#include "workloads/trace.h"

extern const fz_command fz_trace_generate_command, fz_trace_stats_command, fz_trace_check_command,
    fz_trace_cut_command, fz_trace_scale_command, fz_trace_sample_command, fz_trace_filter_command,
    fz_trace_merge_command, fz_trace_map_gpus_command, fz_trace_models_command, fz_trace_export_command;

/* FZ_EUSAGE when --out is (or is by default) standard output and --json is given, or would replace `input` (NULL:
 * none). */
fz_status fz_trace_out_check(const fz_args *args, const char *input, fz_error *err);

/* Writes the trace to --out or standard output; with --json it prints jobs and file under the schema. Returns the
 * exit code, errors printed. */
int fz_trace_put(const fz_args *args, const fz_trace *trace, const char *schema);

/* The frame of a verb that reads the trace FILE and makes another: checks --out and reads; prints errors and returns
 * the exit code. */
int fz_trace_verb_open(const fz_args *args, fz_trace **trace);
/* Writes `made` unless `status` says that something failed, and frees both traces (NULL is allowed). */
int fz_trace_verb_end(const fz_args *args, fz_status status, fz_trace *trace, fz_trace *made,
                      const char *schema, fz_error *err);

/* A point in time: seconds, a number with s, m, h, d or w behind, or a wall time where the trace has an epoch. Absent:
 * *out keeps its value. */
fz_status fz_trace_time_option(const fz_args *args, const char *name, const fz_trace *trace, fz_time *out,
                               fz_error *err);

/* Replaces *trace by one whose jobs have models of a mix, and says on standard error how many. An unknown mix is
 * FZ_EUSAGE. */
fz_status fz_models_assign_named(const char *mix_name, uint64_t seed, fz_trace **trace, fz_error *err);

#endif
