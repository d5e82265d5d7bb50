#include "workloads/cluster_draft.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/cluster_draft_private.h"
#include "workloads/cluster_file.h"
#include "workloads/cluster_reader.h"

static fz_status no_memory(fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for the cluster");
}

/* Room for one more item of `size` bytes, zeroed; NULL: out of memory. */
static void *list_add(fz_draft_list *list, size_t size)
{
    if (list->n == list->capacity) {
        uint32_t capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        void *grown = realloc(list->items, capacity * size);
        if (grown == NULL)
            return NULL;
        list->items = grown;
        list->capacity = capacity;
    }
    assert(list->items != NULL);
    char *item = (char *)list->items + list->n++ * size;
    memset(item, 0, size);
    return item;
}

fz_cluster_draft *fz_cluster_draft_new(const char *name, const char *source)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_cluster_draft *draft = arena != NULL ? FZ_NEW(arena, 1, fz_cluster_draft) : NULL;
    if (draft != NULL)
        *draft = (fz_cluster_draft){
            .arena = arena, .name = fz_arena_strdup(arena, name), .source = fz_arena_strdup(arena, source)};
    if (draft == NULL || draft->name == NULL || draft->source == NULL) {
        fz_arena_free(arena);
        return NULL;
    }
    return draft;
}

void fz_cluster_draft_free(fz_cluster_draft *draft)
{
    if (draft == NULL)
        return;
    free(draft->gpu_types.items);
    free(draft->node_types.items);
    free(draft->pools.items);
    free(draft->names.items);
    free(draft->switches.items);
    free(draft->tenants.items);
    free(draft->events.items);
    free(draft->notes.items);
    fz_hash_index_release(&draft->by_name);
    fz_arena_free(draft->arena); /* the draft itself lives in it */
}

fz_draft_shape fz_draft_shape_of(const char *gpu, uint32_t gpus)
{
    fz_draft_shape shape = {.n_parts = gpus > 0, .cpus = -1, .mem_gib = -1, .weight = 1};
    shape.parts[0].gpu = gpu;
    shape.parts[0].count = gpus;
    return shape;
}

static fz_status name_check(const char *name, const char *what, fz_error *err)
{
    const char *problem = fz_cluster_name_problem(name);
    return problem == NULL ? FZ_OK
                           : fz_fail(err, FZ_EPARSE, "the name '%.60s' of %s %s", name, what, problem);
}

/* ---- types ------------------------------------------------------------------------------------------- */

fz_status fz_draft_gpu(fz_cluster_draft *draft, const char *name, const char *catalog, fz_error *err)
{
    fz_draft_gpu_type *types = draft->gpu_types.items;
    for (uint32_t i = 0; i < draft->gpu_types.n; i++)
        if (strcmp(types[i].name, name) == 0)
            return FZ_OK;
    FZ_TRY(name_check(name, "a GPU type", err));
    const fz_catalog_gpu *gpu = fz_catalog_find(catalog);
    fz_draft_gpu_type *type = list_add(&draft->gpu_types, sizeof *type);
    if (type == NULL)
        return no_memory(err);
    type->name = fz_arena_strdup(draft->arena, name);
    type->catalog = gpu != NULL ? gpu->name : NULL;
    return type->name != NULL ? FZ_OK : no_memory(err);
}

static bool same_shape(const fz_draft_shape *a, const fz_draft_shape *b)
{
    bool same =
        a->n_parts == b->n_parts && a->cpus == b->cpus && a->mem_gib == b->mem_gib && a->weight == b->weight;
    for (uint32_t i = 0; same && i < a->n_parts; i++)
        same = a->parts[i].count == b->parts[i].count && strcmp(a->parts[i].gpu, b->parts[i].gpu) == 0;
    return same;
}

static bool name_taken(const fz_cluster_draft *draft, const char *name)
{
    const fz_draft_node_type *types = draft->node_types.items;
    for (uint32_t i = 0; i < draft->node_types.n; i++)
        if (types[i].name != NULL && strcmp(types[i].name, name) == 0)
            return true;
    return false;
}

/* `A100x8`, `T4x2+V100x2`, `cpu`; with -2, -3 where another shape has that name. */
static const char *shape_name(const fz_cluster_draft *draft, const fz_draft_shape *shape)
{
    char text[256] = "cpu", numbered[288];
    int length = 0;
    for (uint32_t i = 0; i < shape->n_parts && length < 200; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%.60sx%u", i > 0 ? "+" : "",
                           shape->parts[i].gpu, shape->parts[i].count);
    (void)snprintf(numbered, sizeof numbered, "%s", text);
    for (unsigned n = 2; name_taken(draft, numbered); n++)
        (void)snprintf(numbered, sizeof numbered, "%s-%u", text, n);
    return fz_arena_strdup(draft->arena, numbered);
}

static fz_status node_type_of(fz_cluster_draft *draft, const fz_draft_shape *shape, uint32_t *out,
                              fz_error *err)
{
    fz_draft_node_type *types = draft->node_types.items;
    for (*out = 0; *out < draft->node_types.n; ++*out)
        if (same_shape(&types[*out].shape, shape))
            return FZ_OK;
    for (uint32_t i = 0; i < shape->n_parts; i++)
        FZ_TRY(fz_draft_gpu(draft, shape->parts[i].gpu, shape->parts[i].gpu, err));
    const char *name = shape_name(draft, shape);
    fz_draft_node_type *type = list_add(&draft->node_types, sizeof *type);
    if (name == NULL || type == NULL)
        return no_memory(err);
    *type = (fz_draft_node_type){.name = name, .shape = *shape};
    for (uint32_t i = 0; i < shape->n_parts; i++) {
        type->shape.parts[i].gpu = fz_arena_strdup(draft->arena, shape->parts[i].gpu);
        if (type->shape.parts[i].gpu == NULL)
            return no_memory(err);
    }
    return FZ_OK;
}

/* ---- nodes and switches ------------------------------------------------------------------------------- */

static bool same_place(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* The pool that the next node goes into: the last one, if it is of its kind. */
static fz_status pool_for(fz_cluster_draft *draft, const fz_draft_shape *shape, bool named, const char *at,
                          fz_draft_pool **out, fz_error *err)
{
    uint32_t node_type = 0;
    FZ_TRY(node_type_of(draft, shape, &node_type, err));
    fz_draft_pool *pools = draft->pools.items;
    *out = draft->pools.n > 0 ? &pools[draft->pools.n - 1] : NULL;
    if (*out != NULL && (*out)->node_type == node_type && (*out)->named == named &&
        same_place((*out)->at, at))
        return FZ_OK;
    uint32_t first = 0;
    for (uint32_t i = 0; pools != NULL && i < draft->pools.n; i++)
        first += !named && !pools[i].named && pools[i].node_type == node_type ? pools[i].count : 0;
    *out = list_add(&draft->pools, sizeof **out);
    if (*out == NULL)
        return no_memory(err);
    **out =
        (fz_draft_pool){.node_type = node_type, .first_name = draft->names.n, .first = first, .named = named};
    if (at != NULL) {
        (*out)->at = fz_arena_strdup(draft->arena, at);
        return (*out)->at != NULL ? FZ_OK : no_memory(err);
    }
    return FZ_OK;
}

/* Makes sure that the name can be that of a new node, and remembers it. */
static fz_status name_enter(fz_cluster_draft *draft, const char *name, fz_error *err)
{
    const char *const *names = draft->names.items;
    uint64_t hash = fz_hash_bytes(name, strlen(name)), step = 0;
    uint32_t found = 0;
    FZ_TRY(name_check(name, "a node", err));
    while (fz_hash_index_next(&draft->by_name, hash, &step, &found))
        if (strcmp(names[found], name) == 0)
            return fz_fail(err, FZ_EPARSE, "node '%.60s' is there already; names must be unique", name);
    return fz_hash_index_add(&draft->by_name, hash, draft->names.n) ? FZ_OK : no_memory(err);
}

fz_status fz_draft_node(fz_cluster_draft *draft, const fz_draft_shape *shape, const char *name,
                        const char *at, fz_error *err)
{
    fz_draft_pool *pool = NULL;
    FZ_TRY(name_enter(draft, name, err));
    FZ_TRY(pool_for(draft, shape, true, at, &pool, err));
    const char **entry = list_add(&draft->names, sizeof *entry);
    if (entry == NULL)
        return no_memory(err);
    *entry = fz_arena_strdup(draft->arena, name);
    pool->count++;
    return *entry != NULL ? FZ_OK : no_memory(err);
}

fz_status fz_draft_nodes(fz_cluster_draft *draft, const fz_draft_shape *shape, uint32_t count, const char *at,
                         fz_error *err)
{
    fz_draft_pool *pool = NULL;
    if (count == 0)
        return FZ_OK;
    FZ_TRY(pool_for(draft, shape, false, at, &pool, err));
    pool->count += count;
    return FZ_OK;
}

fz_status fz_draft_switch(fz_cluster_draft *draft, const char *id, const char *parent, fz_error *err)
{
    const fz_draft_switch_entry *switches = draft->switches.items;
    for (uint32_t i = 0; i < draft->switches.n; i++)
        if (strcmp(switches[i].id, id) == 0)
            return FZ_OK;
    fz_draft_switch_entry *entry = list_add(&draft->switches, sizeof *entry);
    if (entry == NULL)
        return no_memory(err);
    entry->id = fz_arena_strdup(draft->arena, id);
    entry->parent = parent != NULL ? fz_arena_strdup(draft->arena, parent) : NULL;
    return entry->id != NULL && (entry->parent != NULL) == (parent != NULL) ? FZ_OK : no_memory(err);
}

static fz_status quota_add(fz_cluster_draft *draft, fz_draft_list *list, fz_time t, const char *vc,
                           uint32_t gpus, fz_error *err)
{
    fz_draft_quota_entry *entry = list_add(list, sizeof *entry);
    if (entry == NULL)
        return no_memory(err);
    *entry = (fz_draft_quota_entry){.t = t, .vc = fz_arena_strdup(draft->arena, vc), .gpus = gpus};
    return entry->vc != NULL ? FZ_OK : no_memory(err);
}

fz_status fz_draft_tenant(fz_cluster_draft *draft, const char *vc, uint32_t gpus, fz_error *err)
{
    return quota_add(draft, &draft->tenants, 0, vc, gpus, err);
}

fz_status fz_draft_quota(fz_cluster_draft *draft, fz_time t, const char *vc, uint32_t gpus, fz_error *err)
{
    return quota_add(draft, &draft->events, t, vc, gpus, err);
}

fz_status fz_draft_note(fz_cluster_draft *draft, const char *note, fz_error *err)
{
    const char **entry = list_add(&draft->notes, sizeof *entry);
    if (entry == NULL)
        return no_memory(err);
    *entry = fz_arena_strdup(draft->arena, note);
    return *entry != NULL ? FZ_OK : no_memory(err);
}
