#include "sim/engine/app_job.h"

#include <math.h>

static bool same_form(const fz_app_place *a, const fz_app_place *b)
{
    return a->gpu == b->gpu && a->placement == b->placement && a->nodes == b->nodes && a->gpus == b->gpus;
}

static fz_time span(double seconds)
{
    double us = seconds * (double)FZ_SECOND;
    return us < (double)FZ_TIME_LIMIT ? (fz_time)llround(us) : FZ_TIME_LIMIT;
}

void fz_app_job_start(fz_app_job *it, const fz_app_place *place, bool moved, fz_time now)
{
    const fz_app *app = it->app;
    bool free_move = app->rules == FZ_APP_SIA && moved && same_form(&it->place, place);
    if (!free_move) {
        it->restarts += it->started;
        it->ready = now + span(app->restart_s);
    }
    it->started = true;
    it->place = *place;
    it->split = fz_app_split_batch(app, place, it->batch);
    it->counted = now;
}

fz_time fz_app_job_run(fz_app_job *it, fz_time until)
{
    if (it->counted < it->ready)
        it->counted = it->ready < until ? it->ready : until;
    double left = fz_time_to_s(until - it->counted);
    while (left > 0 && it->at.epoch < it->app->n_epochs)
        left = fz_app_train(it->app, &it->place, it->split, &it->at, left);
    it->counted = until;
    return it->at.epoch < it->app->n_epochs ? FZ_TIME_MAX : until - span(left);
}

fz_time fz_app_job_next(const fz_app_job *it, fz_time now, bool *ends)
{
    fz_app_job ahead = *it;
    fz_time stride = (now / FZ_APP_STRIDE + 1) * FZ_APP_STRIDE;
    fz_time end = fz_app_job_run(&ahead, stride);
    *ends = end != FZ_TIME_MAX;
    if (!*ends)
        return stride;
    return end > now ? end : now + 1; /* rounded down to now: after what is decided now */
}

fz_time fz_app_job_end(const fz_app_job *it)
{
    fz_time from = it->counted > it->ready ? it->counted : it->ready;
    double left = fz_app_time_left(it->app, &it->place, it->split, it->at);
    return from + span(left);
}
