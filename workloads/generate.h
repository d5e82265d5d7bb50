/* Synthetic traces after a profile, for `frenzy trace generate`: the same profile and options give the same bytes
 * on every machine. What a profile can say stands in workloads/profile.h; here is how it is used.
 *
 *   arrivals   Poisson within each hour; the hour's rate is jobs_per_h x weight of the hour of the week x noise.
 *              The noise is gamma with mean 1 and variance noise_cv2, constant within the hour and correlated with
 *              that of the hour before: G' = B G + E, B ~ Beta(k r, k (1 - r)), E ~ Gamma(k (1 - r)), k = 1 /
 *              noise_cv2, r = noise_lag1 (Lewis, McKenzie and Hugus, "Gamma processes", Stochastic Models 5(1),
 *              1989): gamma exactly, correlation r^lag. noise_cv2 = 0 is a plain Poisson process, which real
 *              clusters are not. Each event may be a sweep: jobs of one user, size, type and model, gaps of seconds.
 *   duration   ln D = M + a f (x - M) + shifts: x from the mixture of the job's size, with mean M; f is the VC's own
 *              spread; shifts come from VC, state and, for failed jobs, skew (ln u + 1), u even in (0, 1): most
 *              failures come early. Shifts have mean 0, and a takes their variance off the mixture, so that
 *              mean and standard deviation of ln D stay those of the profile. Whole seconds (below 10 s
 *              milliseconds), cut at min_s and max_s.
 *   LLM jobs   bring a model, a batch, a sequence length and steps, no duration; GPUs by a rule of thumb (bytes a
 *              parameter over the memory of a GPU, rounded up to a power of two), steps = run time x those GPUs x
 *              the mix's rate / (6 parameters batch seq_len), and as req_gpus the user's guess, or nothing.
 *
 * Each draw has a random stream of its own, keyed by seed and job (or by its sweep's first job, or the hour). Real
 * numbers are rounded before they are used, so that the last bits of a mathematical library never matter. */
#ifndef FRENZY_WORKLOADS_GENERATE_H
#define FRENZY_WORKLOADS_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/cluster.h>
#include <frenzy/status.h>

#include "workloads/profile.h"
#include "workloads/trace.h"

typedef struct fz_generate_options {
    uint32_t jobs;     /* at least 1, at most 100,000,000; 0: as the profile says */
    uint64_t seed;     /* any */
    double jobs_per_h; /* mean rate of a week, above 0, at most 1e6; 0: as the profile says */
    bool no_requests;  /* LLM jobs ask for no number of GPUs */
} fz_generate_options;

/* Header lines say the source, the epoch if there is one, and the command that makes the trace. FZ_EINVAL names the
 * option that is out of range. */
fz_status fz_generate(const fz_profile *profile, const fz_generate_options *options, fz_trace **out,
                      fz_error *err);

/* The rate at which the trace offers `load` to a cluster (fz_load_of() in workloads/ops/load.h), six digits, so that
 * it can be given as a number. FZ_EINVAL: one job, no work, or no rate does. */
fz_status fz_generate_rate(const fz_profile *profile, const fz_generate_options *options,
                           const fz_cluster_spec *cluster, double load, double *jobs_per_h, fz_error *err);

#endif
