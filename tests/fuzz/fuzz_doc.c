/* Any bytes as a YAML or JSON document. */
#include <assert.h>
#include <float.h>
#include <string.h>

#include "core/support/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Depth is limited by the reader. */
static void walk(const fz_doc *doc, const fz_doc_node *node)
{
    assert(node->line > 0 && node->column > 0);
    assert((node->kind == FZ_DOC_SCALAR) == (node->text != NULL));
    for (uint32_t i = 0; i < node->n_items; i++) {
        const fz_doc_node *item = &node->items[i];
        assert((node->kind == FZ_DOC_MAP) == (item->key != NULL));
        if (item->key != NULL) {
            const char *text = NULL;
            double x = 0;
            uint64_t n = 0;
            bool flag = false;
            assert(fz_doc_get(node, item->key) == item);
            (void)fz_doc_text(doc, node, item->key, true, &text, NULL);
            (void)fz_doc_number(doc, node, item->key, true, 0, DBL_MAX, &x, NULL);
            (void)fz_doc_count(doc, node, item->key, true, 0, 10, &n, NULL);
            (void)fz_doc_bool(doc, node, item->key, true, &flag, NULL);
            assert(x >= 0 && n <= 10);
        }
        walk(doc, item);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const allowed[] = {"name", "count", "gpus", NULL};
    fz_doc *doc = NULL;
    fz_error err = {0};
    if (fz_doc_parse("fuzz", (const char *)data, size, &doc, &err) == FZ_OK) {
        walk(doc, fz_doc_root(doc));
        (void)fz_doc_check_keys(doc, fz_doc_root(doc), "a file", allowed, &err);
        fz_doc_free(doc);
    } else {
        assert(err.message[0] != '\0' && err.line > 0 && err.column > 0);
    }
    return 0;
}
