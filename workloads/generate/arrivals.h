/* When the jobs of a generated trace come; the model is described in workloads/generate.h. */
#ifndef FRENZY_WORKLOADS_GENERATE_ARRIVALS_H
#define FRENZY_WORKLOADS_GENERATE_ARRIVALS_H

#include <gsl/gsl_rng.h>

#include "workloads/profile.h"

typedef struct fz_arrivals {
    const fz_profile_arrivals *profile;
    uint64_t seed;
    double events_per_s;
    gsl_rng *rng;   /* of the noise; NULL: none */
    double seconds; /* of the last event */
    double hour;    /* that the noise belongs to; -1: none yet */
    double noise;
    uint32_t event; /* how many there were */
    uint32_t job;   /* how many there were */
    uint32_t head;  /* first job of the current sweep */
    uint32_t left;  /* jobs that are still to come in it */
    double sweep_s; /* where in time the sweep is */
} fz_arrivals;

/* One job: when it comes, and the first job of its sweep (itself, if it is alone). */
typedef struct fz_arrival {
    fz_time submit;
    uint32_t head;
} fz_arrival;

fz_status fz_arrivals_begin(fz_arrivals *a, const fz_profile_arrivals *profile, uint64_t seed,
                            double jobs_per_h, fz_error *err);
/* Jobs of a sweep follow each other; the next event may have come before the last of them. */
fz_arrival fz_arrivals_next(fz_arrivals *a);
void fz_arrivals_end(fz_arrivals *a);

#endif
