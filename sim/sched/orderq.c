#include "sim/sched/orderq.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK     32u
#define FAN       8u
#define NO_COLUMN UINT32_MAX

/* ---- columns -------------------------------------------------------------------------------------------- */

typedef struct column_key {
    fz_type_mask types;
    uint32_t gpus;
} column_key;

static int by_types_and_gpus(const void *a, const void *b)
{
    const column_key *x = a;
    const column_key *y = b;
    if (x->types != y->types)
        return x->types < y->types ? -1 : 1;
    return (x->gpus > y->gpus) - (x->gpus < y->gpus);
}

/* Distinct (types, gpus) of all classes, sorted; returns how many. */
static uint32_t columns_collect(const fz_sched_env *env, column_key *columns)
{
    uint32_t n = 0;
    for (uint32_t class = 0; class < env->n_demands; class ++) {
        const fz_plan *plan = &env->demands[class].fixed;
        if (plan->gpus > 0)
            columns[n++] = (column_key){.types = plan->types, .gpus = plan->gpus};
    }
    qsort(columns, n, sizeof(*columns), by_types_and_gpus);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || by_types_and_gpus(&columns[i], &columns[kept - 1]) != 0)
            columns[kept++] = columns[i];
    return kept;
}

static void groups_make(fz_orderq *queue, const column_key *columns)
{
    for (uint32_t i = 0; i < queue->n_columns; i++) {
        if (i == 0 || columns[i].types != columns[i - 1].types) {
            queue->group_types[queue->n_groups] = columns[i].types;
            queue->group_start[queue->n_groups++] = i;
        }
        queue->gpus_of[i] = columns[i].gpus;
    }
    queue->group_start[queue->n_groups] = queue->n_columns;
}

static void classes_assign(fz_orderq *queue, const fz_sched_env *env, const column_key *columns)
{
    for (uint32_t class = 0; class < env->n_demands; class ++) {
        const fz_plan *plan = &env->demands[class].fixed;
        column_key key = {.types = plan->types, .gpus = plan->gpus};
        const column_key *found = bsearch(&key, columns, queue->n_columns, sizeof(key), by_types_and_gpus);
        queue->column_of[class] = found != NULL ? (uint32_t)(found - columns) : NO_COLUMN;
    }
}

static bool columns_init(fz_orderq *queue, const fz_sched_env *env, column_key *columns)
{
    queue->n_columns = columns_collect(env, columns);
    queue->column_of = FZ_NEW(env->arena, env->n_demands, uint32_t);
    queue->gpus_of = FZ_NEW(env->arena, queue->n_columns, uint32_t);
    queue->group_types = FZ_NEW(env->arena, queue->n_columns, fz_type_mask);
    queue->group_start = FZ_NEW(env->arena, queue->n_columns + 1, uint32_t);
    if (queue->column_of == NULL || queue->gpus_of == NULL || queue->group_types == NULL ||
        queue->group_start == NULL)
        return false;
    groups_make(queue, columns);
    classes_assign(queue, env, columns);
    uint32_t n_types = fz_cluster_get_spec(env->cluster)->n_types;
    queue->bounds = FZ_NEW(env->arena, 2 * (size_t)queue->n_groups * n_types, fz_orderq_bound);
    return queue->bounds != NULL;
}

/* ---- tree ----------------------------------------------------------------------------------------------- */

static bool tree_init(fz_orderq *queue, const fz_sched_env *env)
{
    uint32_t nodes = env->n_jobs / BLOCK + 1;
    uint32_t total = 0;
    do {
        queue->level_at[queue->n_levels] = total;
        queue->level_nodes[queue->n_levels++] = nodes;
        total += nodes;
        nodes = (nodes + FAN - 1) / FAN;
    } while (queue->level_nodes[queue->n_levels - 1] > 1);
    queue->entries =
        FZ_NEW(env->arena, (size_t)total * (queue->n_columns > 0 ? queue->n_columns : 1), fz_time);
    queue->waiting = FZ_NEW(env->arena, queue->level_nodes[0], uint32_t);
    queue->row_column = FZ_NEW(env->arena, env->n_jobs, uint32_t);
    return queue->entries != NULL && queue->waiting != NULL && queue->row_column != NULL;
}

fz_status fz_orderq_init(fz_orderq *queue, const fz_sched_env *env, fz_error *err)
{
    *queue = (fz_orderq){.estimates = env->estimates, .head = FZ_NO_JOB};
    column_key *columns = malloc(((size_t)env->n_demands + 1) * sizeof(*columns));
    bool ready = columns != NULL && columns_init(queue, env, columns) && tree_init(queue, env);
    free(columns);
    return ready ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory for a queue of %u jobs", env->n_jobs);
}

static fz_time *entries_of(const fz_orderq *queue, uint32_t level, uint32_t node)
{
    return queue->entries + (size_t)(queue->level_at[level] + node) * queue->n_columns;
}

static fz_time slack_of(const fz_orderq *queue, fz_job job)
{
    return FZ_TIME_MAX - queue->estimates[job];
}

static uint32_t group_of(const fz_orderq *queue, uint32_t column)
{
    uint32_t low = 0;
    uint32_t high = queue->n_groups;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (queue->group_start[middle] <= column)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Raises the entries of `column` and the larger ones of its set; false if nothing changed. */
static bool raise(fz_time *entries, uint32_t column, uint32_t end, fz_time slack)
{
    uint32_t i = column;
    for (; i < end && entries[i] < slack; i++)
        entries[i] = slack;
    return i > column;
}

void fz_orderq_push(fz_orderq *queue, uint32_t class, fz_job job)
{
    uint32_t column = queue->column_of[class];
    uint32_t end = queue->group_start[group_of(queue, column) + 1];
    uint32_t node = job / BLOCK;
    queue->row_column[job] = column;
    queue->waiting[node] |= 1u << (job % BLOCK);
    for (uint32_t level = 0; level < queue->n_levels; level++, node /= FAN)
        if (!raise(entries_of(queue, level, node), column, end, slack_of(queue, job)))
            break;
    if (job < queue->head)
        queue->head = job;
}

void fz_orderq_push_arrived(fz_orderq *queue, const fz_view *view)
{
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++)
        fz_orderq_push(queue, fz_view_class(view, arrived.jobs[i]), arrived.jobs[i]);
}

/* Recomputes the entries [column, stop) of a block from its waiting rows. */
static void block_refresh(fz_orderq *queue, uint32_t block, uint32_t column, uint32_t stop,
                          uint32_t first_column)
{
    fz_time *entries = entries_of(queue, 0, block);
    fz_time base = column > first_column ? entries[column - 1] : 0;
    for (uint32_t i = column; i < stop; i++)
        entries[i] = base;
    for (uint32_t left = queue->waiting[block]; left != 0; left &= left - 1) {
        fz_job job = block * BLOCK + (uint32_t)__builtin_ctz(left);
        uint32_t own = queue->row_column[job];
        if (own >= column && own < stop)
            raise(entries, own, stop, slack_of(queue, job));
    }
}

/* Recomputes the entries [column, stop) of an inner node from its children; false if none changed. */
static bool node_refresh(fz_orderq *queue, uint32_t level, uint32_t node, uint32_t column, uint32_t stop)
{
    fz_time *entries = entries_of(queue, level, node);
    uint32_t first = node * FAN;
    uint32_t last = first + FAN < queue->level_nodes[level - 1] ? first + FAN : queue->level_nodes[level - 1];
    bool changed = false;
    for (uint32_t i = column; i < stop; i++) {
        fz_time best = 0;
        for (uint32_t child = first; child < last; child++) {
            fz_time slack = entries_of(queue, level - 1, child)[i];
            best = slack > best ? slack : best;
        }
        changed |= entries[i] != best;
        entries[i] = best;
    }
    return changed;
}

static fz_job first_waiting(const fz_orderq *queue)
{
    uint32_t node = 0;
    for (uint32_t level = queue->n_levels; level-- > 0;) {
        uint32_t last = node + FAN < queue->level_nodes[level] ? node + FAN : queue->level_nodes[level];
        for (; node < last; node++) {
            bool any = false;
            for (uint32_t group = 0; group < queue->n_groups && !any; group++)
                any = entries_of(queue, level, node)[queue->group_start[group + 1] - 1] > 0;
            if (any)
                break;
        }
        if (node == last)
            return FZ_NO_JOB;
        node *= level > 0 ? FAN : 1;
    }
    return node * BLOCK + (uint32_t)__builtin_ctz(queue->waiting[node]);
}

/* The head after `gone`, which was the head: mostly near; else by the tree. */
static fz_job next_head(const fz_orderq *queue, fz_job gone)
{
    uint32_t block = gone / BLOCK;
    uint32_t stop = block + 4 < queue->level_nodes[0] ? block + 4 : queue->level_nodes[0];
    for (; block < stop; block++)
        if (queue->waiting[block] != 0) /* nobody waits before the head */
            return block * BLOCK + (uint32_t)__builtin_ctz(queue->waiting[block]);
    return first_waiting(queue);
}

void fz_orderq_remove(fz_orderq *queue, fz_job job)
{
    uint32_t column = queue->row_column[job];
    uint32_t group = group_of(queue, column);
    uint32_t end = queue->group_start[group + 1];
    fz_time slack = slack_of(queue, job);
    uint32_t node = job / BLOCK;
    queue->waiting[node] &= ~(1u << (job % BLOCK));
    for (uint32_t level = 0; level < queue->n_levels; level++, node /= FAN) {
        const fz_time *entries = entries_of(queue, level, node);
        uint32_t stop = column; /* only entries that this job was the best of can change */
        while (stop < end && entries[stop] == slack)
            stop++;
        if (stop == column)
            break;
        if (level == 0)
            block_refresh(queue, node, column, stop, queue->group_start[group]);
        else if (!node_refresh(queue, level, node, column, stop))
            break;
    }
    if (job == queue->head)
        queue->head = next_head(queue, job);
}

fz_job fz_orderq_head(const fz_orderq *queue)
{
    return queue->head;
}

/* ---- search --------------------------------------------------------------------------------------------- */

void fz_orderq_search_clear(fz_orderq *queue)
{
    queue->n_bounds = 0;
}

/* The last column of a group with at most `gpus` GPUs, plus one; the group's start if none. */
static uint32_t columns_up_to(const fz_orderq *queue, uint32_t group, uint32_t gpus)
{
    uint32_t low = queue->group_start[group];
    uint32_t high = queue->group_start[group + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (queue->gpus_of[middle] <= gpus)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void fz_orderq_search_add(fz_orderq *queue, uint32_t type, uint32_t gpus, fz_time estimate)
{
    if (estimate < 0 || gpus == 0)
        return;
    fz_time slack = estimate < FZ_TIME_MAX ? FZ_TIME_MAX - estimate : 1;
    for (uint32_t group = 0; group < queue->n_groups; group++) {
        if ((queue->group_types[group] & FZ_TYPE_BIT(type)) == 0)
            continue;
        uint32_t end = columns_up_to(queue, group, gpus);
        if (end > queue->group_start[group])
            queue->bounds[queue->n_bounds++] =
                (fz_orderq_bound){.group = group, .column = end - 1, .slack = slack};
    }
}

static bool node_matches(const fz_orderq *queue, const fz_time *entries)
{
    for (uint32_t i = 0; i < queue->n_bounds; i++)
        if (entries[queue->bounds[i].column] >= queue->bounds[i].slack)
            return true;
    return false;
}

static bool job_matches(const fz_orderq *queue, fz_job job)
{
    uint32_t column = queue->row_column[job];
    for (uint32_t i = 0; i < queue->n_bounds; i++) {
        const fz_orderq_bound *bound = &queue->bounds[i];
        if (column <= bound->column && column >= queue->group_start[bound->group] &&
            slack_of(queue, job) >= bound->slack)
            return true;
    }
    return false;
}

fz_job fz_orderq_search(const fz_orderq *queue)
{
    if (queue->n_bounds == 0)
        return FZ_NO_JOB;
    uint32_t node = 0;
    for (uint32_t level = queue->n_levels;
         level-- > 0;) { /* the root may fail; below a match there is a match */
        uint32_t last = node + FAN < queue->level_nodes[level] ? node + FAN : queue->level_nodes[level];
        while (node < last && !node_matches(queue, entries_of(queue, level, node)))
            node++;
        if (node == last)
            return FZ_NO_JOB;
        node *= level > 0 ? FAN : 1;
    }
    uint32_t left = queue->waiting[node];
    while (!job_matches(queue, node * BLOCK + (uint32_t)__builtin_ctz(left)))
        left &= left - 1;
    return node * BLOCK + (uint32_t)__builtin_ctz(left);
}
