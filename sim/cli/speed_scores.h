/* How predictions of speed compare with measurements, as a table, as JSON and row by row. */
#ifndef FRENZY_SIM_CLI_SPEED_SCORES_H
#define FRENZY_SIM_CLI_SPEED_SCORES_H

#include <stdio.h>

#include <frenzy/arena.h>
#include <frenzy/step.h>

#include "calib/groundtruth/speed_score.h"
#include "sim/cli/json.h"

typedef struct fz_speed_data {
    fz_run_rows rows;
    fz_step_hardware *hardware; /* of each row; matrix_flops 0: unknown GPU */
    fz_arena *arena;
} fz_speed_data;

/* Reads the file and looks the GPUs up in the catalog. */
fz_status fz_speed_data_read(const char *path, fz_speed_data *out, fz_error *err);
void fz_speed_data_free(fz_speed_data *data);

/* All rows, those that the model claims to be right for, and by source, framework and GPU. */
fz_status fz_speed_scores_print(FILE *file, const fz_speed_data *data, const fz_prediction *predicted,
                                fz_error *err);
fz_status fz_speed_scores_json(fz_json *json, const fz_speed_data *data, const fz_prediction *predicted,
                               fz_error *err);
/* CSV: id, measured, predicted, lo, hi (tokens/s of a GPU), error, reason. */
fz_status fz_speed_scores_rows(const char *path, const fz_speed_data *data, const fz_prediction *predicted,
                               fz_error *err);

#endif
