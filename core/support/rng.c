#include "core/support/rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

typedef struct generator {
    uint64_t s[4];
} generator;

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t mix(uint64_t x)
{
    return splitmix(&x);
}

static uint64_t fnv1a(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static void key(generator *g, uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity)
{
    uint64_t h = mix(mix(mix(mix(seed) ^ replicate) ^ fnv1a(stream)) ^ entity);
    for (int i = 0; i < 4; i++)
        g->s[i] = splitmix(&h);
}

static uint64_t rotl(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

static uint64_t next(generator *g)
{
    uint64_t *s = g->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

static void type_set(void *state, unsigned long seed)
{
    key(state, seed, 0, "", 0);
}

static unsigned long type_get(void *state)
{
    return (unsigned long)(next(state) >> 32);
}

static double type_get_double(void *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

const gsl_rng_type *fz_rng_type(void)
{
    static const gsl_rng_type type = {
        .name = "frenzy-keyed",
        .max = 0xffffffffu,
        .min = 0,
        .size = sizeof(generator),
        .set = type_set,
        .get = type_get,
        .get_double = type_get_double,
    };
    return &type;
}

void fz_rng_key(gsl_rng *rng, uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity)
{
    key(rng->state, seed, replicate, stream, entity);
}

double fz_rng_once(uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity)
{
    generator g;
    key(&g, seed, replicate, stream, entity);
    return ((double)(next(&g) >> 12) + 0.5) * 0x1p-52;
}

double fz_rng_once_normal(uint64_t seed, uint64_t replicate, const char *stream, uint64_t entity)
{
    return rint(gsl_cdf_ugaussian_Pinv(fz_rng_once(seed, replicate, stream, entity)) * 1e9) / 1e9;
}
