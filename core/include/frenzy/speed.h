/* Speed: how long a training step takes under a plan on given GPUs.
 *
 * The simple model: step seconds = F / (N * rate), where
 *   F = 72 B s l h^2 (1 + s/(6h) + V/(12 l h))   forward + backward without recomputation,
 *       Narayanan et al. 2021 (arXiv 2104.04473), model FLOP count
 *   rate = achieved 16-bit matrix rate of the slowest GPU type involved (fz_gpu_type.flops_per_s).
 * Communication is not in it. Pure functions, thread-safe. */
#ifndef FRENZY_SPEED_H
#define FRENZY_SPEED_H

#include <frenzy/gpu.h>
#include <frenzy/model.h>
#include <frenzy/plan.h>
#include <frenzy/units.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FLOP of one training step over the whole global batch. */
FZ_API double fz_speed_step_flop(const fz_model *model, const fz_training *training);

/* Seconds of one step; `rate_flops_per_s` of the slowest type. 0 when the rate is 0 (unknown). */
FZ_API double fz_speed_step_s(double step_flop, const fz_plan *plan, double rate_flops_per_s);

/* The rate of the slowest type in `types_used` (bits of `types`); 0 when one of them is unknown. */
FZ_API double fz_speed_slowest(const fz_gpu_type *types, fz_type_mask types_used);

/* A span of work in whole microseconds, rounded up, at least 1 when work is left; 0 when none is. Never
 * above FZ_TIME_LIMIT, which also stands for a span that is not a number. */
FZ_API fz_time fz_speed_time(double steps, double step_s);

#ifdef __cplusplus
}
#endif
#endif
