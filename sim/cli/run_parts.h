/* Parts of a table of measured runs: by tuning, source, framework, GPU; and why rows are not scored. */
#ifndef FRENZY_SIM_CLI_RUN_PARTS_H
#define FRENZY_SIM_CLI_RUN_PARTS_H

#include <frenzy/arena.h>

#include "calib/fit/crossval.h"
#include "calib/groundtruth/run_rows.h"

typedef const char *(*fz_run_label)(const fz_run_row *row);

const char *fz_run_label_tuning(const fz_run_row *row); /* "full_training" or "adapters" */
const char *fz_run_label_source(const fz_run_row *row);
const char *fz_run_label_framework(const fz_run_row *row);
const char *fz_run_label_gpu(const fz_run_row *row);

/* The labels in order of first mention, in `arena`. */
typedef struct fz_run_labels {
    const char **labels;
    uint32_t n;
} fz_run_labels;
fz_status fz_run_labels_list(const fz_run_rows *rows, fz_run_label label, fz_arena *arena, fz_run_labels *out,
                             fz_error *err);

/* Which rows have a label (NULL label: all), computed ones apart; NULL when out of memory. */
bool *fz_run_part(const fz_run_rows *rows, fz_run_label label, const char *wanted, fz_arena *arena);

/* Why a row is not scored; NULL: it is, or only a bound of it is known. */
const char *fz_run_reason(const fz_run_row *row, bool predicted);

#define FZ_RUN_REASONS_MAX 64u
typedef struct fz_run_reasons {
    struct {
        const char *reason;
        uint32_t n;
    } at[FZ_RUN_REASONS_MAX];
    uint32_t n;
} fz_run_reasons;
/* Reasons with their counts, in order of first mention, of the rows in `include` (NULL: all). */
void fz_run_reasons_count(const fz_run_rows *rows, const fz_prediction *predicted, const bool *include,
                          fz_run_reasons *out);

#endif
