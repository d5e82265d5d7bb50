#include "workloads/yaml_values.h"

#include <string.h>

#include "core/support/number.h"

fz_status fz_yaml_item(const fz_yaml *yaml, const fz_doc_node *node, const char *what, double min, double max,
                       double *out, fz_error *err)
{
    double value = 0;
    if (node->kind != FZ_DOC_SCALAR || node->quoted)
        return fz_doc_fail(yaml->doc, node, err, "%s must be a number", what);
    fz_number_result result = fz_number_real(node->text, strlen(node->text), &value);
    if (result != FZ_NUMBER_OK)
        return fz_doc_fail(yaml->doc, node, err, "%s: '%.60s' %s", what, node->text,
                           fz_number_problem(result));
    if (value < min || value > max)
        return fz_doc_fail(yaml->doc, node, err, "%s: %.60s is out of range; %g to %g are possible", what,
                           node->text, min, max);
    *out = value;
    return FZ_OK;
}

fz_status fz_yaml_numbers(const fz_yaml *yaml, const fz_doc_node *map, const char *key, uint32_t n,
                          double min, double max, const double **out, uint32_t *n_out, fz_error *err)
{
    const fz_doc_node *list = fz_doc_get(map, key);
    if (fz_doc_is_null(list))
        return FZ_OK;
    FZ_TRY(fz_doc_expect(yaml->doc, list, FZ_DOC_LIST, key, err));
    if (list->n_items == 0 || (n > 0 && list->n_items != n))
        return fz_doc_fail(yaml->doc, list, err, "%s: there are %u numbers; %s%u are expected", key,
                           list->n_items, n > 0 ? "" : "at least ", n > 0 ? n : 1);
    double *values = FZ_NEW(yaml->arena, list->n_items, double);
    if (values == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u numbers", list->n_items);
    for (uint32_t i = 0; i < list->n_items; i++)
        FZ_TRY(fz_yaml_item(yaml, &list->items[i], key, min, max, &values[i], err));
    *out = values;
    *n_out = list->n_items;
    return FZ_OK;
}

fz_status fz_yaml_list(const fz_yaml *yaml, const fz_doc_node *map, const char *key, bool required,
                       const fz_doc_node **items, uint32_t *n, fz_error *err)
{
    const fz_doc_node *list = fz_doc_get(map, key);
    *items = NULL;
    *n = 0;
    if (fz_doc_is_null(list) && !required)
        return FZ_OK;
    if (fz_doc_is_null(list))
        return fz_doc_fail(yaml->doc, map, err, "'%s' is missing: a list is expected", key);
    FZ_TRY(fz_doc_expect(yaml->doc, list, FZ_DOC_LIST, key, err));
    if (list->n_items == 0)
        return fz_doc_fail(yaml->doc, list, err, "%s: the list is empty", key);
    for (uint32_t i = 0; i < list->n_items; i++)
        FZ_TRY(fz_doc_expect(yaml->doc, &list->items[i], FZ_DOC_MAP, key, err));
    *items = list->items;
    *n = list->n_items;
    return FZ_OK;
}

fz_status fz_yaml_text(const fz_yaml *yaml, const fz_doc_node *map, const char *key, bool required,
                       const char **out, fz_error *err)
{
    const char *text = NULL;
    FZ_TRY(fz_doc_text(yaml->doc, map, key, required, &text, err));
    if (text == NULL)
        return FZ_OK;
    *out = fz_arena_strdup(yaml->arena, text);
    return *out != NULL ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory for a text");
}
