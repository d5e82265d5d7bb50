#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE */

#include "core/support/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* In front of every block: what the system was asked for; 0: calloc. */
typedef struct header {
    void *start;
    size_t mapped;
} header;

static void *small_block(size_t bytes)
{
    header *front = calloc(1, sizeof(header) + bytes);
    if (front == NULL)
        return NULL;
    front->start = front;
    return front + 1;
}

/* Maps one huge page more than needed, so that the block can start at the border of one. */
static void *large_block(size_t bytes)
{
    size_t mapped = (bytes + sizeof(header) + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    char *border = (char *)start + (HUGE_PAGE - (uintptr_t)start % HUGE_PAGE) % HUGE_PAGE;
#ifdef MADV_HUGEPAGE
    madvise(border, mapped - (size_t)(border - (char *)start),
            MADV_HUGEPAGE); /* a hint: failing is no harm */
#endif
    header *front = (header *)(void *)border;
    *front = (header){.start = start, .mapped = mapped};
    return front + 1;
}

static void *pages_zalloc(void *context, size_t bytes)
{
    (void)context;
    if (bytes > SIZE_MAX - 4 * HUGE_PAGE)
        return NULL;
    return bytes < HUGE_PAGE ? small_block(bytes) : large_block(bytes);
}

static void pages_free(void *context, void *block)
{
    (void)context;
    const header *front = (const header *)block - 1;
    if (front->mapped > 0)
        munmap(front->start, front->mapped);
    else
        free(front->start);
}

const fz_allocator *fz_pages_allocator(void)
{
    static const fz_allocator allocator = {.zalloc = pages_zalloc, .free = pages_free};
    return &allocator;
}
