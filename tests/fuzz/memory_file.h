/* Bytes as a file with a path, for readers that open one. */
#ifndef FRENZY_TESTS_FUZZ_MEMORY_FILE_H
#define FRENZY_TESTS_FUZZ_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct memory_file {
    FILE *file;
    char path[32];
} memory_file;

/* path is "" when there is no room for a temporary file. */
memory_file memory_file_of(const uint8_t *bytes, size_t size);
void memory_file_close(memory_file *file);

#endif
