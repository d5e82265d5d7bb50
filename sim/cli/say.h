/* Messages: data go to standard output, everything said about them to standard error. */
#ifndef FRENZY_SIM_CLI_SAY_H
#define FRENZY_SIM_CLI_SAY_H

#include <stdbool.h>

#include <frenzy/status.h>

/* Exit codes of the program. */
enum {
    FZ_EXIT_DONE = 0,
    FZ_EXIT_FAILED = 1,    /* at run time */
    FZ_EXIT_USAGE = 2,     /* wrong command line */
    FZ_EXIT_INPUT = 3,     /* an input file is invalid */
    FZ_EXIT_SOME_RUNS = 4, /* some runs failed */
    FZ_EXIT_CONDITION = 5, /* a --fail-if condition held */
    FZ_EXIT_NOWHERE = 6,   /* it fits nowhere */
    FZ_EXIT_INTERRUPTED = 130,
};

/* `error: file:line:column: message` on standard error; returns the exit code for the error. Errors of
 * reading an input file are said with fz_say_input_error(), which gives FZ_EXIT_INPUT. */
int fz_say_error(const fz_error *err);
int fz_say_input_error(const fz_error *err);

void fz_say_warning(const char *format, ...) FZ_PRINTF(1, 2);
void fz_say_note(const char *format, ...) FZ_PRINTF(1, 2);

/* Flushes standard output; an error there (a closed pipe, a full disk) must not pass in silence. Returns
 * `code`, or FZ_EXIT_FAILED; FZ_EXIT_INTERRUPTED when Ctrl-C came while results were being written, which are
 * whole then. */
int fz_say_done(int code);

/* A progress line on standard error, only when that is a terminal. `share` is 0 .. 1. */
void fz_progress_show(const char *what, double share, const char *details);
void fz_progress_clear(void);

/* From here on Ctrl-C does not end the program at once; long work asks fz_interrupted() now and then. */
void fz_interrupt_hold(void);
bool fz_interrupted(void);

#endif
