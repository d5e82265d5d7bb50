/* Parameters that one GPU holds; see frenzy/memory.h. */
#ifndef FRENZY_MEMORY_WEIGHTS_H
#define FRENZY_MEMORY_WEIGHTS_H

#include <frenzy/memory_terms.h>

/* Elements on one GPU of a stage. Experts are apart: they shard over other ranks. */
typedef struct weights_held {
    double layers;  /* attention, dense MLPs, norms, routers */
    double experts; /* 0 without */
    double ends;    /* embedding, positions, head, final norm, of the first and last stage */
} weights_held;

/* Which layers a stage holds. */
typedef struct stage_layers {
    double dense;   /* with a plain MLP */
    double experts; /* with experts */
} stage_layers;

double memory_padded_vocab(const fz_training_run *run, const fz_memory_traits *traits);
stage_layers memory_stage_layers(const fz_training_run *run, uint32_t stage);
weights_held memory_weights(const fz_training_run *run, const fz_memory_traits *traits, uint32_t stage);
double memory_largest_layer(
    const fz_training_run *run); /* elements of the largest layer on one GPU, ungathered experts */

/* A degree, 0 read as 1. */
static inline double memory_degree(uint32_t degree)
{
    return degree > 0 ? (double)degree : 1;
}

#endif
