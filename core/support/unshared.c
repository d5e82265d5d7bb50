#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MADV_DONTFORK */

#include "core/support/unshared.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE ((size_t)1 << 16)

void *fz_unshared_new(size_t *size)
{
    *size = (*size + PAGE - 1) / PAGE * PAGE;
    void *block = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
#ifdef MADV_DONTFORK
    madvise(block, *size, MADV_DONTFORK); /* a hint: failing is no harm */
#endif
    return block;
}

void *fz_unshared_grow(void *block, size_t old_size, size_t *size)
{
    void *larger = fz_unshared_new(size);
    if (larger == NULL)
        return NULL;
    if (block != NULL) {
        memcpy(larger, block, old_size < *size ? old_size : *size);
        munmap(block, old_size);
    }
    return larger;
}

void fz_unshared_free(void *block, size_t size)
{
    if (block != NULL)
        munmap(block, size);
}
