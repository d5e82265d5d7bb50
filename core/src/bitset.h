/* Hierarchical bitmap: a set of small numbers with "next member" and "previous member" in a few word
 * operations, whatever its size. Level 0 holds one bit a member; a bit of level k+1 says that the
 * word of level k below it is not empty. Internal to core. */
#ifndef FRENZY_CORE_BITSET_H
#define FRENZY_CORE_BITSET_H

#include <stdbool.h>
#include <stdint.h>

#define FZ_BITSET_LEVELS 6 /* 64^6 > 2^32 */
#define FZ_BITSET_NONE   UINT32_MAX

/* The shape is shared by all sets over the same range; the words are the caller's, zeroed. */
typedef struct fz_bitset_shape {
    uint32_t n_levels;
    uint32_t n_words;                     /* words of one set */
    uint32_t start[FZ_BITSET_LEVELS + 1]; /* first word of each level, and the end */
} fz_bitset_shape;

static inline fz_bitset_shape fz_bitset_shape_for(uint32_t n_bits)
{
    fz_bitset_shape shape = {0};
    uint32_t bits = n_bits > 0 ? n_bits : 1;
    uint32_t words = 0;
    do {
        words = (bits - 1) / 64 + 1;
        shape.n_words += words;
        shape.start[++shape.n_levels] = shape.n_words;
        bits = words;
    } while (words > 1);
    return shape;
}

static inline void fz_bitset_add(const fz_bitset_shape *shape, uint64_t *words, uint32_t bit)
{
    for (uint32_t level = 0; level < shape->n_levels; level++) {
        uint64_t *word = &words[shape->start[level] + bit / 64];
        bool was_empty = *word == 0;
        *word |= (uint64_t)1 << (bit % 64);
        if (!was_empty)
            return;
        bit /= 64;
    }
}

static inline void fz_bitset_remove(const fz_bitset_shape *shape, uint64_t *words, uint32_t bit)
{
    for (uint32_t level = 0; level < shape->n_levels; level++) {
        uint64_t *word = &words[shape->start[level] + bit / 64];
        *word &= ~((uint64_t)1 << (bit % 64));
        if (*word != 0)
            return;
        bit /= 64;
    }
}

static inline bool fz_bitset_empty(const fz_bitset_shape *shape, const uint64_t *words)
{
    return words[shape->n_words - 1] == 0;
}

static inline bool fz_bitset_has(const uint64_t *words, uint32_t bit)
{
    return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

/* The smallest member >= from; FZ_BITSET_NONE if none. */
static inline uint32_t fz_bitset_next(const fz_bitset_shape *shape, const uint64_t *words, uint32_t from)
{
    uint32_t level = 0;
    uint32_t at = from;
    for (;; level++, at = at / 64 + 1) { /* climb until a word has a member at or after `at` */
        if (level == shape->n_levels || at / 64 >= shape->start[level + 1] - shape->start[level])
            return FZ_BITSET_NONE;
        uint64_t word = words[shape->start[level] + at / 64] >> (at % 64);
        if (word != 0) {
            at += (uint32_t)__builtin_ctzll(word);
            break;
        }
    }
    for (; level > 0; level--) /* descend to its first member */
        at = at * 64 + (uint32_t)__builtin_ctzll(words[shape->start[level - 1] + at]);
    return at;
}

/* The largest member < before; FZ_BITSET_NONE if none. `before` may be one past the range. */
static inline uint32_t fz_bitset_prev(const fz_bitset_shape *shape, const uint64_t *words, uint32_t before)
{
    if (before == 0)
        return FZ_BITSET_NONE;
    uint32_t level = 0;
    uint32_t at = before - 1;
    for (;; level++, at = at / 64 - 1) { /* climb until a word has a member at or before `at` */
        uint64_t word = words[shape->start[level] + at / 64] << (63 - at % 64);
        if (word != 0) {
            at -= (uint32_t)__builtin_clzll(word);
            break;
        }
        if (at < 64)
            return FZ_BITSET_NONE;
    }
    for (; level > 0; level--) /* descend to its last member */
        at = at * 64 + 63 - (uint32_t)__builtin_clzll(words[shape->start[level - 1] + at]);
    return at;
}

#endif
