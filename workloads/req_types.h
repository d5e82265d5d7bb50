/* GPU types that a job names, as types of a cluster. */
#ifndef FRENZY_WORKLOADS_REQ_TYPES_H
#define FRENZY_WORKLOADS_REQ_TYPES_H

#include <frenzy/cluster.h>

/* `A100|V100`: names of the cluster's types or of their catalog entries, letter case ignored. "" is all types; 0: the
 * cluster has none of them. */
fz_type_mask fz_req_types_mask(const fz_cluster_spec *spec, const char *text);

/* The types that one name of `length` bytes means. */
fz_type_mask fz_req_types_named(const fz_cluster_spec *spec, const char *name, size_t length);

/* The types that are the GPU that `name` means, by their names or in the catalog: aliases count. */
fz_type_mask fz_req_types_alike(const fz_cluster_spec *spec, const char *name);

#endif
