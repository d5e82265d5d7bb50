/* Jobs with an application profile: how far they are, and what their allocation does.
 *
 * Time goes in strides up to multiples of 60 s from t = 0, as in the simulators that the profiles come from: at each, the
 * engine books the progress of the stride and looks ahead over the next, so that an end inside it becomes an event. */
#ifndef FRENZY_SIM_ENGINE_APP_JOB_H
#define FRENZY_SIM_ENGINE_APP_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/units.h>

#include "workloads/apps/app.h"

#define FZ_APP_STRIDE (60 * FZ_SECOND)

typedef struct fz_app_job {
    const fz_app *app;
    fz_app_progress at; /* as of `counted` */
    fz_time counted;    /* while running: at least when the restart is over */
    fz_time ready;      /* when the last restart is over */
    double batch;       /* that the user asked for */
    fz_app_place place; /* of the present or last attempt; no GPUs: none yet */
    fz_app_split split;
    uint32_t restarts; /* starts that cost a restart, but the first */
    bool started;
} fz_app_job;

/* A start at `now` in `place`. `moved`: the job was stopped at this very instant, so that the same form (type and GPUs of
 * each node) on other nodes costs nothing, where the rules say so. */
void fz_app_job_start(fz_app_job *it, const fz_app_place *place, bool moved, fz_time now);

/* Books the progress up to `until`. Returns when the last epoch ended, FZ_TIME_MAX if it did not. */
fz_time fz_app_job_run(fz_app_job *it, fz_time until);

/* What comes next of a job whose progress is booked up to `now`: its end (*ends) or the end of a stride; after now. */
fz_time fz_app_job_next(const fz_app_job *it, fz_time now, bool *ends);

/* The believed end under the present allocation, the batch staying as it is. */
fz_time fz_app_job_end(const fz_app_job *it);

#endif
