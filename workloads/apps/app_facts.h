/* Constants of the published simulators that stand in no table. */
#ifndef FRENZY_WORKLOADS_APPS_APP_FACTS_H
#define FRENZY_WORKLOADS_APPS_APP_FACTS_H

#include "workloads/apps/app.h"

/* Restart costs and slowdown of the application called app->name under app->rules. */
void fz_app_facts_fill(fz_app *app);

/* Where a study believes in a smaller largest local batch than its table has; else `table`. */
double fz_app_facts_most_local(const fz_app *app, const char *gpu, double table);

/* Sia's name of a GPU type ("aws") as a name that the GPU catalog knows ("t4"); other names as they are. */
const char *fz_app_facts_gpu(const char *name);

#endif
