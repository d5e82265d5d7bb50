/* Peak memory of one GPU of a training run, from the model's architecture and how the work is split.
 *
 * Two estimators: the published formula (frenzy/marp.h), right for plain tensor parallelism only, and the
 * analytic one of this page, which knows ZeRO, pipeline stages, recomputation, flash attention, grouped
 * queries, mixtures of experts, latent attention and adapters.
 *
 * A prediction is a sum of terms that theory gives (weights, gradients, optimizer, activations) and of a few
 * that it does not (what the loss keeps, work buffers, what the allocator wastes, the CUDA context,
 * communicators). The constants of the latter depend on the framework, and are fitted to measured runs
 * (scripts/fit-memory); each framework profile falls back to its family, and that to all. Every
 * prediction has an interval: quantiles of the residuals of runs that the fit had not seen.
 *
 * Sources of the terms: Korthikanti et al. 2022 (arXiv 2205.05198) for activations, tensor and sequence
 * parallelism and recomputation; Rajbhandari et al. 2020 (arXiv 1910.02054) for ZeRO; Narayanan et al. 2021
 * (arXiv 2104.04473) for pipeline schedules; Dettmers et al. 2023 (arXiv 2305.14314) for quantised weights.
 * Pure functions, thread-safe. Bytes throughout, as doubles. */
#ifndef FRENZY_MEMORY_H
#define FRENZY_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/export.h>
#include <frenzy/model.h>
#include <frenzy/status.h>

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

/* A training run as its memory sees it. Zero-filled means: unsharded, one micro-batch, plain bf16 mixed. */
typedef struct fz_memory_run {
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
} fz_memory_run;

typedef struct fz_memory_parts {
    double weights, gradients, optimizer, activations;
    double logits;        /* what the loss keeps */
    double buffers;       /* gathered weights, work space, and what is always there */
    double context;       /* CUDA context and communicators; DEVICE only */
    double fragmentation; /* reserved by the allocator, not in use; not in ALLOCATED */
} fz_memory_parts;

typedef struct fz_memory {
    fz_memory_parts parts; /* they add up to `need` */
    double need;           /* bytes on the fullest GPU */
    double lo, hi;         /* interval of the asked confidence */
    uint32_t stage;        /* pipeline stage of that GPU, from 0 */
} fz_memory;

/* FZ_EINVAL names a field out of its range: degrees that do not divide heads, layers or experts, ...
 * `confidence` is the interval's, 0.5 to 0.98 (usual: 0.9). */
FZ_API fz_status fz_memory_estimate(const fz_memory_run *run, double confidence, fz_memory *out,
                                    fz_error *err);

/* The profile for what a user calls his framework ("megatron-core", "Megatron-Core dev", "llm-foundry/Composer
 * FSDP", ...), letter case ignored: the nearest name; NULL when none is near. */
FZ_API const char *fz_memory_profile_find(const char *framework);
/* The profiles' names, NULL past the last. */
FZ_API const char *fz_memory_profile_name(uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
