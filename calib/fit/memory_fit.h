/* Fits the constants of the analytic memory estimator (frenzy/memory_terms.h) to measured runs.
 *
 * A run's constants are those of all frameworks, plus what its family deviates, plus what its framework with
 * its precision deviates. The fit minimises, over all of these at once,
 *   sum over runs of w huber(ln(predicted / measured) / sigma) + sum over constants of (deviation / prior)^2
 * by iteratively reweighted Gauss-Newton steps. The prior keeps a framework with few runs near its family,
 * and a family near all; a framework that was never measured has its family's constants. Runs known only
 * to fit, or to run out of memory, count as censored: they pull only when the prediction is on the wrong side.
 *
 * Residuals for the intervals come from cross-validation: groups of equal configurations are left out
 * together, in FZ_FIT_FOLDS folds, and separately each source as a whole. */
#ifndef FRENZY_CALIB_MEMORY_FIT_H
#define FRENZY_CALIB_MEMORY_FIT_H

#include <frenzy/arena.h>
#include <frenzy/memory_terms.h>

#include "calib/groundtruth/memory_rows.h"

#define FZ_FIT_FOLDS 10u

/* What is predicted for a row. `need` 0: not scored. */
typedef struct fz_memory_prediction {
    double need, lo, hi;
} fz_memory_prediction;

typedef struct fz_memory_fit {
    fz_memory_node
        *nodes; /* "all" first, then families, then frameworks with precision, each sorted by name */
    uint32_t n_nodes;
    fz_memory_prediction *by_group;  /* each row by constants that had not seen its configuration */
    fz_memory_prediction *by_source; /* ... nor any row of its source */
} fz_memory_fit;

/* `capacity[i]`: usable bytes of the GPU of row i, 0 unknown. All in `arena`. `confidence` is that of the
 * intervals. FZ_EINVAL: no row can be used. */
fz_status fz_memory_fit_rows(const fz_memory_rows *rows, const double *capacity, double confidence,
                             fz_arena *arena, fz_memory_fit *out, fz_error *err);

/* Whether a row serves the fit: predictable, measured or censored with a known capacity. */
bool fz_memory_row_used(const fz_memory_row *row, double capacity);

#endif
