#include <stdio.h>
#include <stdlib.h>

#include "core/support/rng.h"
#include "workloads/ops/change.h"
#include "workloads/ops/rewrite.h"
#include "workloads/ops/stats.h"

/* A job and where it stands in its stratum: the first ones are taken. */
typedef struct candidate {
    uint64_t stratum;
    double draw;
    uint32_t job;
} candidate;

typedef struct stratum {
    uint32_t begin, size, taken;
    double rest; /* what is missing to the exact share */
} stratum;

static int by_stratum(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    if (x->draw < y->draw || x->draw > y->draw)
        return x->draw < y->draw ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

static int by_rest(const void *a, const void *b)
{
    const stratum *x = a, *y = b;
    if (x->rest < y->rest || x->rest > y->rest)
        return x->rest > y->rest ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void candidates_make(const fz_trace *trace, const fz_sample *sample, candidate *all)
{
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        uint64_t size = sample->by_size ? fz_stats_size_class(fz_trace_gpus(trace, job)) : 0;
        uint64_t vc = sample->by_vc && trace->vc != NULL ? trace->vc[job] : 0;
        all[job] = (candidate){
            .stratum = vc << 8 | size, .draw = fz_rng_once(sample->seed, 0, "sample", job), .job = job};
    }
    qsort(all, trace->n_jobs, sizeof *all, by_stratum);
}

/* Whole parts first; what is left goes to the largest remainders. */
static void quotas_find(const candidate *all, uint32_t n_jobs, uint32_t wanted, stratum *strata)
{
    uint32_t n = 0, left = wanted;
    for (uint32_t i = 0; i < n_jobs; i++) {
        if (i == 0 || all[i].stratum != all[i - 1].stratum)
            strata[n++] = (stratum){.begin = i};
        strata[n - 1].size++;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t exact = (uint64_t)strata[i].size * wanted;
        strata[i].taken = (uint32_t)(exact / n_jobs);
        strata[i].rest = (double)(exact % n_jobs);
        left -= strata[i].taken;
    }
    qsort(strata, n, sizeof *strata, by_rest);
    for (uint32_t i = 0; left > 0; i++, left--)
        strata[i].taken++;
    for (uint32_t i = n; i < n_jobs; i++)
        strata[i] = (stratum){0};
}

static fz_status sample_job(void *context, uint32_t job, fz_trace_row *row, bool *keep, fz_error *err)
{
    const bool *chosen = context;
    (void)row;
    (void)err;
    *keep = chosen[job];
    return FZ_OK;
}

static fz_status sample_take(const fz_trace *trace, const fz_sample *sample, candidate *all, stratum *strata,
                             bool *chosen, fz_trace **out, fz_error *err)
{
    char history[160];
    candidates_make(trace, sample, all);
    quotas_find(all, trace->n_jobs, sample->jobs, strata);
    for (uint32_t i = 0; i < trace->n_jobs; i++)
        for (uint32_t k = 0; k < strata[i].taken; k++)
            chosen[all[strata[i].begin + k].job] = true;
    (void)snprintf(history, sizeof history, "trace sample --jobs %u --by %s --seed %llu", sample->jobs,
                   sample->by_size && sample->by_vc ? "gpus,vc"
                   : sample->by_size                ? "gpus"
                   : sample->by_vc                  ? "vc"
                                                    : "none",
                   (unsigned long long)sample->seed);
    fz_rewrite edit = {.context = chosen, .job = sample_job, .history = history};
    return fz_trace_rewrite(trace, &edit, out, err);
}

fz_status fz_trace_sample(const fz_trace *trace, const fz_sample *sample, fz_trace **out, fz_error *err)
{
    if (sample->jobs == 0 || sample->jobs > trace->n_jobs)
        return fz_fail(err, FZ_EINVAL, "%u jobs are wanted of %u", sample->jobs, trace->n_jobs);
    candidate *all = calloc(trace->n_jobs, sizeof *all);
    stratum *strata = calloc(trace->n_jobs, sizeof *strata);
    bool *chosen = calloc(trace->n_jobs, sizeof *chosen);
    fz_status status = all != NULL && strata != NULL && chosen != NULL
                           ? sample_take(trace, sample, all, strata, chosen, out, err)
                           : fz_fail(err, FZ_ENOMEM, "no memory for a sample of %u jobs", trace->n_jobs);
    free(all);
    free(strata);
    free(chosen);
    return status;
}
