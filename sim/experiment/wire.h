/* A run's outcome as bytes through a pipe between two processes of the same program. */
#ifndef FRENZY_SIM_EXPERIMENT_WIRE_H
#define FRENZY_SIM_EXPERIMENT_WIRE_H

#include <stddef.h>

#include "sim/metrics/result.h"

/* Writes all of it; false when the pipe broke. `failure` is NULL when the run succeeded. */
bool fz_wire_write(int fd, const fz_run_result *result, const fz_error *failure);

/* Decodes what was read. False when it is cut short or is not what fz_wire_write() writes. The result
 * points into `bytes` (aligned to 16), which must outlive it. */
bool fz_wire_read(char *bytes, size_t length, fz_run_result *result, bool *failed, fz_error *failure);

#endif
