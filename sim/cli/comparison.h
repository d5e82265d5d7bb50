/* Several schedulers over the same worlds: the runs, and the table of paired differences. `compare` and
 * `demo` share it. */
#ifndef FRENZY_SIM_CLI_COMPARISON_H
#define FRENZY_SIM_CLI_COMPARISON_H

#include "sim/cli/inputs.h"

#define FZ_MAX_SCHEDS 32
#define FZ_MAX_SEEDS  1000

/* What a run left behind. */
typedef struct fz_compared_run {
    bool failed;
    fz_error failure;
    fz_summary summary;
    fz_cost cost;
} fz_compared_run;

typedef struct fz_comparison {
    fz_inputs inputs;
    fz_roster roster;
    const fz_sched_ops *scheds[FZ_MAX_SCHEDS];
    fz_settings settings[FZ_MAX_SCHEDS];
    uint32_t n_scheds;
    uint64_t seeds[FZ_MAX_SEEDS];
    uint32_t n_seeds;
    uint32_t workers;
    const char *jobs_dir; /* NULL: none */
    const char *database; /* NULL: none */
    bool json;
    fz_compared_run *runs; /* scheduler by scheduler, n_seeds each */
} fz_comparison;

/* Runs everything and prints the result; inputs must have been read. Returns the exit code. */
int fz_comparison_run(fz_comparison *comparison);

/* The table on standard output, or one JSON object. */
void fz_comparison_table(const fz_comparison *comparison);
void fz_comparison_json(const fz_comparison *comparison);

/* The values of one figure over the seeds of a scheduler; false when a run failed or has no such figure. */
typedef double (*fz_figure)(const fz_summary *summary);
bool fz_comparison_values(const fz_comparison *comparison, uint32_t sched, fz_figure figure, double *values);

#endif
