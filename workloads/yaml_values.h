/* Lists of numbers and of weighted things out of YAML and JSON files, for profiles and mixes. */
#ifndef FRENZY_WORKLOADS_YAML_VALUES_H
#define FRENZY_WORKLOADS_YAML_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>

#include "core/support/doc.h"

/* A reader over one document; all texts and arrays go to `arena`. */
typedef struct fz_yaml {
    const fz_doc *doc;
    fz_arena *arena;
} fz_yaml;

/* A number in a list; bounds are inclusive. `what` names it in messages. */
fz_status fz_yaml_item(const fz_yaml *yaml, const fz_doc_node *node, const char *what, double min, double max,
                       double *out, fz_error *err);
/* The numbers of a list; `n` is how many there must be, 0: at least one. Absent: *out stays as it is. */
fz_status fz_yaml_numbers(const fz_yaml *yaml, const fz_doc_node *map, const char *key, uint32_t n,
                          double min, double max, const double **out, uint32_t *n_out, fz_error *err);
/* A list of maps with at least one item; `required` unless absent is fine (*items is NULL then). */
fz_status fz_yaml_list(const fz_yaml *yaml, const fz_doc_node *map, const char *key, bool required,
                       const fz_doc_node **items, uint32_t *n, fz_error *err);
/* A copy of a text; `required` as in fz_doc_text(). */
fz_status fz_yaml_text(const fz_yaml *yaml, const fz_doc_node *map, const char *key, bool required,
                       const char **out, fz_error *err);

#endif
