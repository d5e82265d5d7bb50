/* Event queue: a 4-ary implicit heap of 16-byte events. An event is one 128-bit number, so that "which
 * comes first" is one comparison without branches:
 *
 *     time (64 bits) | class (8) | row (32) | attempt (24)
 *
 * Row and attempt are the sequence: simultaneous events of one class come in the order of the trace,
 * and an event of an attempt that has ended since can be told from a live one. Arrivals do not pass
 * through here: they come from a cursor over the sorted trace.
 *
 * Invariant Q1: no entry is smaller than its parent. Q2: unused entries are all ones, so that the last
 * group of siblings is compared like any other. */
#ifndef FRENZY_SIM_ENGINE_EQUEUE_H
#define FRENZY_SIM_ENGINE_EQUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/units.h>

__extension__ typedef unsigned __int128 fz_event_key;

typedef struct fz_equeue {
    fz_event_key *heap; /* heap[3] is the root, so that the children of any entry share a cache line */
    uint32_t size;
    uint32_t capacity;
    void *block; /* what to free */
} fz_equeue;

#define FZ_EVENT_ATTEMPT_MASK 0xffffffu

static inline fz_event_key fz_event_key_make(fz_time time, uint32_t class, uint32_t row, uint32_t attempt)
{
    uint64_t low = (uint64_t) class << 56 | (uint64_t)row << 24 | (attempt & FZ_EVENT_ATTEMPT_MASK);
    return (fz_event_key)(uint64_t)time << 64 | low; /* times are >= 0 */
}

static inline fz_time fz_event_key_time(fz_event_key key)
{
    return (fz_time)(uint64_t)(key >> 64);
}

static inline uint32_t fz_event_key_class(fz_event_key key)
{
    return (uint32_t)((uint64_t)key >> 56);
}

static inline uint32_t fz_event_key_row(fz_event_key key)
{
    return (uint32_t)((uint64_t)key >> 24);
}

static inline uint32_t fz_event_key_attempt(fz_event_key key)
{
    return (uint32_t)(uint64_t)key & FZ_EVENT_ATTEMPT_MASK;
}

void fz_equeue_init(fz_equeue *queue); /* all zero would do: no memory yet */
void fz_equeue_release(fz_equeue *queue);

bool fz_equeue_push(fz_equeue *queue, fz_event_key key); /* false: out of memory, nothing changed */

static inline bool fz_equeue_empty(const fz_equeue *queue)
{
    return queue->size == 0;
}

static inline fz_event_key fz_equeue_top(const fz_equeue *queue)
{
    return queue->heap[3];
}

void fz_equeue_pop(fz_equeue *queue);

/* The events of which one comes after the top: at most four; returns how many. */
static inline uint32_t fz_equeue_second(const fz_equeue *queue, fz_event_key candidates[4])
{
    uint32_t n = queue->size > 5 ? 4 : queue->size > 0 ? queue->size - 1 : 0;
    for (uint32_t i = 0; i < n; i++)
        candidates[i] = queue->heap[4 + i];
    return n;
}

bool fz_equeue_check(const fz_equeue *queue); /* Q1 and Q2, O(n): tests */

#endif
