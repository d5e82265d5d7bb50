/* The model that a row of measurements describes. */
#ifndef FRENZY_CALIB_ROW_MODEL_H
#define FRENZY_CALIB_ROW_MODEL_H

#include <frenzy/model.h>

#include "calib/groundtruth/row_fields.h"

/* Fills sizes, experts, latent attention and what families imply; not yet completed. `other` as in row_options.h. */
void fz_row_read_model(fz_row_fields *fields, const char *other, fz_model *model);

#endif
