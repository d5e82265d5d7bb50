#include "tests/fuzz/memory_file.h"

memory_file memory_file_of(const uint8_t *bytes, size_t size)
{
    memory_file out = {.file = tmpfile()};
    if (out.file == NULL)
        return out;
    (void)fwrite(bytes, 1, size, out.file);
    (void)fflush(out.file);
    (void)snprintf(out.path, sizeof out.path, "/dev/fd/%d", fileno(out.file));
    return out;
}

void memory_file_close(memory_file *file)
{
    if (file->file != NULL)
        (void)fclose(file->file);
}
