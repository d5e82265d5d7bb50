#include "sim/cli/say.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void error_print(const fz_error *err)
{
    fz_progress_clear();
    if (err->file[0] == '\0')
        fprintf(stderr, "error: %s\n", err->message);
    else if (err->line == 0)
        fprintf(stderr, "error: %s: %s\n", err->file, err->message);
    else if (err->column == 0)
        fprintf(stderr, "error: %s:%u: %s\n", err->file, err->line, err->message);
    else
        fprintf(stderr, "error: %s:%u:%u: %s\n", err->file, err->line, err->column, err->message);
}

int fz_say_error(const fz_error *err)
{
    error_print(err);
    switch (err->status) {
    case FZ_EUSAGE:
        return FZ_EXIT_USAGE;
    case FZ_EPARSE:
    case FZ_EUNSUPPORTED:
        return FZ_EXIT_INPUT;
    case FZ_EINTERRUPTED:
        return FZ_EXIT_INTERRUPTED;
    default:
        return FZ_EXIT_FAILED;
    }
}

int fz_say_input_error(const fz_error *err)
{
    int code = fz_say_error(err);
    return code == FZ_EXIT_FAILED && err->status != FZ_ENOMEM ? FZ_EXIT_INPUT : code;
}

void fz_say_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fz_progress_clear();
    fputs("warning: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void fz_say_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fz_progress_clear();
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

int fz_say_done(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code == FZ_EXIT_DONE && fz_interrupted() ? FZ_EXIT_INTERRUPTED : code;
    fprintf(stderr, "error: cannot write to standard output: %s\n",
            errno != 0 ? strerror(errno) : "write error");
    return FZ_EXIT_FAILED;
}

void fz_progress_show(const char *what, double share, const char *details)
{
    enum { WIDTH = 25 };
    if (!isatty(STDERR_FILENO))
        return;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < (int)(share * WIDTH) ? '#' : '-';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%s  [%s]  %3.0f %%  %s\033[K", what, bar, share * 100, details);
    fflush(stderr);
}

void fz_progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* SIGINT stays blocked and is asked for, so that no handler and no global flag are needed. */
void fz_interrupt_hold(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool fz_interrupted(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1;
}
