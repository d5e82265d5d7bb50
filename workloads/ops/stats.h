/* Statistics of a trace: when jobs come, how long and how large they are, whose they are, how they end. For
 * `frenzy trace stats`. CPU jobs count among the arrivals, not among sizes. */
#ifndef FRENZY_WORKLOADS_OPS_STATS_H
#define FRENZY_WORKLOADS_OPS_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

#include "workloads/trace.h"

enum {
    FZ_STATS_SIZES = 10,
    FZ_STATS_STATES = 8,
    FZ_STATS_LAGS = 3,
    FZ_STATS_TOPS = 3,
    FZ_STATS_CLASSES = 12
};

/* Figures that do not exist for a trace (too short, no such column) are NaN. */
typedef struct fz_stats_arrivals {
    bool clock_known; /* the trace has an epoch; else t = 0 is taken for Monday 0 h */
    double span_s, jobs_per_h;
    double hours[24];        /* shares of jobs by hour of the day; sum 1 */
    double weekdays[7];      /* Monday first */
    double dispersion_10min; /* variance / mean of the counts of bins, at least 10 bins; Poisson: 1 */
    double dispersion_1h;
    double autocorrelation[FZ_STATS_LAGS]; /* of hourly counts, at lags of 1, 24 and 168 hours */
    double empty_hours;                    /* share of hours without a job */
    double gap_p50_s, gap_p90_s, gap_p99_s, gap_cv;
    double follows; /* share of jobs that follow one of the same VC (or else user) and size within 60 s */
} fz_stats_arrivals;

/* Nearest rank. The fit is mean and standard deviation of ln of the durations above 0 (GSL), `ks` the largest
 * distance between both distribution functions. */
typedef struct fz_stats_durations {
    uint64_t n, n_zero;
    double mean_s, p5_s, p25_s, p50_s, p75_s, p90_s, p95_s, p99_s, max_s;
    double mu, sigma, ks;
} fz_stats_durations;

typedef struct fz_stats_size {
    const char *name; /* "<1", "1", "2", "3-4", ... */
    uint64_t jobs;
    double gpu_s;
    fz_stats_durations durations;
} fz_stats_size;

/* Users, or VCs, in order of their jobs (and, apart, of their GPU time). */
typedef struct fz_stats_ranks {
    uint32_t n;                     /* 0: the trace has none */
    double jobs_slope, gpu_s_slope; /* of ln share against ln rank over the first 30 */
    double top_jobs[FZ_STATS_TOPS]; /* shares of the first 1, 5, 10 */
    double top_gpu_s[FZ_STATS_TOPS];
    const char *most_jobs, *most_gpu_s; /* names, borrowed from the trace */
} fz_stats_ranks;

typedef struct fz_stats_group {
    const char *name; /* borrowed */
    uint64_t jobs;
    double gpu_s;
} fz_stats_group;

typedef struct fz_trace_stats {
    uint64_t jobs, cpu_jobs, serverless; /* the last: LLM jobs that name no number of GPUs */
    double gpu_s, mean_gpus;
    fz_stats_arrivals arrivals;
    fz_stats_durations durations;
    fz_stats_size sizes[FZ_STATS_SIZES];
    fz_stats_ranks users, vcs;
    fz_stats_group states[FZ_STATS_STATES];   /* by fz_trace_state; "UNKNOWN" is the first */
    fz_stats_group classes[FZ_STATS_CLASSES]; /* job_class, by jobs; those beyond the last are left out */
    uint32_t n_classes;
} fz_trace_stats;

/* The size class of a number of GPUs, below FZ_STATS_SIZES. */
uint32_t fz_stats_size_class(double gpus);

fz_status fz_trace_stats_of(const fz_trace *trace, fz_trace_stats *out, fz_error *err);

#endif
