#include "workloads/clock.h"

#include "workloads/formats/formats.h"

/* 1970-01-01 was a Thursday. */
fz_time fz_wall_in_week(fz_time wall)
{
    const fz_time day = FZ_DAY_HOURS * FZ_HOUR;
    return (wall + 3 * day) % (FZ_WEEK_DAYS * day);
}

fz_time fz_trace_week_offset(const fz_trace *trace, bool *known)
{
    fz_time wall = 0;
    *known = fz_wall_time_parse(trace->epoch, &wall);
    return *known ? fz_wall_in_week(wall) : 0;
}
