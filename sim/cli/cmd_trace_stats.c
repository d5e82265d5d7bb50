/* frenzy trace stats: a trace in figures. */
#include <math.h>
#include <stdio.h>

#include "sim/cli/inputs.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/ops/stats.h"

/* ---- text ------------------------------------------------------------------------------------------------ */

/* A figure, or a dash where it does not exist. */
static const char *figure(double value, int decimals, char text[32])
{
    if (!isfinite(value))
        return "-";
    snprintf(text, 32, "%.*f", decimals, value);
    return text;
}

static void shares_print(const char *name, const double *shares, uint32_t from, uint32_t to)
{
    printf("%-24s", name);
    for (uint32_t i = from; i < to; i++)
        printf(" %5.2f", 100 * shares[i]);
    printf("\n");
}

static void arrivals_print(const fz_stats_arrivals *a)
{
    char x[6][32];
    printf("\narrivals%s\n", a->clock_known ? "" : " (no epoch: t = 0 is taken for Monday 0 h)");
    shares_print("  hours 0-11          %", a->hours, 0, 12);
    shares_print("  hours 12-23         %", a->hours, 12, 24);
    shares_print("  Monday to Sunday    %", a->weekdays, 0, 7);
    printf("  index of dispersion     10 min %s, 1 h %s (Poisson: 1); hours without a job %s %%\n",
           figure(a->dispersion_10min, 1, x[0]), figure(a->dispersion_1h, 1, x[1]),
           figure(100 * a->empty_hours, 1, x[2]));
    printf("  autocorrelation (1 h)   lag 1 %s, 24 %s, 168 %s\n", figure(a->autocorrelation[0], 2, x[0]),
           figure(a->autocorrelation[1], 2, x[1]), figure(a->autocorrelation[2], 2, x[2]));
    printf("  gaps                    p50 %s s, p90 %s s, p99 %s s, CV %s; %s %% follow the same VC and size "
           "within 60 s\n",
           figure(a->gap_p50_s, 0, x[0]), figure(a->gap_p90_s, 0, x[1]), figure(a->gap_p99_s, 0, x[2]),
           figure(a->gap_cv, 1, x[3]), figure(100 * a->follows, 1, x[4]));
}

static void duration_row(const char *name, const fz_stats_durations *d)
{
    char x[8][32];
    printf("  %-10s %9llu %7s %7s %6s %8s %8s %9s %9s %9s\n", name, (unsigned long long)d->n,
           figure(d->mu, 3, x[0]), figure(d->sigma, 3, x[1]), figure(d->ks, 3, x[2]),
           figure(d->p5_s, 0, x[3]), figure(d->p50_s, 0, x[4]), figure(d->p90_s, 0, x[5]),
           figure(d->p99_s, 0, x[6]), figure(d->max_s, 0, x[7]));
}

static void durations_print(const fz_trace_stats *s)
{
    printf("\ndurations (s), lognormal fit: mu, sigma of ln, KS distance\n");
    printf("  %-10s %9s %7s %7s %6s %8s %8s %9s %9s %9s\n", "GPUs", "jobs", "mu", "sigma", "KS", "p5", "p50",
           "p90", "p99", "max");
    duration_row("all", &s->durations);
    for (uint32_t i = 0; i < FZ_STATS_SIZES; i++)
        if (s->sizes[i].durations.n > 0)
            duration_row(s->sizes[i].name, &s->sizes[i].durations);
}

static void group_row(const fz_trace_stats *s, const char *name, uint64_t jobs, double gpu_s)
{
    char x[32];
    printf("  %-10s %9llu %8.2f %12.0f %10s\n", name, (unsigned long long)jobs,
           100 * (double)jobs / (double)s->jobs, gpu_s / 3600,
           figure(s->gpu_s > 0 ? 100 * gpu_s / s->gpu_s : (double)NAN, 2, x));
}

static void groups_print(const fz_trace_stats *s)
{
    char x[32];
    printf("\nGPUs per job, mean %s\n", figure(s->mean_gpus, 2, x));
    printf("  %-10s %9s %8s %12s %10s\n", "GPUs", "jobs", "% jobs", "GPU-h", "% GPU time");
    for (uint32_t i = 0; i < FZ_STATS_SIZES; i++)
        if (s->sizes[i].jobs > 0)
            group_row(s, s->sizes[i].name, s->sizes[i].jobs, s->sizes[i].gpu_s);
    if (s->serverless > 0)
        group_row(s, "not asked", s->serverless, 0);
    if (s->cpu_jobs > 0)
        group_row(s, "none", s->cpu_jobs, 0);
    if (s->states[FZ_TRACE_UNKNOWN].jobs < s->jobs) {
        printf("\nend states\n");
        for (uint32_t i = 0; i < FZ_STATS_STATES; i++)
            if (s->states[i].jobs > 0)
                group_row(s, s->states[i].name, s->states[i].jobs, s->states[i].gpu_s);
    }
    if (s->n_classes > 0)
        printf("\nclasses of jobs\n");
    for (uint32_t i = 0; i < s->n_classes; i++)
        group_row(s, s->classes[i].name, s->classes[i].jobs, s->classes[i].gpu_s);
}

static void ranks_print(const char *name, const fz_stats_ranks *r)
{
    char x[8][32];
    if (r->n == 0)
        return;
    printf("  %-6s %6u  jobs: slope %s, top 1/5/10 %s/%s/%s %%;  GPU time: slope %s, %s/%s/%s %%\n", name,
           r->n, figure(r->jobs_slope, 2, x[0]), figure(100 * r->top_jobs[0], 1, x[1]),
           figure(100 * r->top_jobs[1], 1, x[2]), figure(100 * r->top_jobs[2], 1, x[3]),
           figure(r->gpu_s_slope, 2, x[4]), figure(100 * r->top_gpu_s[0], 1, x[5]),
           figure(100 * r->top_gpu_s[1], 1, x[6]), figure(100 * r->top_gpu_s[2], 1, x[7]));
}

static void stats_print(const fz_trace *trace, const fz_trace_stats *s)
{
    char x[32];
    printf("%s: %llu jobs%s%s, %.1f days, %s jobs/h, %.0f GPU-h\n", trace->path, (unsigned long long)s->jobs,
           trace->epoch[0] != '\0' ? " from " : "", trace->epoch, s->arrivals.span_s / 86400,
           figure(s->arrivals.jobs_per_h, 1, x), s->gpu_s / 3600);
    arrivals_print(&s->arrivals);
    durations_print(s);
    groups_print(s);
    if (s->vcs.n + s->users.n > 0)
        printf("\nskew (slope of ln share against ln rank, first 30)\n");
    ranks_print("VCs", &s->vcs);
    ranks_print("users", &s->users);
}

/* ---- JSON ------------------------------------------------------------------------------------------------ */

static void list_json(fz_json *json, const char *key, const double *values, uint32_t n)
{
    fz_json_open_list(json, key);
    for (uint32_t i = 0; i < n; i++)
        fz_json_number(json, NULL, values[i]);
    fz_json_close_list(json);
}

static void arrivals_json(fz_json *json, const fz_stats_arrivals *a)
{
    fz_json_open(json, "arrivals");
    fz_json_bool(json, "clock_known", a->clock_known);
    fz_json_number(json, "span_s", a->span_s);
    fz_json_number(json, "jobs_per_h", a->jobs_per_h);
    list_json(json, "hours_frac", a->hours, 24);
    list_json(json, "weekdays_frac", a->weekdays, 7);
    fz_json_number(json, "dispersion_10min", a->dispersion_10min);
    fz_json_number(json, "dispersion_1h", a->dispersion_1h);
    fz_json_number(json, "autocorrelation_1h", a->autocorrelation[0]);
    fz_json_number(json, "autocorrelation_24h", a->autocorrelation[1]);
    fz_json_number(json, "autocorrelation_168h", a->autocorrelation[2]);
    fz_json_number(json, "empty_hours_frac", a->empty_hours);
    fz_json_number(json, "gap_p50_s", a->gap_p50_s);
    fz_json_number(json, "gap_p90_s", a->gap_p90_s);
    fz_json_number(json, "gap_p99_s", a->gap_p99_s);
    fz_json_number(json, "gap_cv", a->gap_cv);
    fz_json_number(json, "follows_frac", a->follows);
    fz_json_close(json);
}

static void durations_json(fz_json *json, const fz_stats_durations *d)
{
    fz_json_open(json, "durations");
    fz_json_count(json, "n", d->n);
    fz_json_count(json, "n_zero", d->n_zero);
    fz_json_number(json, "mean_s", d->mean_s);
    fz_json_number(json, "p5_s", d->p5_s);
    fz_json_number(json, "p25_s", d->p25_s);
    fz_json_number(json, "p50_s", d->p50_s);
    fz_json_number(json, "p75_s", d->p75_s);
    fz_json_number(json, "p90_s", d->p90_s);
    fz_json_number(json, "p95_s", d->p95_s);
    fz_json_number(json, "p99_s", d->p99_s);
    fz_json_number(json, "max_s", d->max_s);
    fz_json_number(json, "mu", d->mu);
    fz_json_number(json, "sigma", d->sigma);
    fz_json_number(json, "ks", d->ks);
    fz_json_close(json);
}

static void group_json(fz_json *json, const char *name, uint64_t jobs, double gpu_s)
{
    fz_json_text(json, "name", name);
    fz_json_count(json, "jobs", jobs);
    fz_json_number(json, "gpu_s", gpu_s);
}

static void groups_json(fz_json *json, const char *key, const fz_stats_group *groups, uint32_t n)
{
    fz_json_open_list(json, key);
    for (uint32_t i = 0; i < n; i++) {
        if (groups[i].jobs == 0)
            continue;
        fz_json_open(json, NULL);
        group_json(json, groups[i].name, groups[i].jobs, groups[i].gpu_s);
        fz_json_close(json);
    }
    fz_json_close_list(json);
}

static void sizes_json(fz_json *json, const fz_trace_stats *s)
{
    fz_json_open_list(json, "sizes");
    for (uint32_t i = 0; i < FZ_STATS_SIZES; i++) {
        if (s->sizes[i].jobs == 0)
            continue;
        fz_json_open(json, NULL);
        group_json(json, s->sizes[i].name, s->sizes[i].jobs, s->sizes[i].gpu_s);
        durations_json(json, &s->sizes[i].durations);
        fz_json_close(json);
    }
    fz_json_close_list(json);
}

static void ranks_json(fz_json *json, const char *key, const fz_stats_ranks *r)
{
    fz_json_open(json, key);
    fz_json_count(json, "n", r->n);
    if (r->n > 0) {
        fz_json_number(json, "jobs_slope", r->jobs_slope);
        list_json(json, "top_1_5_10_jobs_frac", r->top_jobs, FZ_STATS_TOPS);
        fz_json_text(json, "most_jobs", r->most_jobs);
        fz_json_number(json, "gpu_s_slope", r->gpu_s_slope);
        list_json(json, "top_1_5_10_gpu_s_frac", r->top_gpu_s, FZ_STATS_TOPS);
        fz_json_text(json, "most_gpu_s", r->most_gpu_s);
    }
    fz_json_close(json);
}

static void stats_json(const fz_trace *trace, const fz_trace_stats *s)
{
    fz_json json = fz_json_start(stdout, "frenzy-trace-stats-1");
    fz_json_text(&json, "sha256", trace->sha256);
    fz_json_text(&json, "epoch", trace->epoch);
    fz_json_count(&json, "jobs", s->jobs);
    fz_json_count(&json, "cpu_jobs", s->cpu_jobs);
    fz_json_count(&json, "serverless", s->serverless);
    fz_json_number(&json, "gpu_s", s->gpu_s);
    fz_json_number(&json, "mean_gpus", s->mean_gpus);
    arrivals_json(&json, &s->arrivals);
    durations_json(&json, &s->durations);
    sizes_json(&json, s);
    groups_json(&json, "states", s->states, FZ_STATS_STATES);
    groups_json(&json, "classes", s->classes, s->n_classes);
    ranks_json(&json, "vcs", &s->vcs);
    ranks_json(&json, "users", &s->users);
    fz_json_end(&json);
}

static int stats_run(const fz_args *args)
{
    fz_trace_report report = {0};
    fz_trace *trace = NULL;
    fz_trace_stats stats;
    fz_error err = {0};
    int code = fz_trace_open(args->rest[0], FZ_BAD_ROWS_DEFAULT, &trace, &report);
    if (code != FZ_EXIT_DONE)
        return code;
    if (fz_trace_stats_of(trace, &stats, &err) != FZ_OK)
        code = fz_say_error(&err);
    else if (fz_args_has(args, "json"))
        stats_json(trace, &stats);
    else
        stats_print(trace, &stats);
    fz_trace_free(trace);
    return code;
}

const fz_command fz_trace_stats_command = {
    .name = "trace stats",
    .summary = "describe a trace: arrivals, durations, sizes, tenants, end states",
    .arguments = "FILE [--json]",
    .examples = "  frenzy trace stats trace.csv\n  frenzy trace stats demo --json\n",
    .notes = "Hours and weekdays are those of the trace's epoch. Percentiles are nearest rank. Sizes, skew "
             "and states\n"
             "count GPU time (duration x GPUs) beside jobs; LLM jobs without a duration have none.\n",
    .min_rest = 1,
    .max_rest = 1,
    .run = stats_run,
};
