/* A run's summary as people and programs read it. */
#ifndef FRENZY_SIM_CLI_SUMMARY_TEXT_H
#define FRENZY_SIM_CLI_SUMMARY_TEXT_H

#include "sim/cli/json.h"
#include "sim/metrics/result.h"

/* Hours with two decimals below 1,000, "-" where the figure does not exist. */
void fz_hours_text(double seconds, char *text, size_t size);

/* "user", "limit", "oracle", or "mixed": where the run-time estimates come from. */
const char *fz_estimate_source(const fz_summary *summary);

/* The one line of `frenzy replay`, with a line end. */
void fz_summary_line(FILE *file, const char *scheduler, const fz_run_result *result);

/* All figures as keys of the open JSON object, and the object `cost`. */
void fz_summary_json(fz_json *json, const fz_run_result *result);

#endif
