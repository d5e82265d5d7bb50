/* The rows that an import left out, as a CSV file: file, line, reason, row (its fields as one CSV text; empty where
 * the file is no table). The file is made with the first row, and appears whole or not at all. */
#ifndef FRENZY_WORKLOADS_REJECTED_H
#define FRENZY_WORKLOADS_REJECTED_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

#include "core/support/csv.h"
#include "core/support/output.h"

typedef struct fz_rejected {
    const char *path; /* borrowed */
    uint64_t rows;
    fz_output *output; /* NULL before the first row */
    fz_status status;  /* of opening; told by fz_rejected_end() */
    fz_error err;
} fz_rejected; /* {.path = ...} at first */

void fz_rejected_add(fz_rejected *rejected, const char *file, uint32_t line, const char *reason,
                     const fz_csv_field *fields, uint32_t n_fields);
/* With `keep` the file is written; where no row was rejected, one that an earlier import left at `path` goes.
 * Without, nothing changes. FZ_EIO, FZ_ENOMEM. */
fz_status fz_rejected_end(fz_rejected *rejected, bool keep, fz_error *err);

#endif
