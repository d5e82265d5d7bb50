/* Which models users train, and how: the table behind fz_generate_llm(). */
#ifndef FRENZY_WORKLOADS_GENERATE_MIX_H
#define FRENZY_WORKLOADS_GENERATE_MIX_H

#include <stdint.h>

typedef struct fz_mix_model {
    const char *name;     /* of a bundled model */
    double params;        /* published count */
    uint32_t weight;      /* in 100 */
    uint32_t seq_lens[3]; /* drawn evenly */
    uint32_t batches[3];  /* likewise */
} fz_mix_model;

extern const fz_mix_model fz_mix_models[];
extern const uint32_t fz_mix_n_models;

#endif
