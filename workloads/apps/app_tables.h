/* Rows of step times on their way from files to curves. */
#ifndef FRENZY_WORKLOADS_APPS_APP_TABLES_H
#define FRENZY_WORKLOADS_APPS_APP_TABLES_H

#include "workloads/apps/app.h"

typedef enum fz_app_source {
    FZ_APP_PLACED,  /* placements: GPUs of each node */
    FZ_APP_PAIRS,   /* scalability: nodes and GPUs */
    FZ_APP_OFFGRID, /* likewise, for pairs that are in neither */
} fz_app_source;

typedef struct fz_app_row {
    uint64_t placement; /* 0 unless FZ_APP_PLACED */
    uint32_t nodes, gpus;
    fz_app_source source;
    fz_app_point point;
} fz_app_row;

typedef struct fz_app_rows {
    fz_app_row *rows;
    size_t n_rows, capacity;
} fz_app_rows;

fz_status fz_app_rows_add(fz_app_rows *rows, const fz_app_row *row, fz_error *err);
void fz_app_rows_free(fz_app_rows *rows);

/* All but gpu->name. Rows are put in order. At least one row is FZ_APP_PLACED, or FZ_EPARSE. */
fz_status fz_app_curves_make(fz_arena *arena, fz_app_rows *rows, fz_app_gpu *gpu, fz_error *err);

#endif
