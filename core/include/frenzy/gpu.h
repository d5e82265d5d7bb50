/* GPU types: what a kind of GPU is, for the memory predictor, the speed model and the placer. */
#ifndef FRENZY_GPU_H
#define FRENZY_GPU_H

#include <stdint.h>

#include <frenzy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cluster has at most 64 GPU types, so that a set of types is one word: bit i is type i, in the
 * order of the cluster file. */
#define FZ_MAX_GPU_TYPES 64
typedef uint64_t fz_type_mask;
#define FZ_TYPE_BIT(type) ((fz_type_mask)1 << (type))
#define FZ_ALL_TYPES      (~(fz_type_mask)0)

/* Where a number comes from; results say which ones they rest on. */
typedef enum fz_origin {
    FZ_ORIGIN_NONE,     /* unknown: the value is 0 */
    FZ_ORIGIN_DEFAULT,  /* a declared default */
    FZ_ORIGIN_CATALOG,  /* a data sheet figure times a typical achieved share */
    FZ_ORIGIN_MEASURED, /* measured, in the catalog or by calibration */
} fz_origin;

FZ_API const char *fz_origin_name(fz_origin origin); /* "none", "default", "catalog", "measured" */

typedef struct fz_gpu_type {
    const char *name;       /* as the cluster file calls it; unique in a cluster */
    const char *catalog;    /* key of the catalog entry behind it, NULL if none (opaque) */
    uint64_t mem_bytes;     /* usable memory; > 0 */
    double flops_per_s;     /* achieved 16-bit matrix rate; 0 = unknown: opaque jobs only */
    fz_origin flops_origin; /* of flops_per_s */
    double price_usd_per_h; /* 0 = unknown */
    /* For the speed model of frenzy/step.h; 0 = unknown. */
    double peak_matrix_flops; /* peak dense 16-bit rate, FLOP/s */
    double mem_bandwidth;     /* bytes/s */
    double compute_capability;
} fz_gpu_type;

/* Catalog figures of one GPU. Rates in TFLOP/s; 0 = not known. See fz_gpu_rate(). */
typedef struct fz_gpu_rates {
    double compute_capability; /* 8.0 for A100 */
    double measured_fp16_tflops;
    double measured_bf16_tflops;
    double peak_fp16_tflops;
    double peak_fp32_tflops;
} fz_gpu_rates;

/* The achieved 16-bit matrix rate in FLOP/s and its origin, by the first figure that is known:
 *   1. measured fp16 GEMM
 *   2. measured bf16 GEMM, on compute capability >= 8.0 (below it bf16 is emulated)
 *   3. 0.79 x peak fp16
 *   4. 0.79 x peak fp32
 * 0 and FZ_ORIGIN_NONE when none is. 0.79 is the median of measured over peak fp16 GEMM rates in the
 * catalog. */
FZ_API double fz_gpu_rate(const fz_gpu_rates *rates, fz_origin *origin);

#ifdef __cplusplus
}
#endif
#endif
