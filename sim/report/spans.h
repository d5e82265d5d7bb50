/* Jobs on nodes and GPUs over time: the last attempt of each job of a run, on GPU numbers that fit (the engine keeps
 * how many GPUs of which node, not which; the lowest free ones are taken here, so that no two jobs share one). */
#ifndef FRENZY_SIM_REPORT_SPANS_H
#define FRENZY_SIM_REPORT_SPANS_H

#include <frenzy/arena.h>

#include "sim/store/read.h"

typedef struct fz_span {
    int64_t start_us, end_us;
    uint32_t job;  /* index into jobs */
    uint32_t node; /* index into nodes */
    uint32_t gpus;
    uint32_t *gpu; /* numbers within the node, ascending */
} fz_span;

typedef struct fz_span_job {
    const char *id, *model, *user, *plan, *state;
    double submit_s, jct_s, wait_s; /* NAN where there is none */
    uint32_t row, gpus, req_gpus, attempts;
    int64_t start_us, end_us;
    bool finished;
} fz_span_job;

typedef struct fz_spans {
    fz_span *spans; /* by start, then row */
    uint32_t n_spans;
    fz_span_job *jobs; /* all of the run, by row */
    uint32_t n_jobs;
    const char **nodes;  /* names, by first use */
    uint32_t *node_gpus; /* the highest GPU number used + 1 */
    uint32_t n_nodes;
    int64_t end_us; /* of the run */
} fz_spans;

fz_status fz_spans_read(fz_reader *reader, int64_t run, fz_arena *arena, fz_spans *out, fz_error *err);

#endif
