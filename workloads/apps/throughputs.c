#include "workloads/apps/throughputs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/doc.h"
#include "core/support/number.h"

typedef struct reader {
    fz_arena *arena;
    const fz_doc *doc;
    fz_throughput *all;
    const char **gpu_types;
    fz_throughputs *out;
} reader;

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/* The key `('<job type>', <GPUs>)`. */
static fz_status key_read(const reader *r, const fz_doc_node *node, fz_throughput *out, fz_error *err)
{
    const char *key = node->key, *quote = strrchr(key, '\'');
    uint64_t gpus = 0;
    size_t length = strlen(key);
    bool good =
        strncmp(key, "('", 2) == 0 && quote > key + 2 && strncmp(quote, "', ", 3) == 0 &&
        key[length - 1] == ')' &&
        fz_number_count(quote + 3, (size_t)(key + length - 1 - (quote + 3)), 65536, &gpus) == FZ_NUMBER_OK;
    if (!good || gpus == 0)
        return fz_doc_fail(r->doc, node, err,
                           "the key \"('<job type>', <GPUs>)\" is expected, not \"%.100s\"", key);
    out->gpus = (uint32_t)gpus;
    out->job_type = fz_arena_strndup(r->arena, key + 2, (size_t)(quote - key - 2));
    return out->job_type != NULL ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory for a throughput table");
}

static fz_status type_read(reader *r, const fz_doc_node *type, fz_error *err)
{
    FZ_TRY(fz_doc_expect(r->doc, type, FZ_DOC_MAP, "a GPU type", err));
    uint32_t index = r->out->n_gpu_types++;
    r->gpu_types[index] = fz_arena_strdup(r->arena, type->key);
    if (r->gpu_types[index] == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a throughput table");
    for (uint32_t i = 0; i < type->n_items; i++) {
        fz_throughput entry = {.gpu_type = index};
        FZ_TRY(key_read(r, &type->items[i], &entry, err));
        FZ_TRY(fz_doc_number(r->doc, &type->items[i], "null", true, 0, 1e12, &entry.steps_per_s, err));
        if (entry.steps_per_s > 0)
            r->all[r->out->n++] = entry;
    }
    return FZ_OK;
}

static int compare(const void *left, const void *right)
{
    const fz_throughput *a = left, *b = right;
    int order = strcmp(a->job_type, b->job_type);
    if (order != 0)
        return order;
    if (a->gpus != b->gpus)
        return a->gpus < b->gpus ? -1 : 1;
    return a->gpu_type < b->gpu_type ? -1 : a->gpu_type > b->gpu_type;
}

static fz_status all_read(reader *r, fz_error *err)
{
    const fz_doc_node *root = fz_doc_root(r->doc);
    uint32_t n = 0;
    FZ_TRY(fz_doc_expect(r->doc, root, FZ_DOC_MAP, "a throughput table", err));
    for (uint32_t i = 0; i < root->n_items; i++)
        n += root->items[i].n_items;
    r->all = FZ_NEW(r->arena, n + 1, fz_throughput);
    r->gpu_types = FZ_NEW(r->arena, root->n_items + 1, const char *);
    if (r->all == NULL || r->gpu_types == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a throughput table of %u rows", n);
    r->out->all = r->all;
    r->out->gpu_types = r->gpu_types;
    for (uint32_t i = 0; i < root->n_items; i++)
        if (!ends_with(root->items[i].key, "_unconsolidated"))
            FZ_TRY(type_read(r, &root->items[i], err));
    if (r->out->n == 0)
        return fz_doc_fail(r->doc, NULL, err, "a throughput table without a throughput above 0");
    qsort(r->all, r->out->n, sizeof *r->all, compare);
    return FZ_OK;
}

fz_status fz_throughputs_read(fz_arena *arena, const char *path, char hex[65], fz_throughputs *out,
                              fz_error *err)
{
    fz_doc *doc = NULL;
    *out = (fz_throughputs){0};
    FZ_TRY(fz_doc_read(path, &doc, err));
    reader r = {.arena = arena, .doc = doc, .out = out};
    memcpy(hex, fz_doc_sha256(doc), 65);
    fz_status status = all_read(&r, err);
    fz_doc_free(doc);
    return status;
}

double fz_throughputs_find(const fz_throughputs *table, const char *job_type, uint32_t gpus,
                           uint32_t gpu_type)
{
    fz_throughput key = {.job_type = job_type, .gpus = gpus, .gpu_type = gpu_type};
    const fz_throughput *found =
        table->n > 0 ? bsearch(&key, table->all, table->n, sizeof *table->all, compare) : NULL;
    return found != NULL ? found->steps_per_s : 0;
}
