/* Fits the constants of the speed model (frenzy/step.h) to measured runs: hierarchy.h says how, crossval.h what is
 * left out. */
#ifndef FRENZY_CALIB_STEP_FIT_H
#define FRENZY_CALIB_STEP_FIT_H

#include <frenzy/step.h>

#include "calib/fit/crossval.h"
#include "calib/groundtruth/run_rows.h"

extern const fz_prior fz_step_priors[FZ_SC_N];

/* `hardware[i]` of each row; matrix_flops 0: unknown, the row takes no part. All in `arena`. */
fz_status fz_step_fit_rows(const fz_run_rows *rows, const fz_step_hardware *hardware, double confidence,
                           fz_arena *arena, fz_fit_result *out, fz_error *err);

#endif
