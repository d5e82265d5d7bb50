#include "sim/cli/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/cli/say.h"

#define SAY_EVERY_S 10

static double clock_s(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (double)now.tv_sec + (double)now.tv_nsec / 1e9 : 0;
}

/* ---- what the store is told ----------------------------------------------------------------------------- */

/* The baseline comes first, the others as in the file. */
static uint32_t position_of(const fz_experiment *experiment, uint32_t variant)
{
    const char *label = experiment->variants[variant].label;
    bool is_baseline = experiment->baseline != NULL ? strcmp(label, experiment->baseline) == 0 : variant == 0;
    return is_baseline ? 0 : variant + 1;
}

static void store_run_fill(const fz_sweep *sweep, const fz_grid_run *run, char config[FZ_CONFIG_LENGTH],
                           fz_store_run *out)
{
    const fz_grid *grid = &sweep->grid;
    const fz_scenario *scenario = &grid->scenarios[run->scenario];
    const fz_cluster_file *cluster = grid->inputs.clusters[scenario->cluster];
    fz_grid_config(grid, run, config);
    *out = (fz_store_run){
        .trace = grid->inputs.traces[scenario->trace],
        .cluster = &cluster->spec,
        .cluster_sha256 = cluster->sha256,
        .cluster_path = cluster->path,
        .scheduler = grid->experiment->variants[run->variant].sched->name,
        .config = config,
        .version = fz_grid_version(grid, run),
        .seed = run->seed,
        .cell = run->cell,
        .key = run->key,
        .experiment = grid->experiment->name,
        .scenario = scenario->text,
        .label = grid->experiment->variants[run->variant].label,
        .position = position_of(grid->experiment, run->variant),
        .load = scenario->load > 0 ? scenario->load : scenario->natural_load,
        .submit_scale = scenario->scale,
        .window_first = scenario->window_first,
        .window_end = scenario->window_end,
    };
}

/* ---- planning ------------------------------------------------------------------------------------------- */

static fz_status run_look(fz_sweep *sweep, uint32_t index, fz_error *err)
{
    const fz_grid_run *run = &sweep->grid.runs[index];
    char config[FZ_CONFIG_LENGTH];
    fz_store_run row;
    bool has = false;
    double wall_s = 0;
    sweep->n_mine++;
    if (sweep->store != NULL && !sweep->force)
        FZ_TRY(fz_store_has(sweep->store, run->cell, run->key, &has, &wall_s, err));
    if (!has) {
        sweep->missing[sweep->n_missing++] = index;
        return FZ_OK;
    }
    sweep->wall_known_s += wall_s;
    store_run_fill(sweep, run, config, &row);
    return fz_store_rename(sweep->store, &row, err);
}

fz_status fz_sweep_plan(fz_sweep *sweep, fz_error *err)
{
    sweep->missing = calloc((size_t)sweep->grid.n_runs + 1, sizeof(*sweep->missing));
    if (sweep->missing == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u runs", sweep->grid.n_runs);
    for (uint32_t i = 0; i < sweep->grid.n_runs; i++)
        if (sweep->n_shards == 0 || i % sweep->n_shards == sweep->shard - 1)
            FZ_TRY(run_look(sweep, i, err));
    return FZ_OK;
}

void fz_sweep_release(fz_sweep *sweep)
{
    free(sweep->missing);
    sweep->missing = NULL;
}

double fz_sweep_estimate_s(const fz_sweep *sweep)
{
    uint32_t known = sweep->n_mine - sweep->n_missing;
    if (sweep->n_missing == 0)
        return 0;
    return known > 0 ? sweep->wall_known_s / known * sweep->n_missing / sweep->workers : -1;
}

/* ---- progress ------------------------------------------------------------------------------------------- */

void fz_span_text(double seconds, char *text, size_t size)
{
    unsigned long s = seconds > 0 ? (unsigned long)ceil(seconds) : 0;
    if (s < 60)
        snprintf(text, size, "%lu s", s);
    else if (s < 3600)
        snprintf(text, size, "%lu min %lu s", s / 60, s % 60);
    else
        snprintf(text, size, "%lu h %lu min", s / 3600, s % 3600 / 60);
}

static void progress_say(fz_sweep *sweep)
{
    uint32_t done = sweep->n_ok + sweep->n_failed + sweep->n_elsewhere;
    double elapsed = clock_s() - sweep->started_s;
    double left = done > 0 ? elapsed / done * (sweep->n_missing - done) : -1;
    char eta[64] = "";
    char details[160];
    if (left >= 0) {
        memcpy(eta, "  eta ", 7);
        fz_span_text(left, eta + 6, sizeof(eta) - 6);
    }
    uint32_t before = sweep->n_mine - sweep->n_missing;
    snprintf(details, sizeof(details), "%u/%u  ok %u  failed %u%s", before + done, sweep->n_mine,
             before + sweep->n_ok + sweep->n_elsewhere, sweep->n_failed, eta);
    if (isatty(STDERR_FILENO)) {
        fz_progress_show(sweep->what, sweep->n_mine > 0 ? (double)(before + done) / sweep->n_mine : 1,
                         details);
    } else if (clock_s() - sweep->said_s >= SAY_EVERY_S) {
        sweep->said_s = clock_s();
        fz_say_note("%s  %s", sweep->what, details);
    }
}

/* ---- running -------------------------------------------------------------------------------------------- */

static fz_status failure_take(fz_sweep *sweep, const fz_grid_run *run, const fz_store_run *row,
                              const fz_run_failure *failure, fz_error *err)
{
    sweep->n_failed++;
    if (sweep->store != NULL)
        FZ_TRY(fz_store_fail(sweep->store, row, failure->kind, failure->error.message, failure->last_words,
                             err));
    if (sweep->result == NULL)
        fz_say_warning("%.7s  %s, %s, seed %llu failed: %s", run->cell, row->label, row->scenario,
                       (unsigned long long)run->seed, failure->error.message);
    return FZ_OK;
}

static fz_status run_done(void *context, uint32_t index, const fz_run_result *result,
                          const fz_run_failure *failure, fz_error *err)
{
    fz_sweep *sweep = context;
    const fz_grid_run *run = &sweep->grid.runs[sweep->missing[index]];
    char config[FZ_CONFIG_LENGTH];
    fz_store_run row;
    store_run_fill(sweep, run, config, &row);
    if (failure != NULL) {
        FZ_TRY(failure_take(sweep, run, &row, failure, err));
    } else {
        if (sweep->store != NULL)
            FZ_TRY(fz_store_put(sweep->store, &row, result, sweep->force, err));
        sweep->n_ok++;
    }
    if (sweep->result != NULL)
        FZ_TRY(sweep->result(sweep->result_context, sweep->missing[index], result, failure, err));
    progress_say(sweep);
    return FZ_OK;
}

/* Another sweep on the same database may have been faster. */
static bool run_wanted(void *context, uint32_t index)
{
    fz_sweep *sweep = context;
    const fz_grid_run *run = &sweep->grid.runs[sweep->missing[index]];
    bool has = false;
    if (sweep->store == NULL || sweep->force ||
        fz_store_has(sweep->store, run->cell, run->key, &has, NULL, NULL) != FZ_OK || !has)
        return true;
    sweep->n_elsewhere++;
    return false;
}

static void ticked(void *context)
{
    fz_sweep *sweep = context;
    if (!isatty(STDERR_FILENO))
        progress_say(sweep);
}

static fz_status specs_make(fz_sweep *sweep, fz_run_spec *specs, fz_error *err)
{
    for (uint32_t i = 0; i < sweep->n_missing; i++)
        FZ_TRY(fz_grid_spec(&sweep->grid, sweep->missing[i], &specs[i], err));
    return FZ_OK;
}

fz_status fz_sweep_run(fz_sweep *sweep, fz_error *err)
{
    const fz_experiment *experiment = sweep->grid.experiment;
    fz_run_spec *specs = calloc((size_t)sweep->n_missing + 1, sizeof(*specs));
    if (specs == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u runs", sweep->n_missing);
    fz_pool pool = {.workers = sweep->workers < sweep->n_missing ? sweep->workers : sweep->n_missing,
                    .done = run_done,
                    .context = sweep,
                    .interrupted = fz_interrupted,
                    .as_they_come = true,
                    .time_limit_s = experiment->time_limit_s,
                    .memory_limit = (uint64_t)(experiment->memory_gib * (double)FZ_GIB),
                    .wanted = run_wanted,
                    .tick = ticked};
    sweep->started_s = clock_s();
    sweep->said_s = sweep->started_s;
    fz_status status = specs_make(sweep, specs, err);
    fz_interrupt_hold();
    if (status == FZ_OK && sweep->n_missing > 0)
        status = fz_pool_run(&pool, specs, sweep->n_missing, err);
    fz_progress_clear();
    free(specs);
    return status;
}
