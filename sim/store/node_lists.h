/* Node lists of a run, each distinct one once: placements (as varints) -> numbers, by hash in memory. */
#ifndef FRENZY_SIM_STORE_NODE_LISTS_H
#define FRENZY_SIM_STORE_NODE_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/cluster.h>

#include "sim/metrics/result.h"

typedef struct fz_node_lists {
    const uint8_t *places;
    uint64_t places_len;
    uint32_t *slots;   /* open addressing: number + 1 */
    uint64_t *offsets; /* by number: into places */
    uint32_t *lengths; /* by number: bytes */
    uint32_t n_lists, mask;
} fz_node_lists;

/* All zero but places and places_len is an empty set. False when out of memory. */
bool fz_node_lists_number(fz_node_lists *lists, uint32_t place, uint32_t *number);
void fz_node_lists_release(fz_node_lists *lists);

#endif
