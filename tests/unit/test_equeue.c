/* Event queue: order of time, class, row, attempt; a random storm against a sorted list. */
#include "sim/engine/equeue.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/harness.h"
#include "tests/random.h"

static void test_key_parts(void)
{
    fz_event_key key = fz_event_key_make(FZ_TIME_LIMIT, 6, 0xfffffffe, 0xabcdef);
    CU_ASSERT_EQUAL(fz_event_key_time(key), FZ_TIME_LIMIT);
    CU_ASSERT_EQUAL(fz_event_key_class(key), 6);
    CU_ASSERT_EQUAL(fz_event_key_row(key), 0xfffffffe);
    CU_ASSERT_EQUAL(fz_event_key_attempt(key), 0xabcdef);
}

static void test_order(void)
{
    fz_event_key ordered[] = {
        fz_event_key_make(5, 0, 9, 3), fz_event_key_make(5, 1, 2, 1), fz_event_key_make(5, 1, 2, 2),
        fz_event_key_make(5, 1, 3, 0), fz_event_key_make(6, 0, 0, 0),
    };
    fz_equeue queue;
    fz_equeue_init(&queue);
    for (size_t i = 5; i-- > 0;)
        CU_ASSERT_TRUE(fz_equeue_push(&queue, ordered[i]));
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_TRUE(fz_equeue_top(&queue) == ordered[i]);
        fz_equeue_pop(&queue);
    }
    CU_ASSERT_TRUE(fz_equeue_empty(&queue));
    fz_equeue_release(&queue);
}

static int by_key(const void *a, const void *b)
{
    const fz_event_key *x = a;
    const fz_event_key *y = b;
    return (*x > *y) - (*x < *y);
}

/* Fills, drains half, fills again, drains: sizes pass the growth steps of the queue. */
static void test_storm(void)
{
    enum { N = 20000 };
    const uint64_t seed = 42;
    fz_random random = {seed};
    fz_event_key *list = malloc(N * sizeof(*list));
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    fz_equeue queue;
    fz_equeue_init(&queue);
    size_t n = 0;
    bool right = true;
    for (uint32_t phase = 0; right && phase < 2; phase++) {
        while (n < N) {
            list[n] = fz_event_key_make(fz_random_below(&random, 1000), fz_random_below(&random, 3),
                                        (uint32_t)n, phase);
            right = right && fz_equeue_push(&queue, list[n++]);
        }
        right = right && fz_equeue_check(&queue);
        qsort(list, n, sizeof(*list), by_key);
        size_t keep = phase == 0 ? N / 2 : 0;
        for (size_t i = 0; right && i < n - keep; i++) {
            right = fz_equeue_top(&queue) == list[i];
            fz_equeue_pop(&queue);
        }
        for (size_t i = 0; i < keep; i++)
            list[i] = list[n - keep + i];
        n = keep;
        right = right && fz_equeue_check(&queue);
    }
    if (!right)
        printf("order differs, seed %llu\n", (unsigned long long)seed);
    CU_ASSERT_TRUE(right && fz_equeue_empty(&queue));
    fz_equeue_release(&queue);
    free(list);
}

int main(void)
{
    const fz_test tests[] = {
        {"parts of a key", test_key_parts},
        {"time, class, row, attempt", test_order},
        {"random events come out sorted", test_storm},
    };
    return FZ_TEST_MAIN("event queue", tests);
}
