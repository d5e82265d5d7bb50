/* What one run of the microbenchmarks on one device gave: facts of the device and of the run, measured
 * points with every repeat kept, samples of the environment, memory facts. The meeting point of those who
 * measure (calib/bench), those who fit (calib/curves), and those who keep (calib/store); its text form is
 * the CSV of samples_csv.h. All figures are SI: s, bytes, flop, Hz, W; degrees Celsius.
 *
 * An integer that is not known or does not apply is FZ_UNKNOWN, a real one NaN, a text "". */
#ifndef FRENZY_CALIB_SAMPLES_H
#define FRENZY_CALIB_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>

#define FZ_UNKNOWN (-1)

/* A device as the probe found it. */
typedef struct fz_device_facts {
    const char *uuid;    /* unique; made of backend and name where the device has none */
    const char *backend; /* cuda | host | recorded */
    const char *name;    /* as the driver says: "NVIDIA H200" */
    const char *catalog; /* key in the GPU catalog; "" unless it is known there */
    int32_t cc_major, cc_minor, sm_count;
    double sm_clock_max_hz, mem_clock_max_hz;
    int32_t mem_bus_bits;
    int64_t l2_bytes, mem_total_cuda_bytes, mem_total_nvml_bytes, mem_reserved_bytes;
    double power_limit_w, power_default_w;
    int32_t ecc_enabled, mig_mode, pcie_gen, pcie_width;
    const char *pcie_bus_id;
    int32_t numa_node, nvlink_count;
    const char *platform; /* linux | wsl | container */
} fz_device_facts;

/* The circumstances of the run. */
typedef struct fz_run_facts {
    const char *started_utc, *ended_utc; /* ISO 8601, "2026-01-31T12:00:00Z" */
    const char *host, *cpu, *kernel, *driver;
    int32_t cuda_driver, cuda_runtime, cublas, nccl; /* as the libraries number themselves: 13000 */
    const char *version;                             /* of frenzy */
    const char *build_flags, *argv;
    uint64_t seed;
    const char *env; /* JSON object of the variables CUDA_*, NCCL_*, NVIDIA_* */
    int32_t persistence, other_processes;
    const char *status; /* complete | interrupted | failed */
    const char *note;
} fz_run_facts;

/* One point: a benchmark at one size. `seq` is the order of measurement; sentinels come back with the same
 * sizes and a new seq. A point with an `error` may have no sample. */
typedef struct fz_bench_point {
    const char *bench; /* "gemm.bf16", "mem.triad", "link.h2d", ...: calib/bench/README.md lists them */
    const char *dtype; /* fp32 | tf32 | fp16 | bf16 | fp8e4m3; "" none */
    int32_t seq;
    int32_t m, n, k, batch;
    int64_t bytes; /* working set or message */
    double flops;
    int32_t ranks, src, dst;          /* collectives; peers */
    const char *impl;                 /* cublaslt | cublas | plain | runtime | ... */
    int32_t algo;                     /* index of the library's algorithm */
    int32_t rotate_sets;              /* operand sets in rotation against L2 hits */
    const char *data;                 /* randn | zeros | ones */
    int32_t launches_per_sample;      /* a sample is the mean of so many launches */
    int32_t warmup;                   /* launches before the first sample */
    bool sentinel;                    /* repeated to see drift */
    const char *error;                /* why it could not be measured; "" */
    uint32_t first_sample, n_samples; /* in fz_samples.seconds */
} fz_bench_point;

/* The state of the machine at one moment. */
typedef struct fz_env_sample {
    double t_rel_s; /* since the start of the run */
    int32_t seq;    /* of the point being measured; FZ_UNKNOWN between points */
    double sm_clock_hz, mem_clock_hz, power_w, temp_c;
    int64_t reasons; /* NVML's bits of clocks-event reasons */
    int32_t pstate;
    int64_t ecc_corr, ecc_uncorr;
    double host_load1;
    int64_t invol_ctx; /* involuntary context switches of the process so far */
} fz_env_sample;

/* A fact about memory: context, ctx_cublas, ctx_nccl, max_single, max_total, granularity, align. */
typedef struct fz_mem_fact {
    const char *name;
    int64_t bytes;
} fz_mem_fact;

/* The whole of a run. Arrays and texts live in the arena of whoever made it. */
typedef struct fz_samples {
    fz_device_facts device;
    fz_run_facts run;
    fz_bench_point *points;
    uint32_t n_points;
    double *seconds;  /* of all points, one after another, in the order they were taken; > 0 */
    uint8_t *dropped; /* 1: taken but not to be fitted (the first repeat); as long as `seconds` */
    uint32_t n_seconds;
    fz_env_sample *env;
    uint32_t n_env;
    fz_mem_fact *facts;
    uint32_t n_facts;
} fz_samples;

#endif
