#include "sim/report/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/bootstrap.h"
#include "sim/report/tests.h"

#define MAX_SEEDS 100000u

const fz_figure_kind fz_figures[FZ_N_FIGURES] = {
    [FZ_FIGURE_JCT_AVG] = {"jct_avg_s", "avg JCT (h)", 1.0 / 3600, 2, false, true},
    [FZ_FIGURE_JCT_P50] = {"jct_p50_s", "p50 (h)", 1.0 / 3600, 2, true, true},
    [FZ_FIGURE_JCT_P99] = {"jct_p99_s", "p99 (h)", 1.0 / 3600, 2, true, true},
    [FZ_FIGURE_QUEUE] = {"queue_avg_s", "queue (h)", 1.0 / 3600, 2, false, true},
    [FZ_FIGURE_MAKESPAN] = {"makespan_s", "makespan (h)", 1.0 / 3600, 2, true, true},
    [FZ_FIGURE_ALLOC] = {"alloc_frac", "alloc %", 100, 1, false, false},
    [FZ_FIGURE_OOMS] = {"ooms", "OOM", 1, 1, false, true},
    [FZ_FIGURE_FINISHED] = {"finished", "finished", 1, 1, false, false},
    [FZ_FIGURE_UNFINISHED] = {"not_finished", "not finished", 1, 1, false, true},
    [FZ_FIGURE_DECIDE_MS] = {"decide_ms_mean", "ms/decision", 1, 4, false, true},
};

double fz_figure_value(const fz_run_row *run, fz_figure_id figure)
{
    const fz_summary *s = &run->summary;
    switch (figure) {
    case FZ_FIGURE_JCT_AVG:
        return s->jct_avg_s;
    case FZ_FIGURE_JCT_P50:
        return s->jct_p50_s;
    case FZ_FIGURE_JCT_P99:
        return s->jct_p99_s;
    case FZ_FIGURE_QUEUE:
        return s->queue_avg_s;
    case FZ_FIGURE_MAKESPAN:
        return s->makespan_s;
    case FZ_FIGURE_ALLOC:
        return s->alloc_frac;
    case FZ_FIGURE_OOMS:
        return (double)s->ooms;
    case FZ_FIGURE_FINISHED:
        return (double)s->finished;
    case FZ_FIGURE_UNFINISHED:
        return (double)(s->jobs - s->finished);
    default:
        return run->cost.decide_ms_mean;
    }
}

/* ---- estimates ------------------------------------------------------------------------------------------ */

static fz_status no_memory(fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for the statistics of a report");
}

/* The draws depend on what is estimated, not on the order in which it is. */
static uint64_t draw_key(const char *label, fz_figure_id figure)
{
    uint64_t hash = 0xcbf29ce484222325u + (uint64_t)figure;
    for (; *label != '\0'; label++)
        hash = (hash ^ (unsigned char)*label) * 0x100000001b3u;
    return hash;
}

static fz_estimate estimate(const double *values, uint32_t n, const char *label, fz_figure_id figure)
{
    if (fz_figures[figure].percentile)
        return fz_bootstrap_mean(values, n, draw_key(label, figure));
    return fz_estimate_of(values, n);
}

static void figures_fill(fz_contender *self, double *scratch)
{
    for (int f = 0; f < FZ_N_FIGURES; f++) {
        uint32_t n = 0;
        for (; n < self->n_runs; n++) {
            scratch[n] = fz_figure_value(&self->runs[n], (fz_figure_id)f);
            if (scratch[n] < 0)
                break;
        }
        if (n > 0 && n == self->n_runs)
            self->figures[f] = fz_estimate_of(scratch, n);
    }
}

/* Relative differences on the seeds that both have; false when a figure is absent or the base is 0. */
static bool paired(const fz_contender *base, const fz_contender *own, fz_figure_id figure, double *out,
                   uint32_t *n)
{
    *n = 0;
    for (uint32_t i = 0, k = 0; i < base->n_runs && k < own->n_runs;) {
        const fz_run_row *a = &base->runs[i];
        const fz_run_row *b = &own->runs[k];
        if (a->seed != b->seed) {
            i += a->seed < b->seed;
            k += b->seed < a->seed;
            continue;
        }
        double x = fz_figure_value(a, figure);
        double y = fz_figure_value(b, figure);
        if (x <= 0 || y < 0)
            return false;
        out[(*n)++] = y / x - 1;
        i++;
        k++;
    }
    return *n > 0;
}

static void versus_fill(const fz_contender *base, fz_contender *own, double *scratch)
{
    own->p = 1;
    for (int f = 0; f < FZ_N_FIGURES; f++) {
        uint32_t n = 0;
        if (!paired(base, own, (fz_figure_id)f, scratch, &n))
            continue;
        own->versus[f] = estimate(scratch, n, own->label, (fz_figure_id)f);
        if (f == FZ_FIGURE_JCT_AVG && n >= FZ_MIN_SEEDS_FOR_INTERVAL)
            own->p = fz_t_test(scratch, n);
    }
}

/* One family: all that were tested against the baseline. */
static fz_status holm_correct(fz_arena *arena, fz_scenario_results *scenario, fz_error *err)
{
    double *p = FZ_NEW(arena, scenario->n_contenders, double);
    uint32_t *who = FZ_NEW(arena, scenario->n_contenders, uint32_t);
    uint32_t n = 0;
    if (p == NULL || who == NULL)
        return no_memory(err);
    for (uint32_t i = 0; i < scenario->n_contenders; i++)
        if (i != scenario->baseline && scenario->contenders[i].versus[FZ_FIGURE_JCT_AVG].interval) {
            p[n] = scenario->contenders[i].p;
            who[n++] = i;
        }
    fz_holm(p, n);
    for (uint32_t i = 0; i < n; i++)
        scenario->contenders[who[i]].p = p[i];
    return FZ_OK;
}

/* ---- the sentence --------------------------------------------------------------------------------------- */

static uint32_t lowest(const fz_scenario_results *scenario, uint32_t but)
{
    uint32_t best = scenario->n_contenders;
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        const fz_estimate *jct = &scenario->contenders[i].figures[FZ_FIGURE_JCT_AVG];
        if (i != but && jct->n > 0 &&
            (best == scenario->n_contenders ||
             jct->mean < scenario->contenders[best].figures[FZ_FIGURE_JCT_AVG].mean))
            best = i;
    }
    return best;
}

/* "23.0 % lower", from own / other - 1. */
static void difference_text(double relative, char *text, size_t size)
{
    snprintf(text, size, "%.1f %% %s", fabs(100 * relative), relative <= 0 ? "lower" : "higher");
}

static void spread_text(const fz_estimate *e, char *text, size_t size)
{
    double low = -100 * e->high;
    double high = -100 * e->low;
    if (e->n == 1)
        snprintf(text, size, "1 seed, no interval");
    else if (!e->interval)
        snprintf(text, size, "range %.1f to %.1f %%, %u seeds", low, high, e->n);
    else
        snprintf(text, size, "95 %% CI %.1f to %.1f %%, %u seeds", low, high, e->n);
}

static bool includes_zero(const fz_estimate *e)
{
    return e->low <= 0 && e->high >= 0;
}

static fz_status sentence_write(fz_arena *arena, fz_scenario_results *scenario, double *scratch,
                                fz_error *err)
{
    enum { LENGTH = 512 };
    char *text = FZ_NEW(arena, LENGTH, char);
    if (text == NULL)
        return no_memory(err);
    scenario->sentence = text;
    uint32_t second = lowest(scenario, scenario->best);
    if (scenario->best == scenario->n_contenders) {
        snprintf(text, LENGTH, "No run has finished jobs.");
        return FZ_OK;
    }
    const fz_contender *winner = &scenario->contenders[scenario->best];
    uint32_t n = 0;
    if (second == scenario->n_contenders ||
        !paired(&scenario->contenders[second], winner, FZ_FIGURE_JCT_AVG, scratch, &n)) {
        snprintf(text, LENGTH, "%s is the only scheduler with results.", winner->label);
        return FZ_OK;
    }
    char jct[64], spread[96], p99[64];
    fz_estimate by = fz_estimate_of(scratch, n);
    scenario->best_clear = by.n == 1 || !includes_zero(&by);
    difference_text(by.mean, jct, sizeof(jct));
    spread_text(&by, spread, sizeof(spread));
    int length = snprintf(text, LENGTH, "%s: %s avg JCT than %s (%s%s)", winner->label, jct,
                          scenario->contenders[second].label, spread,
                          by.interval && includes_zero(&by) ? ", n.s." : "");
    if (paired(&scenario->contenders[second], winner, FZ_FIGURE_JCT_P99, scratch, &n)) {
        by = estimate(scratch, n, winner->label, FZ_FIGURE_JCT_P99);
        difference_text(by.mean, p99, sizeof(p99));
        length += snprintf(text + length, LENGTH - (size_t)length, ", p99 %s%s", p99,
                           by.interval && includes_zero(&by) ? " (n.s.)" : "");
    }
    snprintf(text + length, LENGTH - (size_t)length, ".");
    return FZ_OK;
}

/* ---- order ---------------------------------------------------------------------------------------------- */

static bool same_scenario(const fz_run_row *a, const fz_run_row *b)
{
    return strcmp(a->scenario, b->scenario) == 0 && strcmp(a->trace_sha256, b->trace_sha256) == 0 &&
           strcmp(a->cluster_sha256, b->cluster_sha256) == 0 && strcmp(a->experiment, b->experiment) == 0;
}

/* One run a seed: of two runs of replay with the same seed the later one counts. */
static uint32_t seeds_once(fz_run_row *runs, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (kept > 0 && runs[kept - 1].seed == runs[i].seed)
            runs[kept - 1] = runs[i];
        else
            runs[kept++] = runs[i];
    }
    return kept;
}

static fz_contender *contender_find(fz_scenario_results *scenario, const char *label)
{
    for (uint32_t i = 0; i < scenario->n_contenders; i++)
        if (strcmp(scenario->contenders[i].label, label) == 0)
            return &scenario->contenders[i];
    return NULL;
}

static fz_contender *contender_add(fz_scenario_results *scenario, const char *label)
{
    fz_contender *found = contender_find(scenario, label);
    if (found != NULL)
        return found;
    found = &scenario->contenders[scenario->n_contenders++];
    *found = (fz_contender){.label = label, .scheduler = "", .p = 1};
    return found;
}

/* The runs [first, end) of one scenario: contenders in the order of labels. */
static fz_status scenario_fill(fz_arena *arena, const fz_results *all, fz_run_row *runs, uint32_t n,
                               fz_scenario_results *out, fz_error *err)
{
    out->contenders = FZ_NEW(arena, (size_t)n + all->n_failures, fz_contender);
    if (out->contenders == NULL)
        return no_memory(err);
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i;
        while (end < n && strcmp(runs[end].label, runs[i].label) == 0)
            end++;
        fz_contender *self = contender_add(out, runs[i].label);
        self->scheduler = runs[i].scheduler;
        self->runs = &runs[i];
        self->n_runs = seeds_once(&runs[i], end - i);
        i = end;
    }
    for (uint32_t i = 0; i < all->n_failures; i++)
        if (strcmp(all->failures[i].scenario, out->text) == 0) {
            fz_contender *self = contender_add(out, all->failures[i].label);
            self->n_failed++;
            self->n_unstable += strcmp(all->failures[i].kind, "unstable") == 0;
        }
    return FZ_OK;
}

/* Did all finish as many jobs? Else their averages are over different jobs. */
static void sameness_note(fz_scenario_results *scenario)
{
    scenario->same_seeds = true;
    scenario->same_finished = true;
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        const fz_contender *self = &scenario->contenders[i];
        const fz_contender *first = &scenario->contenders[0];
        scenario->same_seeds &= self->n_runs == first->n_runs;
        scenario->same_finished &=
            self->figures[FZ_FIGURE_FINISHED].low == first->figures[FZ_FIGURE_FINISHED].low &&
            self->figures[FZ_FIGURE_FINISHED].high == first->figures[FZ_FIGURE_FINISHED].high;
    }
}

static fz_status scenario_compare(fz_arena *arena, const char *baseline, fz_scenario_results *scenario,
                                  bool *baseline_seen, fz_error *err)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        const fz_contender *self = &scenario->contenders[i];
        most = self->n_runs > most ? self->n_runs : most;
        if (baseline != NULL && strcmp(self->label, baseline) == 0) {
            scenario->baseline = i;
            *baseline_seen = true;
        }
    }
    double *scratch = FZ_NEW(arena, most, double);
    if (scratch == NULL)
        return no_memory(err);
    for (uint32_t i = 0; i < scenario->n_contenders; i++)
        figures_fill(&scenario->contenders[i], scratch);
    for (uint32_t i = 0; i < scenario->n_contenders; i++)
        if (i != scenario->baseline)
            versus_fill(&scenario->contenders[scenario->baseline], &scenario->contenders[i], scratch);
    FZ_TRY(holm_correct(arena, scenario, err));
    scenario->best = scenario->n_contenders;
    scenario->best = lowest(scenario, scenario->n_contenders);
    sameness_note(scenario);
    return sentence_write(arena, scenario, scratch, err);
}

/* Labels by first appearance. */
static fz_status labels_collect(fz_arena *arena, fz_results *out, fz_error *err)
{
    uint32_t room = 0;
    for (uint32_t i = 0; i < out->n_scenarios; i++)
        room += out->scenarios[i].n_contenders;
    const char **labels = FZ_NEW(arena, room, const char *);
    if (labels == NULL)
        return no_memory(err);
    for (uint32_t i = 0; i < out->n_scenarios; i++)
        for (uint32_t k = 0; k < out->scenarios[i].n_contenders; k++) {
            uint32_t at = 0;
            while (at < out->n_labels && strcmp(labels[at], out->scenarios[i].contenders[k].label) != 0)
                at++;
            if (at == out->n_labels)
                labels[out->n_labels++] = out->scenarios[i].contenders[k].label;
        }
    out->labels = labels;
    return FZ_OK;
}

/* Scenarios of which every run failed have no rows. */
static bool scenario_known(const fz_results *results, const char *text)
{
    for (uint32_t i = 0; i < results->n_scenarios; i++)
        if (strcmp(results->scenarios[i].text, text) == 0)
            return true;
    return false;
}

static fz_status failed_scenarios_add(fz_arena *arena, fz_results *out, fz_error *err)
{
    for (uint32_t i = 0; i < out->n_failures; i++) {
        if (scenario_known(out, out->failures[i].scenario))
            continue;
        fz_scenario_results *scenario = &out->scenarios[out->n_scenarios++];
        *scenario = (fz_scenario_results){
            .text = out->failures[i].scenario, .experiment = "", .trace = "", .cluster = "", .load = -1};
        FZ_TRY(scenario_fill(arena, out, NULL, 0, scenario, err));
    }
    return FZ_OK;
}

fz_status fz_results_of(fz_arena *arena, const fz_run_row *rows, uint32_t n_runs,
                        const fz_failure_row *failures, uint32_t n_failures, const char *baseline,
                        fz_results *out, fz_error *err)
{
    fz_run_row *runs = FZ_NEW(arena, n_runs, fz_run_row);
    *out = (fz_results){.runs = runs, .n_runs = n_runs, .failures = failures, .n_failures = n_failures};
    out->scenarios = FZ_NEW(arena, (size_t)n_runs + n_failures, fz_scenario_results);
    out->one_version = true;
    bool baseline_seen = baseline == NULL;
    if (runs == NULL || out->scenarios == NULL)
        return no_memory(err);
    if (n_runs > 0)
        memcpy(runs, rows, n_runs * sizeof(*runs));
    for (uint32_t i = 0; i < n_runs;) {
        uint32_t end = i;
        while (end < n_runs && same_scenario(&runs[end], &runs[i]))
            out->one_version &= strcmp(runs[end++].version, runs[0].version) == 0;
        fz_scenario_results *scenario = &out->scenarios[out->n_scenarios++];
        *scenario = (fz_scenario_results){.text = runs[i].scenario,
                                          .experiment = runs[i].experiment,
                                          .trace = runs[i].trace,
                                          .cluster = runs[i].cluster,
                                          .load = runs[i].load,
                                          .gpus = runs[i].gpus,
                                          .jobs = runs[i].summary.jobs};
        FZ_TRY(scenario_fill(arena, out, &runs[i], end - i, scenario, err));
        i = end;
    }
    FZ_TRY(failed_scenarios_add(arena, out, err));
    for (uint32_t i = 0; i < out->n_scenarios; i++)
        FZ_TRY(scenario_compare(arena, baseline, &out->scenarios[i], &baseline_seen, err));
    if (!baseline_seen)
        return fz_fail(err, FZ_EUSAGE, "no scheduler is labelled '%s'", baseline);
    return labels_collect(arena, out, err);
}

fz_status fz_results_build(fz_reader *reader, fz_arena *arena, const char *baseline, fz_results *out,
                           fz_error *err)
{
    fz_run_row *runs = NULL;
    fz_failure_row *failures = NULL;
    uint32_t n_runs = 0;
    uint32_t n_failures = 0;
    FZ_TRY(fz_reader_runs(reader, arena, &runs, &n_runs, err));
    FZ_TRY(fz_reader_failures(reader, arena, &failures, &n_failures, err));
    if (n_runs + n_failures == 0)
        return fz_fail(err, FZ_EDB, "the database has no runs yet");
    return fz_results_of(arena, runs, n_runs, failures, n_failures, baseline, out, err);
}

double fz_results_overall(const fz_results *results, const char *label, uint32_t *n)
{
    double sum = 0;
    *n = 0;
    for (uint32_t i = 0; i < results->n_scenarios; i++) {
        fz_scenario_results *scenario = &results->scenarios[i];
        const fz_contender *own = contender_find(scenario, label);
        if (own == NULL || own->versus[FZ_FIGURE_JCT_AVG].n == 0)
            continue;
        sum += log1p(own->versus[FZ_FIGURE_JCT_AVG].mean);
        (*n)++;
    }
    return *n > 0 ? expm1(sum / *n) : 0;
}
