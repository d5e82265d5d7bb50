#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/support/rng.h"
#include "core/support/timetext.h"
#include "workloads/generate.h"
#include "workloads/generate/mix.h"

#define HOUR_S        3600.0
#define RATE_FLOPS    250e12
#define MEDIAN_S      1800.0
#define SIGMA         1.6
#define SHORTEST_S    60.0
#define LONGEST_S     86400.0
#define BYTES_A_PARAM 16.0
#define MAX_JOBS      100000000u
#define MAX_RATE      1e6

enum { HOURS = 24, FIRST_HOUR = 8, MAX_GUESS = 16, N_USERS = 12, N_CHOICES = 3 };

/* Jobs submitted in each hour of the day, in 1/100 % (Venus, 125,214 GPU jobs, April to September 2020). */
static const uint32_t hour_shares[HOURS] = {374, 274, 250, 160, 112, 86,  78,  93,  156, 332, 540, 614,
                                            485, 541, 650, 690, 723, 722, 534, 547, 560, 568, 479, 433};

/* Where the clock stands between two submissions. */
typedef struct arrivals {
    double seconds; /* since t = 0 */
    double mean_per_s[HOURS];
} arrivals;

fz_generate_llm_options fz_generate_llm_defaults(void)
{
    return (fz_generate_llm_options){.jobs = 500, .seed = 1, .jobs_per_h = 8};
}

/* ---- arrivals -------------------------------------------------------------------------------------- */

static arrivals arrivals_begin(double jobs_per_h)
{
    arrivals a = {0};
    double sum = 0;
    for (uint32_t i = 0; i < HOURS; i++)
        sum += hour_shares[i];
    for (uint32_t i = 0; i < HOURS; i++)
        a.mean_per_s[i] = jobs_per_h / HOUR_S * hour_shares[(i + FIRST_HOUR) % HOURS] * HOURS / sum;
    return a;
}

/* Moves to the next submission: an exponential gap of mean 1, spent at the rate of each hour in turn. */
static fz_time arrivals_next(arrivals *a, const fz_generate_llm_options *options, uint32_t job)
{
    double left = round(-log(fz_rng_once(options->seed, 0, "generate gap", job)) * 1e9) / 1e9;
    for (;;) {
        double hours = floor(a->seconds / HOUR_S), rest = (hours + 1) * HOUR_S - a->seconds;
        double rate = a->mean_per_s[(uint64_t)hours % HOURS];
        if (left <= rest * rate) {
            a->seconds += left / rate;
            return (fz_time)floor(a->seconds) * FZ_SECOND;
        }
        left -= rest * rate;
        a->seconds = (hours + 1) * HOUR_S;
    }
}

/* ---- one job --------------------------------------------------------------------------------------- */

/* An even draw of 0 .. n - 1. */
static uint32_t draw_below(const fz_generate_llm_options *options, const char *stream, uint32_t job,
                           uint32_t n)
{
    return (uint32_t)(fz_rng_once(options->seed, 0, stream, job) * n);
}

static const fz_mix_model *draw_model(const fz_generate_llm_options *options, uint32_t job)
{
    uint32_t sum = 0, i = 0;
    for (uint32_t k = 0; k < fz_mix_n_models; k++)
        sum += fz_mix_models[k].weight;
    uint32_t left = draw_below(options, "generate model", job, sum);
    while (left >= fz_mix_models[i].weight)
        left -= fz_mix_models[i++].weight;
    return &fz_mix_models[i];
}

static uint32_t draw_user(const fz_generate_llm_options *options, uint32_t job)
{
    double sum = 0, left;
    uint32_t user = 1;
    for (uint32_t k = 1; k <= N_USERS; k++)
        sum += 1.0 / (k * k);
    left = fz_rng_once(options->seed, 0, "generate user", job) * sum;
    while (user < N_USERS && left >= 1.0 / (user * user)) {
        left -= 1.0 / (user * user);
        user++;
    }
    return user;
}

static uint32_t rule_of_thumb(double params)
{
    uint32_t gpus = 1;
    while (gpus * 40.0 * (double)FZ_GIB < BYTES_A_PARAM * params)
        gpus *= 2;
    return gpus;
}

static uint32_t draw_guess(const fz_generate_llm_options *options, uint32_t job, uint32_t gpus)
{
    uint32_t percent = draw_below(options, "generate guess", job, 100);
    uint32_t guess = percent < 20 ? gpus / 2 : percent < 65 ? gpus : percent < 90 ? 2 * gpus : 4 * gpus;
    return guess < 1 ? 1 : guess > MAX_GUESS ? MAX_GUESS : guess;
}

static double draw_run_time(const fz_generate_llm_options *options, uint32_t job)
{
    double z = fz_rng_once_normal(options->seed, 0, "generate run time", job);
    double seconds = round(MEDIAN_S * exp(SIGMA * z));
    return seconds < SHORTEST_S ? SHORTEST_S : seconds > LONGEST_S ? LONGEST_S : seconds;
}

/* Three digits, at least 1. */
static double three_digits(double value)
{
    double unit = 1;
    while (value / unit >= 1000)
        unit *= 10;
    double rounded = round(value / unit) * unit;
    return rounded < 1 ? 1 : rounded;
}

static fz_trace_row draw_row(const fz_generate_llm_options *options, uint32_t job)
{
    const fz_mix_model *model = draw_model(options, job);
    uint32_t gpus = rule_of_thumb(model->params);
    fz_trace_row row = fz_trace_row_blank();
    row.model = model->name;
    row.seq_len = model->seq_lens[draw_below(options, "generate length", job, N_CHOICES)];
    row.global_batch = model->batches[draw_below(options, "generate batch", job, N_CHOICES)];
    row.req_gpus = draw_guess(options, job, gpus);
    double step_flop = 6 * model->params * (double)row.global_batch * row.seq_len;
    row.steps = three_digits(draw_run_time(options, job) * gpus * RATE_FLOPS / step_flop);
    return row;
}

/* ---- the trace ------------------------------------------------------------------------------------- */

static fz_status check_options(const fz_generate_llm_options *options, fz_error *err)
{
    if (options->jobs == 0 || options->jobs > MAX_JOBS)
        return fz_fail(err, FZ_EINVAL, "jobs is %u; 1 to %u are possible", options->jobs, MAX_JOBS);
    if (!(options->jobs_per_h > 0 && options->jobs_per_h <= MAX_RATE))
        return fz_fail(err, FZ_EINVAL, "rate is %g; above 0 and at most %g jobs an hour are possible",
                       options->jobs_per_h, MAX_RATE);
    return FZ_OK;
}

static fz_status add_header(fz_trace_builder *builder, const fz_generate_llm_options *options, fz_error *err)
{
    char command[160], rate[FZ_NUMBER_TEXT];
    (void)fz_number_text(options->jobs_per_h, rate);
    (void)snprintf(command, sizeof command, "frenzy trace generate llm --jobs %u --seed %llu --rate %s",
                   options->jobs, (unsigned long long)options->seed, rate);
    FZ_TRY(fz_trace_builder_header(builder, "source", "generate llm", err));
    return fz_trace_builder_header(builder, "command", command, err);
}

static fz_status build(fz_trace_builder *builder, const fz_generate_llm_options *options, fz_trace **out,
                       fz_error *err)
{
    arrivals clock = arrivals_begin(options->jobs_per_h);
    FZ_TRY(add_header(builder, options, err));
    for (uint32_t job = 0; job < options->jobs; job++) {
        char id[16], user[16];
        fz_trace_row row = draw_row(options, job);
        (void)snprintf(id, sizeof id, "llm-%u", job + 1);
        (void)snprintf(user, sizeof user, "user-%u", draw_user(options, job));
        row.job_id = id;
        row.user = user;
        row.submit = arrivals_next(&clock, options, job);
        FZ_TRY(fz_trace_builder_add(builder, &row, err));
    }
    return fz_trace_builder_finish(builder, out, NULL, err);
}

fz_status fz_generate_llm(const fz_generate_llm_options *options, fz_trace **out, fz_error *err)
{
    FZ_TRY(check_options(options, err));
    fz_trace_builder *builder = fz_trace_builder_new();
    if (builder == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a trace");
    fz_status status = build(builder, options, out, err);
    fz_trace_builder_free(builder);
    return status;
}
