/* frenzy schedulers: the list, or the page of one with its parameters. */
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/inputs.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"
#include "sim/plugin/template.h"

static void range_text(const fz_param *param, char *text, size_t size)
{
    if (param->kind == FZ_PARAM_CHOICE)
        snprintf(text, size, "%s", param->choices);
    else if (param->kind == FZ_PARAM_FLAG)
        snprintf(text, size, "0|1");
    else
        snprintf(text, size, "%g to %g", param->min, param->max);
}

static void param_print(const fz_param *param)
{
    char value[64], range[128];
    fz_param_text(param, param->fallback, value, sizeof(value));
    range_text(param, range, sizeof(range));
    printf("  %-18s default %s, %s\n      %s\n", param->name, value, range, param->help);
}

static void page_print(const fz_sched_ops *sched)
{
    uint32_t n_world = 0;
    const fz_param *world = fz_world_params(&n_world);
    printf("%s: %s\n\n%s\n", sched->name, sched->summary, sched->manual);
    if (sched->origin != NULL)
        printf("from: %s\n", sched->origin);
    if ((sched->caps & FZ_SCHED_NODES) == 0)
        printf("req_nodes: not looked at: a job is spread over any nodes\n");
    printf("\nparameters:\n");
    for (uint32_t i = 0; i < sched->n_params; i++)
        param_print(&sched->params[i]);
    if (sched->n_params == 0)
        printf("  none\n");
    printf("\nof the simulated world, for every scheduler:\n");
    for (uint32_t i = 0; i < n_world; i++)
        param_print(&world[i]);
}

static void params_json(fz_json *json, const char *key, const fz_param *params, uint32_t n)
{
    fz_json_open_list(json, key);
    for (uint32_t i = 0; i < n; i++) {
        char value[64], range[128];
        fz_param_text(&params[i], params[i].fallback, value, sizeof(value));
        range_text(&params[i], range, sizeof(range));
        fz_json_open(json, NULL);
        fz_json_text(json, "name", params[i].name);
        fz_json_text(json, "default", value);
        fz_json_text(json, "range", range);
        fz_json_text(json, "help", params[i].help);
        fz_json_close(json);
    }
    fz_json_close_list(json);
}

static void all_json(const fz_sched_ops *const *scheds, uint32_t n)
{
    uint32_t n_world = 0;
    const fz_param *world = fz_world_params(&n_world);
    fz_json json = fz_json_start(stdout, "frenzy-schedulers-1");
    fz_json_open_list(&json, "schedulers");
    for (uint32_t i = 0; i < n; i++) {
        fz_json_open(&json, NULL);
        fz_json_text(&json, "name", scheds[i]->name);
        fz_json_text(&json, "summary", scheds[i]->summary);
        fz_json_text(&json, "manual", scheds[i]->manual);
        fz_json_bool(&json, "uses_req_nodes", (scheds[i]->caps & FZ_SCHED_NODES) != 0);
        params_json(&json, "parameters", scheds[i]->params, scheds[i]->n_params);
        fz_json_close(&json);
    }
    fz_json_close_list(&json);
    params_json(&json, "world", world, n_world);
    fz_json_end(&json);
}

static fz_status list_or_page(const fz_args *args, const fz_roster *roster, fz_error *err)
{
    const fz_sched_ops *one = NULL;
    uint32_t n = roster->n;
    if (args->n_rest == 1)
        FZ_TRY(fz_scheds_parse(roster, args->rest[0], &one, 1, &n, err));
    if (fz_args_has(args, "json"))
        all_json(one != NULL ? &one : roster->all, n);
    else if (one != NULL)
        page_print(one);
    else
        for (uint32_t i = 0; i < n; i++)
            printf("%-14s %s\n", roster->all[i]->name, roster->all[i]->summary);
    return FZ_OK;
}

static fz_status template_make(const fz_args *args, const fz_roster *roster, fz_error *err)
{
    const char *name = fz_args_get(args, "new");
    if (args->n_rest > 0)
        return fz_fail(err, FZ_EUSAGE, "--new writes a folder and shows nothing; leave out '%s'",
                       args->rest[0]);
    FZ_TRY(fz_template_write(roster, name, err));
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, "frenzy-schedulers-new-1");
        fz_json_text(&json, "folder", name);
        fz_json_end(&json);
        return FZ_OK;
    }
    printf("%s/%s.c, %s/CMakeLists.txt\n", name, name, name);
    fz_say_note("build it:  cmake -S %s -B %s/build && cmake --build %s/build\n"
                "try it:    frenzy replay demo --cluster sia-64 --plugin %s/build/%s.so --scheduler %s",
                name, name, name, name, name, name);
    return FZ_OK;
}

static int schedulers_run(const fz_args *args)
{
    fz_roster roster;
    fz_error err = {0};
    fz_status status = fz_roster_from_args(args, &roster, &err);
    if (status == FZ_OK)
        status =
            fz_args_has(args, "new") ? template_make(args, &roster, &err) : list_or_page(args, &roster, &err);
    fz_roster_release(&roster);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

static const fz_option options[] = {
    {"plugin", "FILE", "a shared object with policies; may come again (`frenzy schedulers --new`)"},
    {"new", "NAME", "write a plug-in to start from into the new folder NAME"},
};

const fz_command fz_command_schedulers = {
    .name = "schedulers",
    .summary = "list the schedulers, or show the rules and parameters of one",
    .arguments = "[NAME] [--plugin FILE]... [--json]\n       frenzy schedulers --new NAME",
    .examples = "  frenzy schedulers\n"
                "  frenzy schedulers has\n"
                "  frenzy schedulers --new mine\n"
                "  frenzy schedulers mine --plugin ./mine.so\n",
    .notes = "",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .max_rest = 1,
    .run = schedulers_run,
};
