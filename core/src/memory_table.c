/* Written by scripts/fit-memory; do not edit. */
#include <frenzy/memory_terms.h>

static const fz_memory_node nodes[] = {
    {.name = "all"},
};

const fz_memory_node *fz_memory_table(uint32_t *count)
{
    *count = sizeof nodes / sizeof nodes[0];
    return nodes;
}
