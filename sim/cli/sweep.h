/* A sweep: the runs of an experiment that a database lacks, run in worker processes, each stored when it is
 * done. `sweep` and `compare` share it. */
#ifndef FRENZY_SIM_CLI_SWEEP_H
#define FRENZY_SIM_CLI_SWEEP_H

#include "sim/cli/inputs.h"
#include "sim/experiment/grid.h"
#include "sim/experiment/pool.h"
#include "sim/store/store.h"

typedef struct fz_sweep {

    fz_grid grid;
    fz_store *store;
    const char *database;
    const char *what; /* "sweep": in front of progress */
    uint32_t workers;
    bool force;

    uint32_t shard, n_shards;
    /* Optional, beside storing: called for each run, by its index in the grid, in the order in which they finish.
     * Failures are then left to it to say. */
    fz_status (*result)(void *context, uint32_t run, const fz_run_result *result,
                        const fz_run_failure *failure, fz_error *err);
    void *result_context;

    uint32_t *missing; /* indices of runs to do */
    uint32_t n_mine, n_missing;
    uint32_t n_ok, n_failed, n_elsewhere; /* now; the last were done by another process meanwhile */
    double wall_known_s;                  /* of the runs that are there */
    double started_s, said_s;             /* monotonic clock */
} fz_sweep;

/* Which runs are missing; the store may be NULL (nothing is there). */
fz_status fz_sweep_plan(fz_sweep *sweep, fz_error *err);
fz_status fz_sweep_run(fz_sweep *sweep, fz_error *err);
void fz_sweep_release(fz_sweep *sweep);

/* Seconds that the missing runs will take, by those that are there; negative if nothing is known. */
double fz_sweep_estimate_s(const fz_sweep *sweep);

/* "3 min 20 s". */
void fz_span_text(double seconds, char *text, size_t size);

#endif
