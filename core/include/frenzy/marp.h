/* MARP, the memory-aware resource predictor: model + training configuration -> ranked resource plans.
 *
 * This is the published formula (Frenzy, arXiv 2412.14479, and its public implementation):
 *   W = parameter count
 *   static bytes per GPU      = 20 W / t   weights (2+4), gradients (2+4), optimizer (4+4)
 *   activation bytes per GPU  = (B/d) s h l (10 + 24/t + 5 a s / (h t))   Korthikanti et al. 2022
 *   S = static + activations,  N = t d
 * t runs over the divisors of the head count up to 64, d over 1, 2, 4, ..., 512 while d <= B.
 * Plans are ranked by (N, S): fewest GPUs first, then least memory.
 * Known bias, reported as such: no pipeline, no ZeRO, no recomputation, no grouped-query or gated
 * terms in the activations. Pure functions, thread-safe. */
#ifndef FRENZY_MARP_H
#define FRENZY_MARP_H

#include <stddef.h>
#include <stdint.h>

#include <frenzy/gpu.h>
#include <frenzy/model.h>
#include <frenzy/plan.h>
#include <frenzy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a need in bytes is set against a nominal memory size (40 for "A100-40"). The published code has
 * both; they differ by 7.4 %. frenzy compares bytes with bytes and so uses FZ_MARP_GIB. */
typedef enum fz_marp_unit {
    FZ_MARP_GIB, /* 40 means 40 * 2^30 bytes */
    FZ_MARP_GB,  /* 40 means 40 * 10^9 bytes */
} fz_marp_unit;

/* Parts of the peak memory of one GPU, bytes. The published formula knows these four. */
typedef struct fz_marp_parts {
    double weights;
    double gradients;
    double optimizer;
    double activations;
} fz_marp_parts;

/* FZ_EUNSUPPORTED for a model that the published formula does not describe: mixtures of experts and latent
 * attention. The functions below would count such a model as a dense one; ask first. */
FZ_API fz_status fz_marp_check(const fz_model *model, fz_error *err);

/* W: V h + l * (sum of the blocks of a layer) + (untied head: h V). With the defaults of fz_model this
 * is the published V h + l (12 h^2 + 13 h). The published formula knows no final norm and no position
 * table, so neither does this count. The model must be complete (fz_model_complete). */
FZ_API double fz_marp_params(const fz_model *model);

/* Peak memory of one GPU under tensor degree t >= 1 and data degree d >= 1, in parts and as sum. */
FZ_API double fz_marp_need(const fz_model *model, const fz_training *training, uint32_t tensor, uint32_t data,
                           fz_marp_parts *parts /* optional */);

/* Upper bound of the number of plans: 64 tensor degrees x 10 data degrees. */
#define FZ_MARP_MAX_PLANS 640

/* All plans, ranked. `plans` has room for FZ_MARP_MAX_PLANS; returns how many were written, 0 only
 * when the training is invalid. The field `types` is FZ_ALL_TYPES: see fz_marp_bind(). A need above
 * 2^63 bytes is written as 2^63. */
FZ_API size_t fz_marp_plans(const fz_model *model, const fz_training *training, fz_plan *plans);

/* Binds ranked plans to the GPU types of a cluster: sets `types` to those in `allowed` whose memory is
 * at least need * `scale`, and drops, keeping the order, the plans that no type can hold or whose N
 * exceeds `max_gpus`. `scale` >= 1 is the learned correction after an out-of-memory event (1: none).
 * Returns the number kept. */
FZ_API size_t fz_marp_bind(fz_plan *plans, size_t n_plans, const fz_gpu_type *types, uint32_t n_types,
                           fz_type_mask allowed, double scale, uint32_t max_gpus);

/* The plan that a user who insists on `gpus` GPUs would run: of all (t, d) with t d = gpus and
 * t a divisor of the heads, the one that needs least memory. d may exceed the batch or not divide
 * it (real division, as in the formula); `types` is FZ_ALL_TYPES. */
FZ_API fz_plan fz_marp_plan_for(const fz_model *model, const fz_training *training, uint32_t gpus);

/* Capacity in bytes of a GPU of nominal size `nominal` under a unit convention. */
FZ_API double fz_marp_capacity(double nominal, fz_marp_unit unit);

#ifdef __cplusplus
}
#endif
#endif
