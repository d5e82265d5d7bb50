#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/curves.h"
#include "sim/report/palette.h"
#include "sim/report/write.h"

enum { POINTS = 300 };

/* A text in double quotes of gnuplot; the enhanced mode is off. */
static void quoted(fz_output *out, const char *text)
{
    fz_output_text(out, "\"");
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fz_report_format(out, "\\%c", *text);
        else
            fz_output_write(out, text, 1);
    fz_output_text(out, "\"");
}

static void script_start(fz_output *out, const char *name, const char *x, const char *y)
{
    fz_report_format(
        out,
        "# gnuplot %s.gp makes %s.pdf\n"
        "set terminal pdfcairo noenhanced font \"Helvetica,11\" size 12cm,8cm\nset output \"%s.pdf\"\n"
        "set xlabel \"%s\"\nset ylabel \"%s\"\nset grid\nset key outside right top\n",
        name, name, name, x, y);
}

static uint32_t label_index(const fz_results *results, const char *label)
{
    uint32_t i = 0;
    while (i < results->n_labels && strcmp(results->labels[i], label) != 0)
        i++;
    return i;
}

static void style_write(fz_output *out, uint32_t label)
{
    fz_report_format(out, " lc rgb \"%s\" dt %u lw 2", fz_palette_color(label), fz_palette_dash(label) + 1);
}

/* ---- average JCT against load --------------------------------------------------------------------------- */

/* A block a label: load, mean, low, high in hours, over the scenarios of the first one's trace and cluster. */
static fz_status load_files(const fz_results *results, const char *dir, fz_error *err)
{
    fz_output *data = NULL;
    FZ_TRY(fz_report_file(dir, "load.dat", &data, err));
    fz_output_text(data, "# load, average JCT (h), low, high; a block a scheduler\n");
    for (uint32_t l = 0; l < results->n_labels; l++) {
        fz_report_format(data, "# %s\n", results->labels[l]);
        for (uint32_t s = 0; s < results->n_scenarios; s++) {
            const fz_scenario_results *scenario = &results->scenarios[s];
            for (uint32_t c = 0; c < scenario->n_contenders; c++) {
                const fz_estimate *jct = &scenario->contenders[c].figures[FZ_FIGURE_JCT_AVG];
                if (strcmp(scenario->contenders[c].label, results->labels[l]) == 0 && jct->n > 0 &&
                    scenario->load > 0 && strcmp(scenario->trace, results->scenarios[0].trace) == 0 &&
                    strcmp(scenario->cluster, results->scenarios[0].cluster) == 0)
                    fz_report_format(data, "%.6g %.6g %.6g %.6g\n", scenario->load, jct->mean / 3600,
                                     jct->low / 3600, jct->high / 3600);
            }
        }
        fz_output_text(data, "\n\n");
    }
    FZ_TRY(fz_output_commit(data, err));
    fz_output *script = NULL;
    FZ_TRY(fz_report_file(dir, "load.gp", &script, err));
    script_start(script, "load", "offered load", "average JCT (h)");
    fz_output_text(script, "plot ");
    for (uint32_t l = 0; l < results->n_labels; l++) {
        fz_report_format(script, "%s\"load.dat\" index %u using 1:2:3:4 with yerrorlines title ",
                         l > 0 ? ", \\\n  " : "", l);
        quoted(script, results->labels[l]);
        style_write(script, l);
    }
    fz_output_text(script, "\n");
    return fz_output_commit(script, err);
}

/* ---- distribution and timeline of the first scenario ---------------------------------------------------- */

static fz_status cdf_data(const fz_scenario_results *scenario, fz_reader *reader, fz_arena *arena,
                          fz_output *out, fz_error *err)
{
    double x[POINTS];
    double share[POINTS];
    fz_output_text(out, "# JCT (h), share of jobs done; a block a scheduler\n");
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        fz_contender_jobs *jobs = FZ_NEW(arena, 1, fz_contender_jobs);
        if (jobs == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for a distribution");
        FZ_TRY(fz_contender_jobs_read(reader, arena, &scenario->contenders[i], jobs, err));
        uint32_t n = fz_jcts_points(&jobs->jcts, POINTS, x, share);
        fz_report_format(out, "# %s\n", scenario->contenders[i].label);
        for (uint32_t k = 0; k < n; k++)
            fz_report_format(out, "%.6g %.6g\n", x[k] / 3600, share[k]);
        fz_output_text(out, n > 0 ? "\n\n" : "1 NaN\n\n\n");
    }
    return FZ_OK;
}

static fz_status timeline_data(const fz_scenario_results *scenario, fz_reader *reader, fz_arena *arena,
                               fz_output *out, fz_error *err)
{
    fz_output_text(out, "# time (h), allocation (%), waiting jobs, of the first seed; a block a scheduler\n");
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        fz_bin_row *bins = NULL;
        uint32_t n = 0;
        if (scenario->contenders[i].n_runs > 0)
            FZ_TRY(fz_reader_timeline(reader, scenario->contenders[i].runs[0].id, arena, &bins, &n, err));
        fz_report_format(out, "# %s\n", scenario->contenders[i].label);
        for (uint32_t k = 0; k < n; k++)
            fz_report_format(out, "%.6g %.6g %.6g\n", bins[k].start_s / 3600, 100 * bins[k].alloc_frac,
                             bins[k].waiting);
        fz_output_text(out, n > 0 ? "\n\n" : "0 NaN NaN\n\n\n");
    }
    return FZ_OK;
}

static void plot_write(fz_output *out, const fz_results *results, const char *data, const char *columns,
                       const char *with)
{
    const fz_scenario_results *scenario = &results->scenarios[0];
    fz_output_text(out, "plot ");
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        fz_report_format(out, "%s\"%s\" index %u using %s with %s title ", i > 0 ? ", \\\n  " : "", data, i,
                         columns, with);
        quoted(out, scenario->contenders[i].label);
        style_write(out, label_index(results, scenario->contenders[i].label));
    }
    fz_output_text(out, "\n");
}

static fz_status
data_file(const fz_results *results, fz_reader *reader, fz_arena *arena, const char *dir, const char *name,
          fz_status (*write)(const fz_scenario_results *, fz_reader *, fz_arena *, fz_output *, fz_error *),
          fz_error *err)
{
    fz_output *out = NULL;
    FZ_TRY(fz_report_file(dir, name, &out, err));
    fz_status status = write(&results->scenarios[0], reader, arena, out, err);
    if (status == FZ_OK)
        return fz_output_commit(out, err);
    fz_output_discard(out);
    return status;
}

fz_status fz_report_gnuplot(const fz_results *results, fz_reader *reader, fz_arena *arena, const char *dir,
                            fz_error *err)
{
    fz_output *out = NULL;
    FZ_TRY(load_files(results, dir, err));
    FZ_TRY(data_file(results, reader, arena, dir, "cdf.dat", cdf_data, err));
    FZ_TRY(data_file(results, reader, arena, dir, "timeline.dat", timeline_data, err));
    FZ_TRY(fz_report_file(dir, "cdf.gp", &out, err));
    script_start(out, "cdf", "JCT (h)", "share of jobs done");
    fz_output_text(out, "set logscale x\nset yrange [0:1]\n");
    plot_write(out, results, "cdf.dat", "1:2", "steps");
    FZ_TRY(fz_output_commit(out, err));
    FZ_TRY(fz_report_file(dir, "timeline.gp", &out, err));
    script_start(out, "timeline", "time (h)", "allocation (%)");
    fz_output_text(out, "set yrange [0:100]\nset multiplot layout 2,1\n");
    plot_write(out, results, "timeline.dat", "1:2", "steps");
    fz_output_text(out, "set ylabel \"waiting jobs\"\nset yrange [0:*]\n");
    plot_write(out, results, "timeline.dat", "1:3", "steps");
    fz_output_text(out, "unset multiplot\n");
    return fz_output_commit(out, err);
}
