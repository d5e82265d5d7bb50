/* Running jobs in order of their believed ends, with prefix sums of GPUs: "when are k idle". One search
 * tree (a treap whose priorities are hashes of the job's row, so its shape is a function of its
 * contents) for each GPU type; every operation is O(log n) in the jobs running on that type. */
#ifndef FRENZY_SIM_ENGINE_ENDS_H
#define FRENZY_SIM_ENGINE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/units.h>

typedef struct fz_ends_node fz_ends_node;

/* All zero is an empty tree without memory. */
typedef struct fz_ends {
    fz_ends_node *nodes; /* nodes[0] stands for "none" */
    uint32_t capacity;
    uint32_t used;  /* nodes 1 .. used have been in use */
    uint32_t spare; /* chain of nodes to use again */
    uint32_t root;
} fz_ends;

/* Room for `capacity` entries; false when out of memory. */
bool fz_ends_init(fz_ends *ends, fz_arena *arena, uint32_t capacity);

/* A job ends at `end` and then gives back `gpus` GPUs. (end, job) is unique. */
void fz_ends_add(fz_ends *ends, fz_time end, uint32_t job, uint32_t gpus);
void fz_ends_remove(fz_ends *ends, fz_time end, uint32_t job); /* must be there */

/* GPUs of all entries, and of those that end at or before `by`. */
uint32_t fz_ends_total(const fz_ends *ends);
uint32_t fz_ends_by(const fz_ends *ends, fz_time by);

/* The earliest end by which at least `gpus` >= 1 GPUs come back; false when that never happens. */
bool fz_ends_when(const fz_ends *ends, uint32_t gpus, fz_time *when);

#endif
