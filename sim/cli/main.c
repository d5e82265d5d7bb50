/* The program `frenzy`: finds the command and runs it. */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <string.h>

#include "core/support/suggest.h"
#include "sim/cli/commands.h"
#include "sim/cli/inputs.h"
#include "sim/cli/say.h"

static const fz_command *const commands[] = {
    &fz_command_plan,       &fz_command_replay, &fz_command_compare,  &fz_command_sweep,  &fz_command_report,
    &fz_command_import,     &fz_command_trace,  &fz_command_validate, &fz_command_fit,    &fz_command_cluster,
    &fz_command_schedulers, &fz_command_models, &fz_command_demo,     &fz_command_doctor,
};
#define N_COMMANDS ((uint32_t)(sizeof(commands) / sizeof(commands[0])))

static void overview(FILE *file)
{
    fprintf(file, "usage: frenzy <command> [options]\n");
    for (uint32_t i = 0; i < N_COMMANDS; i++)
        fprintf(file, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(file, "  %-11s %s\n", "help", "this page, or that of a command: frenzy help replay");
    fprintf(file, "start here: frenzy demo\n");
}

static const fz_command *command_find(const char *name)
{
    for (uint32_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int command_unknown(const char *name)
{
    const char *names[N_COMMANDS + 3] = {"help", "--help", "--version"};
    fz_error err;
    for (uint32_t i = 0; i < N_COMMANDS; i++)
        names[3 + i] = commands[i]->name;
    const char *near = fz_suggest(name, names, N_COMMANDS + 3);
    if (near != NULL)
        fz_fail(&err, FZ_EUSAGE, "unknown command '%s' (did you mean '%s'?)", name, near);
    else
        fz_fail(&err, FZ_EUSAGE, "unknown command '%s'; `frenzy help` lists them", name);
    return fz_say_error(&err);
}

/* argv[0] is the command's own word. */
static int command_run(const fz_command *command, int argc, char **argv)
{
    fz_args args;
    fz_error err;
    bool help = false;
    if (command->n_verbs > 0 && argc > 1 && argv[1][0] != '-' && argv[1][0] != '\0') {
        if (fz_command_verb(command, argv[1], &command, &err) != FZ_OK)
            return fz_say_error(&err);
        argc--;
        argv++;
    }
    if (fz_args_parse(command, argc, argv, &args, &help, &err) != FZ_OK)
        return fz_say_error(&err);
    if (help) {
        fz_command_help(command);
        return FZ_EXIT_DONE;
    }
    return command->run(&args);
}

static int help_run(int argc, char **argv)
{
    if (argc < 2) {
        overview(stdout);
        return FZ_EXIT_DONE;
    }
    const fz_command *command = command_find(argv[1]);
    if (command == NULL)
        return command_unknown(argv[1]);
    fz_error err;
    if (argc > 2 && command->n_verbs > 0 && fz_command_verb(command, argv[2], &command, &err) != FZ_OK)
        return fz_say_error(&err);
    fz_command_help(command);
    return FZ_EXIT_DONE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        overview(stderr);
        return FZ_EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help_run(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        fz_program_version_print();
        return FZ_EXIT_DONE;
    }
    const fz_command *command = command_find(argv[1]);
    return command != NULL ? command_run(command, argc - 1, argv + 1) : command_unknown(argv[1]);
}

int main(int argc, char **argv)
{
    gsl_set_error_handler_off(); /* GSL's own handler would end the program */
    return fz_say_done(dispatch(argc, argv));
}
