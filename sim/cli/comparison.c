#include "sim/cli/comparison.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/cli/jobs_csv.h"
#include "sim/cli/say.h"
#include "sim/cli/sweep.h"

/* ---- one finished run ----------------------------------------------------------------------------------- */

static fz_status csv_write(const fz_comparison *c, uint32_t sched, uint64_t seed, const fz_run_result *result,
                           fz_error *err)
{
    char path[4096];
    int length = snprintf(path, sizeof(path), "%s/%s-seed%llu.csv", c->jobs_dir, c->scheds[sched]->name,
                          (unsigned long long)seed);
    if (length < 0 || (size_t)length >= sizeof(path))
        return fz_fail(err, FZ_EUSAGE, "the name of --jobs-dir is too long");
    return fz_jobs_csv_write(path, c->inputs.trace, &c->inputs.cluster->spec, result, err);
}

/* The runs of the grid are those of the comparison, in the same order. */
static fz_status run_done(void *context, uint32_t index, const fz_run_result *result,
                          const fz_run_failure *failure, fz_error *err)
{
    fz_comparison *c = context;
    fz_compared_run *run = &c->runs[index];
    if (failure != NULL) {
        run->failed = true;
        run->failure = failure->error;
        return FZ_OK;
    }
    run->summary = result->summary;
    run->cost = result->cost;
    return c->jobs_dir != NULL ? csv_write(c, index / c->n_seeds, c->seeds[index % c->n_seeds], result, err)
                               : FZ_OK;
}

/* ---- all runs: a sweep of one trace on one cluster ------------------------------------------------------- */

/* What differs from the defaults, as "key=value key=value". */
static void params_text(const fz_param *params, uint32_t n, const double *values, char *text, size_t size)
{
    size_t length = strlen(text);
    for (uint32_t i = 0; i < n && length < size; i++) {
        char value[64];
        if (values[i] == params[i].fallback)
            continue;
        fz_param_text(&params[i], values[i], value, sizeof(value));
        int more =
            snprintf(text + length, size - length, "%s%s=%s", length > 0 ? " " : "", params[i].name, value);
        length += more > 0 ? (size_t)more : 0;
    }
}

/* What an experiment file would say. */
typedef struct one_trace {
    char labels[FZ_MAX_SCHEDS][256];
    char world_label[1024];
    fz_variant variants[FZ_MAX_SCHEDS];
    fz_world_set world;
    double load;
    const char *trace, *cluster;
    fz_experiment experiment;
    const fz_trace *traces[1];
    const fz_model *const *models[1];
    const fz_cluster_file *clusters[1];
    char build[FZ_BUILD_TEXT];
} one_trace;

static void experiment_fill(const fz_comparison *c, one_trace *out)
{
    uint32_t n_world = 0;
    const fz_param *world = fz_world_params(&n_world);
    params_text(world, n_world, c->settings[0].world, out->world_label, sizeof(out->world_label));
    out->world.label = out->world_label;
    for (uint32_t i = 0; i < c->n_scheds; i++) {
        const fz_sched_ops *sched = c->scheds[i];
        snprintf(out->labels[i], sizeof(out->labels[i]), "%s", sched->name);
        params_text(sched->params, sched->n_params, c->settings[i].sched, out->labels[i],
                    sizeof(out->labels[i]));
        out->variants[i] = (fz_variant){.sched = sched, .settings = c->settings[i], .label = out->labels[i]};
    }
    out->trace = c->inputs.trace->path;
    out->cluster = c->inputs.cluster->path;
    out->traces[0] = c->inputs.trace;
    out->models[0] = c->inputs.models;
    out->clusters[0] = c->inputs.cluster;
    fz_program_build(out->build);
    out->experiment = (fz_experiment){.name = "compare",
                                      .traces = &out->trace,
                                      .n_traces = 1,
                                      .clusters = &out->cluster,
                                      .n_clusters = 1,
                                      .variants = out->variants,
                                      .n_variants = c->n_scheds,
                                      .worlds = &out->world,
                                      .n_worlds = 1,
                                      .loads = &out->load,
                                      .n_loads = 1,
                                      .seeds = c->seeds,
                                      .n_seeds = c->n_seeds};
}

/* Seeds without effect are run once. */
static void seeds_note(fz_comparison *c, const fz_grid *grid)
{
    if (grid->scenarios[0].random)
        return;
    if (c->n_seeds > 1)
        fz_say_note("1 trace, no interval; seeds have no effect: nothing random was drawn, one run each");
    c->n_seeds = 1;
}

static fz_status sweep_run(fz_comparison *c, fz_sweep *sweep, fz_error *err)
{
    seeds_note(c, &sweep->grid);
    c->runs = calloc((size_t)sweep->grid.n_runs + 1, sizeof(*c->runs));
    if (c->runs == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u runs", sweep->grid.n_runs);
    FZ_TRY(fz_sweep_plan(sweep, err));
    return fz_sweep_run(sweep, err);
}

static fz_status compare_in(fz_arena *arena, fz_comparison *c, fz_error *err)
{
    one_trace *world = FZ_NEW(arena, 1, one_trace);
    if (world == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a comparison");
    experiment_fill(c, world);
    fz_grid_inputs inputs = {.traces = world->traces,
                             .models = world->models,
                             .clusters = world->clusters,
                             .tables = c->inputs.tables,
                             .version = world->build};
    fz_sweep sweep = {.what = "compare",
                      .workers = c->workers,
                      .force = true, /* a comparison shows what it ran itself */
                      .result = run_done,
                      .result_context = c};
    FZ_TRY(fz_grid_build(arena, &world->experiment, &inputs, &sweep.grid, err));
    if (c->database != NULL)
        FZ_TRY(fz_store_open(c->database, &sweep.store, err));
    fz_status status = sweep_run(c, &sweep, err);
    fz_status closed = fz_store_close(sweep.store, status == FZ_OK ? err : NULL);
    fz_sweep_release(&sweep);
    return status != FZ_OK ? status : closed;
}

static fz_status folder_make(const char *path, fz_error *err)
{
    if (path == NULL || mkdir(path, 0777) == 0 || errno == EEXIST)
        return FZ_OK;
    return fz_fail_at(err, FZ_EIO, path, 0, 0, "cannot make the folder: %s", strerror(errno));
}

static fz_status everything(fz_comparison *c, fz_error *err)
{
    FZ_TRY(folder_make(c->jobs_dir, err));
    fz_arena *arena = fz_arena_new(NULL);
    if (arena == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a comparison");
    fz_status status = compare_in(arena, c, err);
    fz_arena_free(arena);
    return status;
}

static int failures_say(const fz_comparison *c)
{
    int code = FZ_EXIT_DONE;
    for (uint32_t i = 0; i < c->n_scheds * c->n_seeds; i++) {
        const fz_compared_run *run = &c->runs[i];
        if (run->failed) {
            fz_say_warning("%s, seed %llu failed: %s", c->scheds[i / c->n_seeds]->name,
                           (unsigned long long)c->seeds[i % c->n_seeds], run->failure.message);
            code = run->failure.status == FZ_EPARSE ? FZ_EXIT_INPUT : FZ_EXIT_SOME_RUNS;
        }
    }
    return code;
}

/* What there is to say about a scheduler's first run; the other seeds differ little. */
static void remarks_say(const fz_comparison *c, uint32_t sched)
{
    const fz_compared_run *first = &c->runs[(size_t)sched * c->n_seeds];
    if (!first->failed)
        fz_run_remarks(&c->inputs, c->scheds[sched], &c->settings[sched], &first->summary);
}

int fz_comparison_run(fz_comparison *c)
{
    fz_error err;
    fz_status status = everything(c, &err);
    int code = status == FZ_OK ? failures_say(c) : fz_say_error(&err);
    if (status == FZ_OK) {
        for (uint32_t i = 0; i < c->n_scheds; i++)
            remarks_say(c, i);
        if (c->json)
            fz_comparison_json(c);
        else
            fz_comparison_table(c);
        if (c->database != NULL)
            fz_say_note("saved   %s", c->database);
    }
    free(c->runs);
    c->runs = NULL;
    return code;
}

bool fz_comparison_values(const fz_comparison *c, uint32_t sched, fz_figure figure, double *values)
{
    for (uint32_t i = 0; i < c->n_seeds; i++) {
        const fz_compared_run *run = &c->runs[sched * c->n_seeds + i];
        values[i] = run->failed ? -1 : figure(&run->summary);
        if (values[i] < 0)
            return false;
    }
    return true;
}
