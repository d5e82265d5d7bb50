#include "sim/cli/jobs_csv.h"

#include <stdlib.h>

#include "core/support/output.h"
#include "core/support/timetext.h"
#include "sim/metrics/place_text.h"

typedef struct writer {
    fz_output *output;
    const fz_trace *trace;
    const fz_cluster_spec *cluster;
    const fz_run_result *result;
    fz_placement where;
    fz_place_text text;
} writer;

static void time_write(writer *w, fz_time time)
{
    char text[FZ_TIME_TEXT];
    fz_time_text(time, text);
    fz_output_text(w->output, ",");
    fz_output_text(w->output, text);
}

static void count_write(writer *w, uint64_t value)
{
    char text[FZ_TIME_TEXT];
    fz_count_text(value, text);
    fz_output_text(w->output, ",");
    fz_output_text(w->output, text);
}

/* gpus, gpu_types, nodes, plan of the last attempt. */
static bool attempt_write(writer *w, const fz_job_result *job)
{
    if (job->place == FZ_NO_PLACE) {
        fz_output_text(w->output, ",,,,");
        return true;
    }
    count_write(w, job->gpus);
    fz_places_read(w->result->places, job->place, &w->where);
    if (!fz_place_text_types(&w->text, w->cluster, &w->where))
        return false;
    fz_output_text(w->output, ",");
    fz_output_csv(w->output, w->text.text);
    if (!fz_place_text_nodes(&w->text, w->cluster, &w->where))
        return false;
    fz_output_text(w->output, ",");
    fz_output_csv(w->output, w->text.text);
    char plan[32];
    fz_plan_format(&w->result->plans[job->plan], plan, sizeof(plan));
    fz_output_text(w->output, ",");
    fz_output_text(w->output, plan);
    return true;
}

static bool row_write(writer *w, uint32_t row)
{
    const fz_job_result *job = &w->result->jobs[row];
    fz_time submit = w->trace->submit[row];
    bool ended = job->end != FZ_TIME_NONE;
    fz_output_csv(w->output, fz_trace_job_id(w->trace, row));
    time_write(w, submit);
    time_write(w, job->start);
    time_write(w, job->end);
    fz_output_text(w->output, ",");
    fz_output_text(w->output, fz_job_state_name((fz_job_state)job->state));
    if (!attempt_write(w, job))
        return false;
    count_write(w, job->attempts);
    time_write(w, ended ? job->end - submit - job->run : FZ_TIME_NONE);
    time_write(w, job->attempts > 0 ? job->gpu_time : FZ_TIME_NONE);
    fz_output_text(w->output, "\n");
    return true;
}

fz_status fz_jobs_csv_write(const char *path, const fz_trace *trace, const fz_cluster_spec *cluster,
                            const fz_run_result *result, fz_error *err)
{
    writer w = {.trace = trace, .cluster = cluster, .result = result};
    FZ_TRY(fz_output_open(path, &w.output, err));
    w.where =
        (fz_placement){.parts = calloc(cluster->n_nodes, sizeof(fz_part)), .capacity = cluster->n_nodes};
    bool written = w.where.parts != NULL;
    fz_output_text(w.output,
                   "job_id,submit_s,start_s,end_s,state,gpus,gpu_types,nodes,plan,attempts,wait_s,gpu_s\n");
    for (uint32_t row = 0; written && row < result->n_jobs; row++)
        written = row_write(&w, row);
    free(w.where.parts);
    free(w.text.text);
    if (!written) {
        fz_output_discard(w.output);
        return fz_fail(err, FZ_ENOMEM, "no memory to write %s", path);
    }
    return fz_output_commit(w.output, err);
}
