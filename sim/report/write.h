/* The formats of a report. Files appear whole or not at all; folders are made. "-" is standard output. */
#ifndef FRENZY_SIM_REPORT_WRITE_H
#define FRENZY_SIM_REPORT_WRITE_H

#include "core/support/output.h"
#include "sim/report/results.h"

/* Tables as Markdown. */
fz_status fz_report_markdown(const fz_results *results, fz_arena *arena, const char *path, fz_error *err);

/* DIR/summary.csv (a row a scheduler in a scenario: figures with low and high) and DIR/runs.csv (a row a run). */
fz_status fz_report_csv(const fz_results *results, const char *dir, fz_error *err);

/* DIR/table-N.tex (booktabs, one a scenario) and DIR/preview.tex, which shows them all. */
fz_status fz_report_latex(const fz_results *results, fz_arena *arena, const char *dir, fz_error *err);

/* DIR/load.gp, cdf.gp, timeline.gp with their .dat files; each makes a PDF of its name. */
fz_status fz_report_gnuplot(const fz_results *results, fz_reader *reader, fz_arena *arena, const char *dir,
                            fz_error *err);

/* A run as a Chrome trace (opens in Perfetto), gzip if the name ends in .gz: nodes as processes, GPUs as tracks, jobs
 * as slices, queue and allocation as counters. */
fz_status fz_report_chrome(fz_reader *reader, int64_t run, fz_arena *arena, const char *path, fz_error *err);

/* A run as Batsim's out_jobs.csv. */
fz_status fz_report_batsim(fz_reader *reader, int64_t run, const char *path, fz_error *err);

/* One page with everything, without any network. The database is named on it. */
fz_status fz_report_html(const fz_results *results, fz_reader *reader, fz_arena *arena, const char *database,
                         const char *path, fz_error *err);

/* One JSON object: figures and differences of all scenarios. */
fz_status fz_results_json(const fz_results *results, const char *path, fz_error *err);

/* ---- shared by the formats ------------------------------------------------------------------------------ */

void fz_report_format(fz_output *output, const char *format, ...) FZ_PRINTF(2, 3);
/* A JSON string with its quotes, safe inside a <script>. */
void fz_report_json_text(fz_output *output, const char *text);
/* A JSON number; null unless finite. */
void fz_report_json_number(fz_output *output, double value);
/* Makes the folder if it is not there, and opens DIR/NAME. */
fz_status fz_report_file(const char *dir, const char *name, fz_output **out, fz_error *err);

#endif
