/* frenzy sweep: an experiment file, or the merging of databases. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/support/number.h"
#include "sim/cli/commands.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"
#include "sim/cli/sweep.h"
#include "sim/cli/sweep_inputs.h"
#include "sim/report/condition.h"

#define MAX_SETS 64u

typedef struct command {
    const fz_args *args;
    fz_arena *arena;
    fz_doc *doc;
    fz_roster roster;
    fz_experiment experiment;
    fz_sweep_inputs inputs;
    fz_sweep sweep;
    char build[FZ_BUILD_TEXT];
    char database[512];
    bool dry, json;
    bool condition_held; /* of --fail-if */
} command;

/* ---- options -------------------------------------------------------------------------------------------- */

static fz_status shard_read(const fz_args *args, fz_sweep *sweep, fz_error *err)
{
    const char *text = fz_args_get(args, "shard");
    uint64_t shard = 0;
    uint64_t shards = 0;
    if (text == NULL)
        return FZ_OK;
    const char *slash = strchr(text, '/');
    bool good = slash != NULL &&
                fz_number_count(text, (size_t)(slash - text), UINT32_MAX, &shard) == FZ_NUMBER_OK &&
                fz_number_count(slash + 1, strlen(slash + 1), UINT32_MAX, &shards) == FZ_NUMBER_OK;
    sweep->shard = (uint32_t)shard;
    sweep->n_shards = (uint32_t)shards;
    if (!good || shard == 0 || shard > shards)
        return fz_fail(err, FZ_EUSAGE, "--shard wants i/n with i from 1 to n, as 2/8, not '%s'", text);
    return FZ_OK;
}

static fz_status options_read(command *self, fz_error *err)
{
    const fz_args *args = self->args;
    uint64_t workers = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    FZ_TRY(fz_args_count(args, "workers", 1, 1024, &workers, err));
    FZ_TRY(shard_read(args, &self->sweep, err));
    self->sweep.workers = (uint32_t)workers;
    self->sweep.what = "sweep";
    self->sweep.force = fz_args_has(args, "force");
    self->dry = fz_args_has(args, "dry-run");
    self->json = fz_args_has(args, "json");
    const char *condition = fz_args_get(args, "fail-if");
    bool holds = false;
    if (condition != NULL)
        FZ_TRY(fz_condition_holds(condition, NULL, &holds, err)); /* its form, before the work */
    fz_program_build(self->build);
    return FZ_OK;
}

/* --out, else what the file says, else results/NAME.db. */
static fz_status database_choose(command *self, fz_error *err)
{
    const char *out = fz_args_get(self->args, "out");
    if (out == NULL)
        out = self->experiment.out;
    int length = out != NULL ? snprintf(self->database, sizeof(self->database), "%s", out)
                             : snprintf(self->database, sizeof(self->database), "results/%s.db",
                                        self->experiment.name);
    if (length < 0 || (size_t)length >= sizeof(self->database))
        return fz_fail(err, FZ_EUSAGE, "the name of the database is too long");
    self->sweep.database = self->database;
    if (out == NULL && !self->dry && mkdir("results", 0777) != 0 && errno != EEXIST)
        return fz_fail_at(err, FZ_EIO, "results", 0, 0, "cannot make the folder: %s; name a file with --out",
                          strerror(errno));
    return FZ_OK;
}

/* ---- what is said --------------------------------------------------------------------------------------- */

static void plan_say(const command *self)
{
    const fz_experiment *e = &self->experiment;
    const fz_sweep *sweep = &self->sweep;
    char shard[64] = "";
    char estimate[96] = "";
    double seconds = fz_sweep_estimate_s(sweep);
    if (sweep->n_shards > 0)
        snprintf(shard, sizeof(shard), ", shard %u of %u: %u", sweep->shard, sweep->n_shards, sweep->n_mine);
    if (seconds > 0) {
        char span[64];
        fz_span_text(seconds, span, sizeof(span));
        snprintf(estimate, sizeof(estimate), ", about %s with %u worker%s", span, sweep->workers,
                 sweep->workers == 1 ? "" : "s");
    }
    char sets[32] = "";
    if (e->n_worlds > 1)
        snprintf(sets, sizeof(sets), " x %u settings", e->n_worlds);
    fprintf(self->dry && !self->json ? stdout : stderr,
            "%u runs (%u trace%s x %u cluster%s%s x %u load%s x %u scheduler%s x %u seed%s)%s, %u done%s\n",
            sweep->grid.n_runs, e->n_traces, e->n_traces == 1 ? "" : "s", e->n_clusters,
            e->n_clusters == 1 ? "" : "s", sets, e->n_loads, e->n_loads == 1 ? "" : "s", e->n_variants,
            e->n_variants == 1 ? "" : "s", e->n_seeds, e->n_seeds == 1 ? "" : "s", shard,
            sweep->n_mine - sweep->n_missing, estimate);
    if (sweep->grid.seeds_dropped > 0)
        fz_say_note(
            "1 trace, no interval; seeds have no effect in %u of %u scenarios: nothing random is drawn, "
            "one run each",
            sweep->grid.seeds_dropped, sweep->grid.n_scenarios);
}

static void runs_list(const command *self)
{
    const fz_grid *grid = &self->sweep.grid;
    for (uint32_t i = 0; i < self->sweep.n_missing; i++) {
        const fz_grid_run *run = &grid->runs[self->sweep.missing[i]];
        printf("%.7s  %s, %s, seed %llu\n", run->cell, self->experiment.variants[run->variant].label,
               grid->scenarios[run->scenario].text, (unsigned long long)run->seed);
    }
}

/* Processor time of this process, or of all workers, in seconds. */
static double cpu_s(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void counts_json(const command *self)
{
    const fz_sweep *sweep = &self->sweep;
    fz_json json = fz_json_start(stdout, "frenzy-sweep-1");
    fz_json_text(&json, "experiment", self->experiment.name);
    fz_json_text(&json, "database", sweep->database);
    fz_json_text(&json, "version", self->build);
    fz_json_count(&json, "runs", sweep->grid.n_runs);
    if (sweep->n_shards > 0) {
        fz_json_count(&json, "shard", sweep->shard);
        fz_json_count(&json, "shards", sweep->n_shards);
    }
    fz_json_count(&json, "mine", sweep->n_mine);
    fz_json_count(&json, "done_before", sweep->n_mine - sweep->n_missing);
    fz_json_count(&json, "missing", sweep->n_missing);
    if (!self->dry) {
        fz_json_count(&json, "ran", sweep->n_ok);
        fz_json_count(&json, "failed", sweep->n_failed);
        fz_json_count(&json, "done_elsewhere", sweep->n_elsewhere);
        fz_json_number(&json, "parent_cpu_s", cpu_s(RUSAGE_SELF));
        fz_json_number(&json, "workers_cpu_s", cpu_s(RUSAGE_CHILDREN));
    }
    fz_json_end(&json);
}

static void counts_say(const command *self)
{
    const fz_sweep *sweep = &self->sweep;
    if (self->json) {
        counts_json(self);
        return;
    }
    printf("%u run%s: %u done before, %u run now", sweep->n_mine, sweep->n_mine == 1 ? "" : "s",
           sweep->n_mine - sweep->n_missing, sweep->n_ok);
    if (sweep->n_elsewhere > 0)
        printf(", %u done by another sweep meanwhile", sweep->n_elsewhere);
    printf(", %u failed\n", sweep->n_failed);
    if (sweep->n_failed > 0)
        fz_say_note(
            "failed runs are kept in the database (view v_failure); the same command tries them again");
    fz_say_note("saved   %s", sweep->database);
}

/* ---- the sweep ------------------------------------------------------------------------------------------ */

/* A new file is closed and opened again: then it has the write-ahead log, so that people may read it, and other
 * sweeps write to it, while this one runs. */
static fz_status store_open(command *self, fz_error *err)
{
    bool is_new = access(self->database, F_OK) != 0;
    if (self->dry && is_new)
        return FZ_OK;
    fz_store_fork_often();
    FZ_TRY(fz_store_open(self->database, &self->sweep.store, err));
    if (!is_new)
        return fz_store_small_cache(self->sweep.store, err);
    fz_store *store = self->sweep.store;
    self->sweep.store = NULL;
    FZ_TRY(fz_store_close(store, err));
    FZ_TRY(fz_store_open(self->database, &self->sweep.store, err));
    return fz_store_small_cache(self->sweep.store, err);
}

static fz_status sweep_do(command *self, fz_error *err)
{
    fz_sweep *sweep = &self->sweep;
    FZ_TRY(database_choose(self, err));
    FZ_TRY(store_open(self, err));
    FZ_TRY(fz_sweep_plan(sweep, err));
    plan_say(self);
    if (self->dry) {
        if (self->json)
            counts_json(self);
        else
            runs_list(self);
        return FZ_OK;
    }
    fz_status status = fz_sweep_run(sweep, err);
    if (status == FZ_EINTERRUPTED)
        fz_say_note("%u runs are in %s; the same command goes on from there",
                    sweep->n_mine - sweep->n_missing + sweep->n_ok, sweep->database);
    return status;
}

static fz_status experiment_read(command *self, fz_error *err)
{
    const char *sets[MAX_SETS];
    uint32_t n = 0;
    for (const char *text = NULL; n < MAX_SETS && (text = fz_args_nth(self->args, "set", n)) != NULL; n++)
        sets[n] = text;
    FZ_TRY(fz_roster_from_args(self->args, &self->roster, err));
    return fz_experiment_read(self->arena, self->args->rest[0], &self->roster, sets, n, &self->doc,
                              &self->experiment, err);
}

static int inputs_make(command *self)
{
    fz_error err = {0};
    if (experiment_read(self, &err) != FZ_OK)
        return fz_say_input_error(&err);
    int code = fz_sweep_inputs_read(&self->experiment, self->arena, self->build, &self->inputs);
    if (code != FZ_EXIT_DONE)
        return code;
    if (fz_grid_build(self->arena, &self->experiment, &self->inputs.grid, &self->sweep.grid, &err) != FZ_OK)
        return fz_say_input_error(&err);
    return FZ_EXIT_DONE;
}

/* --fail-if, over the runs in the database. */
static fz_status condition_check(command *self, fz_error *err)
{
    const char *condition = fz_args_get(self->args, "fail-if");
    fz_reader *reader = NULL;
    fz_results results;
    if (condition == NULL || self->dry)
        return FZ_OK;
    FZ_TRY(fz_reader_open(self->database, &reader, err));
    fz_status status = fz_results_build(reader, self->arena, NULL, &results, err);
    if (status == FZ_OK)
        status = fz_condition_holds(condition, &results, &self->condition_held, err);
    fz_reader_close(reader);
    if (status == FZ_OK && self->condition_held)
        fz_say_warning("--fail-if: %s", condition);
    return status;
}

static int exit_code(const command *self)
{
    if (self->condition_held)
        return FZ_EXIT_CONDITION;
    return self->sweep.n_failed > 0 ? FZ_EXIT_SOME_RUNS : FZ_EXIT_DONE;
}

static int sweep_all(command *self)
{
    fz_error err = {0};
    if (options_read(self, &err) != FZ_OK)
        return fz_say_error(&err);
    int code = inputs_make(self);
    if (code != FZ_EXIT_DONE)
        return code;
    fz_status status = sweep_do(self, &err);
    fz_store *store = self->sweep.store;
    self->sweep.store = NULL;
    fz_status closed = fz_store_close(store, status == FZ_OK ? &err : NULL);
    if (status == FZ_OK && closed == FZ_OK)
        status = condition_check(self, &err);
    if (status != FZ_OK || closed != FZ_OK)
        return fz_say_error(&err);
    if (!self->dry)
        counts_say(self);
    return exit_code(self);
}

/* ---- merge ---------------------------------------------------------------------------------------------- */

static void merged_say(const char *path, const fz_store_merged *merged)
{
    fz_say_note("%s: %llu runs added, %llu there already, %llu failed ones noted", path,
                (unsigned long long)merged->added, (unsigned long long)merged->present,
                (unsigned long long)merged->failures);
    if (merged->without > 0)
        fz_say_warning("%s: %llu runs of replay have no key and were left out", path,
                       (unsigned long long)merged->without);
}

static fz_status merge_do(const fz_args *args, fz_store *store, fz_error *err)
{
    fz_store_merged total = {0};
    for (uint32_t i = 1; i < args->n_rest; i++) {
        fz_store_merged merged;
        FZ_TRY(fz_store_merge(store, args->rest[i], &merged, err));
        merged_say(args->rest[i], &merged);
        total.added += merged.added;
        total.present += merged.present;
        total.failures += merged.failures;
    }
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-sweep-merge-1");
        fz_json_text(&json, "database", fz_args_get(args, "out"));
        fz_json_count(&json, "added", total.added);
        fz_json_count(&json, "present", total.present);
        fz_json_count(&json, "failures", total.failures);
        fz_json_end(&json);
    } else {
        printf("%llu runs added, %llu there already\n", (unsigned long long)total.added,
               (unsigned long long)total.present);
    }
    return FZ_OK;
}

static int merge_run(const fz_args *args)
{
    const char *out = fz_args_get(args, "out");
    fz_store *store = NULL;
    fz_error err = {0};
    if (out == NULL || args->n_rest < 2) {
        fz_fail(&err, FZ_EUSAGE,
                "sweep merge wants databases and --out: frenzy sweep merge a.db b.db --out all.db");
        return fz_say_error(&err);
    }
    fz_status status = FZ_OK;
    for (uint32_t i = 1; status == FZ_OK && i < args->n_rest; i++)
        status = fz_output_spares("out", out, args->rest[i], &err);
    if (status == FZ_OK)
        status = fz_store_open(out, &store, &err);
    if (status == FZ_OK)
        status = merge_do(args, store, &err);
    fz_status closed = fz_store_close(store, status == FZ_OK ? &err : NULL);
    return status == FZ_OK && closed == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

/* ---- the command ---------------------------------------------------------------------------------------- */

static int sweep_run(const fz_args *args)
{
    if (strcmp(args->rest[0], "merge") == 0)
        return merge_run(args);
    fz_error err = {0};
    if (args->n_rest > 1) {
        fz_fail(&err, FZ_EUSAGE, "one experiment file at a time; '%s' is a second one", args->rest[1]);
        return fz_say_error(&err);
    }
    command *self = calloc(1, sizeof(*self));
    fz_arena *arena = fz_arena_new(NULL);
    int code = FZ_EXIT_FAILED;
    if (self != NULL && arena != NULL) {
        self->args = args;
        self->arena = arena;
        code = sweep_all(self);
        fz_sweep_release(&self->sweep);
        fz_sweep_inputs_release(&self->inputs);
        fz_doc_free(self->doc);
        fz_roster_release(&self->roster);
    } else {
        fz_fail(&err, FZ_ENOMEM, "no memory");
        code = fz_say_error(&err);
    }
    fz_arena_free(arena);
    free(self);
    return code;
}

static const fz_option options[] = {
    {"workers", "N", "processes at once (default: the processors)"},
    {"dry-run", NULL, "show what would be run, and about how long it takes"},
    {"shard", "I/N", "only the I-th of N parts of the grid; merge the databases afterwards"},
    {"force", NULL, "run again what is done"},
    {"set", "KEY=VALUE", "a parameter, laid over all schedulers of the file that have it"},
    {"plugin", "FILE", "a shared object with policies; may come again (`frenzy schedulers --new`)"},
    {"fail-if", "EXPR", "exit with 5 if this holds: 'has.jct_avg_s > 1.05 * easy.jct_avg_s or failed > 0'"},
    {"out", "DB", "results database (default: `out` of the file, else results/NAME.db)"},
};

const fz_command fz_command_sweep = {
    .name = "sweep",
    .summary = "run an experiment file: traces x clusters x loads x schedulers x seeds",
    .arguments = "EXPERIMENT.yaml [--workers N] [--dry-run] [--shard I/N] [--force] [--fail-if EXPR]\n"
                 "       [--set KEY=VALUE]... [--plugin FILE]... [--out DB] [--json]\n"
                 "       frenzy sweep merge A.db B.db ... --out ALL.db",
    .examples = "  frenzy sweep load.yaml --dry-run\n"
                "  frenzy sweep load.yaml --workers 2\n"
                "  frenzy sweep load.yaml --shard 1/8 --out part1.db\n"
                "  frenzy sweep merge part1.db part2.db --out load.db\n",
    .notes =
        "Runs that the database has are not done again, unless trace, cluster, settings or the program "
        "changed.\n"
        "The file: name, trace, cluster, scheduler (name, or a map of name and parameters), load, seed "
        "(0..9),\n"
        "set (parameters for all), window (rows 3000:4000, or times 12h:36h), overload: {max_queue: N},\n"
        "time_limit_s and memory_limit_gib of a run, baseline, plugin, out. Every key takes one value or a "
        "list.\n"
        "Exit code 4: some runs failed; the view v_failure says why. Names in --fail-if: SCHEDULER.FIGURE "
        "(mean over\n"
        "its runs in the database; jct_avg_s, jct_p50_s, jct_p99_s, queue_avg_s, makespan_s, alloc_frac, "
        "ooms,\n"
        "finished, not_finished), failed, runs; + - * / < <= > >= == != and or not ( ).\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1024,
    .run = sweep_run,
};
