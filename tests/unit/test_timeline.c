/* Timelines: exact integrals in bins that grow, against sums over the same steps by hand and by a naive loop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/metrics/timeline.h"
#include "tests/harness.h"
#include "tests/random.h"

static fz_timeline *started(fz_time origin)
{
    fz_timeline *timeline = calloc(1, sizeof(*timeline));
    if (timeline == NULL)
        abort();
    fz_timeline_start(timeline, origin);
    return timeline;
}

static void at(fz_timeline *timeline, fz_time now, uint64_t gpus, uint64_t waiting, uint64_t running)
{
    fz_timeline_advance(timeline, now);
    fz_timeline_set(timeline, (fz_levels){.gpus = gpus, .waiting = waiting, .running = running});
}

/* 4 GPUs from 0.5 s to 2 s: half of the first second, all of the second one. */
static void bins_by_hand(void)
{
    fz_timeline_point points[FZ_TIMELINE_BINS];
    fz_timeline *timeline = started(0);
    at(timeline, 500000, 4, 2, 1);
    at(timeline, 2000000, 0, 0, 0);
    at(timeline, 2250000, 8, 0, 1);
    fz_timeline_advance(timeline, 2500000);
    CU_ASSERT_EQUAL_FATAL(fz_timeline_points(timeline, points), 3);
    CU_ASSERT_EQUAL(points[0].gpus, 2);
    CU_ASSERT_EQUAL(points[0].waiting, 1);
    CU_ASSERT_EQUAL(points[0].running, 0.5);
    CU_ASSERT_EQUAL(points[1].gpus, 4);
    CU_ASSERT_EQUAL(points[2].gpus, 4); /* 8 over the second half of half a second */
    CU_ASSERT(timeline->gpu_time == 4 * 1500000 + 8 * 250000);
    free(timeline);
}

static void nothing_happened(void)
{
    fz_timeline_point points[FZ_TIMELINE_BINS];
    fz_timeline *timeline = started(7);
    at(timeline, 7, 4, 0, 1);
    CU_ASSERT_EQUAL(fz_timeline_points(timeline, points), 0);
    CU_ASSERT_EQUAL(fz_timeline_growth_per_h(timeline), 0);
    free(timeline);
}

/* A full cluster is full in every bin, however long it takes and wherever the bins end. */
static void never_above_the_level(void)
{
    static const fz_time ends[] = {1,
                                   FZ_SECOND,
                                   1024 * FZ_SECOND,
                                   1024 * FZ_SECOND + 1,
                                   2048 * FZ_SECOND,
                                   86400 * 365 * FZ_SECOND + 123457,
                                   FZ_TIME_MAX - 4 * FZ_TIME_LIMIT};
    fz_timeline_point points[FZ_TIMELINE_BINS];
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        fz_timeline *timeline = started(0);
        at(timeline, 0, 100000, 3, 7);
        fz_timeline_advance(timeline, ends[i]);
        uint32_t n = fz_timeline_points(timeline, points);
        CU_ASSERT(n >= 1 && n <= FZ_TIMELINE_BINS);
        CU_ASSERT(ends[i] <= 1024 * FZ_SECOND || n > FZ_TIMELINE_BINS / 2);
        for (uint32_t k = 0; k < n; k++) {
            CU_ASSERT_EQUAL(points[k].gpus, 100000);
            CU_ASSERT_EQUAL(points[k].waiting, 3);
            CU_ASSERT_EQUAL(points[k].running, 7);
        }
        free(timeline);
    }
}

/* Random steps; the naive way cuts every step at every bin edge of the final width. */
static void against_a_naive_sum(void)
{
    enum { STEPS = 200 };
    for (uint64_t seed = 0; seed < 1000; seed++) {
        fz_random dice = {.state = seed};
        fz_time times[STEPS + 1];
        uint64_t levels[STEPS];
        fz_time now = (fz_time)fz_random_below(&dice, 1000000000);
        fz_time origin = now;
        uint64_t longest = (uint64_t)1 << fz_random_below(&dice, 45);
        fz_timeline *timeline = started(origin);
        for (int i = 0; i < STEPS; i++) {
            times[i] = now;
            levels[i] = fz_random_below(&dice, 1000);
            at(timeline, now, levels[i], levels[i] + 1, 0);
            now += (fz_time)(fz_random_next(&dice) % longest);
        }
        times[STEPS] = now;
        fz_timeline_advance(timeline, now);
        fz_wide naive[FZ_TIMELINE_BINS];
        memset(naive, 0, sizeof(naive));
        for (int i = 0; i < STEPS; i++)
            for (fz_time from = times[i]; from < times[i + 1];) {
                fz_time bin = (from - origin) / timeline->width;
                fz_time edge = origin + (bin + 1) * timeline->width;
                fz_time until = edge < times[i + 1] ? edge : times[i + 1];
                CU_ASSERT_FATAL(bin < (fz_time)FZ_TIMELINE_BINS);
                naive[bin] += (fz_wide)levels[i] * (fz_wide)(until - from);
                from = until;
            }
        for (uint32_t k = 0; k < FZ_TIMELINE_BINS; k++)
            if (timeline->bins[k].gpus != naive[k]) {
                printf("seed %llu\n", (unsigned long long)seed);
                CU_FAIL("a bin differs");
            }
        free(timeline);
    }
}

/* A queue that grows by one job every 10 s: 360 an hour. */
static void growth(void)
{
    fz_timeline *timeline = started(0);
    for (uint64_t i = 0; i < 5000; i++)
        at(timeline, (fz_time)i * 10 * FZ_SECOND, 1, i, 1);
    CU_ASSERT_DOUBLE_EQUAL(fz_timeline_growth_per_h(timeline), 360, 1);
    free(timeline);
}

int main(void)
{
    static const fz_test tests[] = {
        {"bins by hand", bins_by_hand},
        {"nothing happened", nothing_happened},
        {"never above the level", never_above_the_level},
        {"against a naive sum", against_a_naive_sum},
        {"growth", growth},
    };
    return FZ_TEST_MAIN("timeline", tests);
}
