/* Bytes of a file, unpacked: plain and gzip files (of several members too) look alike.
 *
 * Written over read() and inflate(), not gzread(): gzread() takes a file cut inside the header of a
 * later member, or followed by other bytes, for a good one. Here every member must end with its
 * checksum and length, and only zero bytes may pad the end.
 * Errors (FZ_EIO): cannot open, a directory, cut or damaged gzip data, a foreign packing (zip, zstd, xz,
 * bzip2) or UTF-16 text, each named in the message. Line and column are those of the unpacked text, where they
 * are known: fz_input_read() leaves them to its caller. */
#ifndef FRENZY_SUPPORT_INPUT_H
#define FRENZY_SUPPORT_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <frenzy/status.h>

typedef struct fz_input fz_input;

/* "-" is standard input. `path` is copied. */
fz_status fz_input_open(const char *path, fz_input **out, fz_error *err);
/* Bytes in memory, borrowed until closing, in place of a file; not unpacked. At most 4 GiB. */
fz_status fz_input_open_bytes(const char *name, const char *bytes, size_t length, fz_input **out,
                              fz_error *err);
void fz_input_close(fz_input *input); /* NULL is allowed */

const char *fz_input_name(const fz_input *input); /* the path; "<stdin>" for "-" */

/* Between 1 and `capacity` bytes; *got is 0 only at the end. */
fz_status fz_input_read(fz_input *input, char *bytes, size_t capacity, size_t *got, fz_error *err);

/* Gives an error of fz_input_read() its place, behind the text that was read before; its first byte is the first
 * of line `line`. An error that has a place keeps it; NULL is allowed. */
void fz_input_place_error(fz_error *err, const char *text, size_t length, uint32_t line);

/* SHA-256 of all bytes read so far; once, after the last read. */
void fz_input_sha256(fz_input *input, char hex[65]);

/* The whole file, with a zero byte behind it; free() it. Above `limit` bytes: FZ_EIO. `hex` may be NULL. */
fz_status fz_input_slurp(const char *path, size_t limit, char **text, size_t *length, char hex[65],
                         fz_error *err);

#endif
