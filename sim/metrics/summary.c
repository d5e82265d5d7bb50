#include "sim/metrics/summary.h"

#include <math.h>

/* ---- percentiles ------------------------------------------------------------------------------------ */

static void swap(fz_time *a, fz_time *b)
{
    fz_time t = *a;
    *a = *b;
    *b = t;
}

/* Puts the median of three at the middle, so that sorted input is no worst case. */
static fz_time pivot_of(fz_time *values, uint32_t low, uint32_t high)
{
    uint32_t middle = low + (high - low) / 2;
    if (values[middle] < values[low])
        swap(&values[middle], &values[low]);
    if (values[high] < values[low])
        swap(&values[high], &values[low]);
    if (values[high] < values[middle])
        swap(&values[high], &values[middle]);
    return values[middle];
}

/* Hoare's selection: afterwards values[rank] is what a sort would put there. */
static fz_time select_rank(fz_time *values, uint32_t n, uint32_t rank)
{
    uint32_t low = 0;
    uint32_t high = n - 1;
    while (low < high) {
        fz_time pivot = pivot_of(values, low, high);
        uint32_t i = low;
        uint32_t j = high;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j) {
                swap(&values[i++], &values[j]);
                if (j == 0)
                    break;
                j--;
            }
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break;
    }
    return values[rank];
}

fz_time fz_percentile_nearest(fz_time *values, uint32_t n, double p)
{
    double rank = ceil(p * (double)n);
    uint32_t at = rank < 1 ? 0 : (uint32_t)rank - 1;
    return select_rank(values, n, at < n ? at : n - 1);
}

/* ---- sums ------------------------------------------------------------------------------------------- */

__extension__ typedef __int128 wide; /* sums of 2^32 times stay exact */

typedef struct sums {
    wide jct, queue, wait, gpu_time;
    fz_time first_submit, last_end;
    uint32_t n_jcts;
} sums;

static void job_count(const fz_job_result *job, fz_summary *summary)
{
    summary->started += job->start != FZ_TIME_NONE;
    switch ((fz_job_state)job->state) {
    case FZ_JOB_FINISHED:
        summary->finished++;
        break;
    case FZ_JOB_TIMEOUT:
        summary->timeouts++;
        break;
    case FZ_JOB_OOM:
        summary->oom_failed++;
        break;
    case FZ_JOB_REJECTED:
        summary->rejected++;
        break;
    case FZ_JOB_WAITING:
    case FZ_JOB_RUNNING:
        summary->unfinished++;
        break;
    }
}

static void job_add(const fz_job_result *job, fz_time submit, sums *total, fz_time *jcts)
{
    if (job->start != FZ_TIME_NONE)
        total->queue += job->start - submit;
    if (job->end != FZ_TIME_NONE && job->end > total->last_end)
        total->last_end = job->end;
    total->gpu_time += job->gpu_time;
    if (job->state == FZ_JOB_FINISHED) {
        total->jct += job->end - submit;
        total->wait += job->end - submit - job->run;
        jcts[total->n_jcts++] = job->end - submit;
    }
}

static double mean_s(wide sum, uint64_t n)
{
    return n > 0 ? (double)sum / (double)n / (double)FZ_SECOND : -1;
}

static double percentile_s(fz_time *values, uint32_t n, double p)
{
    return n > 0 ? fz_time_to_s(fz_percentile_nearest(values, n, p)) : -1;
}

static void figures_fill(fz_summary *summary, const sums *total, fz_time *jcts, uint32_t gpus)
{
    summary->jct_avg_s = mean_s(total->jct, total->n_jcts);
    summary->jct_p50_s = percentile_s(jcts, total->n_jcts, 0.50);
    summary->jct_p90_s = percentile_s(jcts, total->n_jcts, 0.90);
    summary->jct_p95_s = percentile_s(jcts, total->n_jcts, 0.95);
    summary->jct_p99_s = percentile_s(jcts, total->n_jcts, 0.99);
    summary->jct_max_s = percentile_s(jcts, total->n_jcts, 1.00);
    summary->queue_avg_s = mean_s(total->queue, summary->started);
    summary->wait_avg_s = mean_s(total->wait, total->n_jcts);
    summary->makespan_s = -1;
    summary->alloc_frac = -1;
    if (total->last_end != FZ_TIME_NONE) {
        fz_time span = total->last_end - total->first_submit;
        summary->makespan_s = fz_time_to_s(span);
        if (span > 0)
            summary->alloc_frac = (double)total->gpu_time / (double)span / (double)gpus;
    }
}

/* Over a window, allocation is that of its time, whoever held the GPUs. */
static void window_alloc(fz_summary *summary, const fz_window *window, fz_time first_submit, uint32_t gpus)
{
    fz_time span = window->until - first_submit;
    summary->alloc_frac = span > 0 ? window->gpu_us / (double)span / (double)gpus : -1;
}

fz_status fz_summary_fill(fz_arena *arena, const fz_time *submit, uint32_t gpus, const fz_window *window,
                          fz_run_result *result, fz_error *err)
{
    uint32_t first = window != NULL ? window->first : 0;
    uint32_t end = window != NULL ? window->end : result->n_jobs;
    fz_time *jcts = FZ_NEW(arena, end - first, fz_time);
    if (jcts == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the summary of %u jobs", result->n_jobs);
    sums total = {.last_end = FZ_TIME_NONE, .first_submit = first < end ? submit[first] : 0};
    for (uint32_t job = first; job < end; job++) {
        job_count(&result->jobs[job], &result->summary);
        job_add(&result->jobs[job], submit[job], &total, jcts);
    }
    result->summary.jobs = end - first;
    figures_fill(&result->summary, &total, jcts, gpus);
    if (window != NULL)
        window_alloc(&result->summary, window, total.first_submit, gpus);
    return FZ_OK;
}
