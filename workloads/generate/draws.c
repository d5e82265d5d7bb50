#include "workloads/generate/draws.h"

#include <math.h>

#include "core/support/rng.h"

/* ---- tenants --------------------------------------------------------------------------------------- */

/* Normal numbers whose share-weighted mean is 0 and standard deviation `spread`. */
static void spread_draw(const fz_profile_ranks *vcs, double spread, uint64_t seed, const char *stream,
                        double *out)
{
    double mean = 0, variance = 0;
    for (uint32_t i = 0; i < vcs->count; i++) {
        out[i] = fz_rng_once_normal(seed, 0, stream, i);
        mean += vcs->shares[i] * out[i];
    }
    for (uint32_t i = 0; i < vcs->count; i++)
        variance += vcs->shares[i] * (out[i] - mean) * (out[i] - mean);
    for (uint32_t i = 0; i < vcs->count; i++)
        out[i] = variance > 0 ? spread * (out[i] - mean) / sqrt(variance) : 0;
}

/* Lognormal factors whose share-weighted mean square is 1. */
static void scales_draw(const fz_profile_ranks *vcs, double spread, uint64_t seed, double *out)
{
    double square = 0;
    for (uint32_t i = 0; i < vcs->count; i++) {
        out[i] = exp(spread * fz_rng_once_normal(seed, 0, "generate vc sigma", i));
        square += vcs->shares[i] * out[i] * out[i];
    }
    for (uint32_t i = 0; i < vcs->count; i++)
        out[i] /= sqrt(square);
}

fz_status fz_tenants_draw(const fz_profile *p, uint64_t seed, fz_arena *arena, fz_tenant_draws *out,
                          fz_error *err)
{
    *out = (fz_tenant_draws){.narrow = fz_profile_shift_variance(p)};
    if (p->mu_spread > 0)
        out->shift = FZ_NEW(arena, p->vcs.count, double);
    if (p->sigma_spread > 0)
        out->scale = FZ_NEW(arena, p->vcs.count, double);
    if ((p->mu_spread > 0 && out->shift == NULL) || (p->sigma_spread > 0 && out->scale == NULL))
        return fz_fail(err, FZ_ENOMEM, "no memory for %u tenants", p->vcs.count);
    if (out->shift != NULL)
        spread_draw(&p->vcs, p->mu_spread, seed, "generate vc mu", out->shift);
    if (out->scale != NULL)
        scales_draw(&p->vcs, p->sigma_spread, seed, out->scale);
    return FZ_OK;
}

/* ---- one job --------------------------------------------------------------------------------------- */

uint32_t fz_draw_rank(const fz_profile_ranks *ranks, uint64_t seed, const char *stream, uint64_t entity)
{
    double left = fz_rng_once(seed, 0, stream, entity);
    uint32_t i = 0;
    while (i + 1 < ranks->count && left >= ranks->shares[i])
        left -= ranks->shares[i++];
    return i;
}

double fz_draw_size(const fz_profile *p, uint64_t seed, uint64_t entity)
{
    double left = fz_rng_once(seed, 0, "generate size", entity);
    uint32_t i = 0;
    while (i + 1 < p->n_sizes && left >= p->sizes[i].share)
        left -= p->sizes[i++].share;
    return p->sizes[i].gpus;
}

const char *fz_draw_types(const fz_profile *p, uint64_t seed, uint64_t entity)
{
    double left = p->n_types > 0 ? fz_rng_once(seed, 0, "generate type", entity) : 0;
    for (uint32_t i = 0; i < p->n_types; i++) {
        if (left < p->types[i].share)
            return p->types[i].types;
        left -= p->types[i].share;
    }
    return NULL;
}

const fz_profile_state *fz_draw_state(const fz_profile *p, uint64_t seed, uint64_t job)
{
    if (p->n_states == 0)
        return NULL;
    double left = fz_rng_once(seed, 0, "generate state", job);
    uint32_t i = 0;
    while (i + 1 < p->n_states && left >= p->states[i].share)
        left -= p->states[i++].share;
    return &p->states[i];
}

static const fz_profile_durations *class_of(const fz_profile *p, double gpus)
{
    uint32_t i = 0;
    while (i + 1 < p->n_durations && gpus > p->durations[i].max_gpus)
        i++;
    return &p->durations[i];
}

static const fz_profile_part *part_draw(const fz_profile_durations *d, uint64_t seed, uint64_t job)
{
    if (d->n_parts == 1)
        return d->parts;
    double left = fz_rng_once(seed, 0, "generate part", job);
    uint32_t i = 0;
    while (i + 1 < d->n_parts && left >= d->parts[i].weight)
        left -= d->parts[i++].weight;
    return &d->parts[i];
}

/* Whole seconds, below 10 s whole milliseconds. */
static double cut(const fz_profile *p, double seconds)
{
    seconds = seconds < 10 ? round(seconds * 1000) / 1000 : round(seconds);
    return seconds < p->min_s ? p->min_s : seconds > p->max_s ? p->max_s : seconds;
}

double fz_draw_duration(const fz_profile *p, const fz_tenant_draws *tenants, uint64_t seed, uint64_t job,
                        double gpus, uint32_t vc, const fz_profile_state *state)
{
    const fz_profile_durations *d = class_of(p, gpus);
    const fz_profile_part *part = part_draw(d, seed, job);
    double z = fz_rng_once_normal(seed, 0, "generate run time", job);
    if (tenants->narrow <= 0 && tenants->scale == NULL)
        return cut(p, part->median_s * exp(part->sigma * z));
    double off = log(part->median_s) + part->sigma * z - d->mu;
    if (tenants->narrow > 0)
        off *= sqrt(1 - tenants->narrow / (d->sigma * d->sigma));
    off *= tenants->scale != NULL ? tenants->scale[vc] : 1;
    off += tenants->shift != NULL ? tenants->shift[vc] : 0;
    off += state != NULL ? state->ln_scale : 0;
    if (state != NULL && state->state == FZ_TRACE_FAILED && p->failure_skew > 0)
        off += p->failure_skew * (log(fz_rng_once(seed, 0, "generate failure", job)) + 1);
    return cut(p, exp(d->mu + off));
}

uint32_t fz_thumb_gpus(const fz_profile *p, double params)
{
    uint32_t gpus = 1;
    while (gpus * p->guess_gpu_gib * (double)FZ_GIB < p->guess_bytes_per_param * params && gpus < 1u << 20)
        gpus *= 2;
    return gpus;
}

uint32_t fz_draw_guess(const fz_profile *p, uint64_t seed, uint64_t job, uint32_t gpus)
{
    double left = fz_rng_once(seed, 0, "generate guess", job);
    uint32_t i = 0;
    while (i + 1 < p->n_factors && left >= p->factors[i].share)
        left -= p->factors[i++].share;
    double guess = floor(gpus * p->factors[i].factor);
    return guess < 1 ? 1 : guess > p->guess_max ? p->guess_max : (uint32_t)guess;
}
