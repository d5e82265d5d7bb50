/* Between bundled.c and the C file that the build makes of the data files. */
#ifndef FRENZY_WORKLOADS_BUNDLED_DATA_H
#define FRENZY_WORKLOADS_BUNDLED_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "workloads/bundled.h"

typedef struct fz_bundled_table {
    const fz_bundled *files; /* sorted by name */
    const char *const *names;
    uint32_t count;
} fz_bundled_table;

extern const fz_bundled_table fz_bundled_tables[FZ_BUNDLED_KINDS];

#endif
