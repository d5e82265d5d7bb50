/* Speed of training: the time of one step of a run on given GPUs and links.
 *
 * With m micro-batches on each data parallel rank, p pipeline stages and v virtual stages,
 *   step = (m + (p - 1) / v) t_micro + communication between data parallel ranks + optimizer + a constant
 * where t_micro is the sum of what a stage does with one micro-batch: matrix products, attention, traffic of operands
 * and element-wise work, collectives of tensor parallelism, sends between stages, and an overhead a layer. A backward
 * pass counts as two forward passes, full recomputation as one more (Narayanan et al. 2021, arXiv 2104.04473).
 * Each term is a time at peak rate or bandwidth; fitted constants say by what factor the real one exceeds it, for each
 * framework and precision, as for memory (frenzy/fitted.h). Pure functions, thread-safe, no allocation. */
#ifndef FRENZY_STEP_H
#define FRENZY_STEP_H

#include <frenzy/export.h>
#include <frenzy/fitted.h>
#include <frenzy/gpu.h>
#include <frenzy/status.h>
#include <frenzy/training_run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a step runs on. */
typedef struct fz_step_hardware {
    double matrix_flops;       /* peak 16-bit matrix rate of a GPU, FLOP/s; > 0 */
    double memory_bandwidth;   /* of a GPU, bytes/s; > 0 */
    double compute_capability; /* 8.0 for A100; 0 unknown */
    double node_bandwidth;     /* between GPUs of a node, bytes/s a GPU one way; > 0 */
    double link_bandwidth;     /* between nodes, bytes/s a GPU one way; > 0 */
    uint32_t node_gpus;        /* GPUs of a node that the run uses; > 0 */
} fz_step_hardware;

/* The hardware of a GPU type with default links (FZ_ORIGIN_DEFAULT): GB/s a GPU one way between nodes 12.5 below
 * compute capability 8, 25 below 9, else 50; inside a node 12.5, 150, 250, 400 for NVLink-less types and the
 * NVLink generations of capabilities 7, 8, 9. matrix_flops 0: the type's speed is not known. */
FZ_API fz_step_hardware fz_step_hardware_of(const fz_gpu_type *type, uint32_t node_gpus);

/* Constants: factors on the terms. */
typedef enum fz_step_constant {
    FZ_SC_GEMM_VOLTA, /* matrix products: time over time at peak, by generation */
    FZ_SC_GEMM_AMPERE,
    FZ_SC_GEMM_HOPPER,
    FZ_SC_GEMM_OTHER,
    FZ_SC_ATTENTION, /* the s x s products */
    FZ_SC_SCORES,    /* traffic of the s x s matrix, without flash attention */
    FZ_SC_TRAFFIC,   /* operands and element-wise work over memory bandwidth */
    FZ_SC_LAYER,     /* ms of overhead of a layer's pass */
    FZ_SC_TENSOR,    /* collectives of tensor parallelism */
    FZ_SC_PIPELINE,  /* sends between stages */
    FZ_SC_GRADIENTS, /* what is exposed of the reduction of gradients */
    FZ_SC_GATHER,    /* what is exposed of the gathering of ZeRO-3 */
    FZ_SC_OPTIMIZER, /* the optimizer's pass over memory */
    FZ_SC_STEP,      /* ms a step */
    FZ_SC_N,
} fz_step_constant;

typedef struct fz_step_terms {
    double x[FZ_SC_N]; /* seconds at peak; overheads: ms x count, in seconds */
} fz_step_terms;

typedef struct fz_step {
    double seconds, lo, hi;                  /* of a step, with its interval */
    double compute, communication, overhead; /* parts, add up to `seconds` */
} fz_step;

/* The terms of a run whose micro_batches are given (0: as many as the pipeline has stages). */
FZ_API void fz_step_terms_of(const fz_training_run *run, const fz_step_hardware *hardware,
                             fz_step_terms *out);
FZ_API double fz_step_sum(const fz_step_terms *terms, const double constants[FZ_SC_N],
                          fz_step *parts /* optional */);

/* What all runs of one framework and precision share, looked up once. */
typedef struct fz_step_basis {
    const double *constants;
    double lo, hi; /* factors of the interval */
} fz_step_basis;
FZ_API fz_status fz_step_prepare(const fz_training_run *run, double confidence, fz_step_basis *out,
                                 fz_error *err);

/* A run that fz_memory_check() accepts, on hardware whose fields are as said above. */
FZ_API void fz_step_time(const fz_step_basis *basis, const fz_training_run *run,
                         const fz_step_hardware *hardware, fz_step *out);

/* The compiled-in table (core/src/step_table.c, written by scripts/fit-speed). */
FZ_API fz_fitted_table fz_step_table(void);

#ifdef __cplusplus
}
#endif
#endif
