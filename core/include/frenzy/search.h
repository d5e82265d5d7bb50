/* Plan search: every way to run a training job that fits, ranked.
 *
 * Searched are the data, tensor and pipeline degrees that divide the batch, the heads and the layers, the ZeRO
 * stage, recomputation, and the micro-batch; what the caller fixes is not searched. Experts are dealt out over the
 * largest number of data parallel ranks that divides them. Tensor parallelism stays inside
 * a node unless asked. Memory is the analytic estimate (frenzy/memory.h) as the driver will show it: a plan fits a GPU type
 * when the upper end of its interval does. Time is that of frenzy/step.h. For every GPU type and number of GPUs the fastest plan is kept.
 *
 * Pure functions, thread-safe; no allocation. */
#ifndef FRENZY_SEARCH_H
#define FRENZY_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#include <frenzy/gpu.h>
#include <frenzy/memory.h>
#include <frenzy/plan.h>
#include <frenzy/status.h>
#include <frenzy/training_run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What comes first; ties go to fewer GPUs, then less memory, then the GPU type's order. */
typedef enum fz_search_rank {
    FZ_SEARCH_EFFICIENT,   /* fewest GPU-seconds a step */
    FZ_SEARCH_FEWEST_GPUS, /* then the fastest */
    FZ_SEARCH_FASTEST,     /* shortest step */
    FZ_SEARCH_CHEAPEST,    /* lowest price a step; types without a price come last */
} fz_search_rank;

#define FZ_SEARCH_ANY (-1)

typedef struct fz_search {
    /* The job: model, seq_len, precision, optimizer, tuning, profile, ... Degrees, ZeRO stage, micro-batch,
     * recomputation and metric in it are not looked at. */
    fz_training_run job;
    uint64_t global_batch; /* sequences a step, > 0 */
    int zero;              /* 0 to 3, or FZ_SEARCH_ANY */
    int recompute;         /* a fz_recompute, or FZ_SEARCH_ANY */
    uint64_t micro_batch;  /* 0: any */
    uint32_t
        exact_gpus;    /* plans on so many only, whose data degree need not divide the batch; 0: any number */
    uint32_t max_gpus; /* of a plan, 1 to FZ_SEARCH_MAX_GPUS */
    double confidence; /* of the memory interval, 0.5 to 0.98; usual: 0.9 */
    fz_search_rank rank;
} fz_search;

#define FZ_SEARCH_MAX_GPUS 4096u

/* A GPU type to plan for. */
typedef struct fz_search_type {
    const fz_gpu_type *gpu;
    uint32_t gpus;            /* that there are at most */
    uint32_t node_gpus;       /* in a node */
    bool tensor_across_nodes; /* else a tensor group stays inside one */
} fz_search_type;

typedef struct fz_search_plan {
    uint32_t type; /* index of the fz_search_type */
    uint32_t gpus, data, tensor, pipeline;
    uint8_t zero;
    fz_recompute recompute;
    uint64_t micro_batch;
    double need, lo, hi; /* bytes on the fullest GPU */
    double step_s;       /* predicted time of a step; 0 where the type's speed is not known */
    double score; /* what it is ranked by: GPU-seconds, GPUs, seconds, or USD of a step; infinite: unknown */
} fz_search_plan;

/* Numbers of GPUs that are kept of a type, the best in rank. */
#define FZ_SEARCH_PER_TYPE 64u

/* Ranked plans into `plans`, with room for n_types * FZ_SEARCH_PER_TYPE; returns their number in *n. None is no
 * error. FZ_EINVAL names what cannot be. n_types <= FZ_MAX_GPU_TYPES. */
FZ_API fz_status fz_search_plans(const fz_search *search, const fz_search_type *types, uint32_t n_types,
                                 fz_search_plan *plans, size_t *n, fz_error *err);

/* The near miss of a type: on the largest number of GPUs below `below` (0: on any that there are), the plan that
 * needs least. Returns false when there is no such number. The search must be one that fz_search_plans() accepts. */
FZ_API bool fz_search_near_miss(const fz_search *search, const fz_search_type *type, uint32_t below,
                                fz_search_plan *out);

/* The run that a plan describes, as memory and speed are asked about it. */
FZ_API fz_training_run fz_search_run(const fz_search *search, const fz_search_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
