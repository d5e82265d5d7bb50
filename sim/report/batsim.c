/* Batsim's out_jobs.csv, one row a job, as its schedule exporter writes it; GPUs are its resources. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/support/timetext.h"
#include "sim/report/spans.h"
#include "sim/report/write.h"

static const char *final_state(const char *state)
{
    if (strcmp(state, "FINISHED") == 0)
        return "COMPLETED_SUCCESSFULLY";
    if (strcmp(state, "TIMEOUT") == 0)
        return "COMPLETED_WALLTIME_REACHED";
    if (strcmp(state, "REJECTED") == 0)
        return "REJECTED";
    return strcmp(state, "OOM") == 0 ? "COMPLETED_FAILED" : "COMPLETED_KILLED";
}

/* Empty where there is no number. */
static void number_write(fz_output *out, double value)
{
    char text[FZ_NUMBER_TEXT];
    fz_output_text(out, ",");
    if (!isfinite(value))
        return;
    fz_number_text(value, text);
    fz_output_text(out, text);
}

/* The job's GPUs over all nodes, numbered through, as intervals: "0-3 8". */
static void resources_write(fz_output *out, const fz_spans *spans, const uint32_t *first_gpu, uint32_t span)
{
    uint32_t job = spans->spans[span].job;
    bool any = false;
    for (; span < spans->n_spans && spans->spans[span].job == job; span++) {
        const fz_span *s = &spans->spans[span];
        for (uint32_t i = 0; i < s->gpus;) {
            uint32_t last = i;
            while (last + 1 < s->gpus && s->gpu[last + 1] == s->gpu[last] + 1)
                last++;
            uint32_t from = first_gpu[s->node] + s->gpu[i];
            fz_report_format(out, any ? " %u" : "%u", from);
            if (last > i)
                fz_report_format(out, "-%u", from + last - i);
            any = true;
            i = last + 1;
        }
    }
}

static void job_write(fz_output *out, const fz_spans *spans, const uint32_t *first_gpu,
                      const fz_span_job *job, uint32_t span)
{
    double start = job->attempts > 0 ? (double)job->start_us / 1e6 : (double)NAN;
    double end = isnan(job->jct_s) ? (double)NAN : job->submit_s + job->jct_s;
    double ran = isnan(end) ? (double)NAN : end - start;
    fz_output_csv(out, job->id);
    fz_output_text(out, ",frenzy,");
    fz_output_csv(out, job->model);
    number_write(out, job->submit_s);
    fz_report_format(out, ",%u,-1,%d,%s", job->req_gpus > 0 ? job->req_gpus : job->gpus, job->finished,
                     final_state(job->state));
    number_write(out, start);
    number_write(out, ran);
    number_write(out, end);
    number_write(out, isnan(end) ? (double)NAN : start - job->submit_s);
    number_write(out, job->jct_s);
    number_write(out, ran > 0 ? job->jct_s / ran : (double)NAN);
    fz_output_text(out, ",");
    if (span != UINT32_MAX)
        resources_write(out, spans, first_gpu, span);
    fz_output_text(out, ",-1,\n");
}

static fz_status rows_write(fz_output *out, const fz_spans *spans, fz_arena *arena, fz_error *err)
{
    uint32_t *first_gpu = FZ_NEW(arena, spans->n_nodes, uint32_t);
    uint32_t *span_of = FZ_NEW(arena, spans->n_jobs, uint32_t);
    if (first_gpu == NULL || span_of == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u jobs", spans->n_jobs);
    for (uint32_t n = 1; n < spans->n_nodes; n++)
        first_gpu[n] = first_gpu[n - 1] + spans->node_gpus[n - 1];
    for (uint32_t i = 0; i < spans->n_jobs; i++)
        span_of[i] = UINT32_MAX;
    for (uint32_t i = spans->n_spans; i-- > 0;)
        span_of[spans->spans[i].job] = i; /* the first of its spans: they stand together */
    fz_output_text(
        out, "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
             "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
             "stretch,allocated_resources,consumed_energy,metadata\n");
    for (uint32_t i = 0; i < spans->n_jobs; i++)
        job_write(out, spans, first_gpu, &spans->jobs[i], span_of[i]);
    return FZ_OK;
}

fz_status fz_report_batsim(fz_reader *reader, int64_t run, const char *path, fz_error *err)
{
    fz_spans spans;
    fz_output *out = NULL;
    fz_arena *arena = fz_arena_new(NULL);
    if (arena == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the jobs of a run");
    fz_status status = fz_spans_read(reader, run, arena, &spans, err);
    if (status == FZ_OK)
        status = fz_output_open(path, &out, err);
    if (status == FZ_OK) {
        status = rows_write(out, &spans, arena, err);
        if (status == FZ_OK)
            status = fz_output_commit(out, err);
        else
            fz_output_discard(out);
    }
    fz_arena_free(arena);
    return status;
}
