/* How predictions of memory compare with measurements, as a table, as JSON and row by row. */
#ifndef FRENZY_SIM_CLI_MEMORY_SCORES_H
#define FRENZY_SIM_CLI_MEMORY_SCORES_H

#include <stdio.h>

#include <frenzy/arena.h>

#include "calib/fit/memory_fit.h"
#include "calib/groundtruth/memory_score.h"
#include "calib/groundtruth/run_rows.h"
#include "sim/cli/json.h"

/* A file of measured runs, with what belongs to it. */
typedef struct fz_memory_data {
    fz_run_rows rows;
    double *capacity; /* usable bytes of each row's GPU, 0 unknown */
    fz_arena *arena;
} fz_memory_data;

/* Reads the file and looks the GPUs up in the catalog. */
fz_status fz_memory_data_read(const char *path, fz_memory_data *out, fz_error *err);
void fz_memory_data_free(fz_memory_data *data);

/* All rows, full training, adapters, and by source, framework and GPU. */
fz_status fz_memory_scores_print(FILE *file, const fz_memory_data *data, const fz_prediction *predicted,
                                 fz_error *err);
fz_status fz_memory_scores_json(fz_json *json, const fz_memory_data *data, const fz_prediction *predicted,
                                fz_error *err);
/* CSV: id, measured, predicted, lo, hi (GiB), accuracy, reason (why a row is not scored). */
fz_status fz_memory_scores_rows(const char *path, const fz_memory_data *data, const fz_prediction *predicted,
                                fz_error *err);

#endif
