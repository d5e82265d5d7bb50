/* Leased GPUs, waiting and running jobs over time, as averages over bins of equal width.
 *
 * Levels are step functions that change at instants; each bin holds their exact integral, so that an average
 * never leaves the range of the levels: leased GPUs never exceed those of the cluster. Bins start one second
 * wide; when they do not suffice, neighbours are joined and the width doubles. There are never more than
 * FZ_TIMELINE_BINS, and at least half of that once the first second of bins was left behind.
 *
 * Noting a level costs a few additions. No memory beyond the struct. */
#ifndef FRENZY_SIM_METRICS_TIMELINE_H
#define FRENZY_SIM_METRICS_TIMELINE_H

#include <frenzy/units.h>

#define FZ_TIMELINE_BINS 1024u

__extension__ typedef unsigned __int128 fz_wide; /* level x microseconds: exact for any level and time */

typedef struct fz_levels {
    uint64_t gpus, waiting, running; /* leased GPUs; jobs in the queue; jobs that run */
} fz_levels;

typedef struct fz_timeline_bin {
    fz_wide gpus, waiting, running;
} fz_timeline_bin;

typedef struct fz_timeline {
    fz_time origin, width;
    fz_time last;     /* integrated up to here */
    fz_levels levels; /* since then */
    fz_wide gpu_time; /* all leased GPU time so far */
    fz_timeline_bin bins[FZ_TIMELINE_BINS];
} fz_timeline;

/* Averages over one bin. */
typedef struct fz_timeline_point {
    double gpus, waiting, running;
} fz_timeline_point;

/* `timeline` is all zero. */
void fz_timeline_start(fz_timeline *timeline, fz_time origin);
/* Carries the levels on to `now` >= the time of the last call. */
void fz_timeline_advance(fz_timeline *timeline, fz_time now);
/* From the last time on, these are the levels. */
static inline void fz_timeline_set(fz_timeline *timeline, fz_levels levels)
{
    timeline->levels = levels;
}

/* The bins up to now; the last one may be cut short. Returns how many were written, at most FZ_TIMELINE_BINS. */
uint32_t fz_timeline_points(const fz_timeline *timeline, fz_timeline_point *points);

/* How fast the queue grew since half the time: jobs an hour; 0 when no time has passed. */
double fz_timeline_growth_per_h(const fz_timeline *timeline);

#endif
