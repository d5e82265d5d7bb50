/* Demand against supply, over time and by GPU type. */
#include <stdlib.h>

#include "workloads/ops/check_private.h"
#include "workloads/req_types.h"

typedef struct change {
    fz_time at;
    double gpus; /* more from here on; less if negative */
} change;

static int by_time(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->gpus < y->gpus ? -1 : x->gpus > y->gpus; /* ends first */
}

static bool is_timed(const fz_trace *trace, uint32_t job)
{
    return trace->duration != NULL && trace->duration[job] > 0 && fz_trace_gpus(trace, job) > 0;
}

static void changes_walk(const change *changes, size_t n, double capacity, fz_trace_check *out)
{
    double now = 0, above = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && capacity > 0 && now > capacity * (1 + 1e-9))
            above += fz_time_to_s(changes[i].at - changes[i - 1].at);
        now += changes[i].gpus;
        out->peak_gpus = now > out->peak_gpus ? now : out->peak_gpus;
    }
    double span = n > 0 ? fz_time_to_s(changes[n - 1].at - changes[0].at) : 0;
    if (capacity > 0 && span > 0)
        out->above_frac = above / span;
}

static fz_status over_time(const fz_trace *trace, fz_trace_check *out, fz_error *err)
{
    change *changes = calloc(2 * (size_t)trace->n_jobs + 1, sizeof *changes);
    size_t n = 0;
    if (changes == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the demand of %u jobs", trace->n_jobs);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        if (!is_timed(trace, job))
            continue;
        double gpus = fz_trace_gpus(trace, job);
        changes[n++] = (change){trace->submit[job], gpus};
        changes[n++] = (change){trace->submit[job] + trace->duration[job], -gpus};
    }
    qsort(changes, n, sizeof *changes, by_time);
    changes_walk(changes, n, out->load.capacity, out);
    free(changes);
    return FZ_OK;
}

/* ---- by type --------------------------------------------------------------------------------------- */

static uint32_t gpus_of(const fz_cluster_spec *cluster, fz_type_mask mask)
{
    uint32_t gpus = 0;
    for (uint32_t i = 0; i < cluster->n_nodes; i++)
        if ((mask & FZ_TYPE_BIT(cluster->nodes[i].type)) != 0)
            gpus += cluster->nodes[i].gpus;
    return gpus;
}

/* Each set of types that a job names; masks[i] belongs to supplies[i]. Types that the cluster lacks are left out: such
 * jobs are a finding of their own. */
static void sets_find(const fz_trace *trace, const fz_cluster_spec *cluster, fz_type_mask *masks,
                      fz_trace_check *out)
{
    for (uint32_t job = 0; job < trace->n_jobs && trace->req_types != NULL; job++) {
        const char *types = trace->texts[trace->req_types[job]];
        fz_type_mask mask = types[0] != '\0' ? fz_req_types_mask(cluster, types) : 0;
        uint32_t i = 0;
        while (i < out->n_supplies && masks[i] != mask)
            i++;
        if (mask == 0 || i < out->n_supplies || i == FZ_CHECK_MAX_SUPPLIES)
            continue;
        masks[i] = mask;
        out->supplies[i] = (fz_check_supply){.types = types, .gpus = gpus_of(cluster, mask)};
        out->n_supplies++;
    }
}

static void by_type(const fz_trace *trace, const fz_cluster_spec *cluster, fz_trace_check *out)
{
    fz_type_mask masks[FZ_CHECK_MAX_SUPPLIES] = {0};
    sets_find(trace, cluster, masks, out);
    for (uint32_t job = 0; out->n_supplies > 0 && job < trace->n_jobs; job++) {
        const char *types = trace->texts[trace->req_types[job]];
        fz_type_mask mask = types[0] != '\0' ? fz_req_types_mask(cluster, types) : FZ_ALL_TYPES;
        for (uint32_t i = 0; mask != 0 && i < out->n_supplies; i++)
            if ((mask & ~masks[i]) == 0 && out->supplies[i].gpus > 0)
                out->supplies[i].load +=
                    fz_job_gpu_s(trace, job) / (out->supplies[i].gpus * out->load.span_s);
    }
}

static void overloads_add(const fz_trace *trace, fz_trace_check *out)
{
    fz_check_count whole = {.count = out->load.load > 1 ? trace->n_jobs : 0};
    fz_check_add(out, trace, "overload", &whole,
                 "the trace asks for %.0f %% of the cluster's GPU time: the queue grows as long as jobs come",
                 100 * out->load.load);
    if (whole.count > 0)
        out->findings[out->n_findings - 1].first_line = 0;
    for (uint32_t i = 0; i < out->n_supplies; i++) {
        fz_check_count one = {.count = out->supplies[i].load > 1};
        fz_check_add(out, trace, "type_overload", &one,
                     "jobs that run on %.60s only ask for %.0f %% of its GPU time", out->supplies[i].types,
                     100 * out->supplies[i].load);
        if (one.count > 0)
            out->findings[out->n_findings - 1].first_line = 0;
    }
}

fz_status fz_check_demand(const fz_trace *trace, const fz_cluster_spec *cluster, fz_trace_check *out,
                          fz_error *err)
{
    FZ_TRY(over_time(trace, out, err));
    if (cluster == NULL || out->load.span_s <= 0)
        return FZ_OK;
    by_type(trace, cluster, out);
    overloads_add(trace, out);
    return FZ_OK;
}
