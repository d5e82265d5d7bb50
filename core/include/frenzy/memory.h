/* Peak memory of one GPU of a training run, from the model's architecture and how the work is split.
 *
 * Two estimators: the published formula (frenzy/marp.h), right for plain tensor parallelism only, and the
 * analytic one of this page, which knows ZeRO, pipeline stages, recomputation, flash attention, grouped
 * queries, mixtures of experts, latent attention and adapters.
 *
 * A prediction is a sum of terms that theory gives (weights, gradients, optimizer, activations) and of a few
 * that it does not (what the loss keeps, work buffers, what the allocator wastes, the CUDA context,
 * communicators). The constants of the latter depend on the framework, and are fitted to measured runs
 * (scripts/fit-memory); each framework profile falls back to its family, and that to all. Every
 * prediction has an interval: quantiles of the residuals of runs that the fit had not seen.
 *
 * Sources of the terms: Korthikanti et al. 2022 (arXiv 2205.05198) for activations, tensor and sequence
 * parallelism and recomputation; Rajbhandari et al. 2020 (arXiv 1910.02054) for ZeRO; Narayanan et al. 2021
 * (arXiv 2104.04473) for pipeline schedules; Dettmers et al. 2023 (arXiv 2305.14314) for quantised weights.
 * Pure functions, thread-safe. Bytes throughout, as doubles. */
#ifndef FRENZY_MEMORY_H
#define FRENZY_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/export.h>
#include <frenzy/status.h>
#include <frenzy/training_run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fz_memory_parts {
    double weights, gradients, optimizer, activations;
    double logits;        /* what the loss keeps */
    double buffers;       /* gathered weights, work space, and what is always there */
    double context;       /* CUDA context and communicators; DEVICE only */
    double fragmentation; /* reserved by the allocator, not in use; not in ALLOCATED */
} fz_memory_parts;

typedef struct fz_memory {
    fz_memory_parts parts; /* they add up to `need` */
    double need;           /* bytes on the fullest GPU */
    double lo, hi;         /* interval of the asked confidence */
    uint32_t stage;        /* pipeline stage of that GPU, from 0 */
} fz_memory;

/* What all runs of one framework, precision and tuning share, looked up once: for those who ask often. */
typedef struct fz_memory_basis {
    const struct fz_memory_traits *traits;
    const double *constants;
    double lo, hi; /* factors of the interval */
} fz_memory_basis;

/* `confidence` is 0.5 to 0.98, else FZ_EINVAL. */
FZ_API fz_status fz_memory_prepare(const fz_training_run *run, double confidence, fz_memory_basis *out,
                                   fz_error *err);
/* The same as fz_memory_estimate() for a run that fz_memory_check() accepts, without parts. */
FZ_API double fz_memory_need(const fz_memory_basis *basis, const fz_training_run *run);

/* FZ_EINVAL names a field out of its range: degrees that do not divide heads, layers or experts, ...
 * `confidence` is the interval's, 0.5 to 0.98 (usual: 0.9). */
FZ_API fz_status fz_memory_check(const fz_training_run *run, fz_error *err);
FZ_API fz_status fz_memory_estimate(const fz_training_run *run, double confidence, fz_memory *out,
                                    fz_error *err);

/* The profile for what a user calls his framework ("megatron-core", "Megatron-Core dev", "llm-foundry/Composer
 * FSDP", ...), letter case ignored: the nearest name; NULL when none is near. */
FZ_API const char *fz_memory_profile_find(const char *framework);
/* The profiles' names, NULL past the last. */
FZ_API const char *fz_memory_profile_name(uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
