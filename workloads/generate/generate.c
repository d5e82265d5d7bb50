#include "workloads/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/support/number.h"
#include "core/support/rng.h"
#include "core/support/timetext.h"
#include "workloads/generate/arrivals.h"
#include "workloads/generate/draws.h"
#include "workloads/generate/profile_parts.h"
#include "workloads/ops/load.h"

#define MAX_RATE 1e6

/* The options with the profile's defaults filled in. */
static fz_status options_resolve(const fz_profile *p, const fz_generate_options *given,
                                 fz_generate_options *out, fz_error *err)
{
    *out = *given;
    if (out->jobs == 0)
        out->jobs = p->jobs;
    if (out->jobs_per_h == 0)
        out->jobs_per_h = p->arrivals.jobs_per_h;
    if (out->jobs > FZ_PROFILE_MAX_JOBS)
        return fz_fail(err, FZ_EINVAL, "jobs is %u; 1 to %u are possible", out->jobs, FZ_PROFILE_MAX_JOBS);
    if (!(out->jobs_per_h > 0 && out->jobs_per_h <= MAX_RATE))
        return fz_fail(err, FZ_EINVAL, "rate is %g; above 0 and at most %g jobs an hour are possible",
                       out->jobs_per_h, MAX_RATE);
    if (out->no_requests && p->mix == NULL)
        return fz_fail(err, FZ_EINVAL,
                       "jobs of the profile %s have no model: without a request there is no telling how many "
                       "GPUs they need",
                       p->name);
    return FZ_OK;
}

/* ---- one job --------------------------------------------------------------------------------------- */

typedef struct generator {
    const fz_profile *p;
    fz_generate_options options;
    fz_tenant_draws tenants;
    fz_trace_builder *builder;
} generator;

static void opaque_row(const generator *g, uint32_t job, uint32_t head, uint32_t vc, fz_trace_row *row)
{
    const fz_profile_state *state = fz_draw_state(g->p, g->options.seed, job);
    double gpus = fz_draw_size(g->p, g->options.seed, head);
    row->req_gpus = (uint32_t)ceil(gpus);
    row->req_gpus_exact = gpus < 1 ? gpus : 0;
    row->req_types = fz_draw_types(g->p, g->options.seed, head);
    row->state = state != NULL ? state->state : FZ_TRACE_UNKNOWN;
    double seconds = fz_draw_duration(g->p, &g->tenants, g->options.seed, job, gpus, vc, state);
    row->duration = (fz_time)llround(seconds * 1000) * (FZ_SECOND / 1000);
}

static void llm_row(const generator *g, uint32_t job, uint32_t head, uint32_t vc, fz_trace_row *row)
{
    uint64_t seed = g->options.seed;
    fz_mix_draw draw = fz_mix_draw_of(&g->p->mix->classes[g->p->mix->n_classes - 1], seed, head);
    uint32_t gpus = fz_thumb_gpus(g->p, draw.model->params);
    row->model = draw.model->name;
    row->seq_len = draw.seq_len;
    row->global_batch = draw.global_batch;
    row->req_gpus = g->options.no_requests ? 0 : fz_draw_guess(g->p, seed, job, gpus);
    double seconds = fz_draw_duration(g->p, &g->tenants, seed, job, gpus, vc, NULL);
    row->steps = fz_mix_steps(g->p->mix, &draw, seconds * gpus);
}

/* Spot jobs have priority 0 and may be preempted, the others have 1 and may not. */
static fz_status priority_add(const generator *g, uint32_t head, fz_error *err)
{
    if (g->p->preemptible < 0)
        return FZ_OK;
    bool spot = fz_rng_once(g->options.seed, 0, "generate preemptible", head) < g->p->preemptible;
    FZ_TRY(fz_trace_builder_extra(g->builder, "priority", spot ? "0" : "1", err));
    return fz_trace_builder_extra(g->builder, "preemptible", spot ? "1" : "0", err);
}

static fz_status job_add(const generator *g, uint32_t job, fz_arrival arrival, fz_error *err)
{
    const fz_profile *p = g->p;
    uint64_t seed = g->options.seed;
    char id[80], user[48] = "", vc_name[24] = "";
    fz_trace_row row = fz_trace_row_blank();
    uint32_t vc = p->vcs.count > 0 ? fz_draw_rank(&p->vcs, seed, "generate vc", arrival.head) : 0;
    (void)snprintf(id, sizeof id, "%.60s-%u", p->name, job + 1);
    if (p->vcs.count > 0)
        (void)snprintf(vc_name, sizeof vc_name, "vc-%u", vc + 1);
    if (p->users.count > 0)
        (void)snprintf(user, sizeof user, "%s%suser-%u", vc_name, vc_name[0] != '\0' ? "." : "",
                       fz_draw_rank(&p->users, seed, "generate user", arrival.head) + 1);
    row.job_id = id;
    row.user = user;
    row.vc = vc_name;
    row.submit = arrival.submit;
    if (p->mix != NULL)
        llm_row(g, job, arrival.head, vc, &row);
    else
        opaque_row(g, job, arrival.head, vc, &row);
    FZ_TRY(fz_trace_builder_add(g->builder, &row, err));
    return priority_add(g, arrival.head, err);
}

/* ---- the trace ------------------------------------------------------------------------------------- */

static fz_status add_header(const generator *g, fz_error *err)
{
    char command[400], source[300], rate[FZ_NUMBER_TEXT];
    const fz_profile *p = g->p;
    (void)fz_number_text(g->options.jobs_per_h, rate);
    (void)snprintf(command, sizeof command, "frenzy trace generate %.256s --jobs %u --seed %llu --rate %s%s",
                   p->given, g->options.jobs, (unsigned long long)g->options.seed, rate,
                   g->options.no_requests ? " --no-requests" : "");
    (void)snprintf(source, sizeof source, "generate %s", p->name);
    FZ_TRY(fz_trace_builder_header(g->builder, "source", source, err));
    if (p->epoch[0] != '\0')
        FZ_TRY(fz_trace_builder_header(g->builder, "epoch", p->epoch, err));
    FZ_TRY(fz_trace_builder_header(g->builder, "command", command, err));
    return p->bundled ? FZ_OK : fz_trace_builder_header(g->builder, "profile_sha256", p->sha256, err);
}

static fz_status jobs_add(const generator *g, fz_error *err)
{
    fz_arrivals clock;
    FZ_TRY(fz_arrivals_begin(&clock, &g->p->arrivals, g->options.seed, g->options.jobs_per_h, err));
    fz_status status = FZ_OK;
    for (uint32_t job = 0; job < g->options.jobs && status == FZ_OK; job++) {
        fz_arrival arrival = fz_arrivals_next(&clock);
        status = arrival.submit < FZ_TIME_LIMIT
                     ? job_add(g, job, arrival, err)
                     : fz_fail(err, FZ_EINVAL, "job %u would come after 10,000 years; give a higher rate",
                               job + 1);
    }
    fz_arrivals_end(&clock);
    return status;
}

fz_status fz_generate(const fz_profile *profile, const fz_generate_options *options, fz_trace **out,
                      fz_error *err)
{
    generator g = {.p = profile};
    FZ_TRY(options_resolve(profile, options, &g.options, err));
    fz_arena *arena = fz_arena_new(NULL);
    g.builder = fz_trace_builder_new();
    fz_status status = arena != NULL && g.builder != NULL
                           ? fz_tenants_draw(profile, g.options.seed, arena, &g.tenants, err)
                           : fz_fail(err, FZ_ENOMEM, "no memory for a trace");
    if (status == FZ_OK)
        status = add_header(&g, err);
    if (status == FZ_OK)
        status = jobs_add(&g, err);
    if (status == FZ_OK)
        status = fz_trace_builder_finish(g.builder, out, NULL, err);
    fz_trace_builder_free(g.builder);
    fz_arena_free(arena);
    return status;
}

/* ---- rates for a load ------------------------------------------------------------------------------ */

/* From first to last submission at some rate. */
static fz_status span_at(const fz_profile *p, const fz_generate_options *options, double rate, double *span,
                         fz_error *err)
{
    fz_arrivals clock;
    fz_time first = FZ_TIME_MAX, last = 0;
    FZ_TRY(fz_arrivals_begin(&clock, &p->arrivals, options->seed, rate, err));
    for (uint32_t job = 0; job < options->jobs; job++) {
        fz_time t = fz_arrivals_next(&clock).submit;
        first = t < first ? t : first;
        last = t > last ? t : last;
    }
    fz_arrivals_end(&clock);
    *span = fz_time_to_s(last - first);
    return FZ_OK;
}

/* The number that six digits read as. */
static double six_digits(double value)
{
    char text[32];
    double rounded = value;
    int length = snprintf(text, sizeof text, "%.6g", value);
    (void)fz_number_real(text, (size_t)length, &rounded);
    return rounded;
}

/* Halves an interval of rates until the span at its middle is as wanted: the same jobs come, only closer. */
static fz_status rate_search(const fz_profile *p, const fz_generate_options *options, double wanted_s,
                             double *rate, fz_error *err)
{
    double low = options->jobs_per_h, high = low, span = 0;
    FZ_TRY(span_at(p, options, low, &span, err));
    while (span < wanted_s && low > 1e-9) {
        low /= 4;
        FZ_TRY(span_at(p, options, low, &span, err));
    }
    FZ_TRY(span_at(p, options, high, &span, err));
    while (span > wanted_s && high < MAX_RATE) {
        high *= 4;
        FZ_TRY(span_at(p, options, high, &span, err));
    }
    for (int i = 0; i < 40 && high / low > 1 + 1e-7 && fabs(span / wanted_s - 1) > 1e-5; i++) {
        *rate = sqrt(low * high);
        FZ_TRY(span_at(p, options, *rate, &span, err));
        *(span > wanted_s ? &low : &high) = *rate;
    }
    *rate = six_digits(sqrt(low * high));
    return FZ_OK;
}

fz_status fz_generate_rate(const fz_profile *profile, const fz_generate_options *options,
                           const fz_cluster_spec *cluster, double load, double *jobs_per_h, fz_error *err)
{
    fz_generate_options resolved;
    fz_trace *trace = NULL;
    fz_load at_start = {0};
    FZ_TRY(options_resolve(profile, options, &resolved, err));
    FZ_TRY(fz_generate(profile, &resolved, &trace, err));
    fz_status status = fz_load_of(trace, cluster, &at_start, err);
    fz_trace_free(trace);
    FZ_TRY(status);
    if (!(at_start.load > 0) || at_start.span_s <= 0)
        return fz_fail(err, FZ_EINVAL, "a load needs at least two jobs at different times, and work");
    return rate_search(profile, &resolved, at_start.load * at_start.span_s / load, jobs_per_h, err);
}
