/* Any bytes as a foreign trace: the first line names the format (else the first byte chooses one), the rest is the
 * file. Only the rest is changed, so that a corpus of one format stays one. */
#include "tests/fuzz/first_line.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/trace_sane.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fz_trace_format *choose(const uint8_t *data, size_t size, size_t *rest)
{
    uint32_t n = 0;
    const fz_trace_format *const *all = fz_trace_formats(&n);
    const uint8_t *end = memchr(data, '\n', size < 24 ? size : 24);
    size_t length = end != NULL ? (size_t)(end - data) : 0;
    *rest = end != NULL ? length + 1 : 1;
    for (uint32_t i = 0; i < n; i++)
        if (strlen(all[i]->name) == length && memcmp(all[i]->name, data, length) == 0)
            return all[i];
    return all[data[0] % n];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_trace *trace = NULL;
    fz_trace_report report;
    fz_error err = {0};
    size_t rest = 0;
    if (size < 2)
        return 0;
    const fz_trace_format *format = choose(data, size, &rest);
    (void)format->probe((const char *)data + rest, size - rest);
    fz_import_options how = {.bad_rows = (fz_bad_rows)(size & 3), .cpu_jobs = (size & 4) != 0};
    memory_file file = memory_file_of(data + rest, size - rest);
    if (format->read(file.path, &how, &trace, &report, &err) == FZ_OK) {
        report_sane(trace, &report);
        trace_sane(trace);
        fz_trace_free(trace);
    } else {
        assert(err.message[0] != '\0');
    }
    memory_file_close(&file);
    return 0;
}
