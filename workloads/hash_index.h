/* Finding rows and texts by what they hold: open addressing over 64-bit slots, linear probing, at most half
 * full. The index keeps numbers and hashes only; whoever uses it compares the things themselves. */
#ifndef FRENZY_WORKLOADS_HASH_INDEX_H
#define FRENZY_WORKLOADS_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fz_hash_index { /* all zero: empty */
    uint64_t *slots;           /* upper half: of the hash; lower half: value + 1; 0: free */
    uint64_t capacity;         /* a power of two, or 0 */
    uint64_t used;
} fz_hash_index;

uint64_t fz_hash_bytes(const void *bytes, size_t length);

/* Adds a value (below UINT32_MAX), even if there is an equal one. False: out of memory. */
bool fz_hash_index_add(fz_hash_index *index, uint64_t hash, uint32_t value);
void fz_hash_index_release(fz_hash_index *index);

/* Goes through the values that may belong to a hash: start with *step = 0; false when there are no more. */
static inline bool fz_hash_index_next(const fz_hash_index *index, uint64_t hash, uint64_t *step,
                                      uint32_t *value)
{
    while (index->capacity > 0) {
        uint64_t slot = index->slots[((hash >> 32) + *step) & (index->capacity - 1)];
        if (slot == 0)
            return false;
        ++*step;
        if (slot >> 32 == hash >> 32) {
            *value = (uint32_t)slot - 1;
            return true;
        }
    }
    return false;
}

#endif
