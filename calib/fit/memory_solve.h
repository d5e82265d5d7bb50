/* One fit over a subset of the rows. */
#ifndef FRENZY_CALIB_MEMORY_SOLVE_H
#define FRENZY_CALIB_MEMORY_SOLVE_H

#include "calib/fit/memory_fit.h"

/* A row as the solver sees it. */
typedef struct solve_row {
    const fz_memory_row *row;
    const fz_memory_traits *traits;
    double capacity;
    double weight;  /* rows of one configuration share theirs */
    uint32_t at[3]; /* nodes: all, family, framework with precision */
} solve_row;

typedef struct solve_problem {
    const solve_row *rows;
    uint32_t n_rows, n_nodes;
    const bool *use; /* by row; NULL: all */
} solve_problem;

/* `deviations` (n_nodes x FZ_MC_N): the root's row holds values, the others deviations from their parent.
 * `errors`, optional, the same shape: standard errors of the summed constants of each node;
 * `parent[i]` is the parent of node i. */
fz_status solve_constants(const solve_problem *problem, double *deviations, double *errors,
                          const uint32_t *parent, fz_error *err);

/* The constants of a row: what its nodes add up to, not below the least sensible value. */
void solve_sum(const double *deviations, const uint32_t at[3], double out[FZ_MC_N]);

#endif
