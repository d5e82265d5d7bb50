#include "sim/engine/classes.h"

#include <string.h>

/* Open addressing over class numbers + 1; the keys themselves lie in fz_classes.keys. */
typedef struct key_table {
    uint32_t *slots;
    uint32_t mask;
} key_table;

bool fz_job_is_llm(const fz_trace *trace, const fz_model *const *models, uint32_t job)
{
    return models != NULL && trace->model != NULL && models[trace->model[job]] != NULL &&
           trace->steps != NULL && trace->steps[job] > 0 && trace->global_batch != NULL &&
           trace->global_batch[job] > 0 && trace->seq_len != NULL && trace->seq_len[job] > 0;
}

static fz_class_key key_of(const fz_trace *trace, const fz_model *const *models, const fz_run_times *times,
                           uint32_t job)
{
    fz_class_key key = {
        .req_gpus = trace->req_gpus != NULL ? trace->req_gpus[job] : 0,
        .types = trace->req_types != NULL ? trace->req_types[job] : 0,
        .req_gpu_mem = trace->req_gpu_mem != NULL ? trace->req_gpu_mem[job] : 0,
        .req_nodes = trace->req_nodes != NULL ? trace->req_nodes[job] : 0,
        .run_types = fz_run_times_types(times, job),
    };
    if (fz_job_is_llm(trace, models, job)) {
        key.model = trace->model[job];
        key.global_batch = trace->global_batch[job];
        key.seq_len = trace->seq_len[job];
        key.run_types = FZ_ALL_TYPES; /* its speed comes from the model */
    } else if (fz_run_times_app(times, job) != NULL) {
        key.app = trace->model[job];
        key.app_batch = trace->global_batch != NULL ? trace->global_batch[job] : 0;
    }
    return key;
}

static bool key_same(const fz_class_key *a, const fz_class_key *b)
{
    return a->global_batch == b->global_batch && a->req_gpu_mem == b->req_gpu_mem &&
           a->seq_len == b->seq_len && a->req_gpus == b->req_gpus && a->model == b->model &&
           a->types == b->types && a->req_nodes == b->req_nodes && a->run_types == b->run_types &&
           a->app == b->app && a->app_batch == b->app_batch;
}

static uint32_t key_hash(const fz_class_key *key)
{
    const uint64_t words[] = {key->global_batch,
                              key->req_gpu_mem,
                              (uint64_t)key->seq_len << 32 | key->req_gpus,
                              (uint64_t)key->model << 32 | key->types,
                              key->run_types,
                              (uint64_t)key->app << 32 | key->req_nodes,
                              key->app_batch};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

/* The class of `key`, or the free slot where it belongs. */
static uint32_t *table_find(const key_table *table, const fz_classes *classes, const fz_class_key *key)
{
    uint32_t at = key_hash(key) & table->mask;
    while (table->slots[at] != 0 && !key_same(&classes->keys[table->slots[at] - 1], key))
        at = (at + 1) & table->mask;
    return &table->slots[at];
}

/* Doubles table and keys; the old ones stay in the arena, together less than the new ones. */
static bool table_grow(fz_arena *arena, key_table *table, fz_classes *classes)
{
    uint32_t n_slots = table->slots == NULL ? 256 : 2 * (table->mask + 1);
    fz_class_key *keys = FZ_NEW(arena, n_slots / 2, fz_class_key);
    *table = (key_table){.slots = FZ_NEW(arena, n_slots, uint32_t), .mask = n_slots - 1};
    if (keys == NULL || table->slots == NULL)
        return false;
    if (classes->n_classes > 0)
        memcpy(keys, classes->keys, classes->n_classes * sizeof(*keys));
    classes->keys = keys;
    for (uint32_t i = 0; i < classes->n_classes; i++)
        *table_find(table, classes, &keys[i]) = i + 1;
    return true;
}

/* The job names a profile that no table has. */
static fz_status profile_refuse(const fz_trace *trace, const fz_run_times *times, uint32_t job, fz_error *err)
{
    const char *id = fz_trace_job_id(trace, job), *profile = trace->texts[trace->model[job]];
    if (times->tables.tables == NULL)
        return fz_fail_at(err, FZ_EUNSUPPORTED, trace->path, 0, 0,
                          "job '%s' names the profile '%s' in place of a run time; name the tables with "
                          "--profiles, or give the trace a duration_s for each job",
                          id, profile);
    return fz_fail_at(err, FZ_EUNSUPPORTED, trace->path, 0, 0,
                      "job '%s' names the profile '%s', which %s does not have", id, profile,
                      times->tables.tables->path);
}

static fz_status job_check(const fz_trace *trace, const fz_model *const *models, const fz_run_times *times,
                           uint32_t job, fz_error *err)
{
    bool has_gpus = trace->req_gpus != NULL && trace->req_gpus[job] > 0;
    bool has_duration = fz_run_times_known(times, trace, job);
    if ((has_gpus && has_duration) || fz_job_is_llm(trace, models, job))
        return FZ_OK;
    const char *model = trace->model != NULL ? trace->texts[trace->model[job]] : "";
    bool unknown = model[0] != '\0' && (models == NULL || models[trace->model[job]] == NULL);
    bool described = trace->seq_len != NULL && trace->seq_len[job] > 0;
    if (unknown && has_gpus && !has_duration && !described)
        return profile_refuse(trace, times, job, err);
    if (unknown)
        return fz_fail_at(
            err, FZ_EPARSE, trace->path, 0, 0,
            "job '%s': the model '%s' is not known, and there is no req_gpus with duration_s to "
            "replay instead; name a bundled model or the path of a config.json",
            fz_trace_job_id(trace, job), model);
    return fz_fail_at(
        err, FZ_EPARSE, trace->path, 0, 0,
        "job '%s' has no work to simulate: give req_gpus and duration_s, or model, global_batch, "
        "seq_len and steps",
        fz_trace_job_id(trace, job));
}

fz_status fz_classes_group(fz_arena *arena, const fz_trace *trace, const fz_model *const *models,
                           const fz_run_times *times, fz_classes *out, fz_error *err)
{
    *out = (fz_classes){.class_of = FZ_NEW(arena, trace->n_jobs, uint32_t)};
    key_table table = {0};
    if (out->class_of == NULL || !table_grow(arena, &table, out))
        return fz_fail(err, FZ_ENOMEM, "no memory for the demand classes of %u jobs", trace->n_jobs);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        FZ_TRY(job_check(trace, models, times, job, err));
        fz_class_key key = key_of(trace, models, times, job);
        if (job > 0 && key_same(&key, &out->keys[out->class_of[job - 1]])) {
            out->class_of[job] = out->class_of[job - 1];
            continue;
        }
        uint32_t *slot = table_find(&table, out, &key);
        if (*slot == 0) {
            out->keys[out->n_classes++] = key;
            *slot = out->n_classes;
        }
        out->class_of[job] = *slot - 1;
        if (out->n_classes == (table.mask + 1) / 2 && !table_grow(arena, &table, out))
            return fz_fail(err, FZ_ENOMEM, "no memory for %u demand classes", out->n_classes);
    }
    return FZ_OK;
}
