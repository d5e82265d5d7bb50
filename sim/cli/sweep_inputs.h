/* The traces, clusters and models of an experiment, read with their complaints. */
#ifndef FRENZY_SIM_CLI_SWEEP_INPUTS_H
#define FRENZY_SIM_CLI_SWEEP_INPUTS_H

#include "sim/experiment/grid.h"

typedef struct fz_sweep_inputs {
    fz_grid_inputs grid; /* what a grid is built from; points below */
    fz_trace **traces;
    fz_cluster_file **clusters;
    const fz_model *const **models;
    uint32_t n_traces, n_clusters;
    fz_work_tables *tables;
} fz_sweep_inputs;

/* Prints errors and warnings; returns FZ_EXIT_DONE or the exit code. What was read must be released in any
 * case. */
int fz_sweep_inputs_read(const fz_experiment *experiment, fz_arena *arena, const char *version,
                         fz_sweep_inputs *out);
void fz_sweep_inputs_release(fz_sweep_inputs *inputs);

#endif
