/* frenzy cluster import FORMAT FILE...: what the command `cluster` does with its first word `import`. */
#ifndef FRENZY_SIM_CLI_CLUSTER_IMPORT_H
#define FRENZY_SIM_CLI_CLUSTER_IMPORT_H

#include "sim/cli/options.h"

int fz_cluster_import_run(const fz_args *args);

#endif
