/* Node types of a cluster file: which GPUs a host has. */
#include <float.h>
#include <string.h>

#include "core/support/number.h"
#include "workloads/cluster_reader.h"

/* ---- GPUs ---------------------------------------------------------------------------------------- */

static fz_status part_read(fz_cluster_reader *reader, const fz_doc_node *node, fz_host_part *part,
                           fz_error *err)
{
    static const char *const keys[] = {"type", "count", NULL};
    const char *name = NULL;
    uint64_t count = 0;
    FZ_TRY(fz_doc_check_keys(reader->doc, node, "the gpus of a node type", keys, err));
    FZ_TRY(fz_doc_text(reader->doc, node, "type", true, &name, err));
    FZ_TRY(fz_doc_count(reader->doc, node, "count", true, 1, FZ_MAX_NODE_GPUS, &count, err));
    part->gpus = (uint32_t)count;
    return fz_reader_type(reader, fz_doc_get(node, "type"), name, &part->type, err);
}

static fz_status gpus_read(fz_cluster_reader *reader, const fz_doc_node *entry, fz_host_kind *kind,
                           fz_error *err)
{
    const fz_doc_node *gpus = fz_doc_get(entry, "gpus");
    if (fz_doc_is_null(gpus))
        return fz_doc_fail(reader->doc, entry, err,
                           "'gpus' of node type '%.60s' is missing; write [] for a node without GPUs",
                           entry->key);
    FZ_TRY(fz_doc_expect(reader->doc, gpus, FZ_DOC_LIST, "gpus", err));
    if (gpus->n_items > FZ_MAX_GPU_TYPES)
        return fz_doc_fail(reader->doc, gpus, err, "too many GPU types in a node; a cluster has at most %d",
                           FZ_MAX_GPU_TYPES);
    fz_host_part *parts = FZ_NEW(reader->scratch, gpus->n_items, fz_host_part);
    if (parts == NULL)
        return fz_reader_no_memory(reader, err);
    for (uint32_t i = 0; i < gpus->n_items; i++) {
        FZ_TRY(part_read(reader, &gpus->items[i], &parts[i], err));
        kind->gpus += parts[i].gpus;
        for (uint32_t j = 0; j < i; j++)
            if (parts[j].type == parts[i].type)
                return fz_doc_fail(reader->doc, &gpus->items[i], err,
                                   "GPU type '%.60s' is listed twice in a node; add up the counts",
                                   reader->types[parts[i].type].name);
    }
    kind->parts = parts;
    kind->n_parts = gpus->n_items;
    return FZ_OK;
}

/* ---- what a replay does not use ------------------------------------------------------------------- */

/* One group of GPUs that are near each other: numbers of the node's GPUs, none in two groups. */
static fz_status group_check(const fz_cluster_reader *reader, const fz_doc_node *group,
                             const fz_host_kind *kind, bool *taken, fz_error *err)
{
    FZ_TRY(fz_doc_expect(reader->doc, group, FZ_DOC_LIST, "a group of GPUs", err));
    for (uint32_t i = 0; i < group->n_items; i++) {
        const fz_doc_node *item = &group->items[i];
        uint64_t gpu = 0;
        FZ_TRY(fz_doc_expect(reader->doc, item, FZ_DOC_SCALAR, "a GPU number", err));
        if (item->quoted ||
            fz_number_count(item->text, strlen(item->text), UINT32_MAX, &gpu) != FZ_NUMBER_OK ||
            gpu >= kind->gpus)
            return fz_doc_fail(reader->doc, item, err,
                               "'%.60s' is no GPU of this node; it has %u, counted from 0", item->text,
                               kind->gpus);
        if (taken[gpu])
            return fz_doc_fail(reader->doc, item, err, "GPU %llu is in two groups", (unsigned long long)gpu);
        taken[gpu] = true;
    }
    return FZ_OK;
}

static fz_status intra_check(const fz_cluster_reader *reader, const fz_doc_node *entry,
                             const fz_host_kind *kind, fz_error *err)
{
    static const char *const keys[] = {"kind", "gbps", "groups", NULL};
    const fz_doc_node *intra = fz_doc_get(entry, "intra"), *groups;
    const char *text = NULL;
    double gbps = 0;
    if (fz_doc_is_null(intra))
        return FZ_OK;
    FZ_TRY(fz_doc_check_keys(reader->doc, intra, "intra", keys, err));
    FZ_TRY(fz_doc_text(reader->doc, intra, "kind", true, &text, err));
    FZ_TRY(fz_doc_number(reader->doc, intra, "gbps", false, 0, DBL_MAX, &gbps, err));
    FZ_TRY(fz_reader_section(reader, intra, "groups", FZ_DOC_LIST, &groups, err));
    bool *taken = FZ_NEW(reader->scratch, kind->gpus, bool);
    if (taken == NULL)
        return fz_reader_no_memory(reader, err);
    for (uint32_t i = 0; groups != NULL && i < groups->n_items; i++)
        FZ_TRY(group_check(reader, &groups->items[i], kind, taken, err));
    return FZ_OK;
}

static fz_status nic_check(const fz_cluster_reader *reader, const fz_doc_node *entry, fz_error *err)
{
    static const char *const keys[] = {"kind", "count", "gbps", NULL};
    const fz_doc_node *nic = fz_doc_get(entry, "nic");
    const char *text = NULL;
    uint64_t count = 0;
    double gbps = 0;
    if (fz_doc_is_null(nic))
        return FZ_OK;
    FZ_TRY(fz_doc_check_keys(reader->doc, nic, "nic", keys, err));
    FZ_TRY(fz_doc_text(reader->doc, nic, "kind", true, &text, err));
    FZ_TRY(fz_doc_count(reader->doc, nic, "count", false, 0, 1024, &count, err));
    return fz_doc_number(reader->doc, nic, "gbps", false, 0, DBL_MAX, &gbps, err);
}

static fz_status rest_read(fz_cluster_reader *reader, const fz_doc_node *entry, fz_host_kind *kind,
                           fz_error *err)
{
    double number = 0;
    uint64_t weight = 1;
    FZ_TRY(fz_doc_number(reader->doc, entry, "cpus", false, 0, 1e9, &number, err));
    FZ_TRY(fz_doc_number(reader->doc, entry, "mem_gib", false, 0, 1e9, &number, err));
    FZ_TRY(fz_doc_count(reader->doc, entry, "weight", false, 0, UINT32_MAX, &weight, err));
    FZ_TRY(intra_check(reader, entry, kind, err));
    FZ_TRY(nic_check(reader, entry, err));
    fz_reader_mark(reader, entry, "cpus", FZ_UNUSED_CPUS);
    fz_reader_mark(reader, entry, "mem_gib", FZ_UNUSED_MEMORY);
    fz_reader_mark(reader, entry, "intra", FZ_UNUSED_INTRA);
    fz_reader_mark(reader, entry, "nic", FZ_UNUSED_NIC);
    kind->weight = (uint32_t)weight;
    return FZ_OK;
}

/* ---- the section ---------------------------------------------------------------------------------- */

fz_status fz_read_node_types(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    static const char *const keys[] = {"gpus", "cpus", "mem_gib", "intra", "nic", "weight", NULL};
    const fz_doc_node *section = NULL;
    FZ_TRY(fz_reader_section(reader, root, "node_types", FZ_DOC_MAP, &section, err));
    if (section == NULL || section->n_items == 0)
        return fz_doc_fail(reader->doc, section != NULL ? section : root, err,
                           "'node_types' is missing; a map of node types is expected");
    reader->kinds = FZ_NEW(reader->scratch, section->n_items, fz_host_kind);
    if (reader->kinds == NULL)
        return fz_reader_no_memory(reader, err);
    for (uint32_t i = 0; i < section->n_items; i++) {
        const fz_doc_node *entry = &section->items[i];
        fz_host_kind *kind = &reader->kinds[reader->n_kinds++];
        kind->name = entry->key;
        FZ_TRY(fz_doc_check_keys(reader->doc, entry, "a node type", keys, err));
        FZ_TRY(gpus_read(reader, entry, kind, err));
        FZ_TRY(rest_read(reader, entry, kind, err));
    }
    return FZ_OK;
}
