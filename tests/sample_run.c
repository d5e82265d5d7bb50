#include "tests/sample_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/clusters.h"

static const char *const ids[] = {"a", "b,\"2\"", "c", "d", "e", "f"};
static const fz_time submits[] = {0, 1500000, 2000000, 10000000, 20000000, 30000000};
enum { N_SAMPLES = sizeof(ids) / sizeof(ids[0]), PART_BYTES = 10, ROOM = 64 };

static void require(bool good)
{
    if (!good)
        abort();
}

static void row_add(fz_trace_builder *builder, uint32_t row)
{
    fz_trace_row entry = fz_trace_row_blank();
    entry.job_id = ids[row];
    entry.submit = submits[row];
    entry.req_gpus = row == 1 ? 0 : 4;
    entry.user = row == 1 ? "ann" : "";
    entry.vc = row == 1 ? "ann" : ""; /* one word in two columns */
    entry.model = row == 1 ? "llama-2-7b" : "";
    require(fz_trace_builder_add(builder, &entry, NULL) == FZ_OK);
}

static fz_trace *trace_finish(fz_trace_builder *builder, const char *name)
{
    fz_trace *trace = NULL;
    require(fz_trace_builder_finish(builder, &trace, NULL, NULL) == FZ_OK);
    fz_trace_builder_free(builder);
    (void)snprintf(trace->sha256, sizeof(trace->sha256), "%.64s", name);
    return trace;
}

static const fz_cluster_spec *cluster_make(fz_arena *arena)
{
    static const uint32_t mem_gib[] = {40, 80}, node_type[] = {0, 1}, node_gpus[] = {4, 4};
    static const double tflops[] = {100, 200};
    return test_cluster(arena, 2, mem_gib, tflops, 2, node_type, node_gpus);
}

static uint32_t place_add(fz_run_result *result, uint32_t on_first, uint32_t on_second)
{
    fz_part parts[2];
    fz_placement where = {.parts = parts, .capacity = 2, .gpus = on_first + on_second};
    if (on_first > 0)
        parts[where.n_parts++] = (fz_part){.node = 0, .gpus = on_first};
    if (on_second > 0)
        parts[where.n_parts++] = (fz_part){.node = 1, .gpus = on_second};
    uint32_t at = (uint32_t)result->places_len;
    result->places_len += fz_places_write(result->places + at, &where);
    return at;
}

static void jobs_fill(fz_run_result *result)
{
    fz_job_result *jobs = result->jobs;
    for (uint32_t i = 0; i < N_SAMPLES; i++)
        jobs[i] = (fz_job_result){
            .start = FZ_TIME_NONE, .end = FZ_TIME_NONE, .last_start = FZ_TIME_NONE, .place = FZ_NO_PLACE};
    jobs[0] = (fz_job_result){.start = 500000,
                              .end = 10250000,
                              .run = 9750000,
                              .gpu_time = 39000000,
                              .place = place_add(result, 2, 2),
                              .gpus = 4,
                              .attempts = 1,
                              .state = FZ_JOB_FINISHED};
    jobs[1] = (fz_job_result){.start = 1500000,
                              .end = 100000001,
                              .run = 90000000,
                              .gpu_time = 360000000,
                              .place = place_add(result, 0, 4),
                              .gpus = 4,
                              .attempts = 2,
                              .plan = 1,
                              .preemptions = 1,
                              .state = FZ_JOB_FINISHED};
    jobs[2].state = FZ_JOB_REJECTED;
    jobs[3] = (fz_job_result){.start = 12000000,
                              .end = 13000000,
                              .run = 1000000,
                              .gpu_time = 2000000,
                              .place = place_add(result, 2, 0),
                              .gpus = 2,
                              .attempts = 1,
                              .state = FZ_JOB_OOM};
    jobs[4] = (fz_job_result){.start = 20000000,
                              .end = FZ_TIME_NONE,
                              .run = 5000000,
                              .gpu_time = 10000000,
                              .place = place_add(result, 2, 0), /* the same nodes at another offset */
                              .gpus = 2,
                              .attempts = 1,
                              .state = FZ_JOB_RUNNING};
}

static void result_make(sample_run *run, uint32_t n_jobs)
{
    fz_run_result *result = &run->result;
    result->n_jobs = n_jobs;
    result->jobs = FZ_NEW(run->arena, n_jobs, fz_job_result);
    result->places = FZ_NEW(run->arena, (size_t)ROOM * PART_BYTES, uint8_t);
    result->plans = FZ_NEW(run->arena, 2, fz_plan);
    result->n_plans = 2;
    result->plans[0] = (fz_plan){0};
    result->plans[1] = (fz_plan){.gpus = 4, .data = 2, .tensor = 2, .pipeline = 1};
    result->summary = (fz_summary){.jobs = n_jobs,
                                   .finished = 2,
                                   .rejected = 1,
                                   .jct_avg_s = 0.1,
                                   .jct_p50_s = 1.0 / 3,
                                   .wait_avg_s = -1,
                                   .alloc_frac = 0,
                                   .ooms = 1};
    result->cost = (fz_cost){.wall_s = 0.25, .decide_ms_p99 = 0.5, .peak_rss_bytes = 1U << 30};
}

sample_run sample_run_new(const char *name)
{
    sample_run run = {.arena = fz_arena_new(NULL)};
    fz_trace_builder *builder = fz_trace_builder_new();
    require(run.arena != NULL && builder != NULL);
    for (uint32_t row = 0; row < N_SAMPLES; row++)
        row_add(builder, row);
    run.trace = trace_finish(builder, name);
    run.cluster = cluster_make(run.arena);
    result_make(&run, N_SAMPLES);
    jobs_fill(&run.result);
    return run;
}

sample_run sample_run_large(const char *name, uint32_t n_jobs)
{
    sample_run run = {.arena = fz_arena_new(NULL)};
    fz_trace_builder *builder = fz_trace_builder_new();
    require(run.arena != NULL && builder != NULL);
    for (uint32_t row = 0; row < n_jobs; row++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "job-%u", row);
        fz_trace_row entry = fz_trace_row_blank();
        entry.job_id = id;
        entry.submit = row * FZ_SECOND;
        entry.req_gpus = 1;
        require(fz_trace_builder_add(builder, &entry, NULL) == FZ_OK);
    }
    run.trace = trace_finish(builder, name);
    run.cluster = cluster_make(run.arena);
    result_make(&run, n_jobs);
    uint32_t place = place_add(&run.result, 1, 0);
    for (uint32_t row = 0; row < n_jobs; row++)
        run.result.jobs[row] = (fz_job_result){.start = row * FZ_SECOND,
                                               .end = (row + 1) * FZ_SECOND,
                                               .run = FZ_SECOND,
                                               .gpu_time = FZ_SECOND,
                                               .place = place,
                                               .gpus = 1,
                                               .attempts = 1,
                                               .state = FZ_JOB_FINISHED};
    return run;
}

void sample_run_free(sample_run *run)
{
    fz_trace_free(run->trace);
    fz_arena_free(run->arena);
}
