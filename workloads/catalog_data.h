/* Between catalog.c and the C file that the build makes of gpus/catalog.csv. */
#ifndef FRENZY_WORKLOADS_CATALOG_DATA_H
#define FRENZY_WORKLOADS_CATALOG_DATA_H

#include <stdint.h>

#include "workloads/cluster_file.h"

extern const fz_catalog_gpu fz_catalog_gpus[];
extern const uint32_t fz_catalog_n_gpus;

/* Names and aliases alike, in the order of the file, and whose they are. */
extern const char *const fz_catalog_names[];
extern const uint32_t fz_catalog_name_gpu[];
extern const uint32_t fz_catalog_n_names;

#endif
