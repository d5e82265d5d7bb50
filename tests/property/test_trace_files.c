/* Trace files of every format with random damage, under every policy: reading never breaks, an error says where, every
 * row is accounted for, and what was read comes back after writing. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/same_trace.h"
#include "tests/samples.h"
#include "tests/temp.h"
#include "workloads/canonical.h"

enum { ROUNDS = 3300, LONGEST = 4096 };
#define SEED UINT64_C(20171002)

static fz_temp temp;

static void check_report(const fz_trace *trace, const fz_trace_report *report)
{
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < report->n_findings; i++) {
        dropped += report->findings[i].what == 'd' ? report->findings[i].rows : 0;
        CU_ASSERT(report->findings[i].first_line > 0);
    }
    CU_ASSERT_EQUAL(report->rows_read, report->rows_kept + dropped);
    CU_ASSERT_EQUAL(trace->n_jobs, report->rows_kept);
    for (uint32_t job = 1; job < trace->n_jobs; job++)
        CU_ASSERT(trace->submit[job] >= trace->submit[job - 1]);
}

/* Written, read, and written again: the same trace, and the same bytes. */
static bool comes_back(const fz_trace *trace, fz_error *err)
{
    fz_trace *once = NULL, *twice = NULL;
    char path[sizeof temp.path];
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "back.csv"));
    bool good = fz_trace_write(trace, path, err) == FZ_OK &&
                fz_trace_read(path, FZ_BAD_ROWS_FAIL, &once, NULL, err) == FZ_OK &&
                fz_same_trace(once, trace) && fz_trace_write(once, path, err) == FZ_OK &&
                fz_trace_read(path, FZ_BAD_ROWS_FAIL, &twice, NULL, err) == FZ_OK &&
                strcmp(once->sha256, twice->sha256) == 0;
    fz_trace_free(once);
    fz_trace_free(twice);
    return good;
}

static void read_damaged(const char *text, size_t length, const fz_trace_format *format, fz_bad_rows policy,
                         uint32_t *read)
{
    fz_trace *trace = NULL;
    fz_trace_report report;
    fz_error err = {0};
    const char *path = fz_temp_write(&temp, "damaged", text, length);
    fz_status status = format->read(path, &(fz_import_options){.bad_rows = policy}, &trace, &report, &err);
    if (status != FZ_OK) {
        bool said = err.message[0] != '\0' && err.file[0] != '\0' && err.line > 0 && err.column > 0 &&
                    (status == FZ_EPARSE || status == FZ_EUNSUPPORTED || status == FZ_EIO);
        CU_ASSERT_TRUE(said);
        if (!said)
            (void)fprintf(stderr, "%s: %s %u:%u: %s\n", format->name, fz_status_name(status), err.line,
                          err.column, err.message);
        return;
    }
    CU_ASSERT_STRING_EQUAL(err.message, "");
    check_report(trace, &report);
    bool good = comes_back(trace, &err);
    CU_ASSERT_TRUE(good);
    if (!good)
        (void)fprintf(stderr, "%s: %s\n---\n%.*s\n---\n", format->name, err.message, (int)length, text);
    fz_trace_free(trace);
    ++*read;
}

static void round_of(const fz_sample *sample, fz_random *random, uint32_t *read)
{
    static const fz_bad_rows policies[] = {FZ_BAD_ROWS_DROP, FZ_BAD_ROWS_CLAMP, FZ_BAD_ROWS_FAIL};
    char text[LONGEST];
    size_t length = sample->length;
    const fz_trace_format *format = fz_trace_format_find(sample->format);
    char separator = ',';
    if (strcmp(sample->format, "swf") == 0)
        separator = ' ';
    else if (memchr(sample->text, '\t', length) != NULL)
        separator = '\t';
    CU_ASSERT_FATAL(format != NULL && length + 256 < sizeof text);
    memcpy(text, sample->text, length);
    for (uint32_t i = fz_random_below(random, 4); i > 0; i--)
        length = fz_damage(text, length, separator, random);
    uint32_t n_formats = 0;
    const fz_trace_format *const *all = fz_trace_formats(&n_formats);
    for (uint32_t i = 0; i < n_formats; i++) /* what else would be tried */
        if (all[i] == format || all[i]->probe(text, length))
            read_damaged(text, length, all[i], policies[fz_random_below(random, 3)], read);
}

static void damaged_files(void)
{
    uint32_t read = 0, n_formats = 0, missing = 0;
    fz_random random = {SEED};
    fz_samples samples = fz_samples_open(FZ_SOURCE_DIR, "formats");
    const fz_trace_format *const *formats = fz_trace_formats(&n_formats);
    (void)printf("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t i = 0; i < n_formats; i++) {
        size_t k = 0;
        while (k < samples.n && strcmp(samples.items[k].format, formats[i]->name) != 0)
            k++;
        missing += k == samples.n;
    }
    CU_ASSERT_EQUAL(missing, 0); /* every format has a sample */
    for (uint32_t round = 0; round < ROUNDS; round++)
        round_of(&samples.items[round % samples.n], &random, &read);
    CU_ASSERT(read > ROUNDS / 4); /* else the damage is too heavy to say much */
    fz_samples_close(&samples);
}

int main(void)
{
    static const fz_test tests[] = {{"damaged files", damaged_files}};
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("trace_files", tests);
    fz_temp_close(&temp);
    return failed;
}
