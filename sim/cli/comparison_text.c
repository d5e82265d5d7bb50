/* The result of a comparison, as a table for people and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/comparison.h"
#include "sim/cli/report_text.h"
#include "sim/cli/summary_text.h"
#include "sim/report/paired.h"
#include "sim/report/results.h"

static double jct_avg(const fz_summary *s)
{
    return s->jct_avg_s;
}

static double jct_p50(const fz_summary *s)
{
    return s->jct_p50_s;
}

static double jct_p99(const fz_summary *s)
{
    return s->jct_p99_s;
}

static double queue_avg(const fz_summary *s)
{
    return s->queue_avg_s;
}

static double makespan(const fz_summary *s)
{
    return s->makespan_s;
}

static double alloc(const fz_summary *s)
{
    return s->alloc_frac;
}

static double ooms(const fz_summary *s)
{
    return (double)s->ooms;
}

static double finished(const fz_summary *s)
{
    return (double)s->finished;
}

static double mean(const fz_comparison *c, uint32_t sched, fz_figure figure)
{
    double values[FZ_MAX_SEEDS];
    return fz_comparison_values(c, sched, figure, values) ? fz_estimate_of(values, c->n_seeds).mean : -1;
}

static double decide_ms(const fz_comparison *c, uint32_t sched)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->n_seeds; i++)
        sum += c->runs[sched * c->n_seeds + i].cost.decide_ms_mean;
    return sum / c->n_seeds;
}

/* The paired difference of average JCT against the first scheduler. */
static bool against_first(const fz_comparison *c, uint32_t sched, fz_estimate *out)
{
    double base[FZ_MAX_SEEDS];
    double own[FZ_MAX_SEEDS];
    if (sched == 0 || !fz_comparison_values(c, 0, jct_avg, base) ||
        !fz_comparison_values(c, sched, jct_avg, own))
        return false;
    for (uint32_t i = 0; i < c->n_seeds; i++)
        if (base[i] <= 0)
            return false;
    *out = fz_paired_relative(base, own, c->n_seeds);
    return true;
}

static void difference_text(const fz_comparison *c, uint32_t sched, char *text, size_t size)
{
    fz_estimate d;
    if (!against_first(c, sched, &d))
        snprintf(text, size, "-");
    else if (c->n_seeds == 1)
        snprintf(text, size, "%+.1f %%", 100 * d.mean);
    else
        snprintf(text, size, "%+.1f %% [%+.1f %+.1f]", 100 * d.mean, 100 * d.low, 100 * d.high);
}

static void row_print(const fz_comparison *c, uint32_t sched)
{
    char difference[64], avg[32], p99[32], queue[32], span[32];
    difference_text(c, sched, difference, sizeof(difference));
    fz_hours_text(mean(c, sched, jct_avg), avg, sizeof(avg));
    fz_hours_text(mean(c, sched, jct_p99), p99, sizeof(p99));
    fz_hours_text(mean(c, sched, queue_avg), queue, sizeof(queue));
    fz_hours_text(mean(c, sched, makespan), span, sizeof(span));
    double share = mean(c, sched, alloc);
    printf("%-14s %12s  %-24s %8s %10s %13s %8.1f %6.1f %9.0f %12.4f\n", c->scheds[sched]->name, avg,
           difference, p99, queue, span, share < 0 ? 0 : 100 * share, fmax(0, mean(c, sched, ooms)),
           fmax(0, mean(c, sched, finished)), decide_ms(c, sched));
}

/* What may be said about seeds under the table. */
static void footnote(const fz_comparison *c)
{
    if (c->n_seeds == 1)
        printf("1 trace, no interval\n");
    else if (c->n_seeds < FZ_MIN_SEEDS_FOR_INTERVAL)
        printf("[ ] range over %u seeds, paired by seed; an interval needs at least %d\n", c->n_seeds,
               FZ_MIN_SEEDS_FOR_INTERVAL);
    else
        printf("[ ] 95 %% Student t interval of the paired difference over %u seeds\n", c->n_seeds);
}

/* ---- the statistics of reports -------------------------------------------------------------------------- */

/* The comparison as one scenario of a report; false when there is no memory or no run. */
static bool results_make(fz_arena *arena, const fz_comparison *c, fz_results *out)
{
    fz_run_row *rows = FZ_NEW(arena, (size_t)c->n_scheds * c->n_seeds, fz_run_row);
    uint32_t n = 0;
    if (rows == NULL)
        return false;
    for (uint32_t i = 0; i < c->n_scheds * c->n_seeds; i++) {
        if (c->runs[i].failed)
            continue;
        rows[n++] = (fz_run_row){.seed = c->seeds[i % c->n_seeds],
                                 .scheduler = c->scheds[i / c->n_seeds]->name,
                                 .label = c->scheds[i / c->n_seeds]->name,
                                 .scenario = "",
                                 .experiment = "",
                                 .trace = "",
                                 .trace_sha256 = "",
                                 .cluster = "",
                                 .cluster_sha256 = "",
                                 .version = "",
                                 .summary = c->runs[i].summary,
                                 .cost = c->runs[i].cost};
    }
    return fz_results_of(arena, rows, n, NULL, 0, NULL, out, NULL) == FZ_OK && out->n_scenarios == 1;
}

static const fz_contender *contender_of(const fz_results *results, const char *name)
{
    for (uint32_t i = 0; results != NULL && i < results->scenarios[0].n_contenders; i++)
        if (strcmp(results->scenarios[0].contenders[i].label, name) == 0)
            return &results->scenarios[0].contenders[i];
    return NULL;
}

static void sentence_print(const fz_comparison *c)
{
    fz_results results;
    fz_arena *arena = fz_arena_new(NULL);
    if (arena != NULL && c->n_scheds > 1 && results_make(arena, c, &results))
        printf("%s\n", results.scenarios[0].sentence);
    fz_arena_free(arena);
}

void fz_comparison_table(const fz_comparison *c)
{
    char versus[64];
    snprintf(versus, sizeof(versus), "vs %s", c->scheds[0]->name);
    printf("%-14s %12s  %-24s %8s %10s %13s %8s %6s %9s %12s\n", "scheduler", "avg JCT (h)", versus,
           "p99 (h)", "queue (h)", "makespan (h)", "alloc %", "OOM", "finished", "ms/decision");
    for (uint32_t sched = 0; sched < c->n_scheds; sched++)
        row_print(c, sched);
    footnote(c);
    sentence_print(c);
}

/* ---- JSON ----------------------------------------------------------------------------------------------- */

static void estimate_json(fz_json *json, const char *key, const fz_estimate *estimate, const char *kind)
{
    fz_json_open(json, key);
    fz_json_number(json, "mean", round(estimate->mean * 1e9) / 1e9);
    fz_json_number(json, "low", round(estimate->low * 1e9) / 1e9);
    fz_json_number(json, "high", round(estimate->high * 1e9) / 1e9);
    fz_json_text(json, "kind", estimate->n == 1 ? "single" : estimate->interval ? kind : "range");
    fz_json_close(json);
}

static void sched_json(fz_json *json, const fz_comparison *c, const fz_results *results, uint32_t sched)
{
    fz_json_open(json, NULL);
    fz_json_text(json, "name", c->scheds[sched]->name);
    fz_json_figure(json, "finished", mean(c, sched, finished));
    fz_json_figure(json, "jct_avg_s", mean(c, sched, jct_avg));
    fz_json_figure(json, "jct_p50_s", mean(c, sched, jct_p50));
    fz_json_figure(json, "jct_p99_s", mean(c, sched, jct_p99));
    fz_json_figure(json, "queue_avg_s", mean(c, sched, queue_avg));
    fz_json_figure(json, "makespan_s", mean(c, sched, makespan));
    fz_json_figure(json, "alloc_frac", mean(c, sched, alloc));
    fz_json_figure(json, "ooms", mean(c, sched, ooms));
    fz_estimate difference;
    if (against_first(c, sched, &difference))
        estimate_json(json, "jct_avg_against_first", &difference, "t95");
    const fz_contender *contender = contender_of(results, c->scheds[sched]->name);
    if (contender != NULL && contender->versus[FZ_FIGURE_JCT_P99].n > 0)
        estimate_json(json, "jct_p99_against_first", &contender->versus[FZ_FIGURE_JCT_P99], "bootstrap95");
    if (contender != NULL && contender->versus[FZ_FIGURE_JCT_AVG].interval)
        fz_json_number(json, "p_holm", contender->p);
    fz_json_open_list(json, "runs");
    for (uint32_t i = 0; i < c->n_seeds; i++) {
        const fz_compared_run *run = &c->runs[sched * c->n_seeds + i];
        fz_run_result result = {.summary = run->summary, .cost = run->cost};
        fz_json_open(json, NULL);
        fz_json_count(json, "seed", c->seeds[i]);
        if (run->failed)
            fz_json_text(json, "failed", run->failure.message);
        else
            fz_summary_json(json, &result);
        fz_json_close(json);
    }
    fz_json_close_list(json);
    fz_json_close(json);
}

void fz_comparison_json(const fz_comparison *c)
{
    fz_results results;
    fz_arena *arena = fz_arena_new(NULL);
    bool known = arena != NULL && results_make(arena, c, &results);
    fz_json json = fz_json_start(stdout, "frenzy-compare-1");
    fz_json_text(&json, "trace_sha256", c->inputs.trace->sha256);
    fz_assumed_json(&json, c->inputs.trace);
    fz_json_text(&json, "cluster", c->inputs.cluster->spec.name);
    fz_json_text(&json, "cluster_sha256", c->inputs.cluster->sha256);
    fz_json_count(&json, "seeds", c->n_seeds);
    fz_json_open_list(&json, "schedulers");
    for (uint32_t sched = 0; sched < c->n_scheds; sched++)
        sched_json(&json, c, known ? &results : NULL, sched);
    fz_json_close_list(&json);
    if (known)
        fz_json_text(&json, "sentence", results.scenarios[0].sentence);
    fz_json_end(&json);
    fz_arena_free(arena);
}
