/* The sum behind a memory prediction, taken apart: for those who fit its constants or explain a figure.
 *
 *   allocated = weights + gradients + optimizer + activations + sum over j of constant[j] x[j]
 *   reserved  = allocated (1 + FRAGMENTATION)
 *   device    = reserved + CONTEXT + COMMUNICATOR groups
 *   unspecified = allocated (1 + UNSPECIFIED) + UNSPECIFIED_CONTEXT
 *
 * Users want frenzy/memory.h. */
#ifndef FRENZY_MEMORY_TERMS_H
#define FRENZY_MEMORY_TERMS_H

#include <frenzy/fitted.h>
#include <frenzy/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What theory does not give. */
typedef enum fz_memory_constant {
    /* Added to the allocated bytes, times a regressor of the same index in fz_memory_terms.x. */
    FZ_MC_LOGITS,     /* bytes the loss keeps of a logit                    x: s b V / t */
    FZ_MC_FUSED_LOSS, /* bytes of a logit more (or less) where it is fused  x: the same */
    FZ_MC_WORK,       /* copies of the widest tensor of a layer             x: bytes of it */
    FZ_MC_GATHER, /* gathered layers, weights or gradients at a time    x: 2 bytes a parameter of a layer */
    FZ_MC_ROOT,   /* the same for embedding and head                    x: 2 bytes a parameter of these */
    FZ_MC_FIXED,  /* GiB that are always there                          x: 2^30 */
    FZ_MC_ACTIVATIONS, /* share by which activations exceed the terms        x: activations */
    FZ_MC_STATES,      /* the same of weights, gradients and optimizer       x: their sum */
    FZ_MC_STEP, /* temporaries of the optimizer step                  x: 2 bytes a trained parameter here */
    FZ_MC_BUCKETS, /* GiB of buckets of a sharded optimizer              x: 2^30 where zero > 0 and data > 1 */
    FZ_MC_N_LINEAR,
    /* On top of the allocated bytes, by metric. */
    FZ_MC_FRAGMENTATION = FZ_MC_N_LINEAR, /* share of the allocated bytes */
    FZ_MC_CONTEXT,                        /* GiB */
    FZ_MC_COMMUNICATOR,                   /* GiB a communicator group */
    FZ_MC_UNSPECIFIED,                    /* share of the allocated bytes */
    FZ_MC_UNSPECIFIED_CONTEXT,            /* GiB */
    FZ_MC_N,
} fz_memory_constant;

typedef struct fz_memory_terms {
    double weights, gradients, optimizer, activations; /* bytes */
    double x[FZ_MC_N_LINEAR];
    double groups;  /* communicator groups of more than one member */
    uint32_t stage; /* from 0 */
} fz_memory_terms;

/* What a framework does in its own way; not fitted. */
typedef struct fz_memory_traits {
    double bf16_gradient; /* bytes a parameter of bf16 mixed training: 2, or 4 where it accumulates in fp32 */
    double fp16_gradient; /* of fp16 mixed training */
    double fp16_extra;    /* fp32 gradients beside the master copy, sharded with it: 4 or 0 */
    double zero3_states; /* bytes a parameter of ZeRO-3 in mixed precision: 18, or 16 with fp32 shards only */
    double fp8_copies;   /* bytes a parameter of 8-bit copies beside the 16-bit weight */
    bool splits_models;  /* has tensor and pipeline parallelism */
    uint8_t zero_most;   /* highest ZeRO stage in common use */
    bool pads_vocab;     /* rows of the embedding are padded to a multiple of 128 t */
    bool unfused_when_deterministic; /* dropout in deterministic mode rules flash attention out */
    bool selects_operators; /* selective recomputation keeps every second matrix product and the attention's
                               output, instead of dropping the attention core */
    bool eager; /* no fused kernels: norms in fp32, rotary and expanded key/value copies, gate products */
} fz_memory_traits;

/* A framework, perhaps in one version line, as users and files name it. */
typedef struct fz_memory_framework {
    const char *name;   /* "megatron-core-dev" */
    const char *family; /* "megatron-core"; a family is a framework of its own name */
    fz_memory_traits traits;
} fz_memory_framework;

/* By name as fz_memory_profile_find() returns it; never NULL: what is not known has the plainest traits. */
FZ_API const fz_memory_framework *fz_memory_framework_of(const char *profile);

/* The compiled-in table (core/src/memory_table.c); classes of residuals are fz_tuning. */
FZ_API fz_fitted_table fz_memory_table(void);

/* The terms of one stage; `run` as in fz_memory_estimate(). */
FZ_API void fz_memory_stage_terms(const fz_training_run *run, const fz_memory_traits *traits, uint32_t stage,
                                  fz_memory_terms *out);

/* The sum, in parts. */
FZ_API double fz_memory_sum(const fz_memory_terms *terms, const double constants[FZ_MC_N],
                            fz_memory_metric metric, fz_memory_parts *parts /* optional */);

/* The fullest stage that run->rank allows, under these constants. Returns its need. */
FZ_API double fz_memory_fullest(const fz_training_run *run, const fz_memory_traits *traits,
                                const double constants[FZ_MC_N], fz_memory_terms *terms);

#ifdef __cplusplus
}
#endif
#endif
