/* One row of measurements becomes a training run. */
#ifndef FRENZY_CALIB_RUN_ROW_H
#define FRENZY_CALIB_RUN_ROW_H

#include "calib/groundtruth/row_fields.h"
#include "calib/groundtruth/run_rows.h"

/* Fills all of `row` but its group; what the row lacks is row->skip. The status is that of the fields. */
fz_status fz_run_row_read(fz_row_fields *fields, fz_run_kind kind, fz_run_row *row);

#endif
