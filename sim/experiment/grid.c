#include "sim/experiment/grid.h"

#include <stdio.h>
#include <string.h>

#include "core/support/sha256.h"
#include "core/support/timetext.h"
#include "sim/experiment/arrivals.h"
#include "workloads/ops/load.h"

/* ---- scenarios ------------------------------------------------------------------------------------------ */

static const fz_doc_node *root_get(const fz_experiment *experiment, const char *key)
{
    return fz_doc_get(fz_doc_root(experiment->doc), key);
}

/* The first row submitted at or after `seconds` from the first submission. */
static uint32_t row_at(const fz_trace *trace, double scale, double seconds)
{
    fz_time from = fz_arrival_time(trace->submit[0], scale);
    uint32_t low = 0;
    uint32_t high = trace->n_jobs;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fz_time_to_s(fz_arrival_time(trace->submit[middle], scale) - from) < seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static fz_status window_place(const fz_grid *grid, fz_scenario *scenario, fz_error *err)
{
    const fz_experiment *experiment = grid->experiment;
    const fz_window_ask *window = &experiment->window;
    const fz_trace *trace = grid->inputs.traces[scenario->trace];
    if (!window->given)
        return FZ_OK;
    double first = window->first;
    double end = window->end;
    if (window->by_time && trace->n_jobs > 0) {
        first = row_at(trace, scenario->scale, window->first);
        end = row_at(trace, scenario->scale, window->end);
    }
    if (end > trace->n_jobs || end <= first)
        return fz_doc_fail(experiment->doc, root_get(experiment, "window"), err,
                           "window '%s': %s has %u jobs%s", window->text, experiment->traces[scenario->trace],
                           trace->n_jobs, window->by_time ? ", none of them in this time" : "");
    scenario->window_first = (uint32_t)first;
    scenario->window_end = (uint32_t)end;
    return FZ_OK;
}

/* Of the trace as it is; worked out once for a trace and a cluster. */
static fz_status natural_load(const fz_grid *grid, fz_scenario *scenario, fz_error *err)
{
    fz_load load;
    for (const fz_scenario *other = grid->scenarios; other < scenario; other++)
        if (other->trace == scenario->trace && other->cluster == scenario->cluster) {
            scenario->natural_load = other->natural_load;
            return FZ_OK;
        }
    FZ_TRY(fz_load_of(grid->inputs.traces[scenario->trace], &grid->inputs.clusters[scenario->cluster]->spec,
                      &load, err));
    scenario->natural_load = load.load > 0 ? load.load : 0;
    return FZ_OK;
}

static fz_status load_place(const fz_grid *grid, fz_scenario *scenario, fz_error *err)
{
    const fz_experiment *experiment = grid->experiment;
    FZ_TRY(natural_load(grid, scenario, err));
    scenario->scale = 1;
    if (scenario->load <= 0)
        return FZ_OK;
    if (scenario->natural_load <= 0)
        return fz_doc_fail(experiment->doc, root_get(experiment, "load"), err,
                           "%s has no load to scale: its jobs are all submitted at once, or offer no work",
                           experiment->traces[scenario->trace]);
    scenario->scale = scenario->natural_load / scenario->load;
    return FZ_OK;
}

/* The name that runs which may be compared share. */
static fz_status scenario_name(const fz_grid *grid, fz_scenario *scenario, fz_error *err)
{
    const fz_experiment *experiment = grid->experiment;
    char number[FZ_NUMBER_TEXT];
    char text[2048];
    const char *world = experiment->worlds[scenario->world].label;
    fz_number_text(scenario->load, number);
    int length = snprintf(text, sizeof(text), "%s on %s%s%s%s%s%s%s", experiment->traces[scenario->trace],
                          experiment->clusters[scenario->cluster], scenario->load > 0 ? ", load " : "",
                          scenario->load > 0 ? number : "", world[0] != '\0' ? ", " : "", world,
                          experiment->window.given ? ", jobs " : "",
                          experiment->window.given ? experiment->window.text : "");
    char *copy =
        length > 0 && (size_t)length < sizeof(text) ? FZ_NEW(grid->arena, (size_t)length + 1, char) : NULL;
    if (copy == NULL)
        return fz_fail(err, FZ_ENOMEM, "the names of trace, cluster and settings are too long");
    memcpy(copy, text, (size_t)length + 1);
    scenario->text = copy;
    return FZ_OK;
}

/* Is anything random in this world? Else all seeds give the same. */
static bool draws(const fz_trace *trace, const fz_model *const *models, fz_world world)
{
    for (uint32_t job = 0; world.mem_error_sigma > 0 && trace->model != NULL && job < trace->n_jobs; job++)
        if (models[trace->model[job]] != NULL)
            return true;
    return false;
}

static bool is_random(const fz_grid *grid, const fz_scenario *scenario)
{
    uint32_t n = grid->experiment->n_variants;
    for (uint32_t i = 0; i < n; i++)
        if (draws(grid->inputs.traces[scenario->trace], grid->inputs.models[scenario->trace],
                  fz_world_from(grid->settings[scenario->world * n + i].world)))
            return true;
    return false;
}

static fz_status scenarios_build(fz_grid *grid, fz_error *err)
{
    const fz_experiment *e = grid->experiment;
    uint64_t n = (uint64_t)e->n_traces * e->n_clusters * e->n_worlds * e->n_loads;
    if (n * e->n_variants * e->n_seeds > FZ_MAX_RUNS)
        return fz_doc_fail(e->doc, NULL, err, "more than %u runs", FZ_MAX_RUNS);
    grid->scenarios = FZ_NEW(grid->arena, n, fz_scenario);
    if (grid->scenarios == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %llu scenarios", (unsigned long long)n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t above = i / e->n_loads;
        fz_scenario *scenario = &grid->scenarios[grid->n_scenarios++];
        *scenario = (fz_scenario){.load = e->loads[i % e->n_loads],
                                  .world = above % e->n_worlds,
                                  .cluster = above / e->n_worlds % e->n_clusters,
                                  .trace = above / e->n_worlds / e->n_clusters};
        FZ_TRY(load_place(grid, scenario, err));
        FZ_TRY(window_place(grid, scenario, err));
        FZ_TRY(scenario_name(grid, scenario, err));
        scenario->random = is_random(grid, scenario);
    }
    return FZ_OK;
}

/* ---- settings ------------------------------------------------------------------------------------------- */

static fz_status settings_resolve(fz_grid *grid, fz_error *err)
{
    const fz_experiment *e = grid->experiment;
    grid->settings = FZ_NEW(grid->arena, (size_t)e->n_worlds * e->n_variants, fz_settings);
    if (grid->settings == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the settings");
    for (uint32_t w = 0; w < e->n_worlds; w++)
        for (uint32_t v = 0; v < e->n_variants; v++) {
            fz_settings *settings = &grid->settings[w * e->n_variants + v];
            *settings = e->variants[v].settings;
            for (uint32_t i = 0; i < e->worlds[w].n_texts; i++) {
                bool applied = false;
                FZ_TRY(
                    fz_settings_apply(e->variants[v].sched, settings, e->worlds[w].texts[i], &applied, err));
            }
        }
    return FZ_OK;
}

const fz_settings *fz_grid_settings(const fz_grid *grid, const fz_grid_run *run)
{
    const fz_scenario *scenario = &grid->scenarios[run->scenario];
    return &grid->settings[scenario->world * grid->experiment->n_variants + run->variant];
}

static fz_status versions_make(fz_grid *grid, fz_error *err)
{
    const fz_experiment *e = grid->experiment;
    grid->versions = FZ_NEW(grid->arena, e->n_variants, const char *);
    if (grid->versions == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u schedulers", e->n_variants);
    for (uint32_t v = 0; v < e->n_variants; v++) {
        char text[1024];
        const char *origin = e->variants[v].sched->origin;
        snprintf(text, sizeof(text), "%s%s%s", grid->inputs.version, origin != NULL ? ", " : "",
                 origin != NULL ? origin : "");
        grid->versions[v] = fz_arena_strdup(grid->arena, text);
        if (grid->versions[v] == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for %u schedulers", e->n_variants);
    }
    return FZ_OK;
}

const char *fz_grid_version(const fz_grid *grid, const fz_grid_run *run)
{
    return grid->versions[run->variant];
}

void fz_grid_config(const fz_grid *grid, const fz_grid_run *run, char config[FZ_CONFIG_LENGTH])
{
    const fz_scenario *scenario = &grid->scenarios[run->scenario];
    char load[FZ_NUMBER_TEXT];
    size_t length = fz_settings_text(grid->experiment->variants[run->variant].sched,
                                     fz_grid_settings(grid, run), config, FZ_CONFIG_LENGTH);
    if (length >= FZ_CONFIG_LENGTH)
        return;
    if (scenario->load > 0) {
        fz_number_text(scenario->load, load);
        length += (size_t)snprintf(config + length, FZ_CONFIG_LENGTH - length, "load=%s\n", load);
    }
    if (scenario->window_end > 0 && length < FZ_CONFIG_LENGTH)
        length += (size_t)snprintf(config + length, FZ_CONFIG_LENGTH - length, "window=%u:%u\n",
                                   scenario->window_first, scenario->window_end);
    if (grid->inputs.tables != NULL && length < FZ_CONFIG_LENGTH)
        length += (size_t)snprintf(config + length, FZ_CONFIG_LENGTH - length, "profiles=%s\n",
                                   grid->inputs.tables->sha256);
    if (grid->experiment->max_queue > 0 && length < FZ_CONFIG_LENGTH)
        snprintf(config + length, FZ_CONFIG_LENGTH - length, "max_queue=%llu\n",
                 (unsigned long long)grid->experiment->max_queue);
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

static void key_make(const fz_grid *grid, fz_grid_run *run)
{
    const fz_scenario *scenario = &grid->scenarios[run->scenario];
    char config[FZ_CONFIG_LENGTH];
    char text[FZ_CONFIG_LENGTH + 512];
    fz_sha256 sha;
    fz_grid_config(grid, run, config);
    int length =
        snprintf(text, sizeof(text), "frenzy run 1\ntrace=%s\ncluster=%s\nseed=%llu\n%s",
                 grid->inputs.traces[scenario->trace]->sha256,
                 grid->inputs.clusters[scenario->cluster]->sha256, (unsigned long long)run->seed, config);
    fz_sha256_init(&sha);
    fz_sha256_update(&sha, text, (size_t)length);
    fz_sha256_hex(&sha, run->cell);
    fz_sha256_init(&sha);
    fz_sha256_update(&sha, run->cell, 64);
    const char *version = fz_grid_version(grid, run);
    fz_sha256_update(&sha, version, strlen(version));
    fz_sha256_hex(&sha, run->key);
}

static fz_status runs_build(fz_grid *grid, fz_error *err)
{
    const fz_experiment *e = grid->experiment;
    uint64_t room = (uint64_t)grid->n_scenarios * e->n_variants * e->n_seeds;
    grid->runs = FZ_NEW(grid->arena, room, fz_grid_run);
    if (grid->runs == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %llu runs", (unsigned long long)room);
    for (uint32_t s = 0; s < grid->n_scenarios; s++) {
        uint32_t n_seeds = grid->scenarios[s].random ? e->n_seeds : 1;
        grid->seeds_dropped += n_seeds < e->n_seeds;
        for (uint32_t v = 0; v < e->n_variants; v++)
            for (uint32_t k = 0; k < n_seeds; k++) {
                fz_grid_run *run = &grid->runs[grid->n_runs++];
                *run = (fz_grid_run){.scenario = s, .variant = v, .seed = e->seeds[k]};
                key_make(grid, run);
            }
    }
    return FZ_OK;
}

fz_status fz_grid_build(fz_arena *arena, const fz_experiment *experiment, const fz_grid_inputs *inputs,
                        fz_grid *out, fz_error *err)
{
    *out = (fz_grid){.experiment = experiment, .inputs = *inputs, .arena = arena};
    FZ_TRY(versions_make(out, err));
    FZ_TRY(settings_resolve(out, err));
    FZ_TRY(scenarios_build(out, err));
    return runs_build(out, err);
}

/* ---- specs ---------------------------------------------------------------------------------------------- */

/* Scenarios that differ in settings only share their arrivals. */
static fz_status arrivals_make(fz_grid *grid, fz_scenario *scenario, fz_error *err)
{
    const fz_trace *trace = grid->inputs.traces[scenario->trace];
    if (scenario->scale == 1) {
        scenario->arrivals = trace;
        return FZ_OK;
    }
    for (uint32_t i = 0; i < grid->n_scenarios; i++) {
        const fz_scenario *other = &grid->scenarios[i];
        if (other->arrivals != NULL && other->trace == scenario->trace && other->scale == scenario->scale) {
            scenario->arrivals = other->arrivals;
            return FZ_OK;
        }
    }
    return fz_arrivals_scale(grid->arena, trace, scenario->scale, &scenario->arrivals, err);
}

fz_status fz_grid_spec(fz_grid *grid, uint32_t index, fz_run_spec *out, fz_error *err)
{
    const fz_grid_run *run = &grid->runs[index];
    fz_scenario *scenario = &grid->scenarios[run->scenario];
    const fz_settings *settings = fz_grid_settings(grid, run);
    if (scenario->arrivals == NULL)
        FZ_TRY(arrivals_make(grid, scenario, err));
    *out = (fz_run_spec){
        .trace = scenario->arrivals,
        .cluster = &grid->inputs.clusters[scenario->cluster]->spec,
        .models = grid->inputs.models[scenario->trace],
        .tables = grid->inputs.tables,
        .sched = grid->experiment->variants[run->variant].sched,
        .sched_params = settings->sched,
        .world = fz_world_from(settings->world),
        .seed = run->seed,
        .window_first = scenario->window_first,
        .window_end = scenario->window_end,
        .max_queue = grid->experiment->max_queue,
        .time_decisions = true,
    };
    return FZ_OK;
}
