/* The jobs of a run, with the node lists and plans they name. Internal to the store. */
#ifndef FRENZY_SIM_STORE_JOBS_H
#define FRENZY_SIM_STORE_JOBS_H

#include "core/support/db.h"
#include "sim/store/store.h"

/* Inside the transaction that adds run `run_id`. */
fz_status fz_store_jobs_insert(fz_db *db, const fz_store_run *run, const fz_run_result *result,
                               int64_t run_id, fz_error *err);

/* The bins of its timeline. */
fz_status fz_store_timeline_insert(fz_db *db, const fz_run_result *result, int64_t run_id, fz_error *err);

#endif
