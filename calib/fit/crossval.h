/* A fit with its cross-validation: constants for a table, and predictions by constants that had not seen the row.
 *
 * Rows of one configuration are left out together, in FZ_FIT_FOLDS folds; separately each source is left out as a
 * whole. Intervals are quantiles of the residuals of left-out rows, widened by one factor until they cover what
 * they promise on left-out groups. */
#ifndef FRENZY_CALIB_CROSSVAL_H
#define FRENZY_CALIB_CROSSVAL_H

#include <frenzy/arena.h>
#include <frenzy/fitted.h>

#include "calib/fit/hierarchy.h"

#define FZ_FIT_FOLDS 10u

/* A row of a file that is to be fitted. */
typedef struct fz_fit_sample {
    const void *row;            /* for the model */
    const fz_training_run *run; /* its framework and precision */
    const char *source;
    uint32_t group; /* configuration */
    uint32_t residual_class;
    fz_fit_outcome outcome;
    double measured;
    bool use; /* else it takes no part at all */
} fz_fit_sample;

/* need 0: not predicted */
typedef struct fz_prediction {
    double value, lo, hi;
} fz_prediction;

typedef struct fz_fit_result {
    fz_fitted_node *nodes; /* "all" first, then families, then members, each sorted by name */
    uint32_t n_nodes;
    fz_prediction *by_group;  /* each sample by constants that had not seen its configuration */
    fz_prediction *by_source; /* ... nor any row of its source */
} fz_fit_result;

/* All in `arena`. `confidence` is that of the intervals. FZ_EINVAL: no sample can be used. */
fz_status fz_fit_cross_validate(const fz_fit_model *model, const fz_fit_sample *samples, uint32_t n_samples,
                                double confidence, fz_arena *arena, fz_fit_result *out, fz_error *err);

#endif
