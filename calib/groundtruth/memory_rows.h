/* Measured peak memory of training runs, a row a run: reads the CSV files that `frenzy validate memory` and
 * `frenzy fit memory` take. calib/groundtruth/README.md lists the columns. */
#ifndef FRENZY_CALIB_MEMORY_ROWS_H
#define FRENZY_CALIB_MEMORY_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/memory.h>
#include <frenzy/status.h>

typedef enum fz_row_outcome {
    FZ_ROW_OK,   /* a peak was measured */
    FZ_ROW_FITS, /* it is only known that the run fitted */
    FZ_ROW_OOM,
} fz_row_outcome;

typedef struct fz_memory_row {
    const char *id, *source, *framework, *gpu; /* as written; "" unknown. A `?` behind a GPU is cut */
    const char *name;                          /* of the model */
    const char *skip;                          /* why it cannot be predicted; NULL: it can */
    fz_model model;
    fz_training_run run; /* run.model points to `model` */
    fz_row_outcome outcome;
    bool computed;   /* the figure is an author's computation, no measurement */
    double measured; /* bytes; 0 unless OK */
    uint32_t line;   /* of the file */
    uint32_t
        group; /* rows of one printed configuration (whatever the GPU or framework version) share it; from 0 */
} fz_memory_row;

typedef struct fz_memory_rows {
    fz_memory_row *rows;
    uint32_t n_rows, n_groups;
} fz_memory_rows;

/* Rows live in `arena`. FZ_EPARSE with line and column: a needed column is missing, a field is no number. */
fz_status fz_memory_rows_read(const char *path, fz_arena *arena, fz_memory_rows *out, fz_error *err);

#endif
