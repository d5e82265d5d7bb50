#include "core/support/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 128 * 1024, NAMES_TRIED = 100 };

struct fz_output {
    char *path, *temporary; /* both NULL: standard output */
    int file;
    int error; /* errno of the first write that failed; 0: none */
    size_t used;
    char buffer[BUFFER_BYTES];
};

static fz_status fail(fz_error *err, const char *path, const char *what)
{
    return fz_fail_at(err, FZ_EIO, path, 0, 0, "cannot write: %s", what);
}

static void output_free(fz_output *output)
{
    free(output->path);
    free(output->temporary);
    free(output);
}

/* A new file beside the target; its name ends in .0.tmp, or the next number that is free. */
static fz_status temporary_open(fz_output *output, fz_error *err)
{
    size_t size = strlen(output->path) + 16;
    output->temporary = malloc(size);
    if (output->temporary == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (int i = 0; i < NAMES_TRIED; i++) {
        (void)snprintf(output->temporary, size, "%s.%d.tmp", output->path, i);
        output->file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file >= 0)
            return FZ_OK;
        if (errno != EEXIST)
            break;
    }
    return fail(err, output->path, strerror(errno));
}

static fz_status target_check(const char *path, fz_error *err)
{
    struct stat found;
    if (stat(path, &found) != 0 || S_ISREG(found.st_mode))
        return FZ_OK;
    return fail(err, path,
                S_ISDIR(found.st_mode) ? "it is a directory; a file name is expected"
                                       : "it is no regular file; '-' is standard output");
}

fz_status fz_output_open(const char *path, fz_output **out, fz_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    if (!standard)
        FZ_TRY(target_check(path, err));
    fz_output *output = malloc(sizeof *output);
    if (output == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    output->path = standard ? NULL : strdup(path);
    output->temporary = NULL;
    output->file = STDOUT_FILENO;
    output->error = 0;
    output->used = 0;
    fz_status status = FZ_OK;
    if (!standard)
        status =
            output->path != NULL ? temporary_open(output, err) : fz_fail(err, FZ_ENOMEM, "out of memory");
    if (status != FZ_OK) {
        output_free(output);
        return status;
    }
    *out = output;
    return FZ_OK;
}

static void flush(fz_output *output)
{
    for (size_t done = 0; done < output->used && output->error == 0;) {
        ssize_t n = write(output->file, output->buffer + done, output->used - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            output->error = errno;
    }
    output->used = 0;
}

void fz_output_write(fz_output *output, const char *bytes, size_t length)
{
    while (length > 0) {
        if (output->used == BUFFER_BYTES)
            flush(output);
        size_t room = BUFFER_BYTES - output->used, part = length < room ? length : room;
        memcpy(output->buffer + output->used, bytes, part);
        output->used += part;
        bytes += part;
        length -= part;
    }
}

void fz_output_text(fz_output *output, const char *text)
{
    fz_output_write(output, text, strlen(text));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void fz_output_csv(fz_output *output, const char *text)
{
    size_t length = strlen(text), plain = strcspn(text, ",\"\r\n");
    if (plain == length && (length == 0 || (!is_blank(text[0]) && !is_blank(text[length - 1])))) {
        fz_output_write(output, text, length);
        return;
    }
    fz_output_write(output, "\"", 1);
    for (const char *quote; (quote = strchr(text, '"')) != NULL; text = quote + 1) {
        fz_output_write(output, text, (size_t)(quote - text));
        fz_output_write(output, "\"\"", 2);
    }
    fz_output_text(output, text);
    fz_output_write(output, "\"", 1);
}

/* To the disk and to its name. */
static void settle(fz_output *output)
{
    if (output->error == 0 && fsync(output->file) != 0)
        output->error = errno;
    if (close(output->file) != 0 && output->error == 0)
        output->error = errno;
    if (output->error == 0 && rename(output->temporary, output->path) != 0)
        output->error = errno;
    if (output->error != 0)
        (void)unlink(output->temporary);
}

fz_status fz_output_commit(fz_output *output, fz_error *err)
{
    flush(output);
    if (output->temporary != NULL)
        settle(output);
    fz_status status = FZ_OK;
    if (output->error != 0)
        status = fail(err, output->path != NULL ? output->path : "<stdout>", strerror(output->error));
    output_free(output);
    return status;
}

void fz_output_discard(fz_output *output)
{
    if (output == NULL)
        return;
    if (output->temporary != NULL) {
        (void)close(output->file);
        (void)unlink(output->temporary);
    }
    output_free(output);
}
