#include <stdio.h>

#include "core/support/timetext.h"
#include "sim/report/write.h"

/* Empty where a figure does not exist. */
static void number_write(fz_output *out, double value, bool exists)
{
    char text[FZ_NUMBER_TEXT];
    fz_output_text(out, ",");
    if (!exists)
        return;
    fz_number_text(value, text);
    fz_output_text(out, text);
}

static void estimate_write(fz_output *out, const fz_estimate *e)
{
    number_write(out, e->mean, e->n > 0);
    number_write(out, e->low, e->n > 0);
    number_write(out, e->high, e->n > 0);
}

static void names_write(fz_output *out, const fz_scenario_results *scenario, const fz_contender *self)
{
    const char *texts[] = {scenario->experiment, scenario->text, scenario->trace,
                           scenario->cluster,    self->label,    self->scheduler};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (i > 0)
            fz_output_text(out, ",");
        fz_output_csv(out, texts[i]);
    }
    number_write(out, scenario->load, scenario->load > 0);
}

static void summary_head(fz_output *out)
{
    fz_output_text(out,
                   "experiment,scenario,trace,cluster,label,scheduler,load,seeds,failed,unstable,interval");
    for (int f = 0; f < FZ_N_FIGURES; f++)
        if (f != FZ_FIGURE_DECIDE_MS)
            fz_report_format(out, ",%s,%s_low,%s_high", fz_figures[f].key, fz_figures[f].key,
                             fz_figures[f].key);
    for (int f = 0; f < FZ_N_FIGURES; f++)
        if (f != FZ_FIGURE_DECIDE_MS)
            fz_report_format(out, ",%s_vs,%s_vs_low,%s_vs_high", fz_figures[f].key, fz_figures[f].key,
                             fz_figures[f].key);
    fz_output_text(out, ",p_holm\n");
}

/* Wall times are left out: the same experiment gives the same summary, byte for byte. */
static void contender_row(fz_output *out, const fz_scenario_results *scenario, const fz_contender *self)
{
    names_write(out, scenario, self);
    fz_report_format(out, ",%u,%u,%u,%s", self->n_runs, self->n_failed, self->n_unstable,
                     self->n_runs >= FZ_MIN_SEEDS_FOR_INTERVAL ? "95%"
                     : self->n_runs > 1                        ? "range"
                                                               : "none");
    for (int f = 0; f < FZ_N_FIGURES; f++)
        if (f != FZ_FIGURE_DECIDE_MS)
            estimate_write(out, &self->figures[f]);
    for (int f = 0; f < FZ_N_FIGURES; f++)
        if (f != FZ_FIGURE_DECIDE_MS)
            estimate_write(out, &self->versus[f]);
    number_write(out, self->p, self->versus[FZ_FIGURE_JCT_AVG].interval);
    fz_output_text(out, "\n");
}

static void runs_head(fz_output *out)
{
    fz_output_text(out, "experiment,scenario,trace,cluster,label,scheduler,load,run_id,seed");
    for (int f = 0; f < FZ_N_FIGURES; f++)
        fz_report_format(out, ",%s", fz_figures[f].key);
    fz_output_text(out, "\n");
}

static void run_rows(fz_output *out, const fz_scenario_results *scenario, const fz_contender *self)
{
    for (uint32_t i = 0; i < self->n_runs; i++) {
        const fz_run_row *run = &self->runs[i];
        names_write(out, scenario, self);
        fz_report_format(out, ",%lld,%llu", (long long)run->id, (unsigned long long)run->seed);
        for (int f = 0; f < FZ_N_FIGURES; f++) {
            double value = fz_figure_value(run, (fz_figure_id)f);
            number_write(out, value, value >= 0);
        }
        fz_output_text(out, "\n");
    }
}

typedef void (*rows_writer)(fz_output *out, const fz_scenario_results *scenario, const fz_contender *self);

static fz_status file_write(const fz_results *results, const char *dir, const char *name,
                            void (*head)(fz_output *), rows_writer rows, fz_error *err)
{
    fz_output *out = NULL;
    FZ_TRY(fz_report_file(dir, name, &out, err));
    head(out);
    for (uint32_t i = 0; i < results->n_scenarios; i++)
        for (uint32_t k = 0; k < results->scenarios[i].n_contenders; k++)
            rows(out, &results->scenarios[i], &results->scenarios[i].contenders[k]);
    return fz_output_commit(out, err);
}

fz_status fz_report_csv(const fz_results *results, const char *dir, fz_error *err)
{
    FZ_TRY(file_write(results, dir, "summary.csv", summary_head, contender_row, err));
    return file_write(results, dir, "runs.csv", runs_head, run_rows, err);
}
