#include <math.h>
#include <string.h>

#include "core/support/rng.h"
#include "tests/harness.h"

/* The numbers below were computed by a separate program in Python (whole numbers of any length, taken
 * modulo 2^64) from the published definitions of SplitMix64, xoshiro256** and FNV-1a and from the hash in
 * rng.h; the normal numbers by the inv_cdf of Python's statistics.NormalDist. */
typedef struct golden {
    uint64_t seed, replicate;
    const char *stream;
    uint64_t entity;
    uint64_t outputs[4];
    double once, normal;
} golden;

static const golden goldens[] = {
    {0,
     0,
     "",
     0,
     {0x127e5c497b992ee5, 0x22ab002166d12d80, 0x9bc86fe603c2626a, 0xcad72c2e6a6d591d},
     0.07224060815824329,
     -1.459304867},
    {1,
     0,
     "memory",
     7,
     {0xf63753d3f33a7923, 0x5fd6ad481e7019a1, 0x3bcb33122a57400f, 0x4f93e5f1c707ae83},
     0.9617817299324346,
     1.771747144},
    {UINT64_MAX,
     3,
     "arrival",
     (uint64_t)1 << 63,
     {0x9d1386b7798d0377, 0x20015cf8cfb3b340, 0x572029cde7e55434, 0x1a255eb04cf6aee8},
     0.6135791967331451,
     0.288659960},
    {42,
     9,
     "failure",
     123456,
     {0xb90177b99aa4bf6a, 0x6513d0df28221ec6, 0x3d3657f1661f5102, 0xd98b7fd19a99837d},
     0.7226786449561072,
     0.590817497},
};

static void golden_streams(void)
{
    gsl_rng *rng = gsl_rng_alloc(fz_rng_type());
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (size_t k = 0; k < sizeof goldens / sizeof goldens[0]; k++) {
        const golden *g = &goldens[k];
        fz_rng_key(rng, g->seed, g->replicate, g->stream, g->entity);
        for (size_t i = 0; i < 4; i++)
            CU_ASSERT_EQUAL(gsl_rng_get(rng), g->outputs[i] >> 32);
        fz_rng_key(rng, g->seed, g->replicate, g->stream, g->entity);
        for (size_t i = 0; i < 4; i++)
            CU_ASSERT_EQUAL(gsl_rng_uniform(rng), ldexp((double)(g->outputs[i] >> 11), -53));
        CU_ASSERT_EQUAL(fz_rng_once(g->seed, g->replicate, g->stream, g->entity), g->once);
        CU_ASSERT_EQUAL(fz_rng_once_normal(g->seed, g->replicate, g->stream, g->entity), g->normal);
    }
    gsl_rng_free(rng);
}

/* The generator alone, from the state 1, 2, 3, 4: 11520, 0, 1509978240, 1215971899390074240 are the first
 * outputs, as other implementations of xoshiro256** test them too. */
static void generator_alone(void)
{
    static const uint64_t state[4] = {1, 2, 3, 4}, outputs[4] = {11520, 0, 1509978240, 1215971899390074240};
    gsl_rng *rng = gsl_rng_alloc(fz_rng_type());
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    CU_ASSERT_EQUAL_FATAL(gsl_rng_size(rng), sizeof state);
    memcpy(gsl_rng_state(rng), state, sizeof state);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(gsl_rng_uniform(rng), ldexp((double)(outputs[i] >> 11), -53));
    gsl_rng_free(rng);
}

static void as_a_gsl_generator(void)
{
    gsl_rng *rng = gsl_rng_alloc(fz_rng_type()), *copy = gsl_rng_alloc(fz_rng_type());
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    CU_ASSERT_STRING_EQUAL(gsl_rng_name(rng), "frenzy-keyed");
    CU_ASSERT_EQUAL(gsl_rng_max(rng), 0xffffffffu);
    gsl_rng_set(rng, 77);
    fz_rng_key(copy, 77, 0, "", 0);
    for (int i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(gsl_rng_get(rng), gsl_rng_get(copy));
    for (int i = 0; i < 1000; i++)
        CU_ASSERT_TRUE(gsl_rng_uniform_int(rng, 6) < 6);
    gsl_rng_free(rng);
    gsl_rng_free(copy);
}

/* Each part of the key matters, and where a part stands does. */
static void keys_are_apart(void)
{
    double base = fz_rng_once(1, 2, "arrival", 3);
    CU_ASSERT_NOT_EQUAL(base, fz_rng_once(2, 2, "arrival", 3));
    CU_ASSERT_NOT_EQUAL(base, fz_rng_once(1, 1, "arrival", 3));
    CU_ASSERT_NOT_EQUAL(base, fz_rng_once(1, 2, "arrivak", 3));
    CU_ASSERT_NOT_EQUAL(base, fz_rng_once(1, 2, "arrival", 2));
    CU_ASSERT_NOT_EQUAL(base, fz_rng_once(2, 1, "arrival", 3));
    CU_ASSERT_NOT_EQUAL(base, fz_rng_once(3, 2, "arrival", 1));
}

/* Over 1e5 neighbouring entities, seed 1: mean and variance of uniform and normal numbers within five
 * standard errors of the truth, neighbours uncorrelated, all inside the open interval. */
static void moments(void)
{
    enum { N = 100000 };
    double sum = 0, squares = 0, normal_sum = 0, normal_squares = 0, products = 0, before = 0;
    for (uint64_t i = 0; i < N; i++) {
        double u = fz_rng_once(1, 0, "moments", i), z = fz_rng_once_normal(1, 0, "moments", i);
        CU_ASSERT_FATAL(u > 0 && u < 1);
        sum += u - 0.5, squares += (u - 0.5) * (u - 0.5);
        normal_sum += z, normal_squares += z * z;
        products += z * before;
        before = z;
    }
    double root = sqrt(N);
    CU_ASSERT(fabs(sum / N) < 5 * sqrt(1.0 / 12) / root);
    CU_ASSERT(fabs(squares / N - 1.0 / 12) < 5 * sqrt(1.0 / 180) / root);
    CU_ASSERT(fabs(normal_sum / N) < 5 / root);
    CU_ASSERT(fabs(normal_squares / N - 1) < 5 * sqrt(2.0) / root);
    CU_ASSERT(fabs(products / N) < 5 / root);
}

int main(void)
{
    static const fz_test tests[] = {
        {"golden streams", golden_streams},         {"the generator alone", generator_alone},
        {"as a GSL generator", as_a_gsl_generator}, {"keys are apart", keys_are_apart},
        {"mean, variance, correlation", moments},
    };
    return FZ_TEST_MAIN("rng", tests);
}
