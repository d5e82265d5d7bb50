/* Measured training runs, a row a run: reads the CSV files that `frenzy validate` and `frenzy fit` take.
 * calib/groundtruth/README.md lists the columns. */
#ifndef FRENZY_CALIB_RUN_ROWS_H
#define FRENZY_CALIB_RUN_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/memory.h>
#include <frenzy/status.h>

/* What a file measures. */
typedef enum fz_run_kind {
    FZ_RUNS_MEMORY, /* peak memory of a GPU, bytes */
    FZ_RUNS_SPEED,  /* time of a step, seconds */
} fz_run_kind;

typedef enum fz_row_outcome {
    FZ_ROW_OK,   /* a peak was measured */
    FZ_ROW_FITS, /* it is only known that the run fitted */
    FZ_ROW_OOM,
} fz_row_outcome;

typedef struct fz_run_row {
    const char *id, *source, *framework, *gpu; /* as written; "" unknown. A `?` behind a GPU is cut */
    const char *name;                          /* of the model */
    const char *skip;                          /* why it cannot be predicted; NULL: it can */
    fz_model model;
    fz_training_run run; /* run.model points to `model` */
    fz_row_outcome outcome;
    bool gpu_doubtful; /* a `?` stood behind the GPU */
    bool ci_log;       /* a functional test\'s record ("golden values"): toy models, not tuned for speed */
    bool computed;     /* the figure is an author's computation, no measurement */
    double measured;   /* bytes or seconds; 0 unless OK */
    uint64_t global_batch; /* sequences a step over all GPUs */
    uint32_t gpus;
    uint32_t node_gpus; /* GPUs of a node; 0 unknown */
    double link_gbps;   /* between nodes, of one GPU, one way; 0 unknown */
    uint32_t line;      /* of the file */
    uint32_t
        group; /* rows of one printed configuration (whatever the GPU or framework version) share it; from 0 */
} fz_run_row;

typedef struct fz_run_rows {
    fz_run_row *rows;
    uint32_t n_rows, n_groups;
} fz_run_rows;

/* Rows live in `arena`. FZ_EPARSE with line and column: a needed column is missing, a field is no number. */
fz_status fz_run_rows_read(const char *path, fz_run_kind kind, fz_arena *arena, fz_run_rows *out,
                           fz_error *err);

#endif
