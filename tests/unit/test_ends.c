/* "When are k idle" against a plain list: random adds and removes, many equal ends. */
#include "sim/engine/ends.h"

#include <stdio.h>

#include "tests/harness.h"
#include "tests/random.h"

enum { JOBS = 300 };

typedef struct plain {
    bool in;
    fz_time end;
    uint32_t gpus;
} plain;

static uint32_t plain_by(const plain *jobs, fz_time by)
{
    uint32_t sum = 0;
    for (int i = 0; i < JOBS; i++)
        if (jobs[i].in && jobs[i].end <= by)
            sum += jobs[i].gpus;
    return sum;
}

/* The smallest end by which `gpus` come back. */
static bool plain_when(const plain *jobs, uint32_t gpus, fz_time *when)
{
    bool found = false;
    for (int i = 0; i < JOBS; i++)
        if (jobs[i].in && plain_by(jobs, jobs[i].end) >= gpus && (!found || jobs[i].end < *when)) {
            found = true;
            *when = jobs[i].end;
        }
    return found;
}

static bool agrees(fz_ends *ends, const plain *jobs, fz_random *random)
{
    fz_time by = fz_random_below(random, 55);
    uint32_t gpus = fz_random_between(random, 1, 3 * JOBS);
    fz_time when = -1;
    fz_time expected = -1;
    bool found = fz_ends_when(ends, gpus, &when);
    return fz_ends_by(ends, by) == plain_by(jobs, by) && fz_ends_total(ends) == plain_by(jobs, FZ_TIME_MAX) &&
           found == plain_when(jobs, gpus, &expected) && when == expected;
}

static void test_against_list(void)
{
    const uint64_t seed = 99;
    fz_random random = {seed};
    plain jobs[JOBS] = {{0}};
    fz_arena *arena = fz_arena_new(NULL);
    fz_ends ends;
    bool right = fz_ends_init(&ends, arena, JOBS, JOBS);
    for (uint32_t step = 0; right && step < 6000; step++) {
        uint32_t job = fz_random_below(&random, JOBS);
        plain *own = &jobs[job];
        if (own->in) {
            fz_ends_remove(&ends, job, own->end, job);
            own->in = false;
        } else {
            *own = (plain){
                .in = true, .end = fz_random_below(&random, 50), .gpus = fz_random_between(&random, 1, 8)};
            fz_ends_add(&ends, job, own->end, job, own->gpus);
        }
        if (fz_random_below(&random, 4) == 0) /* not after every step: entries also die far away */
            right = agrees(&ends, jobs, &random);
    }
    if (!right)
        printf("differs, seed %llu\n", (unsigned long long)seed);
    CU_ASSERT_TRUE(right);
    fz_arena_free(arena);
}

static void test_empty(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_ends ends;
    fz_time when = 7;
    CU_ASSERT_TRUE(fz_ends_init(&ends, arena, 4, 4));
    CU_ASSERT_FALSE(fz_ends_when(&ends, 1, &when));
    CU_ASSERT_EQUAL(fz_ends_by(&ends, 100), 0);
    fz_arena_free(arena);
}

int main(void)
{
    const fz_test tests[] = {{"empty", test_empty}, {"against a plain list", test_against_list}};
    return FZ_TEST_MAIN("ends", tests);
}
