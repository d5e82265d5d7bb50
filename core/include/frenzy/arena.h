/* Arena: memory by lifetime. All that lives as long as a run (a trace, a cluster) comes from one
 * arena and goes with it in one call; nothing is freed singly.
 *
 * Blocks are zeroed and aligned to 64 bytes for large, 16 bytes for small requests. Large requests
 * come straight from the allocator as untouched zero pages, so a big table costs only what is used.
 * Not thread-safe: one arena has one owner. */
#ifndef FRENZY_ARENA_H
#define FRENZY_ARENA_H

#include <stddef.h>

#include <frenzy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fz_arena fz_arena;

/* Where an arena gets its memory. `zalloc` returns zeroed memory or NULL. */
typedef struct fz_allocator {
    void *(*zalloc)(void *context, size_t bytes);
    void (*free)(void *context, void *block);
    void *context;
} fz_allocator;

/* NULL allocator: calloc and free. The allocator is copied; its context must outlive the arena. Returns
 * NULL when out of memory. */
FZ_API fz_arena *fz_arena_new(const fz_allocator *allocator);
FZ_API void fz_arena_free(fz_arena *arena); /* NULL is allowed */

/* `count` zeroed objects of `size` bytes; NULL when out of memory or when count * size overflows.
 * A request for 0 bytes gives a valid pointer. Owned by the arena. */
FZ_API void *fz_arena_alloc(fz_arena *arena, size_t count, size_t size);

/* A copy of `text` (or of its first `length` bytes) with a terminating zero; NULL when out of memory. */
FZ_API char *fz_arena_strdup(fz_arena *arena, const char *text);
FZ_API char *fz_arena_strndup(fz_arena *arena, const char *text, size_t length);

/* Bytes handed out so far, for reports of memory use. */
FZ_API size_t fz_arena_bytes(const fz_arena *arena);

/* Typed form: FZ_NEW(arena, n, fz_plan) is n zeroed plans. */
#define FZ_NEW(arena, count, type) ((type *)fz_arena_alloc((arena), (count), sizeof(type)))

#ifdef __cplusplus
}
#endif
#endif
