/* Running jobs in order of their believed ends, with prefix sums of GPUs: "when are k idle". One for each
 * GPU type.
 *
 * Questions are about the nearest ends, while most jobs end much later, or earlier than believed. So only
 * ends up to a pivot are kept in order, in a search tree (a B+ tree of fan-out 32 that keeps sums); the
 * others lie in a list without order, where adding and removing are O(1). When a question goes beyond the
 * pivot, the nearest part of the list moves into the tree. Every operation is O(log n) in the jobs running
 * on that type, a question in the long run. */
#ifndef FRENZY_SIM_ENGINE_ENDS_H
#define FRENZY_SIM_ENGINE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/units.h>

typedef struct fz_ends_node fz_ends_node;
typedef struct fz_ends_far fz_ends_far;

/* All zero is an empty tree without memory. */
typedef struct fz_ends {
    fz_ends_node *nodes; /* nodes[0] stands for "none" */
    uint32_t capacity;   /* entries */
    uint32_t used;       /* nodes 1 .. used have been in use */
    uint32_t spare;      /* chain of nodes to use again */
    uint32_t root;       /* 0: empty */
    uint32_t height;     /* levels above the leaves */
    fz_time pivot;       /* what ends by then is in the tree, what ends later in `far` */
    fz_ends_far *far;
    uint32_t n_far;
    uint32_t far_sum; /* GPUs */
    uint32_t *at;     /* by slot: place in `far` */
} fz_ends;

/* Room for `capacity` entries with slots below `n_slots`; false when out of memory. */
bool fz_ends_init(fz_ends *ends, fz_arena *arena, uint32_t capacity, uint32_t n_slots);

/* A job ends at `end` and then gives back `gpus` >= 1 GPUs. (end, job) is unique; `slot` is a number that no
 * other entry has, and is given again when the entry is removed. */
void fz_ends_add(fz_ends *ends, uint32_t slot, fz_time end, uint32_t job, uint32_t gpus);
void fz_ends_remove(fz_ends *ends, uint32_t slot, fz_time end, uint32_t job);

/* GPUs of all entries, and of those that end at or before `by`. */
uint32_t fz_ends_total(const fz_ends *ends);
uint32_t fz_ends_by(fz_ends *ends, fz_time by);

/* The earliest end by which at least `gpus` >= 1 GPUs come back; false when that never happens. */
bool fz_ends_when(fz_ends *ends, uint32_t gpus, fz_time *when);

#endif
