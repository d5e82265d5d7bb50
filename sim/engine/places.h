/* The growing list of placements of a run (see fz_places_write() for the form). */
#ifndef FRENZY_SIM_ENGINE_PLACES_H
#define FRENZY_SIM_ENGINE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>

#include "sim/metrics/result.h"

typedef struct fz_places {
    fz_arena *arena;
    uint8_t *bytes;
    uint64_t length, capacity;
} fz_places;

/* Room is reserved for `n_jobs` typical placements; pages that stay unused cost nothing. */
bool fz_places_init(fz_places *places, fz_arena *arena, uint32_t n_jobs);

/* Appends a placement (sorted in place by node). FZ_NO_PLACE when out of memory or beyond 4 GiB. */
uint32_t fz_places_append(fz_places *places, fz_placement *where);

#endif
