/* Results as bytes between processes: they come back the same, and nothing else is taken for them. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/experiment/wire.h"
#include "tests/harness.h"
#include "tests/sample_run.h"
#include "tests/temp.h"

static fz_temp temp;

/* What the writer sends, through a file; free() it. */
static char *sent(const fz_run_result *result, const fz_error *failure, size_t *length)
{
    int fd = open(fz_temp_path(&temp, "wire"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT(fz_wire_write(fd, result, failure));
    *length = (size_t)lseek(fd, 0, SEEK_END);
    char *bytes = malloc(*length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    CU_ASSERT_EQUAL(pread(fd, bytes, *length, 0), (ssize_t)*length);
    (void)close(fd);
    return bytes;
}

static void expect_same(const fz_run_result *a, const fz_run_result *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n_jobs, b->n_jobs);
    CU_ASSERT_EQUAL_FATAL(a->n_plans, b->n_plans);
    CU_ASSERT_EQUAL_FATAL(a->places_len, b->places_len);
    CU_ASSERT_EQUAL(memcmp(a->jobs, b->jobs, a->n_jobs * sizeof(*a->jobs)), 0);
    CU_ASSERT_EQUAL(memcmp(a->plans, b->plans, a->n_plans * sizeof(*a->plans)), 0);
    CU_ASSERT_EQUAL(memcmp(a->places, b->places, a->places_len), 0);
    CU_ASSERT_EQUAL(memcmp(&a->summary, &b->summary, sizeof(a->summary)), 0);
    CU_ASSERT_EQUAL(memcmp(&a->cost, &b->cost, sizeof(a->cost)), 0);
}

static void a_result_comes_back(const sample_run *run)
{
    size_t length = 0;
    char *bytes = sent(&run->result, NULL, &length);
    fz_run_result result;
    fz_error failure;
    bool failed = true;
    CU_ASSERT_FATAL(fz_wire_read(bytes, length, &result, &failed, &failure));
    CU_ASSERT(!failed);
    expect_same(&result, &run->result);
    free(bytes);
}

static void results_come_back(void)
{
    static const uint32_t sizes[] = {0, 1, 2, 7, 100000};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        sample_run run = sample_run_large("sizes", sizes[i]);
        a_result_comes_back(&run);
        sample_run_free(&run);
    }
    sample_run run = sample_run_new("sample");
    a_result_comes_back(&run);
    sample_run_free(&run);
}

static void a_failure_comes_back(void)
{
    fz_error failure = {0}, err = {0};
    fz_run_result result;
    bool failed = false;
    size_t length = 0;
    fz_fail_at(&failure, FZ_EDECISION, "t.csv", 3, 4, "policy p did wrong");
    char *bytes = sent(NULL, &failure, &length);
    CU_ASSERT_FATAL(fz_wire_read(bytes, length, &result, &failed, &err));
    CU_ASSERT(failed);
    CU_ASSERT_EQUAL(memcmp(&err, &failure, sizeof(err)), 0);
    for (size_t cut = 0; cut < length; cut += 5)
        CU_ASSERT(!fz_wire_read(bytes, cut, &result, &failed, &err));
    free(bytes);
}

static void damage_is_refused(void)
{
    sample_run run = sample_run_new("damage");
    fz_run_result result;
    fz_error err;
    bool failed = false;
    size_t length = 0;
    char *bytes = sent(&run.result, NULL, &length);
    for (size_t cut = 0; cut < length; cut++)
        if (fz_wire_read(bytes, cut, &result, &failed, &err))
            CU_FAIL("a result that is cut short was taken");
    char *longer = calloc(1, length + 16);
    CU_ASSERT_PTR_NOT_NULL_FATAL(longer);
    memcpy(longer, bytes, length);
    CU_ASSERT(!fz_wire_read(longer, length + 16, &result, &failed, &err));
    free(longer);
    bytes[0] ^= 1; /* no longer what fz_wire_write() starts with */
    CU_ASSERT(!fz_wire_read(bytes, length, &result, &failed, &err));
    free(bytes);
    sample_run_free(&run);
}

/* Whatever bit of the head is wrong, the blocks that a result names are inside what was read. */
static void counts_that_do_not_match(void)
{
    sample_run run = sample_run_new("counts");
    fz_run_result result;
    fz_error err;
    bool failed = false;
    size_t length = 0;
    char *bytes = sent(&run.result, NULL, &length);
    for (size_t bit = 0; bit < 8 * sizeof(fz_run_result) + 8 * sizeof(fz_error); bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        bool taken = fz_wire_read(bytes, length, &result, &failed, &err) && !failed;
        bool inside = !taken || (result.n_jobs == run.result.n_jobs && result.n_plans == run.result.n_plans &&
                                 result.places + result.places_len <= (uint8_t *)bytes + length);
        if (!inside)
            CU_FAIL("a result that reaches beyond its bytes was taken");
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(bytes);
    sample_run_free(&run);
}

static void a_broken_pipe_is_told(void)
{
    sample_run run = sample_run_large("pipe", 1000);
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    (void)close(ends[0]);
    CU_ASSERT(!fz_wire_write(ends[1], &run.result, NULL));
    (void)close(ends[1]);
    sample_run_free(&run);
}

int main(void)
{
    static const fz_test tests[] = {
        {"results come back", results_come_back},
        {"a failure comes back", a_failure_comes_back},
        {"damage is refused", damage_is_refused},
        {"counts that do not match", counts_that_do_not_match},
        {"a broken pipe is told", a_broken_pipe_is_told},
    };
    (void)signal(SIGPIPE, SIG_IGN);
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("wire", tests);
    fz_temp_close(&temp);
    return failed;
}
