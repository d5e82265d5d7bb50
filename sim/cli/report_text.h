/* Findings about the rows of a trace, as text and JSON. */
#ifndef FRENZY_SIM_CLI_REPORT_TEXT_H
#define FRENZY_SIM_CLI_REPORT_TEXT_H

#include "sim/cli/json.h"
#include "sim/cli/options.h"
#include "workloads/canonical.h"

void fz_report_print(FILE *file, const fz_trace_report *report);

/* Keys: rows_read, rows_kept, dropped, changed, noted (objects: cause -> count), jobs, first_submit_s,
 * last_submit_s, gpu_seconds; the latter four only with a trace. */
void fz_report_json(fz_json *json, const fz_trace_report *report, const fz_trace *trace);

/* Key `assumed`: what the trace says of itself that was made up (a list of texts); nothing where there is none. */
void fz_assumed_json(fz_json *json, const fz_trace *trace);

/* Reads --bad-rows; FZ_EUSAGE. */
fz_status fz_bad_rows_option(const fz_args *args, fz_bad_rows *bad_rows, fz_error *err);

#endif
