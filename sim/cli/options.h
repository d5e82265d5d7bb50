/* Options of a command: one table gives parsing, checking and --help. */
#ifndef FRENZY_SIM_CLI_OPTIONS_H
#define FRENZY_SIM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

#define FZ_MAX_OPTIONS 24
#define FZ_MAX_VERBS   16
#define FZ_MAX_VALUES  256 /* options given on one command line */

typedef struct fz_option {
    const char *name;     /* without dashes */
    const char *argument; /* "FILE"; NULL: a flag */
    const char *help;
} fz_option;

/* What was given. Texts belong to argv. */
typedef struct fz_args {
    const fz_option *options; /* of the command */
    uint32_t n_options;
    struct {
        uint32_t option;
        const char *value; /* "" for a flag */
    } values[FZ_MAX_VALUES];
    uint32_t n_values;
    char *const *rest; /* arguments that are no options */
    uint32_t n_rest;
} fz_args;

typedef struct fz_command fz_command;
struct fz_command {
    const char *name; /* of a verb: "trace check" */
    const char *summary;
    const char *arguments; /* "TRACE --cluster FILE --scheduler NAME" */
    const char *examples;  /* lines */
    const char *notes;     /* more words, "" if none */
    const fz_option *options;
    uint32_t n_options;
    uint32_t min_rest, max_rest;     /* arguments that are no options */
    int (*run)(const fz_args *args); /* returns the exit code */
    const fz_command *const *verbs;  /* `frenzy trace VERB`: the command only hands over; NULL: none */
    uint32_t n_verbs;
};

/* The last word of a command's name: "check". */
const char *fz_command_word(const fz_command *command);
/* FZ_EUSAGE with "did you mean" when there is no such verb. */
fz_status fz_command_verb(const fz_command *command, const char *word, const fz_command **out, fz_error *err);

/* Parses argv[1 ..]. FZ_EUSAGE with "did you mean". `*help` is set when --help or -h was given. argv is
 * reordered so that options come first. */
fz_status fz_args_parse(const fz_command *command, int argc, char **argv, fz_args *args, bool *help,
                        fz_error *err);

/* The last value given, or NULL. The option must be one of the command's. */
const char *fz_args_get(const fz_args *args, const char *name);
bool fz_args_has(const fz_args *args, const char *name);
/* The k-th value of an option that may come more than once, or NULL. */
const char *fz_args_nth(const fz_args *args, const char *name, uint32_t k);

/* FZ_EUSAGE when the option is "-" and --json is given: standard output holds one thing. */
fz_status fz_args_one_output(const fz_args *args, const char *name, fz_error *err);

/* Whole numbers and decimal numbers; absent: *out keeps its value. FZ_EUSAGE names the option. */
fz_status fz_args_count(const fz_args *args, const char *name, uint64_t min, uint64_t max, uint64_t *out,
                        fz_error *err);
fz_status fz_args_number(const fz_args *args, const char *name, double min, double max, double *out,
                         fz_error *err);

/* Prints the manual page of a command to standard output: examples first. */
void fz_command_help(const fz_command *command);

#endif
