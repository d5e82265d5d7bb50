#include "workloads/ops/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "workloads/hash_index.h"
#include "workloads/ops/check_private.h"

#define LONG_GAP (86400 * FZ_SECOND)
#define NEAR     FZ_SECOND /* times of real logs are whole seconds, rounded each on its own */

enum { MANY_AT_ONCE = 100 };

void fz_check_job(fz_check_count *count, uint32_t job)
{
    if (count->count++ == 0)
        count->first = job;
}

void fz_check_add(fz_trace_check *out, const fz_trace *trace, const char *key, const fz_check_count *count,
                  const char *format, ...)
{
    if (count->count == 0 || out->n_findings == FZ_CHECK_MAX_FINDINGS)
        return;
    fz_check_finding *finding = &out->findings[out->n_findings++];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
    finding->key = key;
    finding->count = count->count;
    finding->first_line = trace->line != NULL && count->count < trace->n_jobs ? trace->line[count->first] : 0;
}

/* ---- columns --------------------------------------------------------------------------------------- */

static void column_check(const fz_trace *trace, const fz_text_id *texts, const char *key, const char *name,
                         fz_trace_check *out)
{
    fz_check_count missing = {0};
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        if (texts == NULL || texts[job] == 0)
            fz_check_job(&missing, job);
    fz_check_add(out, trace, key, &missing, "%s %s",
                 missing.count == trace->n_jobs ? "no job has a" : "jobs without a", name);
}

void fz_check_columns(const fz_trace *trace, fz_trace_check *out)
{
    fz_check_count state = {0}, censored = {0}, unsized = {0};
    column_check(trace, trace->user, "no_user", "user", out);
    column_check(trace, trace->vc, "no_vc", "vc (tenant)", out);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        uint8_t s = trace->state != NULL ? trace->state[job] : FZ_TRACE_UNKNOWN;
        bool cpu = trace->cpu_only != NULL && trace->cpu_only[job];
        if (s == FZ_TRACE_UNKNOWN)
            fz_check_job(&state, job);
        if (s == FZ_TRACE_RUNNING || s == FZ_TRACE_PENDING)
            fz_check_job(&censored, job);
        if (!cpu && fz_trace_gpus(trace, job) <= 0)
            fz_check_job(&unsized, job);
    }
    fz_check_add(out, trace, "no_state", &state, "%s end state",
                 state.count == trace->n_jobs ? "no job has an" : "jobs without an");
    fz_check_add(out, trace, "censored", &censored,
                 "jobs that had not ended (RUNNING, PENDING): their durations are too short");
    fz_check_add(
        out, trace, "no_req_gpus", &unsized,
        "jobs that name no number of GPUs (serverless): a policy that needs one takes MARP's first plan");
    fz_check_count epoch = {.count = trace->epoch[0] == '\0'};
    fz_check_add(out, trace, "no_epoch", &epoch, "no line '# epoch:': nobody knows which hour t = 0 is");
    if (epoch.count > 0)
        out->findings[out->n_findings - 1].first_line = 0;
}

/* ---- clock ----------------------------------------------------------------------------------------- */

void fz_check_clock(const fz_trace *trace, fz_trace_check *out)
{
    fz_check_count gaps = {0}, at_once = {0};
    fz_time longest = 0;
    uint32_t begin = 0, most = 0;
    for (uint32_t job = 1; job < trace->n_jobs; job++) {
        fz_time gap = trace->submit[job] - trace->submit[job - 1];
        if (gap > LONG_GAP)
            fz_check_job(&gaps, job);
        longest = gap > longest ? gap : longest;
        if (gap > 0)
            begin = job;
        if (job - begin + 1 > most) {
            most = job - begin + 1;
            at_once.first = begin;
        }
    }
    at_once.count = most >= MANY_AT_ONCE ? most : 0;
    fz_check_add(out, trace, "gaps", &gaps,
                 "times without a submission for more than a day, the longest of %.1f days: is part of the "
                 "trace missing?",
                 fz_time_to_s(longest) / 86400);
    fz_check_add(out, trace, "at_once", &at_once,
                 "jobs submitted in one instant, t = %.0f s: were they running when the log began?",
                 fz_time_to_s(trace->submit[at_once.first]));
}

/* ---- times of a job -------------------------------------------------------------------------------- */

static bool near(fz_time a, fz_time b)
{
    return a - b <= NEAR && b - a <= NEAR;
}

void fz_check_times(const fz_trace *trace, fz_trace_check *out)
{
    fz_check_count early = {0}, queue = {0}, longer = {0}, shorter = {0};
    if (trace->start == NULL)
        return;
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        fz_time submit = trace->submit[job], start = trace->start[job];
        fz_time end = trace->end != NULL ? trace->end[job] : FZ_TIME_NONE;
        fz_time duration = trace->duration != NULL ? trace->duration[job] : FZ_TIME_NONE;
        if (start != FZ_TIME_NONE && start < submit)
            fz_check_job(&early, job);
        if (start == FZ_TIME_NONE || end == FZ_TIME_NONE || duration == FZ_TIME_NONE || end < start ||
            near(duration, end - start))
            continue;
        if (start > submit && near(duration, end - submit))
            fz_check_job(&queue, job);
        else
            fz_check_job(duration > end - start ? &longer : &shorter, job);
    }
    fz_check_add(out, trace, "starts_early", &early, "jobs that started before they were submitted");
    fz_check_add(out, trace, "includes_queue", &queue,
                 "durations that are end - submit: they include the queue; end - start is the run time");
    fz_check_add(out, trace, "longer_than_run", &longer, "durations longer than end - start");
    fz_check_add(out, trace, "shorter_than_run", &shorter,
                 "durations shorter than end - start (pauses between attempts?)");
}

/* ---- the same job twice ---------------------------------------------------------------------------- */

typedef struct twin_key {
    fz_time submit, duration;
    double gpus, steps;
    fz_text_id user, vc, model, types;
} twin_key;

static fz_text_id text_of(const fz_text_id *texts, uint32_t job)
{
    return texts != NULL ? texts[job] : 0;
}

static twin_key key_of(const fz_trace *trace, uint32_t job)
{
    return (twin_key){.submit = trace->submit[job],
                      .duration = trace->duration != NULL ? trace->duration[job] : FZ_TIME_NONE,
                      .gpus = fz_trace_gpus(trace, job),
                      .steps = trace->steps != NULL ? trace->steps[job] : 0,
                      .user = text_of(trace->user, job),
                      .vc = text_of(trace->vc, job),
                      .model = text_of(trace->model, job),
                      .types = text_of(trace->req_types, job)};
}

static bool key_same(const twin_key *a, const twin_key *b)
{
    return a->submit == b->submit && a->duration == b->duration && !(a->gpus < b->gpus) &&
           !(a->gpus > b->gpus) && !(a->steps < b->steps) && !(a->steps > b->steps) && a->user == b->user &&
           a->vc == b->vc && a->model == b->model && a->types == b->types;
}

/* Jobs of one instant are neighbors; a table of hashes finds the twin among them. */
fz_status fz_check_twins(const fz_trace *trace, fz_trace_check *out, fz_error *err)
{
    fz_hash_index index = {0};
    fz_check_count twins = {0};
    fz_status status = FZ_OK;
    for (uint32_t job = 0; job < trace->n_jobs && status == FZ_OK; job++) {
        twin_key key = key_of(trace, job);
        fz_time times[2] = {key.submit, key.duration};
        double numbers[2] = {key.gpus, key.steps};
        fz_text_id texts[4] = {key.user, key.vc, key.model, key.types};
        uint64_t hashes[3] = {fz_hash_bytes(times, sizeof times), fz_hash_bytes(numbers, sizeof numbers),
                              fz_hash_bytes(texts, sizeof texts)};
        uint64_t hash = fz_hash_bytes(hashes, sizeof hashes), step = 0;
        uint32_t other = 0;
        bool found = false;
        while (!found && fz_hash_index_next(&index, hash, &step, &other)) {
            twin_key theirs = key_of(trace, other);
            found = key_same(&key, &theirs);
        }
        if (found)
            fz_check_job(&twins, job);
        else if (!fz_hash_index_add(&index, hash, job))
            status = fz_fail(err, FZ_ENOMEM, "no memory to compare %u jobs", trace->n_jobs);
    }
    fz_hash_index_release(&index);
    fz_check_add(out, trace, "twins", &twins, "jobs that repeat an earlier one in everything but the id");
    return status;
}

fz_status fz_trace_check_of(const fz_trace *trace, const fz_cluster_spec *cluster, fz_trace_check *out,
                            fz_error *err)
{
    *out = (fz_trace_check){.above_frac = -1};
    fz_check_columns(trace, out);
    fz_check_clock(trace, out);
    fz_check_times(trace, out);
    FZ_TRY(fz_check_twins(trace, out, err));
    FZ_TRY(fz_load_of(trace, cluster, &out->load, err));
    FZ_TRY(fz_check_demand(trace, cluster, out, err));
    return cluster != NULL ? fz_check_fit(trace, cluster, out, err) : FZ_OK;
}
