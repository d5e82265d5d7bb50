/* Worker pool: one process a run, so that a crash is one failed run and no run can touch another. The
 * trace and the cluster are shared by fork; results come back through pipes and are handed out in the
 * order of the runs, whatever order they finish in. */
#ifndef FRENZY_SIM_EXPERIMENT_POOL_H
#define FRENZY_SIM_EXPERIMENT_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/engine.h"

/* Called in the parent, in run order. `result` is valid during the call, NULL when the run failed; `err`
 * then says why ("killed by signal 9"). A status other than FZ_OK ends the pool. */
typedef fz_status (*fz_pool_done)(void *context, uint32_t run, const fz_run_result *result,
                                  const fz_error *failure, fz_error *err);

typedef struct fz_pool {
    uint32_t workers; /* processes at once, >= 1 */
    fz_pool_done done;
    void *context;
    bool (*interrupted)(void); /* optional: asked now and then; true stops the workers, FZ_EINTERRUPTED */
} fz_pool;

fz_status fz_pool_run(const fz_pool *pool, const fz_run_spec *specs, uint32_t n_runs, fz_error *err);

#endif
