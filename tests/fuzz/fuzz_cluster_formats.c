/* Any bytes as another system's description of a cluster: the first line names the format; a line of ==== begins a second
 * file, as gres.conf is for Slurm. */
#include <assert.h>
#include <stdlib.h>

#include "tests/fuzz/first_line.h"
#include "tests/fuzz/memory_file.h"
#include "workloads/cluster_file.h"
#include "workloads/cluster_formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fz_cluster_format *choose(const uint8_t *data, size_t kept)
{
    uint32_t n = 0;
    const fz_cluster_format *const *all = fz_cluster_formats(&n);
    for (uint32_t i = 0; i < n; i++)
        if (strlen(all[i]->name) + 1 == kept && memcmp(all[i]->name, data, kept - 1) == 0)
            return all[i];
    return all[data[0] % n];
}

/* Where the second file begins; `size` when there is none. *first is the length of the first one. */
static size_t second_file(const uint8_t *data, size_t size, size_t *first)
{
    static const char line[] = "\n====\n";
    for (size_t at = 0; at + sizeof line - 1 <= size; at++) {
        if (memcmp(data + at, line, sizeof line - 1) != 0)
            continue;
        *first = at + 1;
        return at + sizeof line - 1;
    }
    *first = size;
    return size;
}

static void import(const fz_cluster_format *format, const fz_cluster_source *source)
{
    char *text = NULL;
    size_t length = 0;
    fz_error err = {0};
    fz_cluster_file *file = NULL;
    if (fz_cluster_import(format, source, &text, &length, &err) != FZ_OK) {
        assert(err.message[0] != '\0' && err.file[0] != '\0' && err.line > 0 && err.column > 0);
        return;
    }
    assert(fz_cluster_file_parse("again", text, length, &file, &err) == FZ_OK);
    fz_cluster_file_free(file);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t kept = first_line(data, size), first = 0;
    const fz_cluster_format *format = choose(data, kept);
    data += kept;
    size -= kept;
    size_t second = second_file(data, size, &first);
    memory_file files[2] = {memory_file_of(data, first), memory_file_of(data + second, size - second)};
    const char *paths[2] = {files[0].path, files[1].path};
    fz_cluster_source source = {.paths = paths, .n_paths = second < size && format->max_paths > 1 ? 2 : 1};
    import(format, &source);
    memory_file_close(&files[0]);
    memory_file_close(&files[1]);
    return 0;
}
