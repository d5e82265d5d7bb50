/* What is true of every trace, however it was read. */
#ifndef FRENZY_TESTS_FUZZ_TRACE_SANE_H
#define FRENZY_TESTS_FUZZ_TRACE_SANE_H

#include <assert.h>
#include <math.h>
#include <string.h>

#include "workloads/canonical.h"
#include "workloads/ops/check.h"
#include "workloads/ops/stats.h"

static inline void report_sane(const fz_trace *trace, const fz_trace_report *report)
{
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < report->n_findings; i++)
        dropped += report->findings[i].what == 'd' ? report->findings[i].rows : 0;
    assert(report->rows_kept == trace->n_jobs && report->rows_kept <= report->rows_read);
    assert(report->rows_read - report->rows_kept == dropped);
}

/* In order, with ids and no time out of range; and its figures can be had. */
static inline void trace_sane(const fz_trace *trace)
{
    fz_trace_stats stats;
    fz_trace_check check;
    assert(trace->n_jobs > 0);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        assert(trace->submit[job] >= (job > 0 ? trace->submit[job - 1] : 0) &&
               trace->submit[job] <= FZ_TIME_LIMIT);
        assert(fz_trace_job_id(trace, job)[0] != '\0');
        double gpus = fz_trace_gpus(trace, job);
        assert(isfinite(gpus) && gpus >= 0 && (gpus == 0 || trace->req_gpus[job] > 0));
    }
    assert(fz_trace_stats_of(trace, &stats, NULL) == FZ_OK && stats.jobs == trace->n_jobs);
    assert(fz_trace_check_of(trace, NULL, &check, NULL) == FZ_OK);
}

#endif
