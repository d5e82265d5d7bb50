/* Fits the constants of the analytic memory estimator (frenzy/memory_terms.h) to measured runs: hierarchy.h says how,
 * crossval.h what is left out. Runs known only to fit, or to run out of memory, count as censored at their GPU's
 * usable memory. */
#ifndef FRENZY_CALIB_MEMORY_FIT_H
#define FRENZY_CALIB_MEMORY_FIT_H

#include "calib/fit/crossval.h"
#include "calib/groundtruth/run_rows.h"

extern const fz_prior fz_memory_priors[];

/* `capacity[i]`: usable bytes of the GPU of row i, 0 unknown. All in `arena`. */
fz_status fz_memory_fit_rows(const fz_run_rows *rows, const double *capacity, double confidence,
                             fz_arena *arena, fz_fit_result *out, fz_error *err);

#endif
