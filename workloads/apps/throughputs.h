/* Throughput tables: steps a second of a job type on so many GPUs of a type, as Gavel (OSDI 2020) measured them.
 *
 *     {"v100": {"('ResNet-50 (batch size 64)', 1)": {"null": 4.395, "<another key>": [a, b]}}}
 *
 * "null" is the job alone; pairs that share a GPU are not used. Types named *_unconsolidated (GPUs spread over more
 * nodes than needed) are passed over: placements count as consolidated, as in Gavel's simulator. */
#ifndef FRENZY_WORKLOADS_APPS_THROUGHPUTS_H
#define FRENZY_WORKLOADS_APPS_THROUGHPUTS_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>

typedef struct fz_throughput {
    const char *job_type;
    uint32_t gpus;
    uint32_t gpu_type;  /* in fz_throughputs.gpu_types */
    double steps_per_s; /* > 0 */
} fz_throughput;

typedef struct fz_throughputs {
    const char *const *gpu_types;
    uint32_t n_gpu_types;
    const fz_throughput *all; /* by job type, GPUs, GPU type */
    uint32_t n;
} fz_throughputs;

/* A JSON file, packed or not; `hex` receives its hash. */
fz_status fz_throughputs_read(fz_arena *arena, const char *path, char hex[65], fz_throughputs *out,
                              fz_error *err);

/* Steps a second; 0: not measured, or does not run there. */
double fz_throughputs_find(const fz_throughputs *table, const char *job_type, uint32_t gpus,
                           uint32_t gpu_type);

#endif
