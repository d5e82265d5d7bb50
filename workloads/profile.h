/* Profiles: what a generated trace is like. Files in YAML, described in workloads/README.md; the bundled ones are
 * in workloads/generate/profiles/, with a source for every number. */
#ifndef FRENZY_WORKLOADS_PROFILE_H
#define FRENZY_WORKLOADS_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>

#include "workloads/clock.h"
#include "workloads/mix.h"
#include "workloads/trace.h"

/* When jobs come: a Poisson process whose rate is (that hour of the week) x (noise of that hour), each event of
 * which may be a sweep of several jobs. */
typedef struct fz_profile_arrivals {
    double jobs_per_h;             /* mean over a week */
    double weights[FZ_WEEK_HOURS]; /* of the hours of a week from Monday 0 h; mean 1 */
    uint32_t first_hour;           /* hour of the week at t = 0 */
    double noise_cv2;              /* squared coefficient of variation of the noise; 0: none */
    double noise_lag1;             /* correlation of the noise of an hour with that of the hour before */
    double sweep_jobs;             /* mean number of jobs of a sweep (geometric, at least 1); 1: no sweeps */
    double sweep_gap_s;            /* mean time between two jobs of a sweep (exponential) */
} fz_profile_arrivals;

/* Weights of things of which the first are given and the others fall off: the k-th has weight k^slope, scaled so
 * that it goes on where the given ones end. */
typedef struct fz_profile_ranks {
    uint32_t count;       /* 0: there are none */
    const double *shares; /* of all `count`; their sum is 1 */
} fz_profile_ranks;

typedef struct fz_profile_size {
    double gpus;  /* whole, or a share below 1 of one GPU */
    double share; /* the sum is 1 */
} fz_profile_size;

/* A lognormal part of a mixture: median exp(mu), standard deviation sigma of the logarithm. */
typedef struct fz_profile_part {
    double weight; /* the sum is 1 */
    double median_s, sigma;
} fz_profile_part;

typedef struct fz_profile_durations {
    double max_gpus; /* inclusive; the last class has infinity */
    const fz_profile_part *parts;
    uint32_t n_parts;
    double mu, sigma; /* mean and standard deviation of the logarithm, from the parts */
} fz_profile_durations;

typedef struct fz_profile_state {
    fz_trace_state state;
    double share;    /* of the jobs; the sum is 1 */
    double ln_scale; /* what it adds to the logarithm of the duration, the mean over all states being 0 */
} fz_profile_state;

typedef struct fz_profile_type {
    const char *types; /* as in req_gpu_types */
    double share;      /* of all jobs; the rest names none */
} fz_profile_type;

typedef struct fz_profile_factor {
    double factor, share; /* shares add up to 1 */
} fz_profile_factor;

typedef struct fz_profile {
    const char *name;    /* also the first part of job ids */
    const char *given;   /* as the caller named it: a bundled name or a path */
    const char *summary; /* one line */
    bool bundled;
    char sha256[65];
    uint32_t jobs;     /* how many are made unless told otherwise */
    const char *epoch; /* wall time of t = 0; "" if none */
    fz_profile_arrivals arrivals;
    fz_profile_ranks vcs, users;  /* users of each VC */
    double mu_spread;             /* standard deviation between VCs of the mean logarithm of the duration */
    double sigma_spread;          /* standard deviation of the logarithm of the VCs' own spread */
    const fz_profile_size *sizes; /* NULL: LLM jobs */
    uint32_t n_sizes;
    const fz_profile_durations *durations;
    uint32_t n_durations;
    double min_s, max_s; /* durations are cut there */
    const fz_profile_state *states;
    uint32_t n_states;
    double failure_skew; /* a failed job gets as far as u^skew of what it would have run, u even in (0, 1) */
    const fz_profile_type *types;
    uint32_t n_types;
    double preemptible; /* share of jobs that may be preempted; below 0: not said */
    fz_mix *mix;        /* LLM jobs: models instead of durations; else NULL */
    /* LLM jobs: the user's guess of a number of GPUs; n_factors 0: no request. */
    double guess_gpu_gib, guess_bytes_per_param;
    uint32_t guess_max;
    const fz_profile_factor *factors;
    uint32_t n_factors;
    fz_arena *arena;
} fz_profile;

/* A file, or the name of a bundled profile where there is no such file. FZ_EPARSE with file, line and column;
 * FZ_ENOTFOUND names the bundled ones. */
fz_status fz_profile_read(const char *name_or_path, fz_profile **out, fz_error *err);
/* The same of bytes in memory; `name` stands for the path. */
fz_status fz_profile_parse(const char *name, const char *bytes, uint64_t length, fz_profile **out,
                           fz_error *err);
void fz_profile_free(fz_profile *profile); /* NULL is allowed */

/* What a part of the variance of the logarithm of durations is: between VCs, between states, by failures. The
 * parts of the mixture are narrowed by as much, so that the whole keeps its mean and standard deviation. */
double fz_profile_shift_variance(const fz_profile *profile);

/* Index of dispersion (variance / mean) that counts per bin of `bin_s` (at most an hour) have by the model. */
double fz_profile_dispersion(const fz_profile *profile, double jobs_per_h, double bin_s);

#endif
