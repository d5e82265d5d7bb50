#include "sim/store/node_lists.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the placement at `at`: one varint, then two for each part. */
static uint32_t place_length(const uint8_t *at)
{
    const uint8_t *end = at;
    uint32_t parts = 0;
    uint32_t shift = 0;
    for (; (*end & 0x80) != 0; end++, shift += 7)
        parts |= (uint32_t)(*end & 0x7f) << shift;
    parts |= (uint32_t)*end++ << shift;
    for (uint64_t left = 2 * (uint64_t)parts; left > 0; end++)
        left -= (*end & 0x80) == 0;
    return (uint32_t)(end - at);
}

static uint32_t hash_of(const uint8_t *bytes, uint32_t length)
{
    uint64_t hash = length;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t *slot_of(const fz_node_lists *lists, const uint8_t *bytes, uint32_t length)
{
    uint32_t at = hash_of(bytes, length) & lists->mask;
    for (; lists->slots[at] != 0; at = (at + 1) & lists->mask) {
        uint32_t number = lists->slots[at] - 1;
        if (lists->lengths[number] == length &&
            memcmp(lists->places + lists->offsets[number], bytes, length) == 0)
            break;
    }
    return &lists->slots[at];
}

static bool grow(fz_node_lists *lists)
{
    uint32_t n_slots = lists->slots == NULL ? 4096 : 2 * (lists->mask + 1);
    uint32_t *slots = calloc(n_slots, sizeof(*slots));
    uint64_t *offsets = realloc(lists->offsets, n_slots / 2 * sizeof(*offsets));
    if (offsets != NULL)
        lists->offsets = offsets;
    uint32_t *lengths = realloc(lists->lengths, n_slots / 2 * sizeof(*lengths));
    if (lengths != NULL)
        lists->lengths = lengths;
    if (slots == NULL || offsets == NULL || lengths == NULL) {
        free(slots);
        return false;
    }
    free(lists->slots);
    lists->slots = slots;
    lists->mask = n_slots - 1;
    for (uint32_t i = 0; i < lists->n_lists; i++)
        *slot_of(lists, lists->places + lists->offsets[i], lists->lengths[i]) = i + 1;
    return true;
}

bool fz_node_lists_number(fz_node_lists *lists, uint32_t place, uint32_t *number)
{
    if ((lists->slots == NULL || lists->n_lists == (lists->mask + 1) / 2) && !grow(lists))
        return false;
    uint32_t length = place_length(lists->places + place);
    uint32_t *slot = slot_of(lists, lists->places + place, length);
    if (*slot == 0) {
        lists->offsets[lists->n_lists] = place;
        lists->lengths[lists->n_lists] = length;
        *slot = ++lists->n_lists;
    }
    *number = *slot - 1;
    return true;
}

void fz_node_lists_release(fz_node_lists *lists)
{
    free(lists->slots);
    free(lists->offsets);
    free(lists->lengths);
    *lists = (fz_node_lists){0};
}
