/* Bytes of weights, gradients and optimizer on one GPU; see frenzy/memory.h. */
#ifndef FRENZY_MEMORY_STATES_H
#define FRENZY_MEMORY_STATES_H

#include "memory_weights.h"

typedef struct state_bytes {
    double weights, gradients, optimizer;
    double trained; /* elements trained on this GPU, before sharding over data parallel ranks */
} state_bytes;

state_bytes memory_states(const fz_training_run *run, const fz_memory_traits *traits, weights_held held);

#endif
