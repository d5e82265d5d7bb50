/* Tables of fitted constants, and the spread of what they predict.
 *
 * Constants form a tree of three levels: what all frameworks have in common ("all"), a family, a framework with its
 * precision ("torchtitan/bf16-mixed"). A run is served by the most special node that the table has. Tables are
 * compiled in, and written by scripts/fit-memory and scripts/fit-speed. */
#ifndef FRENZY_FITTED_H
#define FRENZY_FITTED_H

#include <stdint.h>

#include <frenzy/export.h>
#include <frenzy/training_run.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FZ_FITTED_MAX       16 /* constants of a node */
#define FZ_FITTED_QUANTILES 13
#define FZ_FITTED_CLASSES   2
/* A node's own residuals serve from so many rows on; below, its parent's do. */
#define FZ_FITTED_MIN_ROWS 20

typedef struct fz_fitted_node {
    const char *name;
    double constants[FZ_FITTED_MAX];
    double errors[FZ_FITTED_MAX]; /* standard errors */
    uint32_t
        rows[FZ_FITTED_CLASSES]; /* measured runs behind the residuals, by class (of memory: fz_tuning) */
    /* Quantiles of ln(measured / predicted) of runs left out of the fit, at fz_fitted_levels[]. */
    double residuals[FZ_FITTED_CLASSES][FZ_FITTED_QUANTILES];
} fz_fitted_node;

typedef struct fz_fitted_table {
    const fz_fitted_node *nodes;
    uint32_t n_nodes;
} fz_fitted_table;

FZ_API extern const double fz_fitted_levels[FZ_FITTED_QUANTILES];

/* "torchtitan/bf16-mixed" into `text` (64 suffice). */
FZ_API void fz_fitted_name(const fz_training_run *run, char *text, uint32_t size);
/* The node whose constants serve a run. The table has "all". */
FZ_API const fz_fitted_node *fz_fitted_of(fz_fitted_table table, const fz_training_run *run);
/* The node whose residuals serve: the most special one with FZ_FITTED_MIN_ROWS rows of the class. */
FZ_API const fz_fitted_node *fz_fitted_spread_of(fz_fitted_table table, const fz_training_run *run,
                                                 uint32_t class_of_run);
/* ln(measured / predicted) at a level of 0 to 1; the ends of the table are held. */
FZ_API double fz_fitted_quantile(const fz_fitted_node *node, uint32_t class_of_run, double level);

FZ_API const char *fz_precision_name(fz_precision precision); /* "bf16-mixed" */

#ifdef __cplusplus
}
#endif
#endif
