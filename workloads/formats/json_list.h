/* A JSON list of any length, one element at a time: logs of jobs are larger than a document may be.
 *
 * Only one element is a tree at a time; its lines count from its own first line, and fz_json_list_line() turns
 * them into lines of the file. Columns in that first line count from the element. */
#ifndef FRENZY_WORKLOADS_JSON_LIST_H
#define FRENZY_WORKLOADS_JSON_LIST_H

#include <stdint.h>

#include <frenzy/status.h>

#include "core/support/doc.h"

typedef struct fz_json_list fz_json_list;

/* FZ_EPARSE: no list. At most 2 GiB, unpacked. `path` is borrowed. */
fz_status fz_json_list_open(const char *path, fz_json_list **out, fz_error *err);
void fz_json_list_close(fz_json_list *list); /* NULL is allowed */

/* The next element, good until the next call; NULL at the end. FZ_EPARSE: the list is cut or malformed. */
fz_status fz_json_list_next(fz_json_list *list, const fz_doc_node **out, fz_error *err);
uint32_t fz_json_list_line(const fz_json_list *list, uint32_t line_in_element);
const char *fz_json_list_sha256(const fz_json_list *list);

#endif
