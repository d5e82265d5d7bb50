/* What is in a cluster, as a table and as JSON. */
#ifndef FRENZY_SIM_CLI_CLUSTER_TEXT_H
#define FRENZY_SIM_CLI_CLUSTER_TEXT_H

#include <stdio.h>

#include "sim/cli/json.h"
#include "workloads/cluster_file.h"

void fz_cluster_describe(FILE *out, const fz_cluster_file *file);
/* Into an open object. */
void fz_cluster_json(fz_json *json, const fz_cluster_file *file);

#endif
