/* What one job of a generated trace is; the model is described in workloads/generate.h. */
#ifndef FRENZY_WORKLOADS_GENERATE_DRAWS_H
#define FRENZY_WORKLOADS_GENERATE_DRAWS_H

#include "workloads/profile.h"

/* What the VCs of a profile are like under a seed. */
typedef struct fz_tenant_draws {
    double *shift; /* of the mean logarithm, by VC; NULL: none */
    double *scale; /* of the spread; NULL: all 1 */
    double narrow; /* by size class of durations it is sqrt(1 - variance / sigma^2); here: the variance */
} fz_tenant_draws;

fz_status fz_tenants_draw(const fz_profile *p, uint64_t seed, fz_arena *arena, fz_tenant_draws *out,
                          fz_error *err);

uint32_t fz_draw_rank(const fz_profile_ranks *ranks, uint64_t seed, const char *stream, uint64_t entity);
double fz_draw_size(const fz_profile *p, uint64_t seed, uint64_t entity);
/* NULL: none is named. */
const char *fz_draw_types(const fz_profile *p, uint64_t seed, uint64_t entity);
const fz_profile_state *fz_draw_state(const fz_profile *p, uint64_t seed, uint64_t job); /* NULL: no states */
/* Whole seconds, below 10 s whole milliseconds. `state` may be NULL; `vc` is ignored where the profile has none. */
double fz_draw_duration(const fz_profile *p, const fz_tenant_draws *tenants, uint64_t seed, uint64_t job,
                        double gpus, uint32_t vc, const fz_profile_state *state);
/* GPUs by the rule of thumb, and what the user makes of it. */
uint32_t fz_thumb_gpus(const fz_profile *p, double params);
uint32_t fz_draw_guess(const fz_profile *p, uint64_t seed, uint64_t job, uint32_t gpus);

#endif
