/* What the clock of a trace means: hours of the week, from its epoch. */
#ifndef FRENZY_WORKLOADS_CLOCK_H
#define FRENZY_WORKLOADS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/units.h>

#include "workloads/trace.h"

enum { FZ_DAY_HOURS = 24, FZ_WEEK_DAYS = 7, FZ_WEEK_HOURS = FZ_DAY_HOURS * FZ_WEEK_DAYS };
#define FZ_HOUR (3600 * FZ_SECOND)

/* Microseconds from Monday 0 h to a wall time (since 1970, on any clock). */
fz_time fz_wall_in_week(fz_time wall);

/* Where in a week t = 0 of a trace is; 0, and *known false, if it has no epoch that can be read. */
fz_time fz_trace_week_offset(const fz_trace *trace, bool *known);

#endif
