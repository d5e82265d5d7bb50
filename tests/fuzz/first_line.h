/* Inputs whose first line says what the rest is: mutations leave it alone. Include it in one file of a fuzzer. */
#ifndef FRENZY_TESTS_FUZZ_FIRST_LINE_H
#define FRENZY_TESTS_FUZZ_FIRST_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);

/* Bytes up to and with the first line break; 0: there is none near. */
static inline size_t first_line(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, '\n', size < 24 ? size : 24) : NULL;
    return end != NULL ? (size_t)(end - data) + 1 : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    (void)seed;
    size_t kept = first_line(data, size);
    return kept + LLVMFuzzerMutate(data + kept, size - kept, capacity - kept);
}

#endif
