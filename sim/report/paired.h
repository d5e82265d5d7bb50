/* Statistics of paired comparisons: the same worlds (seeds) under two schedulers. */
#ifndef FRENZY_SIM_REPORT_PAIRED_H
#define FRENZY_SIM_REPORT_PAIRED_H

#include <stdbool.h>
#include <stdint.h>

#define FZ_MIN_SEEDS_FOR_INTERVAL 5

/* A mean over seeds with what is honest to say about its spread. */
typedef struct fz_estimate {
    double mean;
    double low, high; /* 95 % Student t interval, or the range of the values */
    bool interval;    /* low and high are an interval: at least FZ_MIN_SEEDS_FOR_INTERVAL values */
    uint32_t n;
} fz_estimate;

/* n >= 1 values. Student t: mean +- t(0.975, n - 1) s / sqrt(n). */
fz_estimate fz_estimate_of(const double *values, uint32_t n);

/* Relative difference other / base - 1, seed by seed. n >= 1; base values are positive. */
fz_estimate fz_paired_relative(const double *base, const double *other, uint32_t n);

#endif
