/* What is believed of an LLM class: its plans, their memory and their speed, by one of two predictors. */
#ifndef FRENZY_SIM_ENGINE_PREDICT_H
#define FRENZY_SIM_ENGINE_PREDICT_H

#include <frenzy/arena.h>
#include <frenzy/cluster.h>
#include <frenzy/model.h>
#include <frenzy/plan.h>
#include <frenzy/search.h>
#include <frenzy/step.h>

typedef enum fz_predictor_kind {
    FZ_PREDICTOR_PAPER,    /* frenzy/marp.h and frenzy/speed.h */
    FZ_PREDICTOR_ANALYTIC, /* frenzy/search.h, memory.h and step.h */
} fz_predictor_kind;

/* Of one class; lives as long as the run. */
typedef struct fz_predictor {
    fz_predictor_kind kind;
    fz_search search;    /* the job: model, batch, sequence; what the analytic one searches */
    double step_flop;    /* of the published model of speed */
    fz_step_basis speed; /* of the analytic one */
} fz_predictor;

/* FZ_EUNSUPPORTED: the predictor does not know such models. */
fz_status fz_predictor_new(fz_arena *arena, fz_predictor_kind kind, const fz_model *model,
                           const fz_training *training, fz_predictor **out, fz_error *err);

/* Room for the plans of fz_predictor_plans() on `n_types` types. */
size_t fz_predictor_most_plans(fz_predictor_kind kind, uint32_t n_types);

/* Ranked plans that types in `allowed` can hold, their memory scaled by a learned correction. Returns how many.
 * `found`: scratch for n_types * FZ_SEARCH_PER_TYPE plans of a search. */
size_t fz_predictor_plans(const fz_predictor *predictor, const fz_cluster *cluster, fz_type_mask allowed,
                          double scale, fz_plan *plans, fz_search_plan *found);

/* What a user who insists on `gpus` GPUs would run, whether it fits or not; its types are FZ_ALL_TYPES. */
fz_plan fz_predictor_plan_for(const fz_predictor *predictor, const fz_cluster *cluster, fz_type_mask allowed,
                              uint32_t gpus, fz_search_plan *found);

/* Seconds of a step on GPUs of `types`: the slowest one's. 0: not known. */
double fz_predictor_step_s(const fz_predictor *predictor, const fz_cluster *cluster, const fz_plan *plan,
                           fz_type_mask types);

#endif
