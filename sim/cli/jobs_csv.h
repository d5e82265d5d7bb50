/* One CSV row a job: what happened to it. */
#ifndef FRENZY_SIM_CLI_JOBS_CSV_H
#define FRENZY_SIM_CLI_JOBS_CSV_H

#include <frenzy/cluster.h>
#include <frenzy/status.h>

#include "sim/metrics/result.h"
#include "workloads/trace.h"

/* Columns: job_id, submit_s, start_s (first), end_s, state, gpus, gpu_types, nodes, plan (of the last
 * attempt), attempts, wait_s, gpu_s. An empty cell never happened. The file appears whole or not at all;
 * "-" is standard output. */
fz_status fz_jobs_csv_write(const char *path, const fz_trace *trace, const fz_cluster_spec *cluster,
                            const fz_run_result *result, fz_error *err);

#endif
