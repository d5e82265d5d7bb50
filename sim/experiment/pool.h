/* Worker pool: one process a run, so that a crash is one failed run and no run can touch another. The
 * trace and the cluster are shared by fork; results come back through pipes and are handed out in the
 * order of the runs, whatever order they finish in, or as they come. */
#ifndef FRENZY_SIM_EXPERIMENT_POOL_H
#define FRENZY_SIM_EXPERIMENT_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/engine.h"

#define FZ_LAST_WORDS 2048

/* Why a run has no result. */
typedef struct fz_run_failure {
    fz_error error;
    /* "error" (the run itself said so), "unstable", "killed" (by a signal), "exit" (ended by itself), "time",
     * "memory" */
    const char *kind;
    char last_words[FZ_LAST_WORDS]; /* the end of what the worker wrote to standard error; "" if nothing */
} fz_run_failure;

/* Called in the parent. `result` is valid during the call, NULL when the run failed; `failure` then says
 * why. A status other than FZ_OK ends the pool. */
typedef fz_status (*fz_pool_done)(void *context, uint32_t run, const fz_run_result *result,
                                  const fz_run_failure *failure, fz_error *err);

typedef struct fz_pool {
    uint32_t workers; /* processes at once, >= 1 */
    fz_pool_done done;
    void *context;
    bool (*interrupted)(void); /* optional: asked now and then; true stops the workers, FZ_EINTERRUPTED */
    bool as_they_come;         /* hand out results as they are complete, not in the order of the runs */
    double time_limit_s;       /* wall time of a run; 0: none */
    uint64_t memory_limit;     /* bytes of address space of a worker; 0: none */
    /* Optional: asked just before a run is started; false leaves it out, and `done` is not called for it. */
    bool (*wanted)(void *context, uint32_t run);
    void (*tick)(void *context); /* optional: called several times a second */
} fz_pool;

fz_status fz_pool_run(const fz_pool *pool, const fz_run_spec *specs, uint32_t n_runs, fz_error *err);

#endif
