/* Text files that appear whole or not at all: written beside the target, flushed to the disk, renamed.
 *
 * Write errors are remembered and reported by fz_output_commit(), so that writing needs no checks; the file
 * that was there before stays as it was. "-" is standard output, which gets what was written so far. */
#ifndef FRENZY_SUPPORT_OUTPUT_H
#define FRENZY_SUPPORT_OUTPUT_H

#include <stddef.h>

#include <frenzy/status.h>

typedef struct fz_output fz_output;

/* FZ_EIO: the folder cannot be written, or `path` is there and no regular file. `path` is copied. */
fz_status fz_output_open(const char *path, fz_output **out, fz_error *err);

void fz_output_write(fz_output *output, const char *bytes, size_t length);
void fz_output_text(fz_output *output, const char *text); /* up to its zero */

/* One field of a CSV row, quoted where RFC 4180 (and blanks at its ends) ask for it; no separator. */
void fz_output_csv(fz_output *output, const char *text);

/* Ends `output` in every case. FZ_EIO: some write failed; nothing is left behind. */
fz_status fz_output_commit(fz_output *output, fz_error *err);
void fz_output_discard(fz_output *output); /* NULL is allowed */

#endif
