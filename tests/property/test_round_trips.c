/* Random traces written and read: a frenzy trace with any of its columns comes back as it was; a log in the Standard
 * Workload Format comes back from the export as it was; and random files of every foreign format, made of pieces of small
 * ones, come back from the frenzy trace that they become. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/random.h"
#include "tests/same_trace.h"
#include "tests/samples.h"
#include "tests/temp.h"
#include "workloads/canonical.h"

enum { ROUNDS = 150, MOST = 60, LONGEST = 1 << 17 };
#define SEED UINT64_C(20261204)

static fz_temp temp;

static uint32_t below(fz_random *random, uint32_t n)
{
    return fz_random_below(random, n);
}

static const char *one_of(fz_random *random, const char *const *texts, uint32_t n)
{
    return texts[below(random, n)];
}

#define ONE_OF(random, ...)                                                                                  \
    one_of(random, (const char *const[]){__VA_ARGS__},                                                       \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* ---- reading and writing ------------------------------------------------------------------------------- */

static fz_trace *read_as(const char *format, const char *path, fz_import_options options)
{
    fz_trace *trace = NULL;
    fz_error err = {0};
    fz_status status = fz_trace_format_find(format)->read(path, &options, &trace, NULL, &err);
    if (status != FZ_OK)
        (void)fprintf(stderr, "%s:%u:%u: %s\n", err.file, err.line, err.column, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    return trace;
}

static void comes_back(const fz_trace *trace, const char *format, uint32_t round)
{
    fz_error err = {0};
    const char *path = fz_temp_path(&temp, "out");
    fz_status status = strcmp(format, "swf") == 0 ? fz_trace_write_swf(trace, path, &err)
                                                  : fz_trace_write(trace, path, &err);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    fz_trace *again =
        read_as(format, path, (fz_import_options){.bad_rows = FZ_BAD_ROWS_FAIL, .cpu_jobs = true});
    bool same = fz_same_trace(trace, again);
    CU_ASSERT_TRUE(same);
    if (!same)
        (void)fprintf(stderr, "round %u of seed %llu\n", round, (unsigned long long)SEED);
    fz_trace_free(again);
}

/* ---- frenzy traces ------------------------------------------------------------------------------------- */

/* A cell of a column; some are empty. Every kind of column is here, and texts that need quotes. */
static void put_cell(FILE *out, const char *column, fz_random *random)
{
    bool whole = strstr(column, "gpus") != NULL || strstr(column, "nodes") != NULL;
    if (below(random, 4) == 0)
        return;
    if (strcmp(column, "state") == 0)
        (void)fputs(ONE_OF(random, "COMPLETED", "FAILED", "TIMEOUT", "RUNNING", "NODE_FAIL", "CANCELLED"),
                    out);
    else if (strcmp(column, "preemptible") == 0)
        (void)fprintf(out, "%u", below(random, 2));
    else if (strcmp(column, "req_gpu_types") == 0)
        (void)fputs(ONE_OF(random, "T4", "A100|V100", "G2"), out);
    else if (whole || strcmp(column, "seq_len") == 0 || strcmp(column, "attempts") == 0)
        (void)fprintf(out, "%u", 1 + below(random, 9));
    else if (strstr(column, "_s") != NULL && strcmp(column, "x_s") != 0)
        (void)fprintf(out, "%s%u.%06u", strstr(column, "d_s") != NULL && below(random, 3) == 0 ? "-" : "",
                      below(random, 1u << 30), below(random, 1000000));
    else if (strcmp(column, "priority") == 0 || strstr(column, "req_") != NULL)
        (void)fprintf(out, "%.17g", (double)below(random, 1u << 16) / (1 + below(random, 9)));
    else
        (void)fputs(
            ONE_OF(random, "a", "b c", "\"x,y\"", "\"he said \"\"no\"\"\"", "é", "-1", "\"two\nlines\""),
            out);
}

static void canonical_write(FILE *out, fz_random *random)
{
    static const char *const columns[] = {
        "user",          "vc",          "state",       "est_s",    "limit_s",  "deadline_s",
        "start_s",       "end_s",       "req_gpu_mem", "req_cpus", "req_mem",  "model",
        "seq_len",       "name",        "job_class",   "priority", "attempts", "run_gpus",
        "req_gpu_types", "preemptible", "think_s",     "plan",     "x_s",      "x_ b"};
    enum { N_COLUMNS = sizeof columns / sizeof *columns };
    uint32_t chosen = (uint32_t)fz_random_next(random), n = 1 + below(random, MOST);
    if (below(random, 2) == 0)
        (void)fputs("# frenzy-trace: 1\n# source: some\n# epoch: 2020-02-29T23:59:59\n# utc_offset: +05:45\n"
                    "# history: cut: 0..5\n# history: and again\n",
                    out);
    (void)fputs("submit_s,job_id,duration_s,req_gpus,req_workers", out);
    for (uint32_t i = 0; i < N_COLUMNS; i++)
        if ((chosen >> i & 1) != 0)
            (void)fprintf(out, ",%s", columns[i]);
    for (uint32_t job = 0; job < n; job++) {
        uint32_t workers = 1 + below(random, 5);
        const char *share = ONE_OF(random, "0.25", "0.5", "0.01");
        (void)fprintf(out, "\n%u.%u,%sj%u,%u.%03u,", below(random, 5000), below(random, 10),
                      ONE_OF(random, "", "#", "é"), job, below(random, 1u << 20), below(random, 1000));
        if (below(random, 3) == 0)
            (void)fprintf(out, "%.6g,%u", strtod(share, NULL) * workers, workers);
        else
            (void)fprintf(out, "%u,", below(random, 300));
        for (uint32_t i = 0; i < N_COLUMNS; i++)
            if ((chosen >> i & 1) != 0) {
                (void)fputc(',', out);
                put_cell(out, columns[i], random);
            }
    }
}

static void frenzy_traces(void)
{
    fz_random random = {SEED};
    (void)printf("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        FILE *out = fopen(fz_temp_path(&temp, "in.csv"), "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        canonical_write(out, &random);
        (void)fclose(out);
        fz_trace *trace = read_as("canonical", fz_temp_path(&temp, "in.csv"),
                                  (fz_import_options){.bad_rows = FZ_BAD_ROWS_FAIL, .cpu_jobs = true});
        comes_back(trace, "canonical", round);
        fz_trace_free(trace);
    }
}

/* ---- Standard Workload Format ---------------------------------------------------------------------------- */

/* A number or -1. */
static void put_field(FILE *out, fz_random *random, uint32_t most, bool known)
{
    if (!known && below(random, 3) == 0)
        (void)fputs("-1 ", out);
    else
        (void)fprintf(out, "%u ", below(random, most));
}

static void put_seconds(FILE *out, fz_random *random, uint32_t most, bool known)
{
    if (!known && below(random, 3) == 0)
        (void)fputs("-1 ", out);
    else if (below(random, 4) == 0)
        (void)fprintf(out, "%u.%u ", below(random, most), 1 + below(random, 9));
    else
        (void)fprintf(out, "%u ", below(random, most));
}

static void swf_write(FILE *out, fz_random *random)
{
    uint32_t n = 1 + below(random, MOST), zero = 0;
    switch (below(random, 3)) {
    case 0:
        (void)fprintf(out, "; Version: 2.2\n; UnixStartTime: %u\n; TimeZone: %d\n",
                      900000000 + below(random, 1u << 30), (int)below(random, 48) * 1800 - 43200);
        break;
    case 1:
        zero = 1200000000; /* a clock that counts from 1970 */
        break;
    default:
        (void)fputs("; no clock is told\n", out);
    }
    for (uint32_t job = 0; job < n; job++) {
        (void)fprintf(out, "%u %u ", 3 * job + below(random, 3), zero + below(random, 100000));
        put_seconds(out, random, 5000, false);
        put_seconds(out, random, 100000, true);
        for (uint32_t field = 5; field <= 7; field++)
            put_field(out, random, 2000, false);
        (void)fprintf(out, "%u ", 1 + below(random, 256));
        put_seconds(out, random, 90000, false);
        put_field(out, random, 1u << 20, false);
        (void)fprintf(out, "%s ", ONE_OF(random, "0", "1", "5", "-1"));
        for (uint32_t field = 12; field <= 17; field++)
            put_field(out, random, 30, false);
        put_seconds(out, random, 600, false);
        (void)fputc('\n', out);
    }
}

static void workload_logs(void)
{
    fz_random random = {SEED + 1};
    (void)printf("seed %llu\n", (unsigned long long)SEED + 1);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        FILE *out = fopen(fz_temp_path(&temp, "in.swf"), "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        swf_write(out, &random);
        (void)fclose(out);
        fz_trace *trace = read_as("swf", fz_temp_path(&temp, "in.swf"), (fz_import_options){0});
        comes_back(trace, "swf", round);
        comes_back(trace, "canonical", round);
        fz_trace_free(trace);
    }
}

/* ---- foreign formats ------------------------------------------------------------------------------------- */

static bool has_header(const char *format)
{
    return strcmp(format, "swf") != 0 && strcmp(format, "gavel") != 0 && strcmp(format, "shockwave") != 0;
}

/* The rows of a sample, many times and in any order, with some fields taken from other rows of the same column. */
static size_t rows_multiply(const fz_sample *sample, fz_random *random, char *text)
{
    const char *lines[64];
    size_t lengths[64], n = 0, length = 0;
    for (const char *at = sample->text; *at != '\0' && n < 64; n++) {
        lines[n] = at;
        lengths[n] = strcspn(at, "\r\n");
        at += lengths[n];
        at += strspn(at, "\r\n");
    }
    size_t first = has_header(sample->format) ? 1 : 0;
    CU_ASSERT_FATAL(n > first);
    for (size_t i = 0; i < first; i++)
        length += (size_t)sprintf(text + length, "%.*s\n", (int)lengths[i], lines[i]);
    for (uint32_t row = 1 + below(random, MOST); row > 0; row--) {
        size_t begin = length, i = first + below(random, (uint32_t)(n - first));
        length += (size_t)sprintf(text + length, "%.*s\n", (int)lengths[i], lines[i]);
        for (size_t at = begin; at < length;
             at++) /* other digits, but no other first one: dates stay dates */
            if (text[at] >= '1' && text[at] <= '9' && at > begin && text[at - 1] == '0' &&
                below(random, 3) == 0)
                text[at] = (char)('1' + below(random, 9));
    }
    return length;
}

static void foreign_formats(void)
{
    fz_random random = {SEED + 2};
    fz_samples samples = fz_samples_open(FZ_SOURCE_DIR, "formats");
    char *text = fz_temp_bytes(LONGEST, '\0');
    uint32_t n_read = 0;
    (void)printf("seed %llu\n", (unsigned long long)SEED + 2);
    for (uint32_t round = 0; round < 4 * ROUNDS; round++) {
        const fz_sample *sample = &samples.items[round % samples.n];
        if (strcmp(sample->format, "canonical") == 0)
            continue;
        size_t length = sample->length;
        memcpy(text, sample->text, length);
        if (sample->text[0] != '[' && sample->text[0] != ';') /* no table: as it is */
            length = rows_multiply(sample, &random, text);
        CU_ASSERT_FATAL(length < LONGEST / 2);
        fz_trace *trace = NULL;
        fz_import_options options = {.cpu_jobs = true};
        const char *path = fz_temp_write(&temp, "in", text, length);
        if (fz_trace_format_find(sample->format)->read(path, &options, &trace, NULL, NULL) != FZ_OK)
            continue; /* no row can be used */
        comes_back(trace, "canonical", round);
        fz_trace_free(trace);
        n_read++;
    }
    CU_ASSERT(n_read > 3 * ROUNDS);
    free(text);
    fz_samples_close(&samples);
}

int main(void)
{
    static const fz_test tests[] = {{"frenzy traces", frenzy_traces},
                                    {"logs in the Standard Workload Format", workload_logs},
                                    {"foreign formats", foreign_formats}};
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("round_trips", tests);
    fz_temp_close(&temp);
    return failed;
}
