/* Grid: an experiment and its inputs become runs, each named by a hash of all that decides its result.
 *
 * Order: trace, cluster, set, load, scheduler, seed; the last runs fastest. Runs that differ in scheduler and
 * seed only share a scenario: they meet the same world and may be compared. */
#ifndef FRENZY_SIM_EXPERIMENT_GRID_H
#define FRENZY_SIM_EXPERIMENT_GRID_H

#include "sim/experiment/experiment.h"
#include "workloads/apps/work_tables.h"
#include "workloads/cluster_file.h"

#define FZ_CONFIG_LENGTH 4096

/* What an experiment reads; by index of its traces and clusters. Borrowed. */
typedef struct fz_grid_inputs {
    const fz_trace *const *traces;
    const fz_model *const *const *models; /* of each trace, see fz_run_spec */
    const fz_cluster_file *const *clusters;
    const fz_work_tables *tables; /* of all traces; NULL: none */
    const char *version;          /* of the program, part of each run's key */
} fz_grid_inputs;

typedef struct fz_scenario {
    uint32_t trace, cluster, world;
    double load;         /* as asked for; 0: as in the trace */
    double natural_load; /* of the trace as it is on this cluster */
    double scale;        /* of submit times */
    uint32_t window_first, window_end;
    bool random;              /* something is drawn: seeds matter */
    const char *text;         /* "philly.csv on sia-64, load 0.8" */
    const fz_trace *arrivals; /* the scaled trace; NULL until fz_grid_spec() needs it */
} fz_scenario;

typedef struct fz_grid_run {
    uint32_t scenario, variant;
    uint64_t seed;
    char cell[65]; /* SHA-256 of all but the version */
    char key[65];  /* of the cell and fz_grid_version() */
} fz_grid_run;

typedef struct fz_grid {
    const fz_experiment *experiment;
    fz_grid_inputs inputs;
    fz_arena *arena;
    fz_scenario *scenarios;
    uint32_t n_scenarios;
    const char **versions; /* by variant */
    fz_settings *settings; /* by world and variant */
    fz_grid_run *runs;
    uint32_t n_runs;
    uint32_t seeds_dropped; /* scenarios in which seeds have no effect, so that one was kept */
} fz_grid;

fz_status fz_grid_build(fz_arena *arena, const fz_experiment *experiment, const fz_grid_inputs *inputs,
                        fz_grid *out, fz_error *err);

const fz_settings *fz_grid_settings(const fz_grid *grid, const fz_grid_run *run);
/* What computes a run: the program's version and, for a policy from outside, its origin. */
const char *fz_grid_version(const fz_grid *grid, const fz_grid_run *run);
/* The resolved configuration, one `key=value` a line: scheduler, parameters, world, load, window, overload. */
void fz_grid_config(const fz_grid *grid, const fz_grid_run *run, char config[FZ_CONFIG_LENGTH]);

/* What to run; makes the scaled trace when it is the first of its scenario. */
fz_status fz_grid_spec(fz_grid *grid, uint32_t run, fz_run_spec *out, fz_error *err);

#endif
