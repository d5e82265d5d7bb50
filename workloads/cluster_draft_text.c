#include <stdio.h>
#include <stdlib.h>

#include "core/support/timetext.h"
#include "workloads/cluster_draft_private.h"
#include "workloads/cluster_file.h"

enum { LINE_WIDTH = 100 };

/* A JSON text, quoted; returns its width. */
static uint32_t put_text(FILE *out, const char *text)
{
    uint32_t width = 2;
    (void)fputc('"', out);
    for (const char *c = text; *c != '\0'; c++, width++) {
        if (*c == '"' || *c == '\\')
            (void)fputc('\\', out);
        if (*c >= 0 && *c < ' ')
            (void)fprintf(out, "\\u%04x", (unsigned)*c);
        else
            (void)fputc(*c, out);
    }
    (void)fputc('"', out);
    return width;
}

static void put_key(FILE *out, const char *key)
{
    (void)put_text(out, key);
    (void)fputs(": ", out);
}

/* null below 0: not known */
static void put_number(FILE *out, double value)
{
    char text[FZ_NUMBER_TEXT] = "null";
    if (value >= 0)
        (void)fz_number_text(value, text);
    (void)fputs(text, out);
}

static void put_gpu_type(FILE *out, const fz_draft_gpu_type *type)
{
    const fz_catalog_gpu *gpu = type->catalog != NULL ? fz_catalog_find(type->catalog) : NULL;
    (void)fputs("    ", out);
    put_key(out, type->name);
    if (gpu == NULL) {
        (void)fputs("{\"opaque\": true, \"mem_gib\": null}", out);
        return;
    }
    (void)fputs("{\"catalog\": ", out);
    (void)put_text(out, gpu->name);
    if (gpu->mem_bytes == 0) {
        (void)fputs(", \"mem_gib\": ", out);
        put_number(out, gpu->mem_nominal_gib);
    }
    (void)fputc('}', out);
}

static void put_node_type(FILE *out, const fz_draft_node_type *type)
{
    const fz_draft_shape *shape = &type->shape;
    (void)fputs("    ", out);
    put_key(out, type->name);
    (void)fputs("{\"gpus\": [", out);
    for (uint32_t i = 0; i < shape->n_parts; i++) {
        (void)fputs(i > 0 ? ", {\"type\": " : "{\"type\": ", out);
        (void)put_text(out, shape->parts[i].gpu);
        (void)fprintf(out, ", \"count\": %u}", shape->parts[i].count);
    }
    (void)fputs("], \"cpus\": ", out);
    put_number(out, shape->cpus);
    (void)fputs(", \"mem_gib\": ", out);
    put_number(out, shape->mem_gib);
    if (shape->weight != 1)
        (void)fprintf(out, ", \"weight\": %u", shape->weight);
    (void)fputc('}', out);
}

static void put_names(FILE *out, const char *const *names, uint32_t n)
{
    uint32_t width = LINE_WIDTH / 2; /* the pool's other keys stand before */
    (void)fputs(", \"names\": [", out);
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            (void)fputc(',', out);
        if (width >= LINE_WIDTH) {
            (void)fputs("\n      ", out);
            width = 6;
        } else if (i > 0) {
            (void)fputc(' ', out);
        }
        width += put_text(out, names[i]) + 2;
    }
    (void)fputc(']', out);
}

static void put_pool(FILE *out, const fz_cluster_draft *draft, const fz_draft_pool *pool)
{
    const fz_draft_node_type *types = draft->node_types.items;
    (void)fputs("    {\"node_type\": ", out);
    (void)put_text(out, types[pool->node_type].name);
    if (pool->at != NULL) {
        (void)fputs(", \"at\": ", out);
        (void)put_text(out, pool->at);
    }
    if (pool->named) {
        put_names(out, (const char *const *)draft->names.items + pool->first_name, pool->count);
    } else {
        (void)fprintf(out, ", \"count\": %u", pool->count);
        if (pool->first > 0)
            (void)fprintf(out, ", \"first\": %u", pool->first);
    }
    (void)fputc('}', out);
}

static void put_switch(FILE *out, const fz_draft_switch_entry *entry)
{
    (void)fputs("    {\"id\": ", out);
    (void)put_text(out, entry->id);
    if (entry->parent != NULL) {
        (void)fputs(", \"parent\": ", out);
        (void)put_text(out, entry->parent);
    }
    (void)fputc('}', out);
}

static void put_tenant(FILE *out, const fz_draft_quota_entry *entry)
{
    (void)fputs("    {\"vc\": ", out);
    (void)put_text(out, entry->vc);
    (void)fprintf(out, ", \"quota_gpus\": %u}", entry->gpus);
}

static void put_event(FILE *out, const fz_draft_quota_entry *entry)
{
    char text[FZ_TIME_TEXT];
    (void)fz_time_text(entry->t, text);
    (void)fprintf(out, "    {\"t_s\": %s, \"kind\": \"quota\", \"vc\": ", text);
    (void)put_text(out, entry->vc);
    (void)fprintf(out, ", \"gpus\": %u}", entry->gpus);
}

static void put_head(FILE *out, const fz_cluster_draft *draft)
{
    (void)fputs("{\n  \"format\": \"frenzy-cluster\",\n  \"version\": 1,\n  \"name\": ", out);
    (void)put_text(out, draft->name);
    (void)fputs(",\n  \"x_source\": ", out);
    (void)put_text(out, draft->source);
    for (uint32_t i = 0; i < draft->notes.n; i++) {
        (void)fputs(i == 0 ? ",\n  \"x_notes\": [" : ", ", out);
        (void)put_text(out, ((const char *const *)draft->notes.items)[i]);
    }
    (void)fputs(draft->notes.n > 0 ? "],\n" : ",\n", out);
}

/* ",\n" between the items of a section, its end behind the last one */
static void put_between(FILE *out, uint32_t i, uint32_t n, const char *end)
{
    (void)fputs(i + 1 < n ? ",\n" : end, out);
}

static void put_all(FILE *out, const fz_cluster_draft *draft)
{
    put_head(out, draft);
    (void)fputs("  \"gpu_types\": {\n", out);
    for (uint32_t i = 0; i < draft->gpu_types.n; i++) {
        put_gpu_type(out, (const fz_draft_gpu_type *)draft->gpu_types.items + i);
        put_between(out, i, draft->gpu_types.n, "\n");
    }
    (void)fputs("  },\n  \"node_types\": {\n", out);
    for (uint32_t i = 0; i < draft->node_types.n; i++) {
        put_node_type(out, (const fz_draft_node_type *)draft->node_types.items + i);
        put_between(out, i, draft->node_types.n, "\n");
    }
    (void)fputs("  },\n  \"pools\": [\n", out);
    for (uint32_t i = 0; i < draft->pools.n; i++) {
        put_pool(out, draft, (const fz_draft_pool *)draft->pools.items + i);
        put_between(out, i, draft->pools.n, "\n  ]");
    }
    for (uint32_t i = 0; i < draft->switches.n; i++) {
        (void)fputs(i == 0 ? ",\n  \"switches\": [\n" : "", out);
        put_switch(out, (const fz_draft_switch_entry *)draft->switches.items + i);
        put_between(out, i, draft->switches.n, "\n  ]");
    }
    for (uint32_t i = 0; i < draft->tenants.n; i++) {
        (void)fputs(i == 0 ? ",\n  \"tenants\": [\n" : "", out);
        put_tenant(out, (const fz_draft_quota_entry *)draft->tenants.items + i);
        put_between(out, i, draft->tenants.n, "\n  ]");
    }
    for (uint32_t i = 0; i < draft->events.n; i++) {
        (void)fputs(i == 0 ? ",\n  \"events\": [\n" : "", out);
        put_event(out, (const fz_draft_quota_entry *)draft->events.items + i);
        put_between(out, i, draft->events.n, "\n  ]");
    }
    (void)fputs("\n}\n", out);
}

fz_status fz_cluster_draft_text(const fz_cluster_draft *draft, char **text, size_t *length, fz_error *err)
{
    if (draft->pools.n == 0)
        return fz_fail(err, FZ_EPARSE, "there are no nodes");
    FILE *out = open_memstream(text, length);
    if (out == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the cluster");
    put_all(out, draft);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(*text);
        return fz_fail(err, FZ_ENOMEM, "no memory for the cluster");
    }
    return FZ_OK;
}
