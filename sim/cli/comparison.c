#include "sim/cli/comparison.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/cli/jobs_csv.h"
#include "sim/cli/say.h"
#include "sim/experiment/pool.h"

typedef struct outputs {
    fz_comparison *comparison;
    fz_store *store; /* NULL: none */
} outputs;

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

static fz_status store_write(const outputs *out, uint32_t sched, uint64_t seed, const fz_run_result *result,
                             fz_error *err)
{
    const fz_comparison *c = out->comparison;
    char config[FZ_CONFIG_TEXT];
    fz_store_run run = fz_inputs_store_run(&c->inputs, c->scheds[sched], &c->settings[sched], seed, config);
    return fz_store_add(out->store, &run, result, NULL, err);
}

static fz_status run_done(void *context, uint32_t index, const fz_run_result *result,
                          const fz_run_failure *failure, fz_error *err)
{
    outputs *out = context;
    fz_comparison *c = out->comparison;
    fz_compared_run *run = &c->runs[index];
    uint32_t sched = index / c->n_seeds;
    uint64_t seed = c->seeds[index % c->n_seeds];
    char details[96];
    snprintf(details, sizeof(details), "%u/%u  %s", index + 1, c->n_scheds * c->n_seeds,
             c->scheds[sched]->name);
    fz_progress_show("compare", (index + 1.0) / (c->n_scheds * c->n_seeds), details);
    if (failure != NULL) {
        run->failed = true;
        run->failure = failure->error;
        return FZ_OK;
    }
    run->summary = result->summary;
    run->cost = result->cost;
    if (c->jobs_dir != NULL)
        FZ_TRY(csv_write(c, sched, seed, result, err));
    return out->store != NULL ? store_write(out, sched, seed, result, err) : FZ_OK;
}

/* ---- all runs ------------------------------------------------------------------------------------------- */

/* Is anything random in any of these runs? Else all seeds give the same. */
static bool seeds_matter(const fz_comparison *c)
{
    bool error = false;
    for (uint32_t i = 0; i < c->n_scheds; i++)
        error |= fz_world_from(c->settings[i].world).mem_error_sigma > 0;
    const fz_trace *trace = c->inputs.trace;
    for (uint32_t job = 0; error && trace->model != NULL && job < trace->n_jobs; job++)
        if (c->inputs.models[trace->model[job]] != NULL)
            return true;
    return false;
}

static void specs_fill(const fz_comparison *c, fz_run_spec *specs)
{
    for (uint32_t i = 0; i < c->n_scheds * c->n_seeds; i++) {
        uint32_t sched = i / c->n_seeds;
        specs[i] = (fz_run_spec){
            .trace = c->inputs.trace,
            .cluster = &c->inputs.cluster->spec,
            .models = c->inputs.models,
            .sched = c->scheds[sched],
            .sched_params = c->settings[sched].sched,
            .world = fz_world_from(c->settings[sched].world),
            .seed = c->seeds[i % c->n_seeds],
            .time_decisions = true,
        };
    }
}

static fz_status pool_run(fz_comparison *c, outputs *out, fz_error *err)
{
    uint32_t n_runs = c->n_scheds * c->n_seeds;
    fz_run_spec *specs = calloc((size_t)n_runs + 1, sizeof(*specs));
    c->runs = calloc((size_t)n_runs + 1, sizeof(*c->runs));
    fz_status status = FZ_OK;
    if (specs == NULL || c->runs == NULL) {
        status = fz_fail(err, FZ_ENOMEM, "no memory for %u runs", n_runs);
    } else {
        specs_fill(c, specs);
        fz_pool pool = {
            .workers = c->workers, .done = run_done, .context = out, .interrupted = fz_interrupted};
        status = fz_pool_run(&pool, specs, n_runs, err);
    }
    free(specs);
    return status;
}

static fz_status folder_make(const char *path, fz_error *err)
{
    if (path == NULL || mkdir(path, 0777) == 0 || errno == EEXIST)
        return FZ_OK;
    return fz_fail_at(err, FZ_EIO, path, 0, 0, "cannot make the folder: %s", strerror(errno));
}

static fz_status everything(fz_comparison *c, fz_error *err)
{
    outputs out = {.comparison = c};
    FZ_TRY(folder_make(c->jobs_dir, err));
    if (c->database != NULL)
        FZ_TRY(fz_store_open(c->database, &out.store, err));
    fz_interrupt_hold();
    fz_status status = pool_run(c, &out, err);
    fz_progress_clear();
    fz_status closed = fz_store_close(out.store, status == FZ_OK ? err : NULL);
    return status != FZ_OK ? status : closed;
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
    if (!seeds_matter(c)) {
        if (c->n_seeds > 1)
            fz_say_note("1 trace, no interval; seeds have no effect: nothing random was drawn, one run each");
        c->n_seeds = 1;
    }
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
