/* Demand classes of a trace on a cluster: what each job may run on, worked out once before the run.
 *
 * Jobs that ask for exactly the same share a class, so MARP is asked once a class. A class is followed
 * by its variants, each asking for more room than the one before: a job that runs out of memory moves
 * on to the first variant that rules out what has just failed. */
#ifndef FRENZY_SIM_ENGINE_DEMAND_H
#define FRENZY_SIM_ENGINE_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/model.h>
#include <frenzy/status.h>

#include "sim/engine/predict.h"
#include "sim/engine/run_times.h"
#include "sim/sched/sched.h"
#include "workloads/trace.h"

#define FZ_NO_CLASS UINT32_MAX

/* What the engine knows of a class beyond what policies see. */
typedef struct fz_class_facts {
    const fz_predictor *predictor; /* of an LLM class; NULL for an opaque one */
    uint32_t variants_left;        /* classes behind this one with the same base */
    uint32_t from_user_gpus;       /* the GPUs that the user asked for, in this variant; 0: MARP's choice */
    double mem_scale;              /* learned correction of MARP's need in this variant */
    uint64_t min_mem_bytes;        /* user variants: only types with at least this memory */
} fz_class_facts;

typedef struct fz_demands {
    fz_demand *demands;
    fz_class_facts *facts;
    uint32_t n_demands;
    uint32_t *class_of;       /* by job: its class now */
    fz_run_times times;       /* of opaque jobs */
    const fz_time *estimates; /* by job */
    uint64_t estimate_user, estimate_limit, estimate_oracle;
} fz_demands;

/* What decides about the variants: policies that choose among MARP's plans retry with a larger need,
 * the others as a user would; without an error of the prediction the former never run out of memory. */
typedef struct fz_demand_options {
    bool chooses_plans; /* FZ_SCHED_PLANS */
    bool memory_errors; /* the truth may differ from MARP's belief */
    fz_predictor_kind predictor;
    const fz_work_tables *tables; /* of jobs that name a profile; may be NULL */
} fz_demand_options;

/* `models` as in fz_run_spec. FZ_EPARSE names the first job that has neither a full LLM description
 * nor a GPU count with a duration, FZ_EUNSUPPORTED the first whose model the predictor does not know. */
fz_status fz_demands_build(fz_arena *arena, const fz_trace *trace, const fz_cluster *cluster,
                           const fz_model *const *models, fz_demand_options options, fz_demands *out,
                           fz_error *err);

/* The class to which a job of `class` moves when `plan` ran out of memory on GPUs of which the
 * smallest has `mem_bytes`; FZ_NO_CLASS when nothing is left to try. */
uint32_t fz_demands_after_oom(const fz_demands *demands, uint32_t class, const fz_plan *plan,
                              uint64_t mem_bytes);

#endif
