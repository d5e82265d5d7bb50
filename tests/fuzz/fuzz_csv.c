/* Any bytes as a CSV file (plain or gzip): the first byte chooses the options. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/support/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_row(const fz_csv *csv, const fz_csv_field *fields, uint32_t n)
{
    fz_error err;
    for (uint32_t i = 0; i < n; i++) {
        fz_time t = 0;
        double x = 0;
        uint64_t count = 0;
        assert(strlen(fields[i].text) == fields[i].length && fields[i].column > 0);
        if (fz_csv_time(csv, &fields[i], "t", &t, &err) == FZ_OK)
            assert(t >= -FZ_TIME_LIMIT && t <= FZ_TIME_LIMIT);
        else
            assert(err.line >= fz_csv_line(csv) && err.column == fields[i].column);
        (void)fz_csv_number(csv, &fields[i], "x", &x, &err);
        if (fz_csv_count(csv, &fields[i], "n", 1000, &count, &err) == FZ_OK)
            assert(count <= 1000);
    }
}

static void read_file(const char *path, const fz_csv_options *options)
{
    fz_csv *csv = NULL;
    fz_error err = {0};
    const fz_csv_field *fields = NULL;
    uint32_t n = 0, line = 0;
    fz_status status = fz_csv_open(path, options, &csv, &err);
    while (status == FZ_OK && (status = fz_csv_next(csv, &fields, &n, &err)) == FZ_OK && fields != NULL) {
        assert(n > 0 && fz_csv_line(csv) > line && (options->no_header || n == fz_csv_n_columns(csv)));
        line = fz_csv_line(csv);
        read_row(csv, fields, n);
    }
    assert(status == FZ_OK || err.message[0] != '\0');
    fz_csv_close(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    FILE *file = tmpfile();
    if (size == 0 || file == NULL) {
        if (file != NULL)
            (void)fclose(file);
        return 0;
    }
    const fz_csv_options options = {.separator = (data[0] & 1) != 0 ? '\t' : ',',
                                    .no_header = (data[0] & 2) != 0,
                                    .blanks = (data[0] & 4) != 0,
                                    .comment = (data[0] & 8) != 0 ? ';' : '\0'};
    (void)fwrite(data + 1, 1, size - 1, file);
    (void)fflush(file);
    (void)snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    read_file(path, &options);
    (void)fclose(file);
    return 0;
}
