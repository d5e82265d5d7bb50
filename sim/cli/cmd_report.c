/* frenzy report: tables, pages and files out of a results database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/say.h"
#include "sim/report/write.h"

typedef struct report {
    const fz_args *args;
    fz_arena *arena;
    fz_reader *reader;
    fz_results results;
} report;

static fz_status run_find(const report *self, const char *option, int64_t *run, fz_error *err)
{
    return fz_reader_find(self->reader, fz_args_get(self->args, option), run, err);
}

static fz_status run_files_write(const report *self, fz_error *err)
{
    const fz_args *args = self->args;
    int64_t run = 0;
    const char *out = fz_args_get(args, "out");
    if (fz_args_has(args, "trace")) {
        FZ_TRY(run_find(self, "trace", &run, err));
        FZ_TRY(fz_report_chrome(self->reader, run, self->arena, out != NULL ? out : "trace.json.gz", err));
        fz_say_note("saved   %s  (open it at ui.perfetto.dev)", out != NULL ? out : "trace.json.gz");
    }
    if (fz_args_has(args, "batsim-csv")) {
        FZ_TRY(run_find(self, "batsim-csv", &run, err));
        FZ_TRY(fz_report_batsim(self->reader, run, out != NULL ? out : "out_jobs.csv", err));
        fz_say_note("saved   %s", out != NULL ? out : "out_jobs.csv");
    }
    return FZ_OK;
}

static fz_status folders_write(report *self, fz_error *err)
{
    const fz_args *args = self->args;
    const char *csv = fz_args_get(args, "csv");
    const char *latex = fz_args_get(args, "latex");
    const char *gnuplot = fz_args_get(args, "gnuplot");
    const char *html = fz_args_get(args, "html");
    if (csv != NULL)
        FZ_TRY(fz_report_csv(&self->results, csv, err));
    if (latex != NULL)
        FZ_TRY(fz_report_latex(&self->results, self->arena, latex, err));
    if (gnuplot != NULL)
        FZ_TRY(fz_report_gnuplot(&self->results, self->reader, self->arena, gnuplot, err));
    if (html != NULL)
        FZ_TRY(fz_report_html(&self->results, self->reader, self->arena, args->rest[0], html, err));
    const char *saved[] = {csv, latex, gnuplot, html};
    for (size_t i = 0; i < sizeof(saved) / sizeof(saved[0]); i++)
        if (saved[i] != NULL)
            fz_say_note("saved   %s", saved[i]);
    return FZ_OK;
}

/* Tables are printed when nothing else was asked for. */
static bool tables_wanted(const fz_args *args)
{
    static const char *const others[] = {"html", "latex", "csv", "gnuplot", "trace", "batsim-csv"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (fz_args_has(args, others[i]))
            return fz_args_has(args, "markdown");
    return true;
}

static fz_status report_do(report *self, fz_error *err)
{
    const fz_args *args = self->args;
    if (fz_args_has(args, "trace") && fz_args_has(args, "batsim-csv") && fz_args_has(args, "out"))
        return fz_fail(err, FZ_EUSAGE,
                       "--trace and --batsim-csv would both be written to --out; ask for one");
    FZ_TRY(fz_reader_open(args->rest[0], &self->reader, err));
    FZ_TRY(fz_results_build(self->reader, self->arena, fz_args_get(args, "baseline"), &self->results, err));
    FZ_TRY(run_files_write(self, err));
    FZ_TRY(folders_write(self, err));
    if (fz_args_has(args, "json"))
        return fz_results_json(&self->results, "-", err);
    return tables_wanted(args) ? fz_report_markdown(&self->results, self->arena, "-", err) : FZ_OK;
}

static int report_run(const fz_args *args)
{
    fz_error err = {0};
    report self = {.args = args, .arena = fz_arena_new(NULL)};
    fz_status status =
        self.arena != NULL ? report_do(&self, &err) : fz_fail(&err, FZ_ENOMEM, "no memory for a report");
    fz_reader_close(self.reader);
    fz_arena_free(self.arena);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

static const fz_option options[] = {
    {"html", "FILE", "one page with tables and charts, for any browser, without a network"},
    {"markdown", NULL, "tables on standard output (the default when no file is asked for)"},
    {"latex", "DIR", "one booktabs table a scenario"},
    {"csv", "DIR", "summary.csv and runs.csv"},
    {"gnuplot", "DIR", "scripts and data; gnuplot makes PDFs of them"},
    {"trace", "RUN", "a run as Chrome trace for Perfetto (number or key of v_run)"},
    {"batsim-csv", "RUN", "a run as Batsim's out_jobs.csv"},
    {"out", "FILE", "where --trace or --batsim-csv writes (default trace.json.gz, out_jobs.csv)"},
    {"baseline", "LABEL",
     "the scheduler that the others are compared with (default: that of the experiment)"},
};

const fz_command fz_command_report = {
    .name = "report",
    .summary = "results -> tables, HTML page, LaTeX, CSV, gnuplot, Perfetto, Batsim",
    .arguments = "DB [--html FILE] [--markdown] [--latex DIR] [--csv DIR] [--gnuplot DIR]\n"
                 "       [--trace RUN | --batsim-csv RUN] [--out FILE] [--baseline LABEL] [--json]",
    .examples = "  frenzy report results/load.db\n"
                "  frenzy report results/load.db --html load.html --latex tables --gnuplot figures\n"
                "  frenzy report results/load.db --trace 1 --out run.json.gz\n",
    .notes = "Schedulers are compared on the same seeds: 95 % Student t intervals for means, bootstrap over "
             "seeds for\n"
             "percentiles, the range below 5 seeds; p values are corrected for all comparisons (Holm).\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = report_run,
};
