#include <math.h>
#include <stdio.h>

#include "core/support/timetext.h"
#include "workloads/formats/formats.h"
#include "workloads/ops/change.h"
#include "workloads/ops/rewrite.h"

/* ---- cut ------------------------------------------------------------------------------------------- */

static fz_time shifted(fz_time t, fz_time by)
{
    return t == FZ_TIME_NONE ? t : t > by ? t - by : 0;
}

static fz_status cut_job(void *context, uint32_t job, fz_trace_row *row, bool *keep, fz_error *err)
{
    const fz_cut *cut = context;
    (void)job;
    (void)err;
    *keep = row->submit >= cut->from && row->submit < cut->to;
    if (cut->zero) {
        row->submit = shifted(row->submit, cut->from);
        row->start = shifted(row->start, cut->from);
        row->end = shifted(row->end, cut->from);
        row->deadline = shifted(row->deadline, cut->from);
    }
    return FZ_OK;
}

fz_status fz_trace_cut(const fz_trace *trace, const fz_cut *cut, fz_trace **out, fz_error *err)
{
    char history[128], from[FZ_TIME_TEXT], to[FZ_TIME_TEXT] = "", epoch[FZ_WALL_TIME_TEXT];
    fz_time wall = 0;
    fz_cut copy = *cut;
    if (cut->from < 0 || cut->to <= cut->from)
        return fz_fail(err, FZ_EINVAL, "the window must begin at 0 or later and end after it begins");
    (void)fz_time_text(cut->from, from);
    if (cut->to < FZ_TIME_MAX)
        (void)fz_time_text(cut->to, to);
    (void)snprintf(history, sizeof history, "trace cut --from %s%s%s%s", from, to[0] != '\0' ? " --to " : "",
                   to, cut->zero ? " --zero" : "");
    fz_rewrite edit = {.context = &copy, .job = cut_job, .history = history};
    if (cut->zero && fz_wall_time_parse(trace->epoch, &wall)) {
        fz_wall_time_text(wall + cut->from, epoch);
        edit.epoch = epoch;
    }
    return fz_trace_rewrite(trace, &edit, out, err);
}

/* ---- scale ----------------------------------------------------------------------------------------- */

typedef struct scale {
    fz_time first;
    double factor;
} scale;

static fz_status scale_job(void *context, uint32_t job, fz_trace_row *row, bool *keep, fz_error *err)
{
    const scale *s = context;
    (void)job;
    (void)keep;
    double at = (double)(row->submit - s->first) * s->factor;
    if (at > (double)(FZ_TIME_LIMIT - s->first))
        return fz_fail(err, FZ_EINVAL, "times would grow beyond 10,000 years");
    fz_time submit = s->first + (fz_time)llround(at);
    if (row->deadline != FZ_TIME_NONE)
        row->deadline = shifted(row->deadline, row->submit - submit);
    row->submit = submit;
    row->start = row->end = FZ_TIME_NONE;
    return FZ_OK;
}

fz_status fz_trace_scale(const fz_trace *trace, double factor, fz_trace **out, fz_error *err)
{
    char history[96], text[FZ_NUMBER_TEXT];
    if (!(factor > 0) || !isfinite(factor))
        return fz_fail(err, FZ_EINVAL, "a factor must be above 0");
    scale s = {.first = trace->submit[0], .factor = factor};
    (void)fz_number_text(factor, text);
    (void)snprintf(history, sizeof history, "trace scale --factor %s", text);
    fz_rewrite edit = {.context = &s, .job = scale_job, .history = history};
    return fz_trace_rewrite(trace, &edit, out, err);
}
