#include "sim/engine/plan_table.h"

#include <string.h>

bool fz_plan_table_init(fz_plan_table *table, fz_arena *arena)
{
    *table = (fz_plan_table){.arena = arena, .capacity = 64, .n_plans = 1};
    table->plans = FZ_NEW(arena, table->capacity, fz_plan);
    return table->plans != NULL;
}

static bool grow(fz_plan_table *table)
{
    fz_plan *larger = FZ_NEW(table->arena, 2 * (size_t)table->capacity, fz_plan);
    if (larger == NULL)
        return false;
    memcpy(larger, table->plans, table->n_plans * sizeof(*larger));
    table->plans = larger;
    table->capacity *= 2;
    return true;
}

/* Shapes are few (divisors of head counts times powers of two), so a search in order will do. */
uint16_t fz_plan_table_id(fz_plan_table *table, const fz_plan *plan)
{
    if (plan->tensor == 0)
        return 0;
    if (table->last != 0 && fz_plan_same_shape(&table->plans[table->last], plan))
        return table->last;
    for (uint16_t i = 1; i < table->n_plans; i++)
        if (fz_plan_same_shape(&table->plans[i], plan))
            return table->last = i;
    if (table->n_plans == FZ_NO_PLAN_ID || (table->n_plans == table->capacity && !grow(table)))
        return FZ_NO_PLAN_ID;
    table->plans[table->n_plans] = *plan;
    return table->last = table->n_plans++;
}
