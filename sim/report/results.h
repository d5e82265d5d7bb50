/* Results of experiments, put in order: scenarios, in each the schedulers with their runs, each compared with one of
 * them on the same seeds. Tables, pages and files are made from this. */
#ifndef FRENZY_SIM_REPORT_RESULTS_H
#define FRENZY_SIM_REPORT_RESULTS_H

#include <frenzy/arena.h>

#include "sim/report/paired.h"
#include "sim/store/read.h"

/* What is compared. Order of `fz_figures`. */
typedef enum fz_figure_id {
    FZ_FIGURE_JCT_AVG,
    FZ_FIGURE_JCT_P50,
    FZ_FIGURE_JCT_P99,
    FZ_FIGURE_QUEUE,
    FZ_FIGURE_MAKESPAN,
    FZ_FIGURE_ALLOC,
    FZ_FIGURE_OOMS,
    FZ_FIGURE_FINISHED,
    FZ_FIGURE_UNFINISHED,
    FZ_FIGURE_DECIDE_MS,
    FZ_N_FIGURES
} fz_figure_id;

typedef struct fz_figure_kind {
    const char *key;   /* column of files: "jct_avg_s" */
    const char *title; /* of tables: "avg JCT (h)" */
    double scale;      /* file value x scale = table value */
    int decimals;      /* in tables */
    bool percentile;   /* compared by bootstrap; means by Student's t */
    bool lower_is_better;
} fz_figure_kind;

extern const fz_figure_kind fz_figures[FZ_N_FIGURES];

/* -1 where a run has no such figure. */
double fz_figure_value(const fz_run_row *run, fz_figure_id figure);

/* A scheduler in a scenario. */
typedef struct fz_contender {
    const char *label, *scheduler;
    const fz_run_row *runs; /* by seed */
    uint32_t n_runs;        /* 0: all failed */
    uint32_t n_failed, n_unstable;
    fz_estimate figures[FZ_N_FIGURES]; /* over its seeds; n = 0 where a run has no such figure */
    /* Relative differences to the baseline on common seeds: own / base - 1. n = 0: none. */
    fz_estimate versus[FZ_N_FIGURES];
    double p; /* that the average JCT does not differ from the baseline's; corrected (Holm); 1 if untested */
} fz_contender;

typedef struct fz_scenario_results {
    const char *text, *experiment, *trace, *cluster;
    double load;
    uint32_t gpus;
    uint64_t jobs; /* measured */
    fz_contender *contenders;
    uint32_t n_contenders;
    uint32_t baseline;
    uint32_t best;        /* lowest average JCT over seeds; n_contenders if none finished anything */
    bool best_clear;      /* its interval against the second best, if there is one, leaves out 0 */
    bool same_seeds;      /* all have the same number of seeds */
    bool same_finished;   /* all finished the same number of jobs in every seed */
    const char *sentence; /* who wins, by how much */
} fz_scenario_results;

typedef struct fz_results {
    fz_scenario_results *scenarios;
    uint32_t n_scenarios;
    const fz_run_row *runs;
    uint32_t n_runs;
    const fz_failure_row *failures;
    uint32_t n_failures;
    const char *const *labels; /* of all scenarios, in order of first appearance: fixes colors */
    uint32_t n_labels;
    bool one_version; /* all runs were made by the same version of the program */
} fz_results;

/* `baseline`: label of the scheduler that others are compared with; NULL, or not in a scenario: its first one.
 * FZ_EUSAGE when no scenario has it; FZ_EDB when there are neither runs nor failures. */
fz_status fz_results_build(fz_reader *reader, fz_arena *arena, const char *baseline, fz_results *out,
                           fz_error *err);

/* The same from runs and failures that are at hand, sorted as fz_reader_runs() does. */
fz_status fz_results_of(fz_arena *arena, const fz_run_row *runs, uint32_t n_runs,
                        const fz_failure_row *failures, uint32_t n_failures, const char *baseline,
                        fz_results *out, fz_error *err);

/* Geometric mean over the scenarios in which both have runs of (average JCT of the label / of the baseline), minus 1.
 * `*n` receives how many scenarios that are. */
double fz_results_overall(const fz_results *results, const char *label, uint32_t *n);

#endif
