/* Tests of differences, corrected where many schedulers are compared with one. */
#ifndef FRENZY_SIM_REPORT_TESTS_H
#define FRENZY_SIM_REPORT_TESTS_H

#include <stdint.h>

/* Two-sided p value of Student's t test that the mean of n paired differences is 0. 1 with a single value. */
double fz_t_test(const double *differences, uint32_t n);

/* Holm's step-down correction in place: p[i] becomes the smallest level at which the family rejects i. */
void fz_holm(double *p, uint32_t n);

/* Of positive values, n >= 1. */
double fz_geometric_mean(const double *values, uint32_t n);

/* Nearest rank ceil(p n) of n >= 1 values in ascending order, 0 < p <= 1. */
double fz_nearest_rank(const double *sorted, uint64_t n, double p);

#endif
