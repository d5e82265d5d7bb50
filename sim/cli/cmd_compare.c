/* frenzy compare: one trace under several schedulers, the same worlds for all. */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/comparison.h"
#include "sim/cli/say.h"
#include "sim/experiment/experiment.h"

static fz_status seeds_parse(const char *text, uint64_t *seeds, uint32_t *n, fz_error *err)
{
    fz_error why = {0};
    *n = 0;
    if (fz_seeds_parse(text, seeds, FZ_MAX_SEEDS, n, &why) != FZ_OK)
        return fz_fail(err, FZ_EUSAGE, "--seeds: %s", why.message);
    return FZ_OK;
}

static fz_status options_read(const fz_args *args, fz_comparison *c, fz_error *err)
{
    uint64_t workers = 1;
    const char *list = fz_args_get(args, "schedulers");
    const char *seeds = fz_args_get(args, "seeds");
    if (fz_args_get(args, "cluster") == NULL)
        return fz_fail(err, FZ_EUSAGE, "--cluster FILE is missing");
    if (list == NULL)
        return fz_fail(err, FZ_EUSAGE, "--schedulers A,B,... is missing");
    FZ_TRY(fz_roster_from_args(args, &c->roster, err));
    FZ_TRY(fz_scheds_parse(&c->roster, list, c->scheds, FZ_MAX_SCHEDS, &c->n_scheds, err));
    FZ_TRY(seeds_parse(seeds != NULL ? seeds : "0", c->seeds, &c->n_seeds, err));
    FZ_TRY(fz_args_count(args, "workers", 1, 1024, &workers, err));
    c->workers = (uint32_t)workers;
    c->jobs_dir = fz_args_get(args, "jobs-dir");
    c->database = fz_args_get(args, "out");
    c->json = fz_args_has(args, "json");
    return fz_settings_from_args(args, c->scheds, c->n_scheds, c->settings, err);
}

static int compare_run(const fz_args *args)
{
    fz_error err = {0};
    fz_comparison *c = calloc(1, sizeof(*c));
    if (c == NULL) {
        fz_fail(&err, FZ_ENOMEM, "no memory");
        return fz_say_error(&err);
    }
    int code = options_read(args, c, &err) == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
    if (code == FZ_EXIT_DONE)
        code = fz_inputs_read(args->rest[0], fz_args_get(args, "cluster"), fz_args_get(args, "profiles"),
                              &c->inputs);
    if (code == FZ_EXIT_DONE)
        code = fz_comparison_run(c);
    fz_inputs_release(&c->inputs);
    fz_roster_release(&c->roster);
    free(c);
    return code;
}

static const fz_option options[] = {
    {"cluster", "FILE", "cluster description, or the name of a bundled one (sia-64)"},
    {"schedulers", "A,B,...", "the first is the one that the others are compared with"},
    {"seeds", "LIST", "0..9, or 3, or 1,4,7 (default 0)"},
    FZ_OPTION_PROFILES,
    {"set", "KEY=VALUE", "a parameter, for every scheduler that has it; NAME.KEY=VALUE for one"},
    {"plugin", "FILE", "a shared object with policies; may come again (`frenzy schedulers --new`)"},
    {"workers", "N", "processes at once (default 1)"},
    {"jobs-dir", "DIR", "write one CSV of jobs a run into this folder"},
    {"out", "DB", "add all runs to a results database"},
};

const fz_command fz_command_compare = {
    .name = "compare",
    .summary = "run one trace under several schedulers, paired",
    .arguments = "TRACE --cluster FILE --schedulers A,B,... [--seeds 0..9] [--set KEY=VALUE]... [--plugin "
                 "FILE]... [--workers N] [--jobs-dir "
                 "DIR] [--out DB] [--json]",
    .examples =
        "  frenzy compare demo --cluster sia-64 --schedulers has,opportunistic,fifo,easy\n"
        "  frenzy compare demo --cluster sia-64 --schedulers has,easy --seeds 0..9 --set mem_error_sigma=0.1 "
        "--workers 2\n",
    .notes =
        "All schedulers meet the same world: random effects are drawn by seed and job, never by scheduler.\n"
        "Differences are paired by seed: with at least 5 seeds a 95 % Student t interval, else the range.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = compare_run,
};
