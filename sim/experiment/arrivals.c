#include "sim/experiment/arrivals.h"

fz_status fz_arrivals_scale(fz_arena *arena, const fz_trace *trace, double scale, const fz_trace **out,
                            fz_error *err)
{
    fz_trace *scaled = FZ_NEW(arena, 1, fz_trace);
    fz_time *submit = FZ_NEW(arena, trace->n_jobs, fz_time);
    fz_time *deadline = trace->deadline != NULL ? FZ_NEW(arena, trace->n_jobs, fz_time) : NULL;
    if (scaled == NULL || submit == NULL || (trace->deadline != NULL && deadline == NULL))
        return fz_fail(err, FZ_ENOMEM, "no memory for the submit times of %u jobs", trace->n_jobs);
    *scaled = *trace;
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        submit[job] = fz_arrival_time(trace->submit[job], scale);
        if (submit[job] > FZ_TIME_LIMIT)
            return fz_fail(err, FZ_EPARSE,
                           "at this load jobs would be submitted after more than 10,000 years");
        if (deadline != NULL)
            deadline[job] = trace->deadline[job] == FZ_TIME_NONE
                                ? FZ_TIME_NONE
                                : trace->deadline[job] + (submit[job] - trace->submit[job]);
    }
    scaled->submit = submit;
    scaled->deadline = deadline;
    scaled->arena = NULL;
    *out = scaled;
    return FZ_OK;
}
