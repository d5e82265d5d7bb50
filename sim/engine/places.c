#include "sim/engine/places.h"

#include <string.h>

#define TYPICAL_BYTES 16u
#define BYTES_OF_PART 10u /* two varints of at most 5 bytes */

bool fz_places_init(fz_places *places, fz_arena *arena, uint32_t n_jobs)
{
    *places = (fz_places){.arena = arena, .capacity = TYPICAL_BYTES * (uint64_t)n_jobs + 4096};
    places->bytes = FZ_NEW(arena, places->capacity, uint8_t);
    return places->bytes != NULL;
}

static bool reserve(fz_places *places, uint64_t bytes)
{
    if (places->length + bytes <= places->capacity)
        return true;
    uint64_t capacity = 2 * places->capacity + bytes;
    uint8_t *larger = FZ_NEW(places->arena, capacity, uint8_t);
    if (larger == NULL)
        return false;
    memcpy(larger, places->bytes, places->length);
    places->bytes = larger;
    places->capacity = capacity;
    return true;
}

uint32_t fz_places_append(fz_places *places, fz_placement *where)
{
    if (places->length >= FZ_NO_PLACE || !reserve(places, BYTES_OF_PART * ((uint64_t)where->n_parts + 1)))
        return FZ_NO_PLACE;
    uint32_t at = (uint32_t)places->length;
    places->length += fz_places_write(places->bytes + at, where);
    return at;
}
