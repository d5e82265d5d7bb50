/* Keyed random streams: a gsl_rng_type (xoshiro256**, seeded by SplitMix64).
 *
 * A stream is named by (seed, replicate, stream, entity), never by the policy, so that all policies
 * meet the same world and a new stream never shifts another. */
#ifndef FRENZY_SUPPORT_RNG_H
#define FRENZY_SUPPORT_RNG_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

const gsl_rng_type *fz_rng_type(void); /* name "frenzy-keyed"; range 0 .. 2^32 - 1 */

/* Restarts `rng` (of fz_rng_type) as the stream of these keys. `stream` is a name such as "memory",
 * `entity` a job row or 0. */
void fz_rng_key(gsl_rng *rng, uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity);

/* The same draw as one number in (0, 1), without an object: 53 bits of the first output of the stream. */
double fz_rng_once(uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity);

/* The stream's first standard normal number: the inverse distribution function of fz_rng_once(),
 * rounded to 1e-9 so that no last bit of a mathematical library reaches a result. */
double fz_rng_once_normal(uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity);

#endif
