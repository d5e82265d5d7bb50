/* What charts are drawn from: distributions of JCT, classes of jobs, and jobs on nodes, out of the jobs of runs. */
#ifndef FRENZY_SIM_REPORT_CURVES_H
#define FRENZY_SIM_REPORT_CURVES_H

#include "sim/report/results.h"

/* Completion times of a contender over all its runs. */
typedef struct fz_jcts {
    double *sorted; /* seconds, ascending; of finished jobs of the window */
    uint64_t n;
    uint64_t measured; /* jobs of the window, finished or not */
} fz_jcts;

/* A class of jobs: same model, same number of GPUs, same user. */
typedef struct fz_class {
    const char *name;
    double jct_sum_s;
    uint64_t finished, measured;
} fz_class;

enum { FZ_CLASS_MODEL, FZ_CLASS_SIZE, FZ_CLASS_USER, FZ_N_CLASS_KINDS };

#define FZ_MAX_CLASSES 64u /* of a kind; what is beyond is one class, "others" */

typedef struct fz_class_table {
    fz_class classes[FZ_MAX_CLASSES + 1];
    uint32_t n;
} fz_class_table;

typedef struct fz_contender_jobs {
    fz_jcts jcts;
    fz_class_table kinds[FZ_N_CLASS_KINDS];
} fz_contender_jobs;

/* Reads the jobs of all runs of a contender. Memory in `arena`. */
fz_status fz_contender_jobs_read(fz_reader *reader, fz_arena *arena, const fz_contender *contender,
                                 fz_contender_jobs *out, fz_error *err);

/* Up to `max` points (x seconds, share of measured jobs done by then), more of them in the tail. Returns how many. */
uint32_t fz_jcts_points(const fz_jcts *jcts, uint32_t max, double *x, double *share);

#endif
