#include "sim/cli/summary_text.h"

void fz_hours_text(double seconds, char *text, size_t size)
{
    if (seconds < 0)
        snprintf(text, size, "-");
    else
        snprintf(text, size, seconds < 3.6e6 ? "%.2f" : "%.0f", seconds / 3600);
}

const char *fz_estimate_source(const fz_summary *s)
{
    if (s->estimate_user == s->jobs && s->jobs > 0)
        return "user";
    if (s->estimate_limit == s->jobs && s->jobs > 0)
        return "limit";
    return s->estimate_oracle == s->jobs ? "oracle" : "mixed";
}

void fz_summary_line(FILE *file, const char *scheduler, const fz_run_result *result)
{
    const fz_summary *s = &result->summary;
    char avg[32], p50[32], p99[32], queue[32], makespan[32];
    fz_hours_text(s->jct_avg_s, avg, sizeof(avg));
    fz_hours_text(s->jct_p50_s, p50, sizeof(p50));
    fz_hours_text(s->jct_p99_s, p99, sizeof(p99));
    fz_hours_text(s->queue_avg_s, queue, sizeof(queue));
    fz_hours_text(s->makespan_s, makespan, sizeof(makespan));
    fprintf(file,
            "%s  %llu of %llu jobs finished  avg JCT %s h  p50 %s h  p99 %s h  queue %s h  makespan %s h  "
            "alloc %.1f %%  OOM %llu  preemptions %llu  %.4f ms/decision  %.0f jobs/s  estimate %s\n",
            scheduler, (unsigned long long)s->finished, (unsigned long long)s->jobs, avg, p50, p99, queue,
            makespan, s->alloc_frac < 0 ? 0 : 100 * s->alloc_frac, (unsigned long long)s->ooms,
            (unsigned long long)s->preemptions, result->cost.decide_ms_mean, result->cost.jobs_per_s,
            fz_estimate_source(s));
}

static void cost_json(fz_json *json, const fz_cost *cost)
{
    fz_json_open(json, "cost");
    fz_json_number(json, "wall_s", cost->wall_s);
    fz_json_number(json, "engine_s", cost->engine_s);
    fz_json_number(json, "jobs_per_s", cost->jobs_per_s);
    fz_json_number(json, "decide_ms_p50", cost->decide_ms_p50);
    fz_json_number(json, "decide_ms_p99", cost->decide_ms_p99);
    fz_json_number(json, "decide_ms_mean", cost->decide_ms_mean);
    fz_json_number(json, "decide_ms_max", cost->decide_ms_max);
    fz_json_count(json, "peak_rss_bytes", cost->peak_rss_bytes);
    fz_json_close(json);
}

void fz_summary_json(fz_json *json, const fz_run_result *result)
{
    const fz_summary *s = &result->summary;
    fz_json_count(json, "jobs", s->jobs);
    fz_json_count(json, "finished", s->finished);
    fz_json_count(json, "rejected", s->rejected);
    fz_json_count(json, "timeouts", s->timeouts);
    fz_json_count(json, "oom_failed", s->oom_failed);
    fz_json_count(json, "unfinished", s->unfinished);
    fz_json_figure(json, "queue_avg_s", s->queue_avg_s);
    fz_json_figure(json, "wait_avg_s", s->wait_avg_s);
    fz_json_figure(json, "jct_avg_s", s->jct_avg_s);
    fz_json_figure(json, "jct_p50_s", s->jct_p50_s);
    fz_json_figure(json, "jct_p90_s", s->jct_p90_s);
    fz_json_figure(json, "jct_p95_s", s->jct_p95_s);
    fz_json_figure(json, "jct_p99_s", s->jct_p99_s);
    fz_json_figure(json, "jct_max_s", s->jct_max_s);
    fz_json_figure(json, "makespan_s", s->makespan_s);
    fz_json_figure(json, "alloc_frac", s->alloc_frac);
    fz_json_count(json, "ooms", s->ooms);
    fz_json_count(json, "preemptions", s->preemptions);
    fz_json_count(json, "starts", s->starts);
    fz_json_count(json, "decisions", s->decisions);
    fz_json_count(json, "events", s->events);
    fz_json_count(json, "sized_by_marp", s->from_marp);
    fz_json_count(json, "gpu_shares_rounded_up", s->gpu_shares);
    fz_json_text(json, "estimate", fz_estimate_source(s));
    cost_json(json, &result->cost);
}
