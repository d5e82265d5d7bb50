/* frenzy replay: one trace under one scheduler. */
#include <stdio.h>
#include <string.h>

#include "core/support/output.h"
#include "core/support/pages.h"
#include "sim/cli/commands.h"
#include "sim/cli/inputs.h"
#include "sim/cli/jobs_csv.h"
#include "sim/cli/report_text.h"
#include "sim/cli/say.h"
#include "sim/cli/summary_text.h"

/* One replay on its way from the command line to its outputs. */
typedef struct replay {
    const fz_args *args;
    fz_inputs inputs;
    fz_roster roster;
    const fz_sched_ops *sched;
    fz_settings settings;
    uint64_t seed;
    fz_run_result result;
    fz_store *store; /* NULL: none */
} replay;

static bool progress(void *context, uint64_t done, uint64_t n_jobs, fz_time now)
{
    (void)context;
    char details[96];
    snprintf(details, sizeof(details), "jobs %llu/%llu  t = %.1f days", (unsigned long long)done,
             (unsigned long long)n_jobs, fz_time_to_s(now) / 86400);
    fz_progress_show("replay", n_jobs > 0 ? (double)done / (double)n_jobs : 1, details);
    return !fz_interrupted();
}

/* No output may replace an input or the other output. */
static fz_status outputs_check(const fz_args *args, fz_error *err)
{
    const char *csv = fz_args_get(args, "jobs-csv");
    FZ_TRY(fz_args_one_output(args, "jobs-csv", err));
    FZ_TRY(fz_output_spares("jobs-csv", csv, args->rest[0], err));
    FZ_TRY(fz_output_spares("jobs-csv", csv, fz_args_get(args, "cluster"), err));
    return fz_output_spares("jobs-csv", csv, fz_args_get(args, "out"), err);
}

static fz_status options_read(replay *self, fz_error *err)
{
    uint32_t n = 0;
    const char *name = fz_args_get(self->args, "scheduler");
    if (fz_args_get(self->args, "cluster") == NULL)
        return fz_fail(err, FZ_EUSAGE, "--cluster FILE is missing");
    if (name == NULL)
        return fz_fail(err, FZ_EUSAGE, "--scheduler NAME is missing");
    if (strchr(name, ',') != NULL)
        return fz_fail(err, FZ_EUSAGE, "--scheduler: '%s' is more than one; frenzy compare takes a list",
                       name);
    FZ_TRY(outputs_check(self->args, err));
    FZ_TRY(fz_roster_from_args(self->args, &self->roster, err));
    FZ_TRY(fz_scheds_parse(&self->roster, name, &self->sched, 1, &n, err));
    FZ_TRY(fz_args_count(self->args, "seed", 0, INT64_MAX, &self->seed, err));
    return fz_settings_from_args(self->args, &self->sched, 1, &self->settings, err);
}

/* What cannot be written is said before the simulation, not after it. */
static fz_status outputs_open(replay *self, fz_error *err)
{
    const char *csv = fz_args_get(self->args, "jobs-csv");
    const char *database = fz_args_get(self->args, "out");
    fz_output *probe = NULL;
    if (csv != NULL) {
        FZ_TRY(fz_output_open(csv, &probe, err));
        fz_output_discard(probe);
    }
    return database != NULL ? fz_store_open(database, &self->store, err) : FZ_OK;
}

static fz_status store_write(const replay *self, int64_t *id, fz_error *err)
{
    char config[FZ_CONFIG_TEXT];
    fz_store_run run = fz_inputs_store_run(&self->inputs, self->sched, &self->settings, self->seed, config);
    return fz_store_add(self->store, &run, &self->result, id, err);
}

static fz_status store_finish(replay *self, fz_error *err)
{
    int64_t id = 0;
    FZ_TRY(store_write(self, &id, err));
    fz_store *store = self->store;
    self->store = NULL;
    FZ_TRY(fz_store_close(store, err));
    fz_say_note("saved   %s  run %lld", fz_args_get(self->args, "out"), (long long)id);
    return FZ_OK;
}

static void json_write(const replay *self)
{
    fz_json json = fz_json_start(stdout, "frenzy-replay-1");
    fz_json_text(&json, "scheduler", self->sched->name);
    fz_json_count(&json, "seed", self->seed);
    fz_json_text(&json, "trace_sha256", self->inputs.trace->sha256);
    fz_assumed_json(&json, self->inputs.trace);
    fz_json_text(&json, "cluster", self->inputs.cluster->spec.name);
    fz_json_text(&json, "cluster_sha256", self->inputs.cluster->sha256);
    fz_summary_json(&json, &self->result);
    fz_json_end(&json);
}

static fz_status outputs_write(replay *self, fz_error *err)
{
    const char *csv = fz_args_get(self->args, "jobs-csv");
    if (csv != NULL)
        FZ_TRY(fz_jobs_csv_write(csv, self->inputs.trace, &self->inputs.cluster->spec, &self->result, err));
    if (self->store != NULL)
        FZ_TRY(store_finish(self, err));
    if (fz_args_has(self->args, "json"))
        json_write(self);
    else
        fz_summary_line(csv != NULL && strcmp(csv, "-") == 0 ? stderr : stdout, self->sched->name,
                        &self->result);
    return FZ_OK;
}

static fz_status simulate(replay *self, fz_arena *arena, fz_error *err)
{
    fz_run_spec spec = {
        .trace = self->inputs.trace,
        .cluster = &self->inputs.cluster->spec,
        .models = self->inputs.models,
        .tables = self->inputs.tables,
        .sched = self->sched,
        .sched_params = self->settings.sched,
        .world = fz_world_from(self->settings.world),
        .seed = self->seed,
        .time_decisions = true,
        .progress = progress,
    };
    fz_interrupt_hold();
    fz_status status = fz_run(arena, &spec, &self->result, err);
    fz_progress_clear();
    return status;
}

static int replay_inputs(replay *self)
{
    fz_error err;
    int code = fz_inputs_read(self->args->rest[0], fz_args_get(self->args, "cluster"),
                              fz_args_get(self->args, "profiles"), &self->inputs);
    if (code != FZ_EXIT_DONE)
        return code;
    if (outputs_open(self, &err) != FZ_OK)
        return fz_say_error(&err);
    fz_arena *arena = fz_arena_new(fz_pages_allocator());
    fz_status status = arena != NULL ? simulate(self, arena, &err) : fz_fail(&err, FZ_ENOMEM, "no memory");
    if (status == FZ_OK) {
        fz_run_remarks(&self->inputs, self->sched, &self->settings, &self->result.summary);
        status = outputs_write(self, &err);
    }
    fz_arena_free(arena);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

static int replay_run(const fz_args *args)
{
    replay self = {.args = args};
    fz_error err = {0};
    int code = options_read(&self, &err) == FZ_OK ? replay_inputs(&self) : fz_say_error(&err);
    (void)fz_store_close(self.store, NULL); /* still open: something failed, and was said */
    fz_inputs_release(&self.inputs);
    fz_roster_release(&self.roster);
    return code;
}

static const fz_option options[] = {
    {"cluster", "FILE", "cluster description, or the name of a bundled one (sia-64)"},
    {"scheduler", "NAME", "see `frenzy schedulers`"},
    {"set", "KEY=VALUE", "a parameter of the scheduler or of the world; may come again"},
    {"plugin", "FILE", "a shared object with policies; may come again (`frenzy schedulers --new`)"},
    FZ_OPTION_PROFILES,
    {"seed", "N", "seed of all random effects (default 0)"},
    {"out", "DB", "add the run to a results database"},
    {"jobs-csv", "FILE", "write one row a job; - is standard output"},
};

const fz_command fz_command_replay = {
    .name = "replay",
    .summary = "run one trace under one scheduler",
    .arguments =
        "TRACE --cluster FILE --scheduler NAME [--set KEY=VALUE]... [--plugin FILE]... [--seed N] [--out DB] "
        "[--jobs-csv FILE] [--json]",
    .examples = "  frenzy replay demo --cluster sia-64 --scheduler has\n"
                "  frenzy replay trace.csv --cluster my.yaml --scheduler easy --jobs-csv jobs.csv\n"
                "  frenzy replay demo --cluster sia-64 --scheduler has --set plan_pick=last --set "
                "mem_error_sigma=0.1 "
                "--json\n"
                "  frenzy replay demo --cluster sia-64 --plugin ./mine.so --scheduler mine\n",
    .notes = "Keys of the world for --set: mem_error_sigma, oom_after_s, restart_s, enforce_limit.\n"
             "Keys of a scheduler: `frenzy schedulers NAME`.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = replay_run,
};
