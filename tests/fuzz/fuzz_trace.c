/* Any bytes as a frenzy trace; the first byte chooses the policy. What was read can be written, and reading that again
 * gives the same bytes; operations on it keep it sane. */
#include <stdlib.h>
#include <unistd.h>

#include "core/support/input.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/trace_sane.h"
#include "workloads/ops/change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes that writing gives; free() them. */
static char *written(const fz_trace *trace, const char *path, size_t *length)
{
    char *text = NULL;
    assert(fz_trace_write(trace, path, NULL) == FZ_OK);
    assert(fz_input_slurp(path, 64 << 20, &text, length, NULL, NULL) == FZ_OK);
    return text;
}

static void round_trip(const fz_trace *trace)
{
    char path[64];
    size_t n = 0, m = 0;
    fz_trace *again = NULL;
    fz_error err = {0};
    fz_import_options how = {.bad_rows = FZ_BAD_ROWS_FAIL, .cpu_jobs = true};
    /* In memory: what is written is flushed to the disk. */
    (void)snprintf(path, sizeof path, "%s/fuzz_trace.%ld.csv",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    char *first = written(trace, path, &n);
    fz_status status = fz_trace_read_with(path, &how, &again, NULL, &err);
    if (status != FZ_OK)
        (void)fprintf(stderr, "%u:%u: %s\n%.2000s\n", err.line, err.column, err.message, first);
    assert(status == FZ_OK);
    char *second = written(again, path, &m);
    assert(n == m && memcmp(first, second, n) == 0);
    (void)remove(path);
    free(first);
    free(second);
    fz_trace_free(again);
}

static void change(const fz_trace *trace)
{
    fz_trace *out = NULL;
    fz_gpu_rename pair = {.from = "T4", .to = "A100"};
    static const char *const conditions[] = {"gpus>=2"};
    if (fz_trace_cut(trace, &(fz_cut){.from = 1, .to = FZ_TIME_MAX, .zero = true}, &out, NULL) == FZ_OK)
        trace_sane(out), fz_trace_free(out);
    if (fz_trace_scale(trace, 0.37, &out, NULL) == FZ_OK)
        trace_sane(out), fz_trace_free(out);
    if (fz_trace_filter(trace, conditions, 1, &out, NULL) == FZ_OK)
        trace_sane(out), fz_trace_free(out);
    fz_sample sample = {.jobs = (trace->n_jobs + 1) / 2, .by_size = true, .by_vc = true};
    assert(fz_trace_sample(trace, &sample, &out, NULL) == FZ_OK && out->n_jobs == sample.jobs);
    fz_trace_free(out);
    assert(fz_trace_map_gpus(trace, &pair, 1, &out, NULL) == FZ_OK && out->n_jobs == trace->n_jobs);
    fz_trace_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_trace *trace = NULL;
    fz_trace_report report;
    fz_error err = {0};
    if (size == 0)
        return 0;
    fz_import_options how = {
        .bad_rows = (fz_bad_rows)(data[0] & 3), .cpu_jobs = (data[0] & 4) != 0, .lines = true};
    memory_file file = memory_file_of(data + 1, size - 1);
    if (fz_trace_read_with(file.path, &how, &trace, &report, &err) == FZ_OK) {
        report_sane(trace, &report);
        trace_sane(trace);
        round_trip(trace);
        change(trace);
        fz_trace_free(trace);
    } else {
        assert(err.message[0] != '\0');
    }
    memory_file_close(&file);
    return 0;
}
