#include "tests/traces.h"

#include <stdio.h>

#include <frenzy/units.h>

static void ids_number(fz_arena *arena, fz_trace *trace)
{
    char *ids = FZ_NEW(arena, 11 * (size_t)trace->n_jobs + 1, char);
    uint64_t *at = FZ_NEW(arena, trace->n_jobs + 1, uint64_t);
    uint64_t used = 0;
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        at[job] = used;
        used += (uint64_t)snprintf(ids + used, 11, "%u", job) + 1;
    }
    trace->job_ids = ids;
    trace->job_id_at = at;
}

fz_trace *test_trace(fz_arena *arena, const test_job *rows, uint32_t n_rows)
{
    fz_trace *trace = FZ_NEW(arena, 1, fz_trace);
    fz_time *submit = FZ_NEW(arena, n_rows, fz_time);
    fz_time *duration = FZ_NEW(arena, n_rows, fz_time);
    fz_time *estimate = FZ_NEW(arena, n_rows, fz_time);
    uint32_t *gpus = FZ_NEW(arena, n_rows, uint32_t);
    uint64_t *mem = FZ_NEW(arena, n_rows, uint64_t);
    const char **texts = FZ_NEW(arena, 1, const char *);
    texts[0] = "";
    for (uint32_t i = 0; i < n_rows; i++) {
        submit[i] = rows[i].submit_s * FZ_SECOND;
        duration[i] = rows[i].duration_s * FZ_SECOND;
        estimate[i] = rows[i].estimate_s < 0 ? FZ_TIME_NONE : rows[i].estimate_s * FZ_SECOND;
        gpus[i] = rows[i].gpus;
        mem[i] = rows[i].mem_gib * FZ_GIB;
    }
    *trace =
        (fz_trace){.path = "", .source = "", .epoch = "", .n_jobs = n_rows, .texts = texts, .n_texts = 1};
    trace->submit = submit;
    trace->duration = duration;
    trace->estimate = estimate;
    trace->req_gpus = gpus;
    trace->req_gpu_mem = mem;
    ids_number(arena, trace);
    return trace;
}

test_job *test_jobs_random(fz_arena *arena, fz_random *random, uint32_t n, uint32_t max_gpus)
{
    test_job *rows = FZ_NEW(arena, n, test_job);
    int64_t now = 0;
    for (uint32_t i = 0; i < n; i++) {
        now += fz_random_below(random, 4) == 0 ? fz_random_below(random, 40) : 0;
        rows[i].submit_s = now;
        rows[i].gpus = fz_random_between(random, 1, max_gpus);
        rows[i].duration_s = fz_random_below(random, 10) == 0 ? 0 : fz_random_below(random, 60);
        rows[i].estimate_s = rows[i].duration_s + fz_random_below(random, 3) * fz_random_below(random, 40);
    }
    return rows;
}

bool test_run(fz_arena *arena, fz_run_spec *spec, fz_run_result *result)
{
    double *params = FZ_NEW(arena, spec->sched->n_params, double);
    for (uint32_t i = 0; i < spec->sched->n_params; i++)
        params[i] = spec->sched->params[i].fallback;
    spec->sched_params = params;
    spec->check_invariants = true;
    fz_error err = {0};
    fz_status status = fz_run(arena, spec, result, &err);
    if (status != FZ_OK)
        printf("scheduler %s: %s: %s\n", spec->sched->name, fz_status_name(status), err.message);
    return status == FZ_OK;
}
