/* The small parts of core: errors, arena, GPU rates, models, plans as text, speed. */
#include <frenzy/arena.h>
#include <frenzy/gpu.h>
#include <frenzy/model.h>
#include <frenzy/plan.h>
#include <frenzy/speed.h>
#include <frenzy/status.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"

/* ---- errors -------------------------------------------------------------------------------------------- */

static void test_errors(void)
{
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_fail_at(&err, FZ_EPARSE, "a.csv", 3, 7, "'%s' is not a number", "x"), FZ_EPARSE);
    CU_ASSERT_EQUAL(err.status, FZ_EPARSE);
    CU_ASSERT_EQUAL(err.line, 3);
    CU_ASSERT_EQUAL(err.column, 7);
    CU_ASSERT_STRING_EQUAL(err.file, "a.csv");
    CU_ASSERT_STRING_EQUAL(err.message, "'x' is not a number");
    CU_ASSERT_EQUAL(fz_fail(&err, FZ_EIO, "again: %s", err.message), FZ_EIO); /* may quote itself */
    CU_ASSERT_STRING_EQUAL(err.message, "again: 'x' is not a number");
    CU_ASSERT_STRING_EQUAL(err.file, "");
    CU_ASSERT_EQUAL(fz_fail(NULL, FZ_ENOMEM, "nobody listens"), FZ_ENOMEM);
    CU_ASSERT_STRING_EQUAL(fz_strerror(FZ_ENOMEM), "out of memory");
    CU_ASSERT_STRING_EQUAL(fz_status_name(FZ_ENOMEM), "FZ_ENOMEM");
    CU_ASSERT_STRING_EQUAL(fz_strerror((fz_status)999), "unknown status");
}

static void test_long_messages_are_cut(void)
{
    char text[2000];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    fz_error err;
    fz_fail_at(&err, FZ_EIO, text, 1, 1, "%s", text);
    CU_ASSERT_EQUAL(strlen(err.message), sizeof(err.message) - 1);
    CU_ASSERT_EQUAL(strlen(err.file), sizeof(err.file) - 1);
}

/* ---- arena --------------------------------------------------------------------------------------------- */

static bool is_zero(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void test_arena(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
    for (size_t size = 0; size < 3000000; size = size * 3 + 1) {
        unsigned char *block = fz_arena_alloc(arena, 1, size);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block);
        CU_ASSERT_EQUAL((uintptr_t)block % (size >= 300000 ? 64 : 16), 0);
        CU_ASSERT_TRUE(is_zero(block, size));
        memset(block, 0xab, size); /* blocks do not overlap: the next one is still zero */
    }
    CU_ASSERT_TRUE(fz_arena_bytes(arena) >= 3000000 / 3);
    CU_ASSERT_PTR_NULL(fz_arena_alloc(arena, SIZE_MAX / 2, 3));  /* the product overflows */
    CU_ASSERT_PTR_NULL(fz_arena_alloc(arena, 1, SIZE_MAX));      /* rounding up to the alignment would */
    CU_ASSERT_PTR_NULL(fz_arena_alloc(arena, 1, SIZE_MAX - 40)); /* with the block's head it would */
    CU_ASSERT_STRING_EQUAL(fz_arena_strdup(arena, "abc"), "abc");
    CU_ASSERT_STRING_EQUAL(fz_arena_strndup(arena, "abc", 2), "ab");
    fz_arena_free(arena);
    fz_arena_free(NULL);
}

/* Chunks grow to 4 MiB, so a large block would fit into what is left of one: it must not start there, at a
 * multiple of 16 only, and must leave the chunk as it was. */
static void test_arena_large_blocks_are_aligned(void)
{
    fz_arena *arena = fz_arena_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
    const char *before = NULL;
    for (size_t i = 0; i < 1001; i++) /* 8 MiB: chunks of 64 KiB to 4 MiB, the last barely used */
        before = fz_arena_alloc(arena, 1, 8400);
    for (size_t i = 0; i < 4; i++) {
        const char *large = fz_arena_alloc(arena, 1, (size_t)256 << 10);
        CU_ASSERT_EQUAL((uintptr_t)large % 64, 0);
        const char *small = fz_arena_alloc(arena, 1, 16);
        CU_ASSERT_PTR_EQUAL(small, before + (i == 0 ? 8400 : 16));
        before = small;
    }
    fz_arena_free(arena);
}

static void *failing_zalloc(void *context, size_t bytes)
{
    int *left = context;
    return (*left)-- > 0 ? calloc(1, bytes) : NULL;
}

static void counted_free(void *context, void *block)
{
    (void)context;
    free(block);
}

static void test_arena_without_memory(void)
{
    int left = 0;
    const fz_allocator allocator = {.zalloc = failing_zalloc, .free = counted_free, .context = &left};
    CU_ASSERT_PTR_NULL(fz_arena_new(&allocator));
    left = 2;
    fz_arena *arena = fz_arena_new(&allocator);
    CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
    CU_ASSERT_PTR_NOT_NULL(fz_arena_alloc(arena, 1, 100));
    CU_ASSERT_PTR_NULL(fz_arena_alloc(arena, 1, 1000000));
    CU_ASSERT_PTR_NOT_NULL(fz_arena_alloc(arena, 1, 100)); /* what is left of the chunk still serves */
    fz_arena_free(arena);
}

/* ---- GPUs, models, plans, speed -------------------------------------------------------------------------- */

static void test_gpu_rate(void)
{
    fz_origin origin = FZ_ORIGIN_NONE;
    CU_ASSERT_EQUAL(fz_gpu_rate(&(fz_gpu_rates){.compute_capability = 8.0,
                                                .measured_fp16_tflops = 250,
                                                .measured_bf16_tflops = 260},
                                &origin),
                    250e12);
    CU_ASSERT_EQUAL(origin, FZ_ORIGIN_MEASURED);
    CU_ASSERT_EQUAL(
        fz_gpu_rate(&(fz_gpu_rates){.compute_capability = 8.0, .measured_bf16_tflops = 260}, &origin),
        260e12);
    CU_ASSERT_EQUAL(origin, FZ_ORIGIN_MEASURED);
    /* bf16 is emulated below 8.0: the peak of fp16 counts */
    CU_ASSERT_DOUBLE_EQUAL(
        fz_gpu_rate(
            &(fz_gpu_rates){.compute_capability = 7.0, .measured_bf16_tflops = 10, .peak_fp16_tflops = 100},
            &origin),
        79e12, 1);
    CU_ASSERT_EQUAL(origin, FZ_ORIGIN_CATALOG);
    CU_ASSERT_DOUBLE_EQUAL(fz_gpu_rate(&(fz_gpu_rates){.peak_fp32_tflops = 10}, &origin), 7.9e12, 1);
    CU_ASSERT_EQUAL(fz_gpu_rate(&(fz_gpu_rates){0}, &origin), 0);
    CU_ASSERT_EQUAL(origin, FZ_ORIGIN_NONE);
    CU_ASSERT_STRING_EQUAL(fz_origin_name(FZ_ORIGIN_MEASURED), "measured");
}

static void bad_model(fz_model model, const char *words)
{
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_model_complete(&model, &err), FZ_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, words));
}

static void test_models(void)
{
    fz_model model = {.layers = 2, .hidden = 64, .heads = 4, .vocab = 100};
    CU_ASSERT_EQUAL(fz_model_complete(&model, NULL), FZ_OK);
    CU_ASSERT_EQUAL(model.head_dim, 16);
    CU_ASSERT_EQUAL(model.kv_heads, 4);
    CU_ASSERT_EQUAL(model.ffn, 256);
    bad_model((fz_model){.hidden = 64, .heads = 4}, "layers");
    bad_model((fz_model){.layers = 2, .heads = 4}, "hidden");
    bad_model((fz_model){.layers = 2, .hidden = 64}, "heads");
    bad_model((fz_model){.layers = 2, .hidden = 65, .heads = 4}, "heads 4 does not divide hidden 65");
    bad_model((fz_model){.layers = 2, .hidden = 64, .heads = 4, .kv_heads = 3}, "kv_heads 3 does not divide");
    bad_model((fz_model){.layers = UINT64_MAX, .hidden = 64, .heads = 4}, "layers");
    bad_model((fz_model){.layers = 2, .hidden = (uint64_t)1 << 63, .heads = 4}, "hidden");
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_training_check(&(fz_training){.seq_len = 5}, &err), FZ_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "global_batch"));
    CU_ASSERT_EQUAL(fz_training_check(&(fz_training){.global_batch = 5}, &err), FZ_EINVAL);
    const uint64_t large = ((uint64_t)1 << 32) + 1;
    CU_ASSERT_EQUAL(fz_training_check(&(fz_training){.global_batch = large, .seq_len = 7}, &err), FZ_EINVAL);
    CU_ASSERT_EQUAL(fz_training_check(&(fz_training){.global_batch = 5, .seq_len = large}, &err), FZ_EINVAL);
    CU_ASSERT_EQUAL(fz_training_check(&(fz_training){.global_batch = 5, .seq_len = 7}, &err), FZ_OK);
}

static void test_plan_text(void)
{
    char text[32];
    fz_plan plan = {.gpus = 8, .data = 2, .tensor = 4, .pipeline = 1};
    CU_ASSERT_EQUAL(fz_plan_format(&plan, text, sizeof(text)), 8);
    CU_ASSERT_STRING_EQUAL(text, "d2t4p1z0");
    fz_plan other = plan;
    other.mem_bytes = 5;
    CU_ASSERT_TRUE(fz_plan_same_shape(&plan, &other));
    other.zero = 1;
    CU_ASSERT_FALSE(fz_plan_same_shape(&plan, &other));
    other = plan;
    other.data = 3;
    CU_ASSERT_FALSE(fz_plan_same_shape(&plan, &other));
    other = plan;
    other.gpus = 9;
    CU_ASSERT_FALSE(fz_plan_same_shape(&plan, &other));
    CU_ASSERT_EQUAL(fz_plan_format(&(fz_plan){.gpus = 8}, text, sizeof(text)), 0); /* opaque */
    CU_ASSERT_STRING_EQUAL(text, "");
}

/* By hand: B 2, s 6, l 1, h 3, V 36: 72 x 2 x 6 x 1 x 9 x (1 + 6/18 + 36/36) = 7776 x 7/3 = 18144. */
static void test_speed(void)
{
    fz_model model = {.layers = 1, .hidden = 3, .heads = 1, .vocab = 36};
    fz_training training = {.global_batch = 2, .seq_len = 6};
    CU_ASSERT_DOUBLE_EQUAL(fz_speed_step_flop(&model, &training), 18144, 1e-9);
    fz_plan plan = {.gpus = 4};
    CU_ASSERT_DOUBLE_EQUAL(fz_speed_step_s(18144, &plan, 100), 45.36, 1e-12);
    CU_ASSERT_EQUAL(fz_speed_step_s(18144, &plan, 0), 0);
    const fz_gpu_type types[] = {{.flops_per_s = 5}, {.flops_per_s = 3}, {.flops_per_s = 0}};
    CU_ASSERT_EQUAL(fz_speed_slowest(types, 3), 3);
    CU_ASSERT_EQUAL(fz_speed_slowest(types, 1), 5);
    CU_ASSERT_EQUAL(fz_speed_slowest(types, 7), 0); /* one is unknown */
    CU_ASSERT_EQUAL(fz_speed_slowest(types, 0), 0);
    CU_ASSERT_EQUAL(fz_speed_time(10, 0.5), 5000000);
    CU_ASSERT_EQUAL(fz_speed_time(1, 1e-9), 1); /* work takes time */
    CU_ASSERT_EQUAL(fz_speed_time(0, 1), 0);
    CU_ASSERT_EQUAL(fz_speed_time(1, 1.5e-6), 2); /* rounded up */
    CU_ASSERT_EQUAL(fz_speed_time(1e30, 1e30), FZ_TIME_LIMIT);
    CU_ASSERT_EQUAL(fz_speed_time(1, NAN), FZ_TIME_LIMIT); /* never a small number */
    CU_ASSERT_EQUAL(fz_speed_time(0, INFINITY), 0);
    CU_ASSERT_EQUAL(fz_speed_time(-1e30, 1), 0);
}

int main(void)
{
    const fz_test tests[] = {
        {"errors", test_errors},
        {"long messages are cut", test_long_messages_are_cut},
        {"arena", test_arena},
        {"large blocks of an arena", test_arena_large_blocks_are_aligned},
        {"arena without memory", test_arena_without_memory},
        {"GPU rates", test_gpu_rate},
        {"models", test_models},
        {"plans as text", test_plan_text},
        {"speed", test_speed},
    };
    return FZ_TEST_MAIN("core", tests);
}
