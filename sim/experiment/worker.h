/* What happens in a worker process: one run, its result into a pipe, its messages into another. */
#ifndef FRENZY_SIM_EXPERIMENT_WORKER_H
#define FRENZY_SIM_EXPERIMENT_WORKER_H

#include <stdint.h>
#include <sys/types.h>

#include "sim/engine/engine.h"

/* Never returns. The process ends with `parent`. `memory_limit` in bytes, 0: none. */
void fz_worker_main(const fz_run_spec *spec, int result_fd, int words_fd, pid_t parent,
                    uint64_t memory_limit);

#endif
