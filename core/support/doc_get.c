#include <float.h>
#include <string.h>

#include "core/support/doc.h"
#include "core/support/number.h"

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

const fz_doc_node *fz_doc_get(const fz_doc_node *map, const char *key)
{
    for (uint32_t i = 0; map->kind == FZ_DOC_MAP && i < map->n_items; i++)
        if (strcmp(map->items[i].key, key) == 0)
            return &map->items[i];
    return NULL;
}

bool fz_doc_is_null(const fz_doc_node *node)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL", NULL};
    return node == NULL || (node->kind == FZ_DOC_SCALAR && !node->quoted && is_one_of(node->text, words));
}

/* The scalar of a key; *node is NULL when it is absent and need not be there. */
static fz_status find(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                      const char *wanted, const fz_doc_node **node, fz_error *err)
{
    FZ_TRY(fz_doc_expect(doc, map, FZ_DOC_MAP, "what is written here", err));
    const fz_doc_node *found = fz_doc_get(map, key);
    *node = NULL;
    if (fz_doc_is_null(found)) {
        if (required)
            return fz_doc_fail(doc, found != NULL ? found : map, err, "'%s' is missing; %s is expected", key,
                               wanted);
        return FZ_OK;
    }
    if (found->kind != FZ_DOC_SCALAR)
        return fz_doc_fail(doc, found, err, "'%s' must be %s, not a %s", key, wanted,
                           found->kind == FZ_DOC_LIST ? "list" : "map");
    *node = found;
    return FZ_OK;
}

static fz_status find_unquoted(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                               const char *wanted, const fz_doc_node **node, fz_error *err)
{
    FZ_TRY(find(doc, map, key, required, wanted, node, err));
    if (*node != NULL && (*node)->quoted)
        return fz_doc_fail(doc, *node, err, "'%s' must be %s, not a text; write it without quotes", key,
                           wanted);
    return FZ_OK;
}

fz_status fz_doc_text(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                      const char **out, fz_error *err)
{
    const fz_doc_node *node = NULL;
    FZ_TRY(find(doc, map, key, required, "a text", &node, err));
    if (node != NULL)
        *out = node->text;
    return FZ_OK;
}

static fz_status out_of_bounds(const fz_doc *doc, const fz_doc_node *node, double min, double max,
                               fz_error *err)
{
    if (max >= DBL_MAX)
        return fz_doc_fail(doc, node, err, "'%s': %.40s is too small; at least %.15g is expected", node->key,
                           node->text, min);
    return fz_doc_fail(doc, node, err, "'%s': %.40s is out of bounds; %.15g to %.15g is expected", node->key,
                       node->text, min, max);
}

fz_status fz_doc_number(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required, double min,
                        double max, double *out, fz_error *err)
{
    const fz_doc_node *node = NULL;
    double value = 0;
    FZ_TRY(find_unquoted(doc, map, key, required, "a number", &node, err));
    if (node == NULL)
        return FZ_OK;
    fz_number_result result = fz_number_real(node->text, strlen(node->text), &value);
    if (result != FZ_NUMBER_OK)
        return fz_doc_fail(doc, node, err, "'%s': '%.60s' %s", key, node->text, fz_number_problem(result));
    if (value < min || value > max)
        return out_of_bounds(doc, node, min, max, err);
    *out = value;
    return FZ_OK;
}

fz_status fz_doc_count(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required,
                       uint64_t min, uint64_t max, uint64_t *out, fz_error *err)
{
    const fz_doc_node *node = NULL;
    uint64_t value = 0;
    FZ_TRY(find_unquoted(doc, map, key, required, "a whole number", &node, err));
    if (node == NULL)
        return FZ_OK;
    fz_number_result result = fz_number_count(node->text, strlen(node->text), max, &value);
    if (result != FZ_NUMBER_OK && result != FZ_NUMBER_LARGE)
        return fz_doc_fail(doc, node, err, "'%s': '%.60s' %s", key, node->text, fz_number_problem(result));
    if (result == FZ_NUMBER_LARGE || value < min)
        return fz_doc_fail(doc, node, err, "'%s': %.40s is out of bounds; %llu to %llu is expected", key,
                           node->text, (unsigned long long)min, (unsigned long long)max);
    *out = value;
    return FZ_OK;
}

fz_status fz_doc_bool(const fz_doc *doc, const fz_doc_node *map, const char *key, bool required, bool *out,
                      fz_error *err)
{
    static const char *const yes[] = {"true", "True", "TRUE", NULL}, *const no[] = {"false", "False", "FALSE",
                                                                                    NULL};
    const fz_doc_node *node = NULL;
    FZ_TRY(find_unquoted(doc, map, key, required, "true or false", &node, err));
    if (node == NULL)
        return FZ_OK;
    if (!is_one_of(node->text, yes) && !is_one_of(node->text, no))
        return fz_doc_fail(doc, node, err, "'%s': '%.60s' is neither true nor false", key, node->text);
    *out = is_one_of(node->text, yes);
    return FZ_OK;
}
