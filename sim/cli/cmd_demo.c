/* frenzy demo: the bundled trace on a mixed cluster under four schedulers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/cli/commands.h"
#include "sim/cli/comparison.h"
#include "sim/cli/say.h"

#define DEMO_TRACE    "demo"
#define DEMO_CLUSTER  "sia-64"
#define DEMO_DATABASE "results/demo.db"

static fz_status demo_prepare(const fz_args *args, fz_comparison *c, fz_error *err)
{
    uint64_t workers = 2;
    FZ_TRY(fz_roster_init(&c->roster, err));
    FZ_TRY(fz_scheds_parse(&c->roster, "has,opportunistic,fifo,easy", c->scheds, FZ_MAX_SCHEDS, &c->n_scheds,
                           err));
    FZ_TRY(fz_args_count(args, "workers", 1, 1024, &workers, err));
    FZ_TRY(fz_settings_from_args(args, c->scheds, c->n_scheds, c->settings, err));
    c->workers = (uint32_t)workers;
    c->n_seeds = 1;
    c->json = fz_args_has(args, "json");
    c->database = fz_args_get(args, "out");
    if (c->database != NULL)
        return FZ_OK;
    c->database = DEMO_DATABASE;
    if (mkdir("results", 0777) != 0 && errno != EEXIST)
        return fz_fail_at(err, FZ_EIO, "results", 0, 0, "cannot make the folder: %s; name a file with --out",
                          strerror(errno));
    return FZ_OK;
}

static int demo_run(const fz_args *args)
{
    fz_error err;
    fz_comparison *c = calloc(1, sizeof(*c));
    if (c == NULL) {
        fz_fail(&err, FZ_ENOMEM, "no memory");
        return fz_say_error(&err);
    }
    int code = demo_prepare(args, c, &err) == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
    if (code == FZ_EXIT_DONE)
        code = fz_inputs_read(DEMO_TRACE, DEMO_CLUSTER, NULL, &c->inputs);
    if (code == FZ_EXIT_DONE) {
        fz_say_note(
            "%u LLM training jobs on %s (%u nodes), under %u schedulers; frenzy compare %s --cluster %s "
            "--schedulers has,opportunistic,fifo,easy does the same",
            c->inputs.trace->n_jobs, DEMO_CLUSTER, c->inputs.cluster->spec.n_nodes, c->n_scheds, DEMO_TRACE,
            DEMO_CLUSTER);
        code = fz_comparison_run(c);
    }
    fz_inputs_release(&c->inputs);
    fz_roster_release(&c->roster);
    free(c);
    return code;
}

static const fz_option options[] = {
    {"out", "DB", "results database (default " DEMO_DATABASE ", in the current folder)"},
    {"set", "KEY=VALUE", "a parameter, as in compare"},
    {"workers", "N", "processes at once (default 2)"},
};

const fz_command fz_command_demo = {
    .name = "demo",
    .summary = "the bundled trace on a mixed cluster under four schedulers",
    .arguments = "[--out DB] [--set KEY=VALUE]... [--workers N] [--json]",
    .examples = "  frenzy demo\n",
    .notes = "",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .run = demo_run,
};
