/* Activations that one GPU keeps between forward and backward pass; see frenzy/memory.h. */
#ifndef FRENZY_MEMORY_ACTIVATIONS_H
#define FRENZY_MEMORY_ACTIVATIONS_H

#include <frenzy/memory_terms.h>

/* Bytes on a stage: kept over all micro-batches in flight, and of one layer that is computed again. */
double memory_activations(const fz_training_run *run, const fz_memory_traits *traits, uint32_t stage);

/* Bytes of the widest tensor that a layer makes. */
double memory_widest_tensor(const fz_training_run *run);

/* Tokens of a micro-batch on one GPU: s b / cp. */
double memory_tokens(const fz_training_run *run);

#endif
