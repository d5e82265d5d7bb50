#include "workloads/generate/arrivals.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "core/support/rng.h"

#define HOUR_S 3600.0
#define LAST_S fz_time_to_s(FZ_TIME_LIMIT) /* the clock stops there */

static double round9(double value)
{
    return round(value * 1e9) / 1e9;
}

/* Exponential of mean 1, rounded so that the logarithm's last bits do not matter. */
static double exponential(uint64_t seed, const char *stream, uint64_t entity)
{
    return round9(-log(fz_rng_once(seed, 0, stream, entity)));
}

fz_status fz_arrivals_begin(fz_arrivals *a, const fz_profile_arrivals *profile, uint64_t seed,
                            double jobs_per_h, fz_error *err)
{
    *a = (fz_arrivals){.profile = profile, .seed = seed, .hour = -1, .noise = 1};
    a->events_per_s = jobs_per_h / HOUR_S / profile->sweep_jobs;
    if (profile->noise_cv2 <= 0)
        return FZ_OK;
    a->rng = gsl_rng_alloc(fz_rng_type());
    return a->rng != NULL ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory for a random stream");
}

void fz_arrivals_end(fz_arrivals *a)
{
    if (a->rng != NULL)
        gsl_rng_free(a->rng);
}

/* The noise of the hour after that of a->noise. Tiny shapes give tiny numbers, both of which may be 0. */
static double noise_after(fz_arrivals *a, double k)
{
    double r = a->profile->noise_lag1, kept = 0;
    if (r > 0) {
        double x = gsl_ran_gamma(a->rng, k * r, 1), y = gsl_ran_gamma(a->rng, k * (1 - r), 1);
        kept = x + y > 0 ? x / (x + y) : 0;
    }
    return kept * a->noise + gsl_ran_gamma(a->rng, k * (1 - r), 1 / k);
}

static void noise_reach(fz_arrivals *a, double hour)
{
    double k = 1 / a->profile->noise_cv2;
    while (a->hour < hour) {
        a->hour++;
        fz_rng_key(a->rng, a->seed, 0, "generate noise", (uint64_t)a->hour);
        a->noise = round9(a->hour > 0 ? noise_after(a, k) : gsl_ran_gamma(a->rng, k, 1 / k));
    }
}

static double rate_of_hour(fz_arrivals *a, double hour)
{
    uint32_t of_week = (uint32_t)(((uint64_t)hour + a->profile->first_hour) % FZ_WEEK_HOURS);
    if (a->rng != NULL)
        noise_reach(a, hour);
    return a->events_per_s * a->profile->weights[of_week] * a->noise;
}

/* Moves to the next event: an exponential gap of mean 1, spent at the rate of each hour in turn. */
static void event_next(fz_arrivals *a)
{
    double left = exponential(a->seed, "generate gap", a->event++);
    for (;;) {
        double hour = floor(a->seconds / HOUR_S), rest = (hour + 1) * HOUR_S - a->seconds;
        double rate = rate_of_hour(a, hour);
        if (left <= rest * rate) {
            a->seconds += left / rate;
            return;
        }
        left -= rest * rate;
        a->seconds = (hour + 1) * HOUR_S;
        if (a->seconds > LAST_S)
            return;
    }
}

/* Geometric on 1, 2, ... with the profile's mean: how many jobs more than one. */
static uint32_t sweep_draw(const fz_arrivals *a)
{
    double mean = a->profile->sweep_jobs;
    if (mean <= 1)
        return 0;
    double more = floor(round9(log(fz_rng_once(a->seed, 0, "generate sweep", a->job)) / log1p(-1 / mean)));
    return more < 1e6 ? (uint32_t)more : 1000000u;
}

fz_arrival fz_arrivals_next(fz_arrivals *a)
{
    if (a->left > 0) {
        a->left--;
        a->sweep_s += a->profile->sweep_gap_s * exponential(a->seed, "generate sweep gap", a->job);
    } else {
        event_next(a);
        a->head = a->job;
        a->left = sweep_draw(a);
        a->sweep_s = a->seconds;
    }
    a->job++;
    a->sweep_s = a->sweep_s < LAST_S ? a->sweep_s : LAST_S;
    return (fz_arrival){.submit = (fz_time)floor(a->sweep_s) * FZ_SECOND, .head = a->head};
}
