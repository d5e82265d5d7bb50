/* The verbs of `frenzy trace`, one file each (cmd_trace_*.c), and what they share. */
#ifndef FRENZY_SIM_CLI_TRACE_VERBS_H
#define FRENZY_SIM_CLI_TRACE_VERBS_H

#include "sim/cli/options.h"
#include "workloads/trace.h"

extern const fz_command fz_trace_check_command, fz_trace_generate_command, fz_trace_stats_command;

/* FZ_EUSAGE when --out is (or is by default) standard output and --json is given, or would replace `input` (NULL:
 * none). */
fz_status fz_trace_out_check(const fz_args *args, const char *input, fz_error *err);

/* Writes the trace to --out or standard output; with --json it prints jobs and file under the schema. Returns the
 * exit code, errors printed. */
int fz_trace_put(const fz_args *args, const fz_trace *trace, const char *schema);

#endif
