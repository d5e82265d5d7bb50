/* The distinct plans of a run, by shape, numbered in order of first use; 0 is the opaque one. */
#ifndef FRENZY_SIM_ENGINE_PLAN_TABLE_H
#define FRENZY_SIM_ENGINE_PLAN_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/plan.h>

typedef struct fz_plan_table {
    fz_arena *arena;
    fz_plan *plans;
    uint32_t capacity;
    uint16_t n_plans;
    uint16_t last; /* found last: runs of equal plans are common */
} fz_plan_table;

#define FZ_NO_PLAN_ID UINT16_MAX

bool fz_plan_table_init(fz_plan_table *table, fz_arena *arena);

/* The number of a plan's shape, added if new; FZ_NO_PLAN_ID when out of memory, or after 65,534. */
uint16_t fz_plan_table_id(fz_plan_table *table, const fz_plan *plan);

#endif
