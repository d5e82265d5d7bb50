/* Run times of jobs whose trace names a profile in place of one: asked of the tables of --profiles. */
#ifndef FRENZY_SIM_ENGINE_TABLE_TIMES_H
#define FRENZY_SIM_ENGINE_TABLE_TIMES_H

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/status.h>
#include <frenzy/units.h>

#include "workloads/apps/work_tables.h"
#include "workloads/trace.h"

typedef struct fz_table_times {
    const fz_work_tables *tables; /* NULL: none were given */
    const fz_trace *trace;
    const fz_cluster_spec *spec;
    const uint8_t *kinds;                            /* fz_work_kind by job; NULL: no job needs a table */
    uint32_t node_gpus[FZ_MAX_GPU_TYPES];            /* of the largest node */
    fz_type_mask throughput_types[FZ_MAX_GPU_TYPES]; /* of the cluster, by GPU type of the throughput table */
} fz_table_times;

fz_status fz_table_times_init(fz_table_times *self, fz_arena *arena, const fz_work_tables *tables,
                              const fz_trace *trace, const fz_cluster_spec *spec, fz_error *err);

/* The job's profile: a known one of the tables; NULL if it has none. */
const fz_app *fz_table_times_app(const fz_table_times *self, uint32_t job);
/* A job type that the throughput table has. */
bool fz_table_times_throughput(const fz_table_times *self, uint32_t job);

/* The tables of `app` for a type of the cluster; NULL if it was not measured there. */
const fz_app_gpu *fz_table_times_gpu(const fz_table_times *self, const fz_app *app, uint32_t type);

/* Run times on the GPUs that the job asks for, packed on the fewest nodes, FZ_TIME_NONE where it cannot run; returns
 * the types on which it can. The job must have a profile or a throughput. */
fz_type_mask fz_table_times_by_type(const fz_table_times *self, uint32_t job, fz_time *by_type);

#endif
