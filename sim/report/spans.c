#include "sim/report/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    fz_arena *arena;
    fz_spans *out;
    uint32_t job_room, span_room, node_room;
} builder;

static fz_status no_memory(fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for the jobs of a run");
}

/* Doubles an array of the arena when it is full. */
static void *grown(fz_arena *arena, void *items, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room)
        return items;
    uint32_t more = *room > 0 ? 2 * *room : 1024;
    void *larger = fz_arena_alloc(arena, more, size);
    if (larger == NULL)
        return NULL;
    if (n > 0)
        memcpy(larger, items, n * size);
    *room = more;
    return larger;
}

static const char *kept(fz_arena *arena, const char *text, size_t length)
{
    char *copy = FZ_NEW(arena, length + 1, char);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

static int64_t microseconds(double seconds)
{
    return (int64_t)llround(seconds * 1e6);
}

/* ---- reading -------------------------------------------------------------------------------------------- */

/* Few nodes are looked for often: the last ones found stand in front. */
static fz_status node_find(builder *self, const char *name, size_t length, uint32_t *out, fz_error *err)
{
    fz_spans *spans = self->out;
    for (uint32_t i = 0; i < spans->n_nodes; i++)
        if (strncmp(spans->nodes[i], name, length) == 0 && spans->nodes[i][length] == '\0') {
            *out = i;
            return FZ_OK;
        }
    const char **nodes =
        grown(self->arena, spans->nodes, spans->n_nodes, &self->node_room, sizeof(*spans->nodes));
    const char *copy = kept(self->arena, name, length);
    if (nodes == NULL || copy == NULL)
        return no_memory(err);
    spans->nodes = nodes;
    *out = spans->n_nodes;
    spans->nodes[spans->n_nodes++] = copy;
    return FZ_OK;
}

static fz_status span_add(builder *self, const fz_span_job *job, uint32_t node, uint32_t gpus, fz_error *err)
{
    fz_spans *spans = self->out;
    spans->spans = grown(self->arena, spans->spans, spans->n_spans, &self->span_room, sizeof(*spans->spans));
    if (spans->spans == NULL)
        return no_memory(err);
    spans->spans[spans->n_spans] = (fz_span){.start_us = job->start_us,
                                             .end_us = job->end_us,
                                             .job = spans->n_jobs - 1,
                                             .node = node,
                                             .gpus = gpus,
                                             .gpu = FZ_NEW(self->arena, gpus, uint32_t)};
    return spans->spans[spans->n_spans++].gpu != NULL ? FZ_OK : no_memory(err);
}

/* "n-0:8|n-3:4" */
static fz_status nodes_read(builder *self, const fz_span_job *job, const char *text, fz_error *err)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "|");
        size_t colon = length;
        while (colon > 0 && text[colon] != ':')
            colon--;
        char *end = NULL;
        unsigned long gpus = strtoul(text + colon + 1, &end, 10);
        uint32_t node = 0;
        if (colon == 0 || gpus == 0 || gpus > UINT32_MAX || end != text + length)
            return fz_fail(err, FZ_EDB, "job %s: '%.100s' is no list of nodes", job->id, text);
        FZ_TRY(node_find(self, text, colon, &node, err));
        FZ_TRY(span_add(self, job, node, (uint32_t)gpus, err));
        text += length + (text[length] == '|');
    }
    return FZ_OK;
}

static fz_status job_add(void *context, const fz_job_row *row, fz_error *err)
{
    builder *self = context;
    fz_spans *spans = self->out;
    spans->jobs = grown(self->arena, spans->jobs, spans->n_jobs, &self->job_room, sizeof(*spans->jobs));
    if (spans->jobs == NULL)
        return no_memory(err);
    fz_span_job *job = &spans->jobs[spans->n_jobs++];
    *job = (fz_span_job){.id = kept(self->arena, row->job_id, strlen(row->job_id)),
                         .model = kept(self->arena, row->model, strlen(row->model)),
                         .user = kept(self->arena, row->user, strlen(row->user)),
                         .plan = kept(self->arena, row->plan, strlen(row->plan)),
                         .state = kept(self->arena, row->state, strlen(row->state)),
                         .submit_s = row->submit_s,
                         .jct_s = row->jct_s,
                         .wait_s = isnan(row->end_s) ? (double)NAN : row->end_s - row->submit_s - row->run_s,
                         .row = row->row,
                         .gpus = row->gpus,
                         .req_gpus = row->req_gpus,
                         .attempts = row->attempts,
                         .finished = row->finished};
    if (job->id == NULL || job->model == NULL || job->user == NULL || job->plan == NULL || job->state == NULL)
        return no_memory(err);
    if (isnan(row->last_start_s))
        return FZ_OK;
    job->start_us = microseconds(row->last_start_s);
    job->end_us = isnan(row->end_s) ? spans->end_us : microseconds(row->end_s);
    return nodes_read(self, job, row->nodes, err);
}

/* ---- GPU numbers ---------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const fz_span *x = a;
    const fz_span *y = b;
    bool x_is_empty = x->start_us == x->end_us;
    bool y_is_empty = y->start_us == y->end_us;
    if (x->start_us != y->start_us)
        return x->start_us < y->start_us ? -1 : 1;
    if (x_is_empty != y_is_empty)
        return x_is_empty ? -1 : 1; /* over before the others begin */
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

typedef struct ending {
    int64_t end_us;
    uint32_t span;
} ending;

static int by_end(const void *a, const void *b)
{
    const ending *x = a;
    const ending *y = b;
    if (x->end_us != y->end_us)
        return x->end_us < y->end_us ? -1 : 1;
    return x->span < y->span ? -1 : x->span > y->span;
}

/* Which GPUs of a node are taken. */
typedef struct node_state {
    uint8_t *taken;
    uint32_t room;
} node_state;

static bool node_reserve(fz_arena *arena, node_state *node, uint32_t gpus)
{
    if (gpus <= node->room)
        return true;
    uint8_t *larger = FZ_NEW(arena, 2 * (size_t)gpus, uint8_t);
    if (larger == NULL)
        return false;
    if (node->room > 0)
        memcpy(larger, node->taken, node->room);
    node->taken = larger;
    node->room = 2 * gpus;
    return true;
}

static bool take(fz_arena *arena, node_state *node, fz_span *span, uint32_t *highest)
{
    uint32_t found = 0;
    for (uint32_t gpu = 0; found < span->gpus; gpu++) {
        if (!node_reserve(arena, node, gpu + 1))
            return false;
        if (node->taken[gpu] != 0)
            continue;
        node->taken[gpu] = 1;
        span->gpu[found++] = gpu;
        *highest = gpu + 1 > *highest ? gpu + 1 : *highest;
    }
    return true;
}

static void give_back(node_state *node, const fz_span *span)
{
    for (uint32_t i = 0; i < span->gpus; i++)
        node->taken[span->gpu[i]] = 0;
}

static fz_status gpus_number(builder *self, fz_error *err)
{
    fz_spans *spans = self->out;
    ending *ends = FZ_NEW(self->arena, spans->n_spans, ending);
    node_state *nodes = FZ_NEW(self->arena, spans->n_nodes, node_state);
    spans->node_gpus = FZ_NEW(self->arena, spans->n_nodes, uint32_t);
    if (ends == NULL || nodes == NULL || spans->node_gpus == NULL)
        return no_memory(err);
    if (spans->n_spans > 0)
        qsort(spans->spans, spans->n_spans, sizeof(*spans->spans), by_start);
    for (uint32_t i = 0; i < spans->n_spans; i++)
        ends[i] = (ending){.end_us = spans->spans[i].end_us, .span = i};
    if (spans->n_spans > 0)
        qsort(ends, spans->n_spans, sizeof(*ends), by_end);
    uint32_t next_end = 0;
    for (uint32_t i = 0; i < spans->n_spans; i++) {
        fz_span *span = &spans->spans[i];
        for (; next_end < spans->n_spans && ends[next_end].end_us <= span->start_us; next_end++) {
            const fz_span *over = &spans->spans[ends[next_end].span];
            if (over->start_us < over->end_us)
                give_back(&nodes[over->node], over);
        }
        if (!take(self->arena, &nodes[span->node], span, &spans->node_gpus[span->node]))
            return no_memory(err);
        if (span->start_us == span->end_us)
            give_back(&nodes[span->node], span);
    }
    return FZ_OK;
}

fz_status fz_spans_read(fz_reader *reader, int64_t run, fz_arena *arena, fz_spans *out, fz_error *err)
{
    fz_bin_row *bins = NULL;
    uint32_t n_bins = 0;
    *out = (fz_spans){0};
    builder self = {.arena = arena, .out = out};
    FZ_TRY(fz_reader_timeline(reader, run, arena, &bins, &n_bins, err));
    if (n_bins > 0)
        out->end_us = microseconds(bins[n_bins - 1].end_s);
    FZ_TRY(fz_reader_jobs(reader, run, job_add, &self, err));
    return gpus_number(&self, err);
}
