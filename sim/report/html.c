/* One page: style, uPlot, the script of page/, and between them the data as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/curves.h"
#include "sim/report/nodes_json.h"
#include "sim/report/page_data.h"
#include "sim/report/palette.h"
#include "sim/report/table.h"
#include "sim/report/write.h"

enum {
    CDF_POINTS = 160,
    MOST_BINS = 512,
    FEWEST_BINS = 64,
    ALL_BINS = 40000,      /* of all curves of a page: some 700 kB */
    ALL_CDF_POINTS = 40000 /* likewise */
};

typedef struct page {
    fz_output *out;
    const fz_results *results;
    fz_reader *reader;
    uint32_t n_curves;
    fz_nodes_budget budget;
} page;

static void key(const page *self, const char *name, bool first)
{
    fz_report_format(self->out, "%s\"%s\":", first ? "" : ",", name);
}

static void text_of(const page *self, const char *name, const char *text, bool first)
{
    key(self, name, first);
    fz_report_json_text(self->out, text);
}

/* ---- curves --------------------------------------------------------------------------------------------- */

/* To five digits: enough to draw. */
static double five_digits(double value)
{
    if (value == 0 || !isfinite(value))
        return value;
    double scale = pow(10, 4 - floor(log10(fabs(value))));
    return round(value * scale) / scale;
}

static void list_write(const page *self, const double *values, uint32_t n)
{
    fz_output_text(self->out, "[");
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            fz_output_text(self->out, ",");
        fz_report_json_number(self->out, values[i]);
    }
    fz_output_text(self->out, "]");
}

static void cdf_write(const page *self, const fz_jcts *jcts)
{
    double x[CDF_POINTS];
    double share[CDF_POINTS];
    uint32_t most = self->n_curves > 0 ? ALL_CDF_POINTS / self->n_curves : CDF_POINTS;
    most = most > CDF_POINTS ? CDF_POINTS : most < 24 ? 24 : most;
    uint32_t n = fz_jcts_points(jcts, most, x, share);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = five_digits(x[i]);
        share[i] = round(share[i] * 1e7) / 1e7;
    }
    key(self, "cdf", false);
    fz_output_text(self->out, "[");
    list_write(self, x, n);
    fz_output_text(self->out, ",");
    list_write(self, share, n);
    fz_output_text(self->out, "]");
}

/* Joins neighbours, weighted by their length, until there are few enough. */
static uint32_t bins_join(fz_bin_row *bins, uint32_t n, uint32_t most)
{
    while (n > most) {
        uint32_t half = (n + 1) / 2;
        for (uint32_t i = 0; i < half; i++) {
            fz_bin_row a = bins[2 * (size_t)i];
            if (2 * i + 1 < n) {
                fz_bin_row b = bins[2 * (size_t)i + 1];
                double wa = a.end_s - a.start_s;
                double wb = b.end_s - b.start_s;
                a.alloc_frac = (a.alloc_frac * wa + b.alloc_frac * wb) / (wa + wb);
                a.waiting = (a.waiting * wa + b.waiting * wb) / (wa + wb);
                a.end_s = b.end_s;
            }
            bins[i] = a;
        }
        n = half;
    }
    return n;
}

static void time_list(const page *self, const char *name, const fz_bin_row *bins, uint32_t n, int what,
                      bool first)
{
    key(self, name, first);
    fz_output_text(self->out, "[");
    for (uint32_t i = 0; i < n; i++) {
        double value = what == 0 ? bins[i].start_s : what == 1 ? bins[i].alloc_frac : bins[i].waiting;
        if (i > 0)
            fz_output_text(self->out, ",");
        /* a share of 1 stays one: rounding must not go above it */
        fz_report_json_number(self->out, what == 0   ? round(value)
                                         : what == 1 ? round(value * 1e4) / 1e4
                                                     : five_digits(value));
    }
    fz_output_text(self->out, "]");
}

static fz_status timeline_write(const page *self, fz_arena *arena, int64_t run, fz_error *err)
{
    fz_bin_row *bins = NULL;
    uint32_t n = 0;
    uint32_t most = self->n_curves > 0 ? ALL_BINS / self->n_curves : MOST_BINS;
    most = most > MOST_BINS ? MOST_BINS : most < FEWEST_BINS ? FEWEST_BINS : most;
    FZ_TRY(fz_reader_timeline(self->reader, run, arena, &bins, &n, err));
    if (n == 0)
        return FZ_OK; /* a run of an older version */
    n = bins_join(bins, n, most);
    key(self, "time", false);
    fz_output_text(self->out, "{");
    time_list(self, "t", bins, n, 0, true);
    time_list(self, "a", bins, n, 1, false);
    time_list(self, "q", bins, n, 2, false);
    fz_output_text(self->out, "}");
    return FZ_OK;
}

static void classes_write(const page *self, const fz_contender_jobs *jobs)
{
    key(self, "classes", false);
    fz_output_text(self->out, "[");
    for (int kind = 0; kind < FZ_N_CLASS_KINDS; kind++) {
        fz_output_text(self->out, kind > 0 ? ",[" : "[");
        for (uint32_t i = 0; i < jobs->kinds[kind].n; i++) {
            const fz_class *class = &jobs->kinds[kind].classes[i];
            fz_output_text(self->out, i > 0 ? ",[" : "[");
            fz_report_json_text(self->out, class->name);
            fz_report_format(self->out, ",%llu,%llu,", (unsigned long long)class->finished,
                             (unsigned long long)class->measured);
            fz_report_json_number(self->out, class->finished > 0
                                                 ? five_digits(class->jct_sum_s / (double)class->finished)
                                                 : (double)NAN);
            fz_output_text(self->out, "]");
        }
        fz_output_text(self->out, "]");
    }
    fz_output_text(self->out, "]");
}

/* ---- a scenario ----------------------------------------------------------------------------------------- */

static uint32_t label_index(const fz_results *results, const char *label)
{
    uint32_t i = 0;
    while (i < results->n_labels && strcmp(results->labels[i], label) != 0)
        i++;
    return i;
}

static void runs_write(const page *self, const fz_contender *contender)
{
    key(self, "runs", false);
    fz_output_text(self->out, "[");
    for (uint32_t i = 0; i < contender->n_runs && i < 100; i++) {
        const fz_run_row *run = &contender->runs[i];
        fz_report_format(self->out, "%s{\"id\":%lld,\"seed\":%llu,\"wall\":%.3f", i > 0 ? "," : "",
                         (long long)run->id, (unsigned long long)run->seed, run->cost.wall_s);
        text_of(self, "version", run->version, false);
        text_of(self, "added", run->added, false);
        fz_output_text(self->out, "}");
    }
    fz_output_text(self->out, "]");
}

static fz_status contender_data(page *self, fz_arena *arena, const fz_contender *contender, fz_error *err)
{
    const fz_estimate *jct = &contender->figures[FZ_FIGURE_JCT_AVG];
    fz_contender_jobs *jobs = FZ_NEW(arena, 1, fz_contender_jobs);
    if (jobs == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the jobs of a report");
    if (jct->n > 0) {
        key(self, "jct", false);
        fz_report_format(self->out, "{\"mean\":%.17g,\"low\":%.17g,\"high\":%.17g,\"n\":%u,\"interval\":%s}",
                         jct->mean, jct->low, jct->high, jct->n, jct->interval ? "true" : "false");
    }
    if (contender->n_runs == 0)
        return FZ_OK;
    text_of(self, "config", contender->runs[0].config, false);
    FZ_TRY(fz_contender_jobs_read(self->reader, arena, contender, jobs, err));
    cdf_write(self, &jobs->jcts);
    classes_write(self, jobs);
    FZ_TRY(timeline_write(self, arena, contender->runs[0].id, err));
    return fz_nodes_json(self->out, self->reader, arena, contender->runs[0].id, &self->budget, err);
}

static fz_status contender_write(page *self, const fz_contender *contender, fz_error *err)
{
    fz_arena *arena = fz_arena_new(NULL); /* jobs of one contender at a time */
    if (arena == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the jobs of a report");
    fz_report_format(self->out, "{\"label\":%u", label_index(self->results, contender->label));
    runs_write(self, contender);
    fz_status status = contender_data(self, arena, contender, err);
    fz_output_text(self->out, "}");
    fz_arena_free(arena);
    return status;
}

static void table_write(const page *self, const fz_table *table, bool with_bold)
{
    key(self, "heads", false);
    for (uint32_t c = 0; c < table->n_columns; c++) {
        fz_output_text(self->out, c > 0 ? "," : "[");
        fz_report_json_text(self->out, table->heads[c]);
    }
    fz_output_text(self->out, "],\"rows\":[");
    for (uint32_t r = 0; r < table->n_rows; r++)
        for (uint32_t c = 0; c < table->n_columns; c++) {
            fz_output_text(self->out, c > 0 ? "," : r > 0 ? "],[" : "[");
            fz_report_json_text(self->out, table->cells[r * table->n_columns + c]);
        }
    fz_output_text(self->out, table->n_rows > 0 ? "]]" : "]");
    if (!with_bold)
        return;
    fz_output_text(self->out, ",\"bold\":[");
    for (uint32_t r = 0; r < table->n_rows; r++)
        for (uint32_t c = 0; c < table->n_columns; c++)
            fz_report_format(self->out, "%s%d",
                             c > 0   ? ","
                             : r > 0 ? "],["
                                     : "[",
                             table->bold[r * table->n_columns + c]);
    fz_output_text(self->out, table->n_rows > 0 ? "]]" : "]");
}

/* The scenario's name without its load: what one curve over loads belongs to. */
static void family_write(const page *self, const char *text)
{
    char family[512];
    const char *load = strstr(text, ", load ");
    const char *rest = load != NULL ? load + 7 + strcspn(load + 7, ",") : "";
    snprintf(family, sizeof(family), "%.*s%s", load != NULL ? (int)(load - text) : (int)strlen(text), text,
             rest);
    text_of(self, "family", family, false);
}

static void notes_write(const page *self, const fz_scenario_results *scenario)
{
    char note[512];
    key(self, "notes", false);
    fz_output_text(self->out, "[");
    for (uint32_t i = 0; fz_scenario_note(scenario, i, note, sizeof(note)); i++) {
        if (i > 0)
            fz_output_text(self->out, ",");
        fz_report_json_text(self->out, note);
    }
    fz_output_text(self->out, "]");
}

static const fz_run_row *first_run(const fz_scenario_results *scenario)
{
    for (uint32_t i = 0; i < scenario->n_contenders; i++)
        if (scenario->contenders[i].n_runs > 0)
            return &scenario->contenders[i].runs[0];
    return NULL;
}

static fz_status scenario_write(page *self, fz_arena *arena, const fz_scenario_results *scenario,
                                fz_error *err)
{
    fz_table table;
    const fz_run_row *run = first_run(scenario);
    FZ_TRY(fz_table_of_scenario(arena, scenario, &table, err));
    fz_output_text(self->out, "{");
    text_of(self, "text", scenario->text, true);
    text_of(self, "experiment", scenario->experiment, false);
    text_of(self, "trace", scenario->trace, false);
    text_of(self, "traceSha", run != NULL ? run->trace_sha256 : "", false);
    text_of(self, "cluster", scenario->cluster, false);
    text_of(self, "clusterSha", run != NULL ? run->cluster_sha256 : "", false);
    text_of(self, "sentence", scenario->sentence, false);
    family_write(self, scenario->text);
    key(self, "load", false);
    fz_report_json_number(self->out, scenario->load > 0 ? scenario->load : (double)NAN);
    fz_report_format(self->out, ",\"gpus\":%u,\"jobs\":%llu,\"baseline\":%u", scenario->gpus,
                     (unsigned long long)scenario->jobs, scenario->baseline);
    notes_write(self, scenario);
    table_write(self, &table, true);
    key(self, "contenders", false);
    fz_output_text(self->out, "[");
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        fz_output_text(self->out, i > 0 ? ",\n" : "\n");
        FZ_TRY(contender_write(self, &scenario->contenders[i], err));
    }
    fz_output_text(self->out, "]}");
    return FZ_OK;
}

/* ---- the page ------------------------------------------------------------------------------------------- */

static void labels_write(const page *self)
{
    key(self, "labels", false);
    fz_output_text(self->out, "[");
    for (uint32_t i = 0; i < self->results->n_labels; i++) {
        fz_output_text(self->out, i > 0 ? ",{" : "{");
        text_of(self, "name", self->results->labels[i], true);
        fz_report_format(self->out, ",\"light\":\"%s\",\"dark\":\"%s\",\"dash\":%u}", fz_palette_color(i),
                         fz_palette_color_dark(i), fz_palette_dash(i));
    }
    fz_output_text(self->out, "]");
}

static void failures_write(const page *self)
{
    key(self, "failures", false);
    fz_output_text(self->out, "[");
    for (uint32_t i = 0; i < self->results->n_failures; i++) {
        const fz_failure_row *failure = &self->results->failures[i];
        fz_output_text(self->out, i > 0 ? ",[" : "[");
        fz_report_json_text(self->out, failure->label);
        fz_output_text(self->out, ",");
        fz_report_json_text(self->out, failure->scenario);
        fz_report_format(self->out, ",%llu,", (unsigned long long)failure->seed);
        fz_report_json_text(self->out, failure->reason);
        fz_output_text(self->out, "]");
    }
    fz_output_text(self->out, "]");
}

static fz_status data_write(page *self, fz_arena *arena, const char *database, fz_error *err)
{
    fz_output_text(self->out, "{\"command\":");
    char command[512];
    snprintf(command, sizeof(command), "frenzy report %s --html", database);
    fz_report_json_text(self->out, command);
    labels_write(self);
    failures_write(self);
    if (self->results->n_scenarios > 1) {
        fz_table table;
        FZ_TRY(fz_table_overall(arena, self->results, &table, err));
        fz_output_text(self->out, ",\"overall\":{\"title\":\"\"");
        table_write(self, &table, false);
        fz_output_text(self->out, "}");
    }
    fz_output_text(self->out, ",\n\"scenarios\":[");
    for (uint32_t i = 0; i < self->results->n_scenarios; i++) {
        fz_output_text(self->out, i > 0 ? ",\n" : "\n");
        FZ_TRY(scenario_write(self, arena, &self->results->scenarios[i], err));
    }
    fz_output_text(self->out, "]}\n");
    return FZ_OK;
}

static void part(fz_output *out, const char *before, const unsigned char *bytes, size_t length,
                 const char *after)
{
    fz_output_text(out, before);
    fz_output_write(out, (const char *)bytes, length);
    fz_output_text(out, after);
}

static fz_status page_write(page *self, fz_arena *arena, const char *database, fz_error *err)
{
    fz_output *out = self->out;
    fz_output_text(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<link rel=\"icon\" href=\"data:,\">\n<title>frenzy report</title>\n");
    part(out, "<style>\n", fz_page_uPlot_min_css, fz_page_uPlot_min_css_length, "\n");
    part(out, "", fz_page_page_css, fz_page_page_css_length,
         "</style>\n</head>\n<body>\n<main id=\"report\"></main>\n");
    fz_output_text(out, "<script type=\"application/json\" id=\"data\">\n");
    FZ_TRY(data_write(self, arena, database, err));
    fz_output_text(out, "</script>\n");
    part(out, "<!-- uPlot:\n", fz_page_LICENSE_uPlot, fz_page_LICENSE_uPlot_length, "-->\n");
    part(out, "<script>", fz_page_uPlot_iife_min_js, fz_page_uPlot_iife_min_js_length, "</script>\n");
    part(out, "<script>\n", fz_page_page_js, fz_page_page_js_length, "</script>\n</body>\n</html>\n");
    return FZ_OK;
}

fz_status fz_report_html(const fz_results *results, fz_reader *reader, fz_arena *arena, const char *database,
                         const char *path, fz_error *err)
{
    page self = {.results = results, .reader = reader, .budget = fz_nodes_budget_full()};
    for (uint32_t i = 0; i < results->n_scenarios; i++)
        self.n_curves += results->scenarios[i].n_contenders;
    FZ_TRY(fz_output_open(path, &self.out, err));
    fz_status status = page_write(&self, arena, database, err);
    if (status == FZ_OK)
        return fz_output_commit(self.out, err);
    fz_output_discard(self.out);
    return status;
}
