/* Small files of every format, from the fuzzers' corpora, and damage to them. */
#ifndef FRENZY_TESTS_SAMPLES_H
#define FRENZY_TESTS_SAMPLES_H

#include <stddef.h>

#include "tests/random.h"

/* A file of tests/fuzz/corpus/KIND/FORMAT/: its first line names the format, the text is what follows. */
typedef struct fz_sample {
    char format[32], name[64];
    char *text; /* with a zero behind it */
    size_t length;
} fz_sample;

typedef struct fz_samples {
    fz_sample *items;
    size_t n;
} fz_samples;

/* `root` is the source tree, `kind` "formats" or "cluster_formats". In order of format and name. Asserts that there are
 * some; release them. */
fz_samples fz_samples_open(const char *root, const char *kind);
void fz_samples_close(fz_samples *samples);

/* One change to a text that has room for 32 bytes more; returns its new length: a byte replaced, a stretch taken out or
 * written twice, the end cut off, two lines swapped, a field emptied or of the wrong kind, or a piece that is likely to
 * hurt. `separator` is what stands between fields. */
size_t fz_damage(char *text, size_t length, char separator, fz_random *random);

#endif
