#include <frenzy/arena.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SMALL_ALIGN 16u
#define LARGE_ALIGN 64u
#define LARGE       ((size_t)256 << 10) /* from here on a request gets a block of its own */
#define CHUNK       ((size_t)64 << 10) /* small requests share chunks of this size, twice as large each time */
#define CHUNK_MAX   ((size_t)4 << 20)

/* Every block from the allocator starts with a link, so that all can be given back. */
typedef struct block {
    struct block *next;
} block;

struct fz_arena {
    fz_allocator allocator;
    block *blocks;
    char *free_at; /* rest of the current chunk */
    size_t free_bytes;
    size_t chunk;
    size_t bytes;
};

static void *libc_zalloc(void *context, size_t bytes)
{
    (void)context;
    return calloc(1, bytes);
}

static void libc_free(void *context, void *memory)
{
    (void)context;
    free(memory);
}

fz_arena *fz_arena_new(const fz_allocator *allocator)
{
    fz_allocator from = {.zalloc = libc_zalloc, .free = libc_free};
    if (allocator != NULL)
        from = *allocator;
    fz_arena *arena = from.zalloc(from.context, sizeof(*arena));
    if (arena != NULL) {
        arena->allocator = from;
        arena->chunk = CHUNK;
    }
    return arena;
}

void fz_arena_free(fz_arena *arena)
{
    if (arena == NULL)
        return;
    fz_allocator from = arena->allocator;
    for (block *at = arena->blocks; at != NULL;) {
        block *next = at->next;
        from.free(from.context, at);
        at = next;
    }
    from.free(from.context, arena);
}

/* A fresh block with room for `bytes` at an address that is a multiple of LARGE_ALIGN. */
static char *block_new(fz_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(block) - LARGE_ALIGN)
        return NULL;
    block *fresh = arena->allocator.zalloc(arena->allocator.context, sizeof(block) + LARGE_ALIGN + bytes);
    if (fresh == NULL)
        return NULL;
    fresh->next = arena->blocks;
    arena->blocks = fresh;
    uintptr_t start = (uintptr_t)(fresh + 1);
    return (char *)(fresh + 1) + (LARGE_ALIGN - start % LARGE_ALIGN) % LARGE_ALIGN;
}

static char *chunk_take(fz_arena *arena, size_t bytes)
{
    if (arena->free_bytes < bytes) {
        char *chunk = block_new(arena, arena->chunk > bytes ? arena->chunk : bytes);
        if (chunk == NULL)
            return NULL;
        arena->free_at = chunk;
        arena->free_bytes = arena->chunk > bytes ? arena->chunk : bytes;
        if (arena->chunk < CHUNK_MAX)
            arena->chunk *= 2;
    }
    char *memory = arena->free_at;
    arena->free_at += bytes;
    arena->free_bytes -= bytes;
    return memory;
}

void *fz_arena_alloc(fz_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - SMALL_ALIGN) / size)
        return NULL;
    size_t bytes = count * size > 0 ? count * size : 1;
    bytes = (bytes + SMALL_ALIGN - 1) / SMALL_ALIGN * SMALL_ALIGN;
    char *memory = bytes >= LARGE ? block_new(arena, bytes) : chunk_take(arena, bytes);
    if (memory != NULL)
        arena->bytes += bytes;
    return memory;
}

char *fz_arena_strndup(fz_arena *arena, const char *text, size_t length)
{
    char *copy = FZ_NEW(arena, length + 1, char);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

char *fz_arena_strdup(fz_arena *arena, const char *text)
{
    return fz_arena_strndup(arena, text, strlen(text));
}

size_t fz_arena_bytes(const fz_arena *arena)
{
    return arena->bytes;
}
