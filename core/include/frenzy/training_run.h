/* A training run as the predictors of memory and speed see it: the model, and how its work is split.
 *
 * Plain values, filled by the caller; nothing is owned. */
#ifndef FRENZY_TRAINING_RUN_H
#define FRENZY_TRAINING_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fz_precision {
    FZ_BF16_MIXED, /* bf16 weights, fp32 master copy */
    FZ_FP16_MIXED,
    FZ_FP8_MIXED, /* matrix products in 8 bit, else as bf16 mixed */
    FZ_BF16_TRUE, /* everything in bf16, optimizer too */
    FZ_FP32,
} fz_precision;

typedef enum fz_recompute {
    FZ_RECOMPUTE_NONE,
    FZ_RECOMPUTE_SELECTIVE, /* the attention core */
    FZ_RECOMPUTE_FULL,      /* whole layers, or the first recompute_layers of them */
} fz_recompute;

typedef enum fz_optimizer {
    FZ_ADAM, /* and AdamW: two moments */
    FZ_ADAM_8BIT,
    FZ_MUON, /* one moment for matrices */
    FZ_SGD,  /* no moment */
} fz_optimizer;

typedef enum fz_tuning {
    FZ_TUNE_FULL,    /* every weight is trained: pre-training as well as full fine-tuning */
    FZ_TUNE_ADAPTER, /* LoRA, QLoRA and other adapters: the model's own weights are frozen */
} fz_tuning;

/* What a peak is a peak of. Plans use FZ_METRIC_DEVICE: that is what must fit. */
typedef enum fz_memory_metric {
    FZ_METRIC_ALLOCATED,   /* bytes in live tensors */
    FZ_METRIC_RESERVED,    /* held by the framework's allocator: + fragmentation */
    FZ_METRIC_DEVICE,      /* what the driver reports: + CUDA context and communicators */
    FZ_METRIC_UNSPECIFIED, /* a published figure that does not say */
} fz_memory_metric;

/* Which pipeline stage; both ends are worked out for FZ_RANK_MAX. */
typedef enum fz_memory_rank { FZ_RANK_MAX, FZ_RANK_FIRST, FZ_RANK_LAST } fz_memory_rank;

/* Parts of a layer that selective recomputation drops; none set: the attention core. */
enum {
    FZ_DROP_CORE = 16,
    FZ_DROP_NORMS = 1,
    FZ_DROP_MLP = 2,
    FZ_DROP_EXPERT_ACTIVATION = 4,
    FZ_DROP_LATENT_PROJECTIONS = 8,
};

/* Zero-filled means: unsharded, one micro-batch, plain bf16 mixed. */
typedef struct fz_training_run {
    const fz_model *model;  /* complete */
    uint64_t seq_len;       /* tokens of a sequence, > 0 */
    uint64_t micro_batch;   /* sequences, > 0 */
    uint64_t micro_batches; /* a step has so many for a data parallel rank; 0: enough to fill the pipeline */

    /* Degrees; 0 counts as 1. */
    uint32_t data, tensor, pipeline, context, expert;
    uint32_t expert_tensor;       /* 0: as `tensor` */
    uint32_t virtual_stages;      /* v of interleaved schedules */
    uint32_t optimizer_instances; /* replicas of a sharded optimizer (hybrid sharding) */
    uint8_t zero;                 /* stage 0 to 3 */
    bool sequence_parallel;

    fz_precision precision;
    fz_optimizer optimizer;
    fz_recompute recompute;
    uint32_t recompute_layers; /* with FULL: of each stage only so many; 0: all */
    uint32_t dropped;          /* FZ_DROP_..., with SELECTIVE */
    bool flash_attention;      /* else the s x s matrix is kept */
    bool dropout;              /* masks are kept */
    bool fused_loss;           /* cross entropy in one kernel */
    bool offload_activations;  /* saved layer inputs go to the host */

    uint32_t first_stage_layers, last_stage_layers; /* uneven pipelines; 0: even */
    bool ends_as_layers;     /* embedding and loss each count as a layer in the split */
    uint32_t predict_layers; /* layers of multi-token prediction, on the last stage */

    fz_tuning tuning;
    double trainable;    /* parameters of the adapters; 0: rank 8 on q, k, v and o */
    double frozen_bytes; /* a frozen weight: 2, int8 about 1.05, nf4 0.56, nf4 twice quantised 0.52; 0: 2 */
    bool embeddings_trained; /* with adapters: embedding and head are trained as well */

    const char *profile; /* see fz_memory_profile_find(); NULL: what all frameworks have in common */
    fz_memory_metric metric;
    fz_memory_rank rank;
} fz_training_run;

#ifdef __cplusplus
}
#endif
#endif
