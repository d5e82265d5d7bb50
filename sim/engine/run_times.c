#include "sim/engine/run_times.h"

#include <math.h>

#include "workloads/durations.h"

static bool by_type_given(const fz_trace *trace, uint32_t job)
{
    return trace->durations != NULL && trace->durations[job] != 0;
}

static bool duration_given(const fz_trace *trace, uint32_t job)
{
    return trace->duration != NULL && trace->duration[job] >= 0;
}

/* A run time in the trace comes first. */
static bool from_table(const fz_run_times *times, const fz_trace *trace, uint32_t job)
{
    return times->tables.kinds != NULL && !duration_given(trace, job) && !by_type_given(trace, job) &&
           (fz_table_times_app(&times->tables, job) != NULL ||
            fz_table_times_throughput(&times->tables, job));
}

bool fz_run_times_known(const fz_run_times *times, const fz_trace *trace, uint32_t job)
{
    return duration_given(trace, job) || by_type_given(trace, job) || from_table(times, trace, job);
}

/* The types on which the job can run, and for how long on each. */
static fz_type_mask row_read(const fz_run_times *times, const fz_trace *trace, const fz_cluster_spec *spec,
                             uint32_t job, fz_time *own)
{
    if (by_type_given(trace, job))
        return fz_durations_by_type(spec, trace->texts[trace->durations[job]], own);
    if (times->apps != NULL && from_table(times, trace, job)) {
        times->apps[job] = fz_table_times_app(&times->tables, job);
        return fz_table_times_by_type(&times->tables, job, own);
    }
    fz_type_mask all = 0;
    for (uint32_t type = 0; type < spec->n_types; type++) {
        own[type] = trace->duration != NULL ? trace->duration[job] : FZ_TIME_NONE;
        all |= FZ_TYPE_BIT(type);
    }
    return all;
}

fz_status fz_run_times_read(fz_arena *arena, const fz_trace *trace, const fz_cluster_spec *spec,
                            const fz_work_tables *tables, fz_run_times *out, fz_error *err)
{
    *out = (fz_run_times){.durations = trace->duration, .n_types = spec->n_types};
    FZ_TRY(fz_table_times_init(&out->tables, arena, tables, trace, spec, err));
    bool tabled = tables != NULL && out->tables.kinds != NULL;
    if (trace->durations == NULL && !tabled)
        return FZ_OK;
    out->by_type = FZ_NEW(arena, (size_t)trace->n_jobs * spec->n_types, fz_time);
    out->types = FZ_NEW(arena, trace->n_jobs, fz_type_mask);
    out->apps = tabled ? FZ_NEW(arena, trace->n_jobs, const fz_app *) : NULL;
    if (out->by_type == NULL || out->types == NULL || (tabled && out->apps == NULL))
        return fz_fail(err, FZ_ENOMEM, "no memory for the run times of %u jobs on %u GPU types",
                       trace->n_jobs, spec->n_types);
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        out->types[job] = row_read(out, trace, spec, job, &out->by_type[(size_t)job * spec->n_types]);
    return FZ_OK;
}

fz_time fz_run_times_on(const fz_run_times *times, uint32_t job, fz_type_mask types)
{
    if (times->types == NULL)
        return times->durations[job];
    const fz_time *own = &times->by_type[(size_t)job * times->n_types];
    fz_time longest = 0;
    for (fz_type_mask left = types & times->types[job]; left != 0; left &= left - 1) {
        fz_time on = own[__builtin_ctzll(left)];
        longest = on > longest ? on : longest;
    }
    return longest;
}

/* a x b / c to the nearest microsecond; c > 0. */
static fz_time scaled(fz_time a, fz_time b, fz_time c)
{
    return a == c ? b : b == c ? a : (fz_time)llround((double)a * ((double)b / (double)c));
}

fz_time fz_run_times_time(const fz_run_times *times, uint32_t job, fz_time work, fz_type_mask types)
{
    fz_time whole = fz_run_times_work(times, job);
    return whole > 0 ? scaled(work, fz_run_times_on(times, job, types), whole) : work;
}

fz_time fz_run_times_done(const fz_run_times *times, uint32_t job, fz_time time, fz_type_mask types)
{
    fz_time on = fz_run_times_on(times, job, types), whole = fz_run_times_work(times, job);
    fz_time done = on > 0 ? scaled(time, whole, on) : whole;
    return done < whole ? done : whole;
}
