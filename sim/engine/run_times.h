/* Run times of opaque jobs: one for all GPU types (duration_s), or one a type (durations_s).
 *
 * The work of a job is counted in microseconds of its reference: its duration, or the longest of its run times
 * on the types of this cluster. On a type that is faster it passes faster.
 *
 * Jobs that name a profile take their run times from the tables of --profiles. */
#ifndef FRENZY_SIM_ENGINE_RUN_TIMES_H
#define FRENZY_SIM_ENGINE_RUN_TIMES_H

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/status.h>
#include <frenzy/units.h>

#include "sim/engine/table_times.h"
#include "workloads/trace.h"

typedef struct fz_run_times {
    const fz_time *durations; /* duration_s by job */
    uint32_t n_types;
    fz_time *by_type;    /* job x n_types; FZ_TIME_NONE: cannot run there; NULL: none differs by type */
    fz_type_mask *types; /* by job: where it can run; NULL likewise */
    const fz_app **apps; /* by job: its application profile, NULL if none; NULL: no job has one */
    fz_table_times tables;
} fz_run_times;

/* `tables` may be NULL. */
fz_status fz_run_times_read(fz_arena *arena, const fz_trace *trace, const fz_cluster_spec *spec,
                            const fz_work_tables *tables, fz_run_times *out, fz_error *err);

/* Has the job a run time, out of the trace or out of a table? */
bool fz_run_times_known(const fz_run_times *times, const fz_trace *trace, uint32_t job);

static inline fz_type_mask fz_run_times_types(const fz_run_times *times, uint32_t job)
{
    return times->types != NULL ? times->types[job] : FZ_ALL_TYPES;
}

static inline const fz_app *fz_run_times_app(const fz_run_times *times, uint32_t job)
{
    return times->apps != NULL ? times->apps[job] : NULL;
}

/* The whole run on GPUs of `types`, at the pace of the slowest; 0 if it can run on none of them. */
fz_time fz_run_times_on(const fz_run_times *times, uint32_t job, fz_type_mask types);

/* The reference. */
static inline fz_time fz_run_times_work(const fz_run_times *times, uint32_t job)
{
    return times->types == NULL ? times->durations[job] : fz_run_times_on(times, job, FZ_ALL_TYPES);
}

/* How long `work` of the reference takes on GPUs of `types`, and what work is done there in `time`. Exact for
 * the whole, and where there is one duration. */
fz_time fz_run_times_time(const fz_run_times *times, uint32_t job, fz_time work, fz_type_mask types);
fz_time fz_run_times_done(const fz_run_times *times, uint32_t job, fz_time time, fz_type_mask types);

#endif
