/* Parts of a cluster file that a replay does not use: they must be right all the same, so that a file which
 * passes today still passes when they count. */
#include <float.h>
#include <string.h>

#include <frenzy/units.h>

#include "workloads/cluster_reader.h"

/* ---- switches: a tree, parents first; names are unique under their parent ---------------------------- */

static fz_status ids_of(const fz_cluster_reader *reader, const fz_doc_node *switches, uint32_t n,
                        const char ***out, fz_error *err)
{
    *out = FZ_NEW(reader->scratch, n, const char *);
    if (*out == NULL)
        return fz_reader_no_memory(reader, err);
    for (uint32_t i = 0; i < n; i++)
        (*out)[i] = fz_doc_get(&switches->items[i], "id")->text;
    return FZ_OK;
}

static bool has_switch(const fz_doc_node *switches, uint32_t n, const char *id)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(fz_doc_get(&switches->items[i], "id")->text, id) == 0)
            return true;
    return false;
}

static fz_status fail_switch(const fz_cluster_reader *reader, const fz_doc_node *at, const char *what,
                             const fz_doc_node *switches, uint32_t n, fz_error *err)
{
    const char **ids = NULL;
    FZ_TRY(ids_of(reader, switches, n, &ids, err));
    return fz_reader_fail_name(reader, at, what, at->text, ids, n, err);
}

static fz_status switch_check(const fz_cluster_reader *reader, const fz_doc_node *switches, uint32_t index,
                              fz_error *err)
{
    static const char *const keys[] = {"id", "parent", "uplink_gbps", NULL};
    const fz_doc_node *node = &switches->items[index];
    const char *id = NULL, *parent = "";
    double gbps = 0;
    FZ_TRY(fz_doc_check_keys(reader->doc, node, "a switch", keys, err));
    FZ_TRY(fz_doc_text(reader->doc, node, "id", true, &id, err));
    FZ_TRY(fz_doc_text(reader->doc, node, "parent", false, &parent, err));
    FZ_TRY(fz_doc_number(reader->doc, node, "uplink_gbps", false, 0, DBL_MAX, &gbps, err));
    if (parent[0] != '\0' && !has_switch(switches, index, parent))
        return fail_switch(reader, fz_doc_get(node, "parent"), "parent switch (parents come first)", switches,
                           index, err);
    for (uint32_t i = 0; i < index; i++) {
        const char *other = "";
        FZ_TRY(fz_doc_text(reader->doc, &switches->items[i], "parent", false, &other, err));
        if (strcmp(fz_doc_get(&switches->items[i], "id")->text, id) == 0 && strcmp(other, parent) == 0)
            return fz_doc_fail(reader->doc, node, err, "switch '%.60s' is there twice under '%.60s'", id,
                               parent);
    }
    return FZ_OK;
}

/* `at` of the pools names switches of the file. */
static fz_status pools_at_check(const fz_cluster_reader *reader, const fz_doc_node *root,
                                const fz_doc_node *switches, fz_error *err)
{
    const fz_doc_node *pools = fz_doc_get(root, "pools");
    uint32_t n = switches != NULL ? switches->n_items : 0;
    for (uint32_t i = 0; i < pools->n_items; i++) {
        const fz_doc_node *at = fz_doc_get(&pools->items[i], "at");
        if (!fz_doc_is_null(at) && !has_switch(switches, n, at->text))
            return fail_switch(reader, at, "switch", switches, n, err);
    }
    return FZ_OK;
}

static fz_status switches_check(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    const fz_doc_node *switches = NULL;
    FZ_TRY(fz_reader_section(reader, root, "switches", FZ_DOC_LIST, &switches, err));
    for (uint32_t i = 0; switches != NULL && i < switches->n_items; i++)
        FZ_TRY(switch_check(reader, switches, i, err));
    return pools_at_check(reader, root, switches, err);
}

/* ---- tenants ---------------------------------------------------------------------------------------- */

static fz_status tenants_check(const fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    static const char *const keys[] = {"vc", "quota_gpus", NULL};
    const fz_doc_node *tenants = NULL;
    FZ_TRY(fz_reader_section(reader, root, "tenants", FZ_DOC_LIST, &tenants, err));
    for (uint32_t i = 0; tenants != NULL && i < tenants->n_items; i++) {
        const fz_doc_node *node = &tenants->items[i];
        const char *vc = NULL;
        uint64_t quota = 0;
        FZ_TRY(fz_doc_check_keys(reader->doc, node, "a tenant", keys, err));
        FZ_TRY(fz_doc_text(reader->doc, node, "vc", true, &vc, err));
        FZ_TRY(fz_doc_count(reader->doc, node, "quota_gpus", true, 0, UINT32_MAX, &quota, err));
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(fz_doc_get(&tenants->items[j], "vc")->text, vc) == 0)
                return fz_doc_fail(reader->doc, node, err, "tenant '%.60s' is there twice", vc);
    }
    return FZ_OK;
}

/* ---- events and failures ---------------------------------------------------------------------------- */

static fz_status event_check(const fz_cluster_reader *reader, const fz_doc_node *node, fz_error *err)
{
    static const char *const keys[] = {"t_s", "kind", "vc", "gpus", "node", NULL};
    static const char *const kinds[] = {"quota", "down", "up"};
    const char *kind = NULL, *vc = NULL, *host = NULL;
    double t_s = 0;
    uint64_t gpus = 0;
    FZ_TRY(fz_doc_check_keys(reader->doc, node, "an event", keys, err));
    FZ_TRY(fz_doc_number(reader->doc, node, "t_s", true, 0, fz_time_to_s(FZ_TIME_LIMIT), &t_s, err));
    FZ_TRY(fz_doc_text(reader->doc, node, "kind", true, &kind, err));
    if (strcmp(kind, "quota") == 0) {
        FZ_TRY(fz_doc_text(reader->doc, node, "vc", true, &vc, err));
        return fz_doc_count(reader->doc, node, "gpus", true, 0, UINT32_MAX, &gpus, err);
    }
    if (strcmp(kind, "down") != 0 && strcmp(kind, "up") != 0)
        return fz_reader_fail_name(reader, fz_doc_get(node, "kind"), "kind of event", kind, kinds, 3, err);
    FZ_TRY(fz_doc_text(reader->doc, node, "node", true, &host, err));
    if (fz_reader_host(reader, host) == NULL)
        return fz_doc_fail(reader->doc, fz_doc_get(node, "node"), err,
                           "no node of this cluster is called '%.60s'", host);
    return FZ_OK;
}

static fz_status events_check(const fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    const fz_doc_node *events = fz_doc_get(root, "events");
    if (fz_doc_is_null(events))
        return FZ_OK;
    FZ_TRY(fz_doc_expect(reader->doc, events, FZ_DOC_LIST, "events", err));
    for (uint32_t i = 0; i < events->n_items; i++)
        FZ_TRY(event_check(reader, &events->items[i], err));
    return FZ_OK;
}

static fz_status failures_check(const fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    static const char *const keys[] = {"mtbf_gpu_h", "repair_s", NULL};
    const fz_doc_node *failures = fz_doc_get(root, "failures");
    double mtbf_gpu_h = 0, repair_s = 0;
    if (fz_doc_is_null(failures))
        return FZ_OK;
    FZ_TRY(fz_doc_check_keys(reader->doc, failures, "failures", keys, err));
    FZ_TRY(fz_doc_number(reader->doc, failures, "mtbf_gpu_h", true, DBL_MIN, DBL_MAX, &mtbf_gpu_h, err));
    return fz_doc_number(reader->doc, failures, "repair_s", false, 0, fz_time_to_s(FZ_TIME_LIMIT), &repair_s,
                         err);
}

fz_status fz_read_extras(fz_cluster_reader *reader, const fz_doc_node *root, fz_error *err)
{
    FZ_TRY(switches_check(reader, root, err));
    FZ_TRY(tenants_check(reader, root, err));
    FZ_TRY(events_check(reader, root, err));
    FZ_TRY(failures_check(reader, root, err));
    fz_reader_mark(reader, root, "switches", FZ_UNUSED_SWITCHES);
    fz_reader_mark(reader, root, "tenants", FZ_UNUSED_TENANTS);
    fz_reader_mark(reader, root, "events", FZ_UNUSED_EVENTS);
    fz_reader_mark(reader, root, "failures", FZ_UNUSED_FAILURES);
    return FZ_OK;
}
