/* Fitted constants as the C file that core compiles in. */
#ifndef FRENZY_CALIB_TABLE_WRITE_H
#define FRENZY_CALIB_TABLE_WRITE_H

#include "calib/fit/crossval.h"

/* Writes core/src/WHAT_table.c to `path` ("-": standard output), `what` is "memory" or "step". Four digits: the same
 * bytes from every build. */
fz_status fz_fitted_table_write(const char *path, const char *what, const char *header,
                                const fz_prior *priors, uint32_t n_constants, const fz_fit_result *fit,
                                fz_error *err);

#endif
