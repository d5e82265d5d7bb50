#include "workloads/hash_index.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

uint64_t fz_hash_bytes(const void *bytes, size_t length)
{
    const char *at = bytes;
    uint64_t hash = length, word = 0;
    for (; length >= sizeof word; at += sizeof word, length -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    for (size_t i = 0; i < length; i++)
        word = word << 8 | (unsigned char)at[i];
    return mix(mix(hash, word), 0);
}

static void put(uint64_t *slots, uint64_t capacity, uint64_t slot)
{
    uint64_t at = slot >> 32;
    while (slots[at & (capacity - 1)] != 0)
        at++;
    slots[at & (capacity - 1)] = slot;
}

static bool grow(fz_hash_index *index)
{
    uint64_t capacity = index->capacity > 0 ? 2 * index->capacity : FIRST_CAPACITY;
    uint64_t *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    for (uint64_t i = 0; i < index->capacity; i++)
        if (index->slots[i] != 0)
            put(slots, capacity, index->slots[i]);
    free(index->slots);
    index->slots = slots;
    index->capacity = capacity;
    return true;
}

bool fz_hash_index_add(fz_hash_index *index, uint64_t hash, uint32_t value)
{
    if (2 * (index->used + 1) > index->capacity && !grow(index))
        return false;
    put(index->slots, index->capacity, (hash >> 32) << 32 | (value + 1));
    index->used++;
    return true;
}

void fz_hash_index_release(fz_hash_index *index)
{
    free(index->slots);
    *index = (fz_hash_index){0};
}
