/* Small files for tests: each test program writes into its own fresh folder and removes it at the end. */
#ifndef FRENZY_TESTS_TEMP_H
#define FRENZY_TESTS_TEMP_H

#include <stddef.h>

typedef struct fz_temp {
    char folder[64];
    char path[160]; /* of the file last named */
} fz_temp;

/* Makes the folder (readable for everybody); asserts that it worked. */
void fz_temp_open(fz_temp *temp);
void fz_temp_close(fz_temp *temp); /* removes the folder and the files in it */

/* The path of a file in the folder; valid until the next call. */
const char *fz_temp_path(fz_temp *temp, const char *name);
/* Writes a file and returns its path. */
const char *fz_temp_write(fz_temp *temp, const char *name, const void *bytes, size_t length);
const char *fz_temp_text(fz_temp *temp, const char *name, const char *text);
/* The same bytes, packed as one gzip member; returns its path. */
const char *fz_temp_gzip(fz_temp *temp, const char *name, const void *bytes, size_t length);

/* `size` bytes, all `fill`; free() them. */
char *fz_temp_bytes(size_t size, char fill);

#endif
