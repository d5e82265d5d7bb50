/* Placements as people read them: "n-0:8|n-3:4" in node order, and "A100-40:12|T4:4" by GPU type. */
#ifndef FRENZY_SIM_METRICS_PLACE_TEXT_H
#define FRENZY_SIM_METRICS_PLACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <frenzy/cluster.h>
#include <frenzy/place.h>

/* A text that grows; all zero is empty. Owned by the caller, released with free(text). */
typedef struct fz_place_text {
    char *text;
    size_t length, capacity;
} fz_place_text;

/* Both write over what the text held before; false when out of memory. `where` is in node order. The two
 * halves of a host with two GPU types stand under its one name. */
bool fz_place_text_nodes(fz_place_text *out, const fz_cluster_spec *cluster, const fz_placement *where);
bool fz_place_text_types(fz_place_text *out, const fz_cluster_spec *cluster, const fz_placement *where);

#endif
