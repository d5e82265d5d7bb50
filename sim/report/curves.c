#include "sim/report/curves.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct collector {
    fz_arena *arena;
    fz_contender_jobs *out;
    uint64_t room;
} collector;

/* NULL when there is no memory for one more. */
static fz_class *class_find(collector *self, fz_class_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->n; i++)
        if (strcmp(table->classes[i].name, name) == 0)
            return &table->classes[i];
    if (table->n > FZ_MAX_CLASSES)
        return &table->classes[FZ_MAX_CLASSES];
    if (table->n == FZ_MAX_CLASSES)
        name = "others";
    size_t size = strlen(name) + 1;
    char *copy = FZ_NEW(self->arena, size, char);
    if (copy == NULL)
        return NULL;
    memcpy(copy, name, size);
    table->classes[table->n] = (fz_class){.name = copy};
    return &table->classes[table->n++];
}

static fz_status class_add(collector *self, int kind, const char *name, const fz_job_row *job, fz_error *err)
{
    if (name[0] == '\0')
        return FZ_OK;
    fz_class *class = class_find(self, &self->out->kinds[kind], name);
    if (class == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the classes of jobs");
    class->measured++;
    if (job->finished) {
        class->finished++;
        class->jct_sum_s += job->jct_s;
    }
    return FZ_OK;
}

static fz_status job_collect(void *context, const fz_job_row *job, fz_error *err)
{
    collector *self = context;
    fz_jcts *jcts = &self->out->jcts;
    char size[32] = "";
    if (!job->measured)
        return FZ_OK;
    jcts->measured++;
    if (job->finished && jcts->n < self->room)
        jcts->sorted[jcts->n++] = job->jct_s;
    uint32_t gpus = job->req_gpus > 0 ? job->req_gpus : job->gpus;
    if (gpus > 0)
        snprintf(size, sizeof(size), "%u GPU%s", gpus, gpus == 1 ? "" : "s");
    FZ_TRY(class_add(self, FZ_CLASS_MODEL, job->model, job, err));
    FZ_TRY(class_add(self, FZ_CLASS_SIZE, size, job, err));
    return class_add(self, FZ_CLASS_USER, job->user, job, err);
}

fz_status fz_contender_jobs_read(fz_reader *reader, fz_arena *arena, const fz_contender *contender,
                                 fz_contender_jobs *out, fz_error *err)
{
    memset(out, 0, sizeof(*out));
    collector self = {.arena = arena, .out = out};
    for (uint32_t i = 0; i < contender->n_runs; i++)
        self.room += contender->runs[i].summary.finished;
    out->jcts.sorted = FZ_NEW(arena, self.room, double);
    if (out->jcts.sorted == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %llu completion times", (unsigned long long)self.room);
    for (uint32_t i = 0; i < contender->n_runs; i++)
        FZ_TRY(fz_reader_jobs(reader, contender->runs[i].id, job_collect, &self, err));
    gsl_sort(out->jcts.sorted, 1, out->jcts.n);
    return FZ_OK;
}

/* Ranks: evenly spaced in the share done up to 90 %, then in the logarithm of the share left, to the last job. */
uint32_t fz_jcts_points(const fz_jcts *jcts, uint32_t max, double *x, double *share)
{
    uint32_t n = 0;
    uint64_t last = 0;
    uint32_t even = max / 2;
    for (uint32_t i = 0; i < max && jcts->n > 0; i++) {
        double done = i < even ? 0.9 * i / even
                               : 1 - 0.1 * pow(10.0 / (double)jcts->n, (double)(i - even) / (max - even - 1));
        uint64_t rank = (uint64_t)ceil(done * (double)jcts->n);
        rank = i + 1 == max || rank > jcts->n ? jcts->n : rank < 1 ? 1 : rank;
        if (rank <= last)
            continue;
        last = rank;
        x[n] = jcts->sorted[rank - 1];
        share[n++] = (double)rank / (double)jcts->measured;
    }
    return n;
}
