/* Traces scaled to another load: the same jobs in the same order, closer together or further apart. */
#ifndef FRENZY_SIM_EXPERIMENT_ARRIVALS_H
#define FRENZY_SIM_EXPERIMENT_ARRIVALS_H

#include <frenzy/arena.h>

#include "workloads/trace.h"

/* The submit time t becomes floor(t x scale + 1/2); the store works it out likewise. */
static inline fz_time fz_arrival_time(fz_time submit, double scale)
{
    return (fz_time)((double)submit * scale + 0.5);
}

/* A trace whose submit times are multiplied by `scale`; deadlines move with them. Shares all else with `trace`
 * and lives in `arena`; never to be freed by fz_trace_free(). */
fz_status fz_arrivals_scale(fz_arena *arena, const fz_trace *trace, double scale, const fz_trace **out,
                            fz_error *err);

#endif
