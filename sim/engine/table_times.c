#include "sim/engine/table_times.h"

#include <math.h>
#include <string.h>

#include "workloads/apps/app_facts.h"
#include "workloads/req_types.h"

fz_status fz_table_times_init(fz_table_times *self, fz_arena *arena, const fz_work_tables *tables,
                              const fz_trace *trace, const fz_cluster_spec *spec, fz_error *err)
{
    *self = (fz_table_times){.tables = tables, .trace = trace, .spec = spec};
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        uint32_t *most = &self->node_gpus[spec->nodes[i].type];
        *most = spec->nodes[i].gpus > *most ? spec->nodes[i].gpus : *most;
    }
    for (uint32_t i = 0; tables != NULL && i < tables->throughputs.n_gpu_types && i < FZ_MAX_GPU_TYPES; i++) {
        self->throughput_types[i] = fz_req_types_alike(spec, tables->throughputs.gpu_types[i]);
    }
    return fz_work_kinds(arena, trace, &self->kinds, err);
}

static const char *profile_of(const fz_table_times *self, uint32_t job)
{
    return self->trace->model != NULL ? self->trace->texts[self->trace->model[job]] : "";
}

const fz_app *fz_table_times_app(const fz_table_times *self, uint32_t job)
{
    bool target = self->kinds != NULL && self->kinds[job] == FZ_WORK_TARGET;
    return target ? fz_work_app(self->tables, profile_of(self, job)) : NULL;
}

bool fz_table_times_throughput(const fz_table_times *self, uint32_t job)
{
    if (self->tables == NULL || self->kinds == NULL || self->kinds[job] != FZ_WORK_STEPS)
        return false;
    const fz_throughputs *table = &self->tables->throughputs;
    for (uint32_t i = 0; i < table->n; i++)
        if (strcmp(table->all[i].job_type, profile_of(self, job)) == 0)
            return true;
    return false;
}

const fz_app_gpu *fz_table_times_gpu(const fz_table_times *self, const fz_app *app, uint32_t type)
{
    for (uint32_t i = 0; i < app->n_gpus; i++) {
        if ((fz_req_types_alike(self->spec, fz_app_facts_gpu(app->gpus[i].name)) & FZ_TYPE_BIT(type)) != 0)
            return &app->gpus[i];
    }
    return NULL;
}

static fz_time whole_time(double seconds)
{
    double us = seconds * (double)FZ_SECOND;
    return us < (double)FZ_TIME_LIMIT ? (fz_time)llround(us) : FZ_TIME_LIMIT;
}

static fz_time app_time(const fz_table_times *self, const fz_app *app, uint32_t job, uint32_t type)
{
    const fz_app_gpu *gpu = fz_table_times_gpu(self, app, type);
    uint32_t gpus = self->trace->req_gpus[job];
    if (gpu == NULL || self->node_gpus[type] == 0 || gpus == 0)
        return FZ_TIME_NONE;
    fz_app_place place = fz_app_place_packed(gpu, gpus, self->node_gpus[type]);
    fz_app_split split = fz_app_split_batch(app, &place, (double)self->trace->global_batch[job]);
    if (split.local < 1)
        return FZ_TIME_NONE;
    return whole_time(fz_app_time_left(app, &place, split, (fz_app_progress){0}));
}

static void throughput_times(const fz_table_times *self, uint32_t job, fz_time *by_type)
{
    const fz_throughputs *table = &self->tables->throughputs;
    for (uint32_t i = 0; i < table->n_gpu_types && i < FZ_MAX_GPU_TYPES; i++) {
        double rate = fz_throughputs_find(table, profile_of(self, job), self->trace->req_gpus[job], i);
        for (fz_type_mask left = rate > 0 ? self->throughput_types[i] : 0; left != 0; left &= left - 1)
            by_type[__builtin_ctzll(left)] = whole_time(self->trace->steps[job] / rate);
    }
}

fz_type_mask fz_table_times_by_type(const fz_table_times *self, uint32_t job, fz_time *by_type)
{
    const fz_app *app = fz_table_times_app(self, job);
    fz_type_mask types = 0;
    for (uint32_t type = 0; type < self->spec->n_types; type++)
        by_type[type] = app != NULL ? app_time(self, app, job, type) : FZ_TIME_NONE;
    if (app == NULL)
        throughput_times(self, job, by_type);
    for (uint32_t type = 0; type < self->spec->n_types; type++)
        types |= by_type[type] != FZ_TIME_NONE ? FZ_TYPE_BIT(type) : 0;
    return types;
}
