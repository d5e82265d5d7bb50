/* The fitted constants as the C file that core compiles in. */
#ifndef FRENZY_CALIB_MEMORY_WRITE_H
#define FRENZY_CALIB_MEMORY_WRITE_H

#include "calib/fit/memory_fit.h"

/* Writes core/src/memory_table.c to `path` ("-": standard output). Four digits: the same bytes from every build. */
fz_status fz_memory_table_write(const char *path, const fz_memory_fit *fit, fz_error *err);

#endif
