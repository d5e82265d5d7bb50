/* Keyed random streams: a gsl_rng_type (xoshiro256**, seeded by SplitMix64; both by Blackman and Vigna,
 * "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021, and Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014).
 *
 * A stream is named by (seed, replicate, stream, entity), never by the policy, so that all policies
 * meet the same world and a new stream never shifts another. The key is hashed as
 *     h = mix(mix(mix(mix(seed) ^ replicate) ^ fnv1a(stream)) ^ entity),
 * mix(x) being one step of SplitMix64 from the state x, fnv1a the 64-bit FNV-1a hash of the name; the four
 * words of the generator are the four next numbers of SplitMix64 from the state h. */
#ifndef FRENZY_SUPPORT_RNG_H
#define FRENZY_SUPPORT_RNG_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

/* Name "frenzy-keyed"; range 0 .. 2^32 - 1 (the upper half of each output); gsl_rng_uniform() has 53 bits.
 * gsl_rng_set(rng, s) is the stream (s, 0, "", 0). */
const gsl_rng_type *fz_rng_type(void);

/* Restarts `rng` (of fz_rng_type) as the stream of these keys. `stream` is a name such as "memory",
 * `entity` a job row or 0. */
void fz_rng_key(gsl_rng *rng, uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity);

/* The stream's first number, without an object: in the open interval (0, 1), the middle of one of 2^52
 * equal cells, chosen by the upper 52 bits of the first output. */
double fz_rng_once(uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity);

/* The stream's first standard normal number: the inverse distribution function of fz_rng_once(),
 * rounded to 1e-9 so that no last bit of a mathematical library reaches a result. */
double fz_rng_once_normal(uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity);

#endif
