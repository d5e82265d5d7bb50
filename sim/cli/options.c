#include "sim/cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/suggest.h"

static const fz_option every_command[] = {
    {"json", NULL, "print the result as one JSON object on standard output"},
    {"help", NULL, "print this page (also -h)"},
};
#define N_EVERY ((uint32_t)(sizeof(every_command) / sizeof(every_command[0])))

enum { FIRST_VALUE = 256 }; /* what getopt_long() returns for an option: behind all letters */

static const fz_option *option_at(const fz_option *options, uint32_t n_options, uint32_t i)
{
    return i < n_options ? &options[i] : &every_command[i - n_options];
}

static fz_status unknown_option(const fz_command *command, const char *given, fz_error *err)
{
    const char *names[FZ_MAX_OPTIONS + N_EVERY];
    uint32_t n = command->n_options + N_EVERY;
    for (uint32_t i = 0; i < n; i++)
        names[i] = option_at(command->options, command->n_options, i)->name;
    char word[64];
    const char *start = given + strspn(given, "-");
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(start, "="), start);
    const char *near = fz_suggest(word, names, n);
    if (near != NULL)
        return fz_fail(err, FZ_EUSAGE, "unknown option '%s' (did you mean '--%s'?); see frenzy %s --help",
                       given, near, command->name);
    return fz_fail(err, FZ_EUSAGE, "unknown option '%s'; see frenzy %s --help", given, command->name);
}

/* What getopt_long() did not take: a letter, a flag with a value, or a long name, which it has passed. */
static fz_status wrong_option(const fz_command *command, char **argv, fz_error *err)
{
    if (optopt >= FIRST_VALUE) {
        uint32_t option = (uint32_t)optopt - FIRST_VALUE;
        return fz_fail(err, FZ_EUSAGE, "option '--%s' takes no value; see frenzy %s --help",
                       option_at(command->options, command->n_options, option)->name, command->name);
    }
    if (optopt == 0)
        return unknown_option(command, argv[optind - 1], err);
    const char letter[] = {'-', (char)optopt, '\0'};
    return unknown_option(command, letter, err);
}

static fz_status value_add(fz_args *args, uint32_t option, const char *value, fz_error *err)
{
    if (args->n_values == FZ_MAX_VALUES)
        return fz_fail(err, FZ_EUSAGE, "too many options: at most %d", FZ_MAX_VALUES);
    args->values[args->n_values].option = option;
    args->values[args->n_values++].value = value != NULL ? value : "";
    return FZ_OK;
}

static void table_for_getopt(const fz_command *command, struct option *table)
{
    uint32_t n = command->n_options + N_EVERY;
    for (uint32_t i = 0; i < n; i++) {
        const fz_option *option = option_at(command->options, command->n_options, i);
        table[i] = (struct option){.name = option->name,
                                   .has_arg = option->argument != NULL ? required_argument : no_argument,
                                   .val = FIRST_VALUE + (int)i};
    }
    table[n] = (struct option){0};
}

/* An empty text is nearly always a shell variable that is not set; nothing here means anything when empty. */
static fz_status empty_refuse(const fz_args *args, fz_error *err)
{
    for (uint32_t i = 0; i < args->n_values; i++) {
        const fz_option *option = option_at(args->options, args->n_options, args->values[i].option);
        if (option->argument != NULL && args->values[i].value[0] == '\0')
            return fz_fail(err, FZ_EUSAGE, "--%s: %s is empty; is a variable of the shell not set?",
                           option->name, option->argument);
    }
    for (uint32_t i = 0; i < args->n_rest; i++)
        if (args->rest[i][0] == '\0')
            return fz_fail(err, FZ_EUSAGE, "argument %u is empty; is a variable of the shell not set?",
                           i + 1);
    return FZ_OK;
}

static fz_status rest_check(const fz_command *command, const fz_args *args, fz_error *err)
{
    if (args->n_rest < command->min_rest)
        return fz_fail(err, FZ_EUSAGE, "something is missing: frenzy %s %s", command->name,
                       command->arguments);
    if (args->n_rest > command->max_rest)
        return fz_fail(err, FZ_EUSAGE, "'%s' is one argument too many: frenzy %s %s",
                       args->rest[command->max_rest], command->name, command->arguments);
    return FZ_OK;
}

fz_status fz_args_parse(const fz_command *command, int argc, char **argv, fz_args *args, bool *help,
                        fz_error *err)
{
    struct option table[FZ_MAX_OPTIONS + N_EVERY + 1];
    *args = (fz_args){.options = command->options, .n_options = command->n_options};
    *help = false;
    table_for_getopt(command, table);
    opterr = 0;
    optind = 0; /* forget the command line before */
    for (;;) {
        int got = getopt_long(argc, argv, ":h", table, NULL);
        if (got == -1)
            break;
        if (got == '?')
            return wrong_option(command, argv, err);
        if (got == ':')
            return fz_fail(err, FZ_EUSAGE, "option '%s' needs a value; see frenzy %s --help",
                           argv[optind - 1], command->name);
        uint32_t option = got == 'h' ? command->n_options + N_EVERY - 1 : (uint32_t)got - FIRST_VALUE;
        FZ_TRY(value_add(args, option, optarg, err));
    }
    args->rest = argv + optind;
    args->n_rest = (uint32_t)(argc - optind);
    *help = fz_args_has(args, "help");
    if (*help)
        return FZ_OK;
    FZ_TRY(empty_refuse(args, err));
    return rest_check(command, args, err);
}

static bool is_named(const fz_args *args, uint32_t option, const char *name)
{
    return strcmp(option_at(args->options, args->n_options, option)->name, name) == 0;
}

const char *fz_args_get(const fz_args *args, const char *name)
{
    const char *last = NULL;
    for (uint32_t i = 0; i < args->n_values; i++)
        if (is_named(args, args->values[i].option, name))
            last = args->values[i].value;
    return last;
}

bool fz_args_has(const fz_args *args, const char *name)
{
    return fz_args_get(args, name) != NULL;
}

const char *fz_args_nth(const fz_args *args, const char *name, uint32_t k)
{
    for (uint32_t i = 0; i < args->n_values; i++)
        if (is_named(args, args->values[i].option, name) && k-- == 0)
            return args->values[i].value;
    return NULL;
}

fz_status fz_args_one_output(const fz_args *args, const char *name, fz_error *err)
{
    const char *path = fz_args_get(args, name);
    if (path == NULL || strcmp(path, "-") != 0 || !fz_args_has(args, "json"))
        return FZ_OK;
    return fz_fail(err, FZ_EUSAGE, "--%s - and --json both want standard output; give --%s a file", name,
                   name);
}

fz_status fz_args_number(const fz_args *args, const char *name, double min, double max, double *out,
                         fz_error *err)
{
    const char *text = fz_args_get(args, name);
    if (text == NULL)
        return FZ_OK;
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return fz_fail(err, FZ_EUSAGE, "--%s: '%s' is not a number", name, text);
    if (value < min || value > max)
        return fz_fail(err, FZ_EUSAGE, "--%s: %s is out of range, expected %g to %g", name, text, min, max);
    *out = value;
    return FZ_OK;
}

fz_status fz_args_count(const fz_args *args, const char *name, uint64_t min, uint64_t max, uint64_t *out,
                        fz_error *err)
{
    const char *text = fz_args_get(args, name);
    if (text == NULL)
        return FZ_OK;
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || strchr(text, '-') != NULL)
        return fz_fail(err, FZ_EUSAGE, "--%s: '%s' is not a whole number", name, text);
    if (errno == ERANGE || value < min || value > max)
        return fz_fail(err, FZ_EUSAGE, "--%s: %s is out of range, expected %llu to %llu", name, text,
                       (unsigned long long)min, (unsigned long long)max);
    *out = value;
    return FZ_OK;
}

const char *fz_command_word(const fz_command *command)
{
    const char *blank = strrchr(command->name, ' ');
    return blank != NULL ? blank + 1 : command->name;
}

fz_status fz_command_verb(const fz_command *command, const char *word, const fz_command **out, fz_error *err)
{
    const char *names[FZ_MAX_VERBS];
    char list[200] = "";
    for (uint32_t i = 0; i < command->n_verbs; i++) {
        size_t length = strlen(list);
        names[i] = fz_command_word(command->verbs[i]);
        if (strcmp(names[i], word) == 0) {
            *out = command->verbs[i];
            return FZ_OK;
        }
        snprintf(list + length, sizeof(list) - length, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = fz_suggest(word, names, command->n_verbs);
    if (near != NULL)
        return fz_fail(err, FZ_EUSAGE, "unknown: frenzy %s %.60s (did you mean '%s'?); there are %s",
                       command->name, word, near, list);
    return fz_fail(err, FZ_EUSAGE, "unknown: frenzy %s %.60s; there are %s", command->name, word, list);
}

static void verbs_help(const fz_command *command)
{
    printf("frenzy %s: %s\n\nexamples:\n%s\nusage: frenzy %s %s\n\n", command->name, command->summary,
           command->examples, command->name, command->arguments);
    for (uint32_t i = 0; i < command->n_verbs; i++)
        printf("  %-11s %s\n", fz_command_word(command->verbs[i]), command->verbs[i]->summary);
    printf("\n%s", command->notes);
}

void fz_command_help(const fz_command *command)
{
    if (command->n_verbs > 0) {
        verbs_help(command);
        return;
    }
    printf("frenzy %s: %s\n\nexamples:\n%s\nusage: frenzy %s %s\n\noptions:\n", command->name,
           command->summary, command->examples, command->name, command->arguments);
    for (uint32_t i = 0; i < command->n_options + N_EVERY; i++) {
        const fz_option *option = option_at(command->options, command->n_options, i);
        char left[64];
        snprintf(left, sizeof(left), "--%s%s%s", option->name, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "");
        printf("  %-26s %s\n", left, option->help);
    }
    if (command->notes[0] != '\0')
        printf("\n%s", command->notes);
}
