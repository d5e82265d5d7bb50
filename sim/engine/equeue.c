#include "sim/engine/equeue.h"

#include <stdlib.h>
#include <string.h>

#define ROOT 3u /* entry i has the children 4 (i - 2) .. 4 (i - 2) + 3: groups of four at multiples of 4 */

static uint32_t children_of(uint32_t entry)
{
    return 4 * (entry - 2);
}

static uint32_t parent_of(uint32_t entry)
{
    return entry / 4 + 2;
}

void fz_equeue_init(fz_equeue *queue)
{
    *queue = (fz_equeue){0};
}

void fz_equeue_release(fz_equeue *queue)
{
    free(queue->block);
    fz_equeue_init(queue);
}

/* Room for `capacity` events and a full group of siblings behind them, aligned to a cache line. */
static bool grow(fz_equeue *queue)
{
    uint32_t capacity = queue->capacity > 0 ? 2 * queue->capacity : 1024;
    size_t entries = (size_t)capacity + ROOT + 4;
    char *block = malloc(entries * sizeof(fz_event_key) + 64);
    if (block == NULL)
        return false;
    fz_event_key *heap = (fz_event_key *)(void *)(block + (64 - (uintptr_t)block % 64) % 64);
    memset(heap, 0xff, entries * sizeof(fz_event_key));
    if (queue->size > 0)
        memcpy(heap + ROOT, queue->heap + ROOT, queue->size * sizeof(fz_event_key));
    free(queue->block);
    queue->block = block;
    queue->heap = heap;
    queue->capacity = capacity;
    return true;
}

bool fz_equeue_push(fz_equeue *queue, fz_event_key key)
{
    if (queue->size == queue->capacity && !grow(queue))
        return false;
    uint32_t at = ROOT + queue->size++;
    fz_event_key *heap = queue->heap;
    while (at > ROOT && key < heap[parent_of(at)]) {
        heap[at] = heap[parent_of(at)];
        at = parent_of(at);
    }
    heap[at] = key;
    return true;
}

/* The smallest of four siblings, without branches. */
static uint32_t smallest(const fz_event_key *heap, uint32_t group)
{
    uint32_t a = group + (heap[group + 1] < heap[group]);
    uint32_t b = group + 2 + (heap[group + 3] < heap[group + 2]);
    return heap[b] < heap[a] ? b : a;
}

void fz_equeue_pop(fz_equeue *queue)
{
    fz_event_key *heap = queue->heap;
    uint32_t last = ROOT + --queue->size;
    fz_event_key key = heap[last];
    heap[last] = ~(fz_event_key)0;
    if (queue->size == 0)
        return;
    uint32_t at = ROOT;
    for (uint32_t group = children_of(at); group < last; group = children_of(at)) {
        uint32_t child = smallest(heap, group);
        if (key <= heap[child])
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = key;
}

bool fz_equeue_check(const fz_equeue *queue)
{
    for (uint32_t i = 1; i < queue->size; i++)
        if (queue->heap[ROOT + i] < queue->heap[parent_of(ROOT + i)])
            return false;
    for (uint32_t i = queue->size; i < queue->capacity; i++)
        if (queue->heap[ROOT + i] != ~(fz_event_key)0)
            return false;
    return true;
}
