/* Jobs that no node, no type, or not even the whole cluster can hold. */
#include "workloads/models.h"
#include "workloads/ops/check_private.h"
#include "workloads/req_types.h"

typedef struct fit_counts {
    fz_check_count type, memory, cluster, one_type, worker, spans, model;
} fit_counts;

/* What the types of a mask that have enough memory offer. */
typedef struct offer {
    bool any;
    uint32_t gpus, largest_type, largest_node;
} offer;

/* GPUs by type, and of its largest node. */
typedef struct supply {
    uint32_t gpus[FZ_MAX_GPU_TYPES], node[FZ_MAX_GPU_TYPES];
} supply;

static void supply_find(const fz_cluster_spec *cluster, supply *s)
{
    for (uint32_t i = 0; i < cluster->n_nodes; i++) {
        const fz_node_spec *node = &cluster->nodes[i];
        s->gpus[node->type] += node->gpus;
        if (node->gpus > s->node[node->type])
            s->node[node->type] = node->gpus;
    }
}

static offer offer_of(const fz_cluster_spec *cluster, const supply *s, fz_type_mask mask, uint64_t mem_bytes)
{
    offer o = {0};
    for (uint32_t type = 0; type < cluster->n_types; type++) {
        if ((mask & FZ_TYPE_BIT(type)) == 0 || cluster->types[type].mem_bytes < mem_bytes ||
            s->gpus[type] == 0)
            continue;
        o.any = true;
        o.gpus += s->gpus[type];
        o.largest_type = s->gpus[type] > o.largest_type ? s->gpus[type] : o.largest_type;
        o.largest_node = s->node[type] > o.largest_node ? s->node[type] : o.largest_node;
    }
    return o;
}

static void job_fit(const fz_trace *trace, const fz_cluster_spec *cluster, const supply *s, uint32_t job,
                    fit_counts *counts)
{
    const char *types = trace->req_types != NULL ? trace->texts[trace->req_types[job]] : "";
    fz_type_mask mask = fz_req_types_mask(cluster, types);
    uint64_t mem = trace->req_gpu_mem != NULL ? trace->req_gpu_mem[job] : 0;
    uint32_t gpus = trace->req_gpus != NULL ? trace->req_gpus[job] : 0;
    uint32_t workers = trace->req_workers != NULL ? trace->req_workers[job] : 0;
    offer o = offer_of(cluster, s, mask, mem);
    if (mask == 0 || !offer_of(cluster, s, mask, 0).any)
        fz_check_job(&counts->type, job);
    else if (!o.any)
        fz_check_job(&counts->memory, job);
    else if (gpus > o.gpus)
        fz_check_job(&counts->cluster, job);
    else if (gpus > o.largest_type)
        fz_check_job(&counts->one_type, job);
    else if (workers > 0 && gpus / workers > o.largest_node)
        fz_check_job(&counts->worker, job);
    else if (gpus > o.largest_node)
        fz_check_job(&counts->spans, job);
}

static fz_status models_check(const fz_trace *trace, fit_counts *counts, fz_error *err)
{
    const fz_model *const *models = NULL;
    fz_arena *arena = fz_arena_new(NULL);
    if (arena == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the models of a trace");
    fz_status status = fz_models_of_trace(trace, arena, &models, err);
    for (uint32_t job = 0; models != NULL && status == FZ_OK && job < trace->n_jobs; job++)
        if (trace->model[job] != 0 && models[trace->model[job]] == NULL &&
            (trace->duration == NULL || trace->duration[job] < 0))
            fz_check_job(&counts->model, job);
    fz_arena_free(arena);
    return status;
}

fz_status fz_check_fit(const fz_trace *trace, const fz_cluster_spec *cluster, fz_trace_check *out,
                       fz_error *err)
{
    fit_counts counts = {0};
    supply s = {0};
    supply_find(cluster, &s);
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        if (trace->cpu_only == NULL || !trace->cpu_only[job])
            job_fit(trace, cluster, &s, job, &counts);
    FZ_TRY(models_check(trace, &counts, err));
    const char *first = counts.type.count > 0 ? trace->texts[trace->req_types[counts.type.first]] : "";
    fz_check_add(
        out, trace, "no_type", &counts.type,
        "jobs that name a GPU type which the cluster lacks (first '%.60s'); frenzy trace map-gpus renames it",
        first);
    fz_check_add(out, trace, "gpu_memory", &counts.memory,
                 "jobs that need more memory a GPU than any of their types has");
    fz_check_add(out, trace, "larger_than_cluster", &counts.cluster,
                 "jobs that ask for more GPUs than the cluster has of their types");
    fz_check_add(out, trace, "larger_than_type", &counts.one_type,
                 "jobs that ask for more GPUs than the cluster has of any one of their types");
    fz_check_add(out, trace, "larger_than_node", &counts.worker, "jobs with a worker larger than any node");
    fz_check_add(out, trace, "spans_nodes", &counts.spans, "jobs that need more than one node");
    fz_check_add(out, trace, "unknown_model", &counts.model,
                 "jobs whose model is not known, and that have no duration");
    return FZ_OK;
}
