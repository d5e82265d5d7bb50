/* Running jobs in order of their believed ends, with prefix sums of GPUs: "when are k idle". One search
 * tree for each GPU type (a B+ tree of fan-out 32 that keeps sums); every operation is O(log n) in the jobs
 * running on that type, and touches few cache lines.
 *
 * Many jobs start and end without anybody asking: new entries wait in a list, in O(1), and only a
 * question (or a full list) moves them into the tree. */
#ifndef FRENZY_SIM_ENGINE_ENDS_H
#define FRENZY_SIM_ENGINE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/units.h>

typedef struct fz_ends_node fz_ends_node;
typedef struct fz_ends_fresh fz_ends_fresh;

/* All zero is an empty tree without memory. */
typedef struct fz_ends {
    fz_ends_node *nodes;  /* nodes[0] stands for "none" */
    uint32_t capacity;    /* entries */
    uint32_t used;        /* nodes 1 .. used have been in use */
    uint32_t spare;       /* chain of nodes to use again */
    uint32_t root;        /* 0: empty */
    uint32_t height;      /* levels above the leaves */
    fz_ends_fresh *fresh; /* entries that are not in the tree yet; without GPUs: removed again */
    uint32_t n_fresh;
    uint32_t round; /* how often the list was emptied */
} fz_ends;

/* Says where an entry is, until it is removed. */
typedef struct fz_ends_handle {
    uint32_t round;
    uint32_t at;
} fz_ends_handle;

/* Room for `capacity` entries; false when out of memory. */
bool fz_ends_init(fz_ends *ends, fz_arena *arena, uint32_t capacity);

/* A job ends at `end` and then gives back `gpus` >= 1 GPUs. (end, job) is unique. */
fz_ends_handle fz_ends_add(fz_ends *ends, fz_time end, uint32_t job, uint32_t gpus);
void fz_ends_remove(fz_ends *ends, fz_ends_handle handle, fz_time end, uint32_t job);

/* The same for whoever cannot keep a handle: straight into the tree, removed with fz_ends_settled. */
void fz_ends_add_settled(fz_ends *ends, fz_time end, uint32_t job, uint32_t gpus);
static const fz_ends_handle fz_ends_settled = {.round = UINT32_MAX};

/* GPUs of all entries, and of those that end at or before `by`. */
uint32_t fz_ends_total(fz_ends *ends);
uint32_t fz_ends_by(fz_ends *ends, fz_time by);

/* The earliest end by which at least `gpus` >= 1 GPUs come back; false when that never happens. */
bool fz_ends_when(fz_ends *ends, uint32_t gpus, fz_time *when);

#endif
