/* Paired bootstrap over seeds: intervals for figures of which no distribution is known (percentiles, ratios). Jobs
 * within a run depend on each other, so only seeds are drawn again, never jobs. */
#ifndef FRENZY_SIM_REPORT_BOOTSTRAP_H
#define FRENZY_SIM_REPORT_BOOTSTRAP_H

#include "sim/report/paired.h"

#define FZ_BOOTSTRAP_SAMPLES 10000u

/* The mean of `values` (paired differences by seed) with its 95 % expanded percentile interval: percentiles of the
 * means of 10,000 samples with replacement, at Phi(-+ sqrt(n/(n-1)) t(0.975, n-1)) in place of 0.025 and 0.975, which
 * makes up for the narrowness of the plain percentile method with few seeds (Hesterberg, "What Teachers Should Know
 * about the Bootstrap", The American Statistician 69(4), 2015). Fewer than FZ_MIN_SEEDS_FOR_INTERVAL values: the
 * range. The draws are keyed by `seed`: the same values give the same interval. */
fz_estimate fz_bootstrap_mean(const double *values, uint32_t n, uint64_t seed);

#endif
