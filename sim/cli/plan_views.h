/* What `frenzy plan` shows, by estimator. Each prints and returns the exit code. */
#ifndef FRENZY_SIM_CLI_PLAN_VIEWS_H
#define FRENZY_SIM_CLI_PLAN_VIEWS_H

#include "sim/cli/plan_request.h"

int fz_plan_show_analytic(const fz_plan_request *request);
int fz_plan_show_paper(const fz_plan_request *request);

#endif
