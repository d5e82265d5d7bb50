/* Gavel's clusters: counts of GPUs as `v100:p100:k80`, such as 36:36:36, given themselves or in a JSON file of the
 * form {"philly": ["36:36:36"]} with one cluster in it. Gavel does not say how many GPUs a node has; 4 are usual. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/doc.h"
#include "workloads/cluster_formats/formats.h"

enum { N_TYPES = 3, GPUS_PER_NODE = 4, MAX_GPUS = 1 << 24 };
static const char *const types[N_TYPES] = {"v100", "p100", "k80"};

/* Three numbers between colons; false if the text is anything else. */
static bool counts_parse(const char *text, uint64_t counts[N_TYPES])
{
    for (uint32_t i = 0; i < N_TYPES; i++) {
        char *end = NULL;
        if (text[0] < '0' || text[0] > '9')
            return false;
        counts[i] = strtoull(text, &end, 10);
        if (counts[i] > MAX_GPUS || *end != (i + 1 < N_TYPES ? ':' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

static fz_status nodes_add(const fz_cluster_source *source, fz_cluster_draft *draft,
                           const uint64_t counts[N_TYPES], fz_error *err)
{
    uint32_t each = source->gpus_per_node > 0 ? source->gpus_per_node : GPUS_PER_NODE;
    char note[96];
    (void)snprintf(note, sizeof note, "%u GPUs a node is our choice; Gavel does not say", each);
    if (source->gpus_per_node == 0)
        FZ_TRY(fz_draft_note(draft, note, err));
    for (uint32_t i = 0; i < N_TYPES; i++) {
        fz_draft_shape full = fz_draft_shape_of(types[i], each);
        fz_draft_shape rest = fz_draft_shape_of(types[i], (uint32_t)(counts[i] % each));
        FZ_TRY(fz_draft_nodes(draft, &full, (uint32_t)(counts[i] / each), NULL, err));
        FZ_TRY(fz_draft_nodes(draft, &rest, rest.n_parts, NULL, err));
    }
    return FZ_OK;
}

/* The one text of a file of the form {"philly": ["36:36:36"]}. */
static fz_status file_counts(const fz_doc *doc, uint64_t counts[N_TYPES], fz_error *err)
{
    const fz_doc_node *root = fz_doc_root(doc);
    FZ_TRY(fz_doc_expect(doc, root, FZ_DOC_MAP, "a file of Gavel's clusters", err));
    if (root->n_items != 1 || root->items[0].kind != FZ_DOC_LIST || root->items[0].n_items != 1)
        return fz_doc_fail(doc, root, err, "one cluster is expected, such as {\"philly\": [\"36:36:36\"]}");
    const fz_doc_node *text = &root->items[0].items[0];
    if (text->kind != FZ_DOC_SCALAR || !counts_parse(text->text, counts))
        return fz_doc_fail(doc, text, err, "counts of v100, p100 and k80 are expected, such as \"36:36:36\"");
    return FZ_OK;
}

static fz_status gavel_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    uint64_t counts[N_TYPES] = {0};
    fz_doc *doc = NULL;
    if (counts_parse(source->paths[0], counts))
        return nodes_add(source, draft, counts, err);
    FZ_TRY(fz_doc_read(source->paths[0], &doc, err));
    fz_status status = file_counts(doc, counts, err);
    fz_doc_free(doc);
    return status == FZ_OK ? nodes_add(source, draft, counts, err) : status;
}

const fz_cluster_format fz_cluster_gavel = {
    .name = "gavel",
    .summary = "Gavel's clusters: counts v100:p100:k80, such as 36:36:36, or a JSON file with them",
    .max_paths = 1,
    .takes_gpus_per_node = true,
    .read = gavel_read,
};
