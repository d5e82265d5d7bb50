/* Robust fits of constants that form a tree: what all rows have in common, what a family deviates, and what a member
 * of the family deviates from that.
 *
 * A fit minimises, over all constants at once,
 *   sum over rows of weight huber(residual / sigma) + sum over constants of (deviation / prior)^2
 * by iteratively reweighted Gauss-Newton steps. The prior keeps a member with few rows near its family, and a
 * family near all; a member that was never measured has its family's constants. The residual is
 * ln(predicted / measured); a row known only to lie below (or above) a limit is censored: it pulls only while
 * its prediction is not clearly on that side. */
#ifndef FRENZY_CALIB_HIERARCHY_H
#define FRENZY_CALIB_HIERARCHY_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/fitted.h>
#include <frenzy/status.h>

/* What is believed of a constant before any row is seen. */
typedef struct fz_prior {
    const char *name;
    double mean;   /* over all */
    double spread; /* standard deviation of that mean */
    double family; /* of a family about it, and of a member about its family */
    double least;  /* smallest sensible value */
} fz_prior;

typedef enum fz_fit_outcome {
    FZ_FIT_MEASURED,
    FZ_FIT_BELOW, /* the truth is below row.measured */
    FZ_FIT_ABOVE,
} fz_fit_outcome;

typedef struct fz_fit_row {
    const void *row; /* for the model */
    fz_fit_outcome outcome;
    double measured; /* > 0; the limit of a censored row */
    double weight;
    uint32_t at[3]; /* nodes: all, family, member; equal ones count once */
} fz_fit_row;

typedef struct fz_fit_model {
    const fz_prior *priors;
    uint32_t n_constants;
    /* The prediction under these constants, and its derivative by each. */
    double (*predict)(const void *row, const double *constants, double *derivatives /* NULL: not wanted */);
    double sigma; /* of the residual, between rows of one member */
} fz_fit_model;

typedef struct fz_fit_problem {
    const fz_fit_model *model;
    const fz_fit_row *rows;
    uint32_t n_rows, n_nodes;
    const uint32_t *parent; /* of each node; node 0 is the root, its own parent */
    const bool *use;        /* by row; NULL: all */
} fz_fit_problem;

/* `deviations` (n_nodes x n_constants): values of the root, deviations from the parent of the others. `errors`,
 * optional, the same shape: standard errors of the sums. FZ_EINVAL: no convergence. */
fz_status fz_fit_solve(const fz_fit_problem *problem, double *deviations, double *errors, fz_error *err);

/* The constants at three nodes: their sum, at least the least sensible value. */
void fz_fit_sum(const fz_fit_model *model, const double *deviations, const uint32_t at[3], double *out);

#endif
