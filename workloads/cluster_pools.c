/* Pools of a cluster file: how many hosts of which node type, and their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/cluster_reader.h"

typedef struct pool {
    const fz_doc_node *node;
    uint32_t kind;
    uint32_t count;
    uint64_t first;
    const char *prefix;       /* NULL: the node type's name and "-" */
    const fz_doc_node *names; /* NULL: numbered */
} pool;

/* ---- one pool ------------------------------------------------------------------------------------- */

static fz_status kind_find(const fz_cluster_reader *reader, const fz_doc_node *at, const char *name,
                           uint32_t *out, fz_error *err)
{
    const char **names = FZ_NEW(reader->scratch, reader->n_kinds, const char *);
    if (names == NULL)
        return fz_reader_no_memory(reader, err);
    for (*out = 0; *out < reader->n_kinds; (*out)++) {
        names[*out] = reader->kinds[*out].name;
        if (strcmp(names[*out], name) == 0)
            return FZ_OK;
    }
    return fz_reader_fail_name(reader, at, "node type", name, names, reader->n_kinds, err);
}

/* A pool of named hosts needs no count; where it has one, both must agree. */
static fz_status names_check(const fz_cluster_reader *reader, pool *p, uint64_t count, fz_error *err)
{
    const fz_doc_node *first = fz_doc_get(p->node, "first"), *prefix = fz_doc_get(p->node, "prefix");
    FZ_TRY(fz_doc_expect(reader->doc, p->names, FZ_DOC_LIST, "names", err));
    if (first != NULL || prefix != NULL)
        return fz_doc_fail(reader->doc, first != NULL ? first : prefix, err,
                           "a pool with `names` has no `first` and no `prefix`");
    if (p->names->n_items == 0)
        return fz_doc_fail(reader->doc, p->names, err, "'names' is empty; at least one name is expected");
    if (p->names->n_items > FZ_MAX_HOSTS)
        return fz_doc_fail(reader->doc, p->names, err, "too many names; at most %d", FZ_MAX_HOSTS);
    if (count != 0 && count != p->names->n_items)
        return fz_doc_fail(reader->doc, p->names, err, "%u names for a count of %llu; leave `count` away",
                           p->names->n_items, (unsigned long long)count);
    p->count = p->names->n_items;
    return FZ_OK;
}

static fz_status pool_read(fz_cluster_reader *reader, const fz_doc_node *node, pool *p, fz_error *err)
{
    static const char *const keys[] = {"node_type", "count", "prefix", "first", "names", "at", NULL};
    const char *kind = NULL, *at = NULL;
    uint64_t count = 0;
    *p = (pool){.node = node};
    FZ_TRY(fz_doc_check_keys(reader->doc, node, "a pool", keys, err));
    FZ_TRY(fz_doc_text(reader->doc, node, "node_type", true, &kind, err));
    FZ_TRY(kind_find(reader, fz_doc_get(node, "node_type"), kind, &p->kind, err));
    p->names = fz_doc_get(node, "names");
    if (fz_doc_is_null(p->names))
        p->names = NULL;
    FZ_TRY(fz_doc_count(reader->doc, node, "count", p->names == NULL, 1, FZ_MAX_HOSTS, &count, err));
    FZ_TRY(fz_doc_count(reader->doc, node, "first", false, 0, UINT32_MAX, &p->first, err));
    FZ_TRY(fz_doc_text(reader->doc, node, "prefix", false, &p->prefix, err));
    FZ_TRY(fz_doc_text(reader->doc, node, "at", false, &at, err));
    fz_reader_mark(reader, node, "at", FZ_UNUSED_AT);
    p->count = (uint32_t)count;
    return p->names != NULL ? names_check(reader, p, count, err) : FZ_OK;
}

/* ---- names of hosts ------------------------------------------------------------------------------- */

static fz_status host_name(const fz_cluster_reader *reader, const pool *p, uint32_t index, const char **out,
                           fz_error *err)
{
    char text[256];
    const char *kind = reader->kinds[p->kind].name;
    const fz_doc_node *at = p->node;
    if (p->names != NULL) {
        at = &p->names->items[index];
        FZ_TRY(fz_doc_expect(reader->doc, at, FZ_DOC_SCALAR, "a node's name", err));
        (void)snprintf(text, sizeof text, "%s", at->text);
    } else {
        unsigned long long number = p->first + index;
        (void)snprintf(text, sizeof text, "%.220s%s%llu", p->prefix != NULL ? p->prefix : kind,
                       p->prefix != NULL ? "" : "-", number);
    }
    FZ_TRY(fz_reader_check_name(reader, at, "a node", text, err));
    *out = fz_arena_strdup(reader->arena, text);
    return *out != NULL ? FZ_OK : fz_reader_no_memory(reader, err);
}

static fz_status hosts_fill(fz_cluster_reader *reader, const pool *pools, uint32_t n_pools, fz_error *err)
{
    reader->hosts = FZ_NEW(reader->scratch, reader->n_hosts, fz_host);
    reader->by_name = FZ_NEW(reader->scratch, reader->n_hosts, const fz_host *);
    if (reader->hosts == NULL || reader->by_name == NULL)
        return fz_reader_no_memory(reader, err);
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_pools; i++) {
        for (uint32_t j = 0; j < pools[i].count; j++) {
            fz_host *host = &reader->hosts[n];
            *host = (fz_host){.kind = pools[i].kind, .pool = pools[i].node};
            FZ_TRY(host_name(reader, &pools[i], j, &host->name, err));
            reader->by_name[n++] = host;
        }
    }
    return FZ_OK;
}

static int compare_hosts(const void *a, const void *b)
{
    const fz_host *x = *(const fz_host *const *)a, *y = *(const fz_host *const *)b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x > y) - (x < y); /* one array: the order of the file */
}

static int compare_name(const void *name, const void *host)
{
    return strcmp(name, (*(const fz_host *const *)host)->name);
}

static fz_status names_unique(fz_cluster_reader *reader, fz_error *err)
{
    qsort(reader->by_name, reader->n_hosts, sizeof(fz_host *), compare_hosts);
    const fz_host *before = NULL, *repeated = NULL;
    for (uint32_t i = 1; i < reader->n_hosts; i++) {
        const fz_host *host = reader->by_name[i];
        if (strcmp(reader->by_name[i - 1]->name, host->name) == 0 && (repeated == NULL || host < repeated)) {
            before = reader->by_name[i - 1];
            repeated = host;
        }
    }
    if (repeated == NULL)
        return FZ_OK;
    return fz_doc_fail(
        reader->doc, repeated->pool, err,
        "node '%.60s' is there already, from the pool in line %u; give `first` or another `prefix`",
        repeated->name, before->pool->line);
}

const fz_host *fz_reader_host(const fz_cluster_reader *reader, const char *name)
{
    const fz_host *const *found =
        bsearch(name, reader->by_name, reader->n_hosts, sizeof(fz_host *), compare_name);
    return found != NULL ? *found : NULL;
}

/* ---- the section ---------------------------------------------------------------------------------- */

fz_status fz_read_pools(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    const fz_doc_node *section = NULL;
    FZ_TRY(fz_reader_section(reader, root, "pools", FZ_DOC_LIST, &section, err));
    if (section == NULL || section->n_items == 0)
        return fz_doc_fail(reader->doc, section != NULL ? section : root, err,
                           "'pools' is missing; a list of pools of nodes is expected");
    pool *pools = FZ_NEW(reader->scratch, section->n_items, pool);
    if (pools == NULL)
        return fz_reader_no_memory(reader, err);
    uint64_t n_hosts = 0, n_gpus = 0;
    for (uint32_t i = 0; i < section->n_items; i++) {
        FZ_TRY(pool_read(reader, &section->items[i], &pools[i], err));
        n_hosts += pools[i].count;
        n_gpus += (uint64_t)pools[i].count * reader->kinds[pools[i].kind].gpus;
        if (n_hosts > FZ_MAX_HOSTS || n_gpus >= UINT32_MAX)
            return fz_doc_fail(reader->doc, pools[i].node, err,
                               "too large; a cluster has at most %d nodes and fewer than 2^32 - 1 GPUs",
                               FZ_MAX_HOSTS);
    }
    if (n_gpus == 0)
        return fz_doc_fail(reader->doc, section, err, "no node of this cluster has a GPU");
    reader->n_hosts = (uint32_t)n_hosts;
    FZ_TRY(hosts_fill(reader, pools, section->n_items, err));
    return names_unique(reader, err);
}
