#include "sim/report/table.h"

#include <stdio.h>
#include <string.h>

static fz_status table_new(fz_arena *arena, const char *title, uint32_t columns, uint32_t rows, fz_table *out,
                           fz_error *err)
{
    *out = (fz_table){.title = title, .n_columns = columns};
    out->heads = fz_arena_alloc(arena, columns, FZ_TABLE_CELL);
    out->cells = fz_arena_alloc(arena, (size_t)columns * rows, FZ_TABLE_CELL);
    out->bold = FZ_NEW(arena, (size_t)columns * rows, bool);
    if (out->heads == NULL || out->cells == NULL || out->bold == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a table of %u rows", rows);
    return FZ_OK;
}

static char *cell(const fz_table *table, uint32_t column)
{
    return table->cells[table->n_rows * table->n_columns + column];
}

void fz_versus_text(const fz_estimate *versus, char *text, size_t size)
{
    if (versus->n == 0)
        snprintf(text, size, "-");
    else if (versus->n == 1)
        snprintf(text, size, "%+.1f %%", 100 * versus->mean);
    else
        snprintf(text, size, "%+.1f %% [%+.1f %+.1f]", 100 * versus->mean, 100 * versus->low,
                 100 * versus->high);
}

static void figure_text(const fz_contender *self, fz_figure_id figure, char *text)
{
    const fz_figure_kind *kind = &fz_figures[figure];
    if (self->figures[figure].n == 0)
        snprintf(text, FZ_TABLE_CELL, "-");
    else
        snprintf(text, FZ_TABLE_CELL, "%.*f", kind->decimals, self->figures[figure].mean * kind->scale);
}

/* Counts are whole in every run: with decimals only where their mean has some. */
static void count_text(const fz_contender *self, fz_figure_id figure, char *text)
{
    const fz_estimate *e = &self->figures[figure];
    if (e->n == 0)
        snprintf(text, FZ_TABLE_CELL, "-");
    else
        snprintf(text, FZ_TABLE_CELL, "%.*f", e->mean == (double)(int64_t)e->mean ? 0 : 1, e->mean);
}

static void p_text(const fz_contender *self, char *text)
{
    if (!self->versus[FZ_FIGURE_JCT_AVG].interval)
        snprintf(text, FZ_TABLE_CELL, "-");
    else if (self->p < 0.001)
        snprintf(text, FZ_TABLE_CELL, "< 0.001");
    else
        snprintf(text, FZ_TABLE_CELL, "%.3f", self->p);
}

static void failed_text(const fz_contender *self, char *text)
{
    if (self->n_unstable > 0)
        snprintf(text, FZ_TABLE_CELL, "%u (%u unstable)", self->n_failed, self->n_unstable);
    else
        snprintf(text, FZ_TABLE_CELL, "%u", self->n_failed);
}

enum {
    C_LABEL,
    C_SEEDS,
    C_JCT,
    C_VERSUS,
    C_P,
    C_P50,
    C_P99,
    C_VERSUS_P99,
    C_QUEUE,
    C_MAKESPAN,
    C_ALLOC,
    C_OOM,
    C_FINISHED,
    C_UNFINISHED,
    C_FAILED,
    C_DECIDE,
    N_COLUMNS
};

static void heads_write(const fz_scenario_results *scenario, const fz_table *table)
{
    static const char *const titles[N_COLUMNS] = {[C_LABEL] = "scheduler",    [C_SEEDS] = "seeds",
                                                  [C_JCT] = "avg JCT (h)",    [C_P] = "p (Holm)",
                                                  [C_P50] = "p50 (h)",        [C_P99] = "p99 (h)",
                                                  [C_QUEUE] = "queue (h)",    [C_MAKESPAN] = "makespan (h)",
                                                  [C_ALLOC] = "alloc %",      [C_OOM] = "OOM",
                                                  [C_FINISHED] = "finished",  [C_UNFINISHED] = "not finished",
                                                  [C_FAILED] = "failed runs", [C_DECIDE] = "ms/decision"};
    const char *base = scenario->contenders[scenario->baseline].label;
    for (uint32_t i = 0; i < N_COLUMNS; i++)
        if (titles[i] != NULL)
            snprintf(table->heads[i], FZ_TABLE_CELL, "%s", titles[i]);
    snprintf(table->heads[C_VERSUS], FZ_TABLE_CELL, "vs %s", base);
    snprintf(table->heads[C_VERSUS_P99], FZ_TABLE_CELL, "p99 vs %s", base);
}

static void row_write(const fz_contender *self, const fz_table *table)
{
    snprintf(cell(table, C_LABEL), FZ_TABLE_CELL, "%s", self->label);
    snprintf(cell(table, C_SEEDS), FZ_TABLE_CELL, "%u", self->n_runs);
    figure_text(self, FZ_FIGURE_JCT_AVG, cell(table, C_JCT));
    fz_versus_text(&self->versus[FZ_FIGURE_JCT_AVG], cell(table, C_VERSUS), FZ_TABLE_CELL);
    p_text(self, cell(table, C_P));
    figure_text(self, FZ_FIGURE_JCT_P50, cell(table, C_P50));
    figure_text(self, FZ_FIGURE_JCT_P99, cell(table, C_P99));
    fz_versus_text(&self->versus[FZ_FIGURE_JCT_P99], cell(table, C_VERSUS_P99), FZ_TABLE_CELL);
    figure_text(self, FZ_FIGURE_QUEUE, cell(table, C_QUEUE));
    figure_text(self, FZ_FIGURE_MAKESPAN, cell(table, C_MAKESPAN));
    figure_text(self, FZ_FIGURE_ALLOC, cell(table, C_ALLOC));
    count_text(self, FZ_FIGURE_OOMS, cell(table, C_OOM));
    count_text(self, FZ_FIGURE_FINISHED, cell(table, C_FINISHED));
    count_text(self, FZ_FIGURE_UNFINISHED, cell(table, C_UNFINISHED));
    failed_text(self, cell(table, C_FAILED));
    figure_text(self, FZ_FIGURE_DECIDE_MS, cell(table, C_DECIDE));
}

fz_status fz_table_of_scenario(fz_arena *arena, const fz_scenario_results *scenario, fz_table *out,
                               fz_error *err)
{
    FZ_TRY(table_new(arena, scenario->text, N_COLUMNS, scenario->n_contenders, out, err));
    heads_write(scenario, out);
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        row_write(&scenario->contenders[i], out);
        out->bold[out->n_rows * N_COLUMNS + C_JCT] = i == scenario->best && scenario->best_clear;
        out->n_rows++;
    }
    return FZ_OK;
}

/* ---- all scenarios -------------------------------------------------------------------------------------- */

fz_status fz_table_overall(fz_arena *arena, const fz_results *results, fz_table *out, fz_error *err)
{
    FZ_TRY(table_new(arena, "All scenarios", 3, results->n_labels, out, err));
    snprintf(out->heads[0], FZ_TABLE_CELL, "scheduler");
    snprintf(out->heads[1], FZ_TABLE_CELL, "scenarios");
    snprintf(out->heads[2], FZ_TABLE_CELL, "avg JCT against the baseline, geometric mean");
    for (uint32_t i = 0; i < results->n_labels; i++) {
        uint32_t n = 0;
        double overall = fz_results_overall(results, results->labels[i], &n);
        snprintf(cell(out, 0), FZ_TABLE_CELL, "%s", results->labels[i]);
        snprintf(cell(out, 1), FZ_TABLE_CELL, "%u", n);
        if (n > 0)
            snprintf(cell(out, 2), FZ_TABLE_CELL, "%+.1f %%", 100 * overall);
        else
            snprintf(cell(out, 2), FZ_TABLE_CELL, "-");
        out->n_rows++;
    }
    return FZ_OK;
}

/* ---- notes ---------------------------------------------------------------------------------------------- */

static void interval_note(const fz_scenario_results *scenario, char *text, size_t size)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < scenario->n_contenders; i++)
        if (scenario->contenders[i].n_runs > most)
            most = scenario->contenders[i].n_runs;
    if (most <= 1)
        snprintf(text, size, "1 trace, no interval.");
    else if (most < FZ_MIN_SEEDS_FOR_INTERVAL)
        snprintf(text, size, "[ ] range over %u seeds, paired by seed; an interval needs at least %d.", most,
                 FZ_MIN_SEEDS_FOR_INTERVAL);
    else
        snprintf(
            text, size,
            "[ ] 95 %% intervals of the paired difference over seeds: Student t for means, bootstrap for "
            "percentiles; p is that of the average JCT, corrected for all comparisons (Holm).");
}

bool fz_scenario_note(const fz_scenario_results *scenario, uint32_t i, char *text, size_t size)
{
    uint32_t at = 0;
    if (i == at++) {
        interval_note(scenario, text, size);
        return true;
    }
    if (!scenario->same_finished && i == at++) {
        snprintf(text, size,
                 "Not all schedulers finished the same jobs: averages over different jobs do not compare "
                 "strictly; see the column 'not finished'.");
        return true;
    }
    if (!scenario->same_seeds && i == at++) {
        snprintf(text, size,
                 "Some runs are missing or failed: differences are over the seeds that both have.");
        return true;
    }
    for (uint32_t k = 0; k < scenario->n_contenders; k++)
        if (scenario->contenders[k].n_unstable > 0 && i == at++) {
            snprintf(text, size, "%s is unstable at this load: its queue grew past the limit in %u run%s.",
                     scenario->contenders[k].label, scenario->contenders[k].n_unstable,
                     scenario->contenders[k].n_unstable == 1 ? "" : "s");
            return true;
        }
    return false;
}
