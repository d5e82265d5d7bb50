/* A run of the microbenchmarks as a CSV file: there and back, files written by hand, each kind of bad input. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/samples/fields.h"
#include "calib/samples/samples_csv.h"
#include "core/support/input.h"
#include "tests/harness.h"
#include "tests/temp.h"

static fz_temp temp;
static fz_arena *arena;

static fz_status read_text(const char *text, fz_samples *out, fz_error *err)
{
    return fz_samples_read(fz_temp_text(&temp, "samples.csv", text), arena, out, err);
}

/* Every field of `object` known, each with a value of its own. */
static void fill(fz_field_list list, void *object, int salt)
{
    for (uint32_t i = 0; i < list.n; i++) {
        const fz_field *field = &list.fields[i];
        char text[64];
        (void)snprintf(text, sizeof text, "a \"%s\", %d", field->name, salt);
        if (field->kind == FZ_FIELD_TEXT)
            fz_field_set_text(field, object, fz_arena_strdup(arena, text));
        else if (field->kind == FZ_FIELD_REAL)
            fz_field_set_real(field, object, 0.1 * (double)i + salt);
        else
            fz_field_set_integer(field, object, field->kind == FZ_FIELD_FLAG ? 1 : 1000 + (int64_t)i + salt);
    }
}

static void expect_equal(fz_field_list list, const void *a, const void *b)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (!fz_field_equal(&list.fields[i], a, b)) {
            printf("differs: %s\n", list.fields[i].name);
            CU_FAIL("a field differs");
        }
}

/* Three points: 3 repeats, the first dropped; an error; 1 repeat of a point whose fields are all known. */
static fz_samples whole_run(void)
{
    static double seconds[4] = {1.25e-5, 1e-5, 0.1 + 0.2, 3};
    static uint8_t dropped[4] = {1, 0, 0, 0};
    static fz_mem_fact facts[2] = {{"context", 503316480}, {"granularity", 2097152}};
    fz_samples run = {.seconds = seconds, .dropped = dropped, .n_seconds = 4, .facts = facts, .n_facts = 2};
    fill(fz_device_fields(), &run.device, 1);
    fill(fz_run_fields(), &run.run, 2);
    run.device.backend = "cuda";
    run.run.seed = UINT64_MAX;
    run.points = FZ_NEW(arena, 3, fz_bench_point);
    run.n_points = 3;
    for (int i = 0; i < 3; i++)
        fz_fields_forget(fz_point_fields(), &run.points[i]);
    fill(fz_point_fields(), &run.points[2], 7);
    run.points[0].bench = "mem.triad";
    run.points[0].seq = 4;
    run.points[0].n_samples = 3;
    run.points[1].bench = "gemm.bf16";
    run.points[1].seq = 0;
    run.points[1].error = "no algorithm, says cuBLASLt";
    run.points[1].first_sample = 3;
    run.points[2].first_sample = 3;
    run.points[2].n_samples = 1;
    run.env = FZ_NEW(arena, 2, fz_env_sample);
    run.n_env = 2;
    fill(fz_env_fields(), &run.env[0], 3);
    fz_fields_forget(fz_env_fields(), &run.env[1]);
    return run;
}

static void there_and_back(void)
{
    fz_samples run = whole_run(), back = {0};
    fz_error err = {0};
    const char *path = fz_temp_path(&temp, "run.csv");
    CU_ASSERT_EQUAL_FATAL(fz_samples_write(path, &run, &err), FZ_OK);
    CU_ASSERT_EQUAL(fz_samples_read(path, arena, &back, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(err.message, "");
    expect_equal(fz_device_fields(), &run.device, &back.device);
    expect_equal(fz_run_fields(), &run.run, &back.run);
    CU_ASSERT_EQUAL_FATAL(back.n_points, 3);
    CU_ASSERT_EQUAL_FATAL(back.n_seconds, 4);
    CU_ASSERT_EQUAL_FATAL(back.n_env, 2);
    CU_ASSERT_EQUAL_FATAL(back.n_facts, 2);
    for (int i = 0; i < 3; i++) {
        expect_equal(fz_point_fields(), &run.points[i], &back.points[i]);
        CU_ASSERT_EQUAL(run.points[i].first_sample, back.points[i].first_sample);
        CU_ASSERT_EQUAL(run.points[i].n_samples, back.points[i].n_samples);
    }
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(run.seconds[i], back.seconds[i]); /* to the last bit */
        CU_ASSERT_EQUAL(run.dropped[i], back.dropped[i]);
    }
    for (int i = 0; i < 2; i++) {
        expect_equal(fz_env_fields(), &run.env[i], &back.env[i]);
        CU_ASSERT_STRING_EQUAL(run.facts[i].name, back.facts[i].name);
        CU_ASSERT_EQUAL(run.facts[i].bytes, back.facts[i].bytes);
    }
}

/* The same bytes again. */
static void written_alike(void)
{
    fz_samples run = whole_run(), back = {0};
    char *first = NULL, *second = NULL;
    size_t n = 0;
    CU_ASSERT_EQUAL_FATAL(fz_samples_write(fz_temp_path(&temp, "1.csv"), &run, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_samples_read(temp.path, arena, &back, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_input_slurp(temp.path, 1 << 20, &first, &n, NULL, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_samples_write(fz_temp_path(&temp, "2.csv"), &back, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_input_slurp(temp.path, 1 << 20, &second, &n, NULL, NULL), FZ_OK);
    CU_ASSERT_STRING_EQUAL(first, second);
    free(first);
    free(second);
}

/* The columns of the recorded files of the documentation, nothing else. A sentinel comes back: rep starts again. */
static void written_by_hand(void)
{
    fz_samples run;
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(read_text("# device.name=NVIDIA H20\n"
                                    "# a remark\n"
                                    "bench,dtype,m,n,k,bytes,flops,ranks,src,dst,rep,seconds\n"
                                    "gemm.bf16,bf16,64,128,192,,,,,,0,1e-6\n"
                                    "gemm.bf16,bf16,64,128,192,,,,,,1,2e-6\n"
                                    "gemm.bf16,bf16,64,128,192,,,,,,0,3e-6\n"
                                    "link.h2d,,,,,4096,,,0,1,0,4e-6\n",
                                    &run, &err),
                          FZ_OK);
    CU_ASSERT_STRING_EQUAL(run.device.backend, "recorded");
    CU_ASSERT_STRING_EQUAL(run.device.uuid, "recorded:NVIDIA H20");
    CU_ASSERT_EQUAL(run.device.l2_bytes, FZ_UNKNOWN);
    CU_ASSERT_TRUE(isnan(run.device.power_limit_w));
    CU_ASSERT_STRING_EQUAL(run.run.status, "complete");
    CU_ASSERT_EQUAL_FATAL(run.n_points, 3);
    CU_ASSERT_EQUAL(run.points[0].n_samples, 2);
    CU_ASSERT_EQUAL(run.points[1].n_samples, 1);
    CU_ASSERT_EQUAL(run.points[1].seq, 1);
    CU_ASSERT_EQUAL(run.points[2].bytes, 4096);
    CU_ASSERT_EQUAL(run.points[2].m, FZ_UNKNOWN);
    CU_ASSERT_EQUAL(run.points[2].dst, 1);
    CU_ASSERT_EQUAL(run.seconds[3], 4e-6);
}

#define NAME "# device.name=x\n"
#define HEAD NAME "bench,dtype,rep,seconds,seq,error\n"

static void bad_input(void)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *says;
    } cases[] = {
        {"", 1, 1, "empty"},
        {"bench,seconds\n", 1, 0, "device.name"},
        {NAME "bench,rep\n", 2, 0, "no column 'seconds'"},
        {NAME "seconds\n1\n", 2, 0, "no column 'bench'"},
        {"# frenzy-samples=2\n" HEAD, 1, 18, "format '2'"},
        {"# device.size=3\n" HEAD, 1, 3, "not a fact of a device"},
        {"# run.speed=3\n" HEAD, 1, 3, "not a fact of a run"},
        {"# device.sm_count=many\n" HEAD, 1, 19, "sm_count: 'many' is not a number"},
        {"# device.sm_count=-1\n" HEAD, 1, 19, "negative"},
        {"# device.sm_count=2147483648\n" HEAD, 1, 19, "whole number"},
        {"# device.backend=rocm\n" HEAD, 1, 0, "cuda, host or recorded"},
        {"# memory.context=2.5\n" HEAD, 1, 18, "memory.context: '2.5'"},
        {"# memory.context=2\n# memory.context=2\n" HEAD, 2, 18, "twice"},
        {"# env=1,2,x\n" HEAD, 1, 11, "sm_clock_hz: 'x'"},
        {"# env=1,2\n" HEAD, 1, 9, "fewer values"},
        {"# env=1,2,3,4,5,6,7,8,9,10,11,12,13\n" HEAD, 1, 31, "more values"},
        {HEAD "a,,0,fast,0,\n", 3, 6, "seconds: 'fast'"},
        {HEAD "a,,0,0,0,\n", 3, 6, "not above 0"},
        {HEAD "a,,0,-1,0,\n", 3, 6, "not above 0"},
        {HEAD "a,,0,,0,\n", 3, 6, "no seconds and no error"},
        {HEAD ",,0,1,0,\n", 3, 1, "no bench"},
        {HEAD "a,,0,1,,\n", 3, 1, "no seq"},
        {HEAD "a,,0,1,0,\na,,0,1,1,\na,,1,1,0,\n", 5, 1, "do not stand together"},
        {HEAD "a,,0,1,0,\na,,0,1,0,\n", 4, 4, "rep 0 again"},
        {HEAD "a,,0,1,0,\na,fp16,1,1,0,\n", 4, 1, "dtype differs"},
        {HEAD "a,,0,1,0\n", 3, 1, "5 fields"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fz_samples run;
        fz_error err = {0};
        bool refused = read_text(cases[i].text, &run, &err) == FZ_EPARSE;
        if (!refused || err.line != cases[i].line || err.column != cases[i].column ||
            strstr(err.message, cases[i].says) == NULL) {
            printf("case %zu: %u:%u: %s\n", i, err.line, err.column, err.message);
            CU_FAIL("another answer was expected");
        }
    }
    fz_error err = {0};
    fz_samples run;
    CU_ASSERT_EQUAL(fz_samples_read(fz_temp_path(&temp, "absent"), arena, &run, &err), FZ_EIO);
}

/* A driver may say anything; the file stays readable. */
static void odd_texts(void)
{
    fz_samples run = whole_run(), back = {0};
    run.device.name = "two\nlines\xff";
    run.run.argv = "a=b # c";
    CU_ASSERT_EQUAL_FATAL(fz_samples_write(fz_temp_path(&temp, "odd.csv"), &run, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_samples_read(temp.path, arena, &back, NULL), FZ_OK);
    CU_ASSERT_STRING_EQUAL(back.device.name, "two lines");
    CU_ASSERT_STRING_EQUAL(back.run.argv, "a=b # c");
}

int main(void)
{
    static const fz_test tests[] = {
        {"there and back", there_and_back},
        {"written alike", written_alike},
        {"written by hand", written_by_hand},
        {"bad input", bad_input},
        {"odd texts", odd_texts},
    };
    arena = fz_arena_new(NULL);
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("samples_csv", tests);
    fz_temp_close(&temp);
    fz_arena_free(arena);
    return failed;
}
