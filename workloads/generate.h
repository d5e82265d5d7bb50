/* Synthetic traces of LLM training jobs, for `frenzy trace generate llm`: the same options give the same
 * bytes on every machine. A job brings a model, a batch, a sequence length and steps, no duration, and the
 * number of GPUs that its user guessed.
 *
 *   arrivals   Poisson in each hour of a day; the day's profile is that of the Venus cluster (Helios, 2020:
 *              0.8 % of a day's jobs between 7 and 8 h, 7.2 % between 16 and 17 h), t = 0 is 8 in the
 *              morning. Real arrivals are more bursty than this (no sweeps, no correlation).
 *   model      from a mix weighted to small ones (generate/mix.c); the names are bundled models
 *   batch, sequence length   even over what suits the model; small enough for 16 GPUs of 40 GB
 *   run time   lognormal, median 30 minutes, sigma 1.6, between 1 minute and a day, on the GPUs below at
 *              250 TFLOP/s each, about what an A100-40 sustains; steps = run time x GPUs x 250e12 /
 *              (6 parameters batch seq_len), three digits, at least 1
 *   GPUs       rule of thumb: 16 bytes a parameter over 40 GiB, rounded up to a power of two
 *   req_gpus   the user's guess: that rule x 1/2 (20 % of the jobs), x 1 (45 %), x 2 (25 %), x 4 (10 %),
 *              between 1 and 16
 *   user       12 users, user k with a weight of 1/k^2 (real rank-size slopes are near -2)
 *
 * Each draw has a random stream of its own, keyed by seed and job. Real numbers are rounded before they are
 * used, so that the last bits of a mathematical library never matter. */
#ifndef FRENZY_WORKLOADS_GENERATE_H
#define FRENZY_WORKLOADS_GENERATE_H

#include <stdint.h>

#include <frenzy/status.h>

#include "workloads/trace.h"

typedef struct fz_generate_llm_options {
    uint32_t jobs;     /* at least 1, at most 100,000,000 */
    uint64_t seed;     /* any */
    double jobs_per_h; /* mean rate of a day, above 0, at most 1e6 */
} fz_generate_llm_options;

/* 500 jobs, seed 1, 8 jobs an hour: that is workloads/traces/demo.csv, and offers the cluster `sia-64` 0.88 of
 * the work that its measured matrix rates can do. */
fz_generate_llm_options fz_generate_llm_defaults(void);

/* Header lines say `source: generate llm` and the command that makes the trace. FZ_EINVAL names the option
 * that is out of range. */
fz_status fz_generate_llm(const fz_generate_llm_options *options, fz_trace **out, fz_error *err);

#endif
