/* How a job gets on under one allocation. */
#include <math.h>
#include <string.h>

#include "workloads/apps/app.h"

const fz_app_gpu *fz_app_gpu_find(const fz_app *app, const char *name)
{
    for (uint32_t i = 0; i < app->n_gpus; i++)
        if (strcmp(app->gpus[i].name, name) == 0)
            return &app->gpus[i];
    return NULL;
}

/* The validated batches around `batch`, and how far between them it lies. */
static double batch_find(const fz_app *app, double batch, uint32_t *below, uint32_t *above)
{
    uint32_t hi = 0;
    while (hi < app->n_batches && app->batches[hi] < batch)
        hi++;
    bool inside = hi > 0 && hi < app->n_batches;
    *above = hi < app->n_batches ? hi : app->n_batches - 1;
    *below = inside ? hi - 1 : *above;
    if (!inside)
        return 0;
    return (batch - app->batches[*below]) / (app->batches[*above] - app->batches[*below]);
}

fz_app_noise fz_app_noise_at(const fz_app *app, uint32_t epoch, double batch)
{
    uint32_t below = 0, above = 0, row = epoch < app->n_epochs ? epoch : app->n_epochs - 1;
    double part = batch_find(app, batch, &below, &above);
    const fz_app_epoch *a = &app->rows[below][row], *b = &app->rows[above][row];
    return (fz_app_noise){.sqr = a->sqr + (b->sqr - a->sqr) * part, .var = a->var + (b->var - a->var) * part};
}

double fz_app_rate(const fz_app *app, const fz_app_place *place, fz_app_split split, uint32_t epoch)
{
    fz_app_step step = fz_app_step_time(app, place, split.local);
    double batch = fz_app_batch(place, split), scale = batch / app->batches[0];
    fz_app_noise noise = fz_app_noise_at(app, epoch, batch);
    double gain = (noise.var + noise.sqr) / (noise.var / scale + noise.sqr);
    return gain / (step.step_s + (step.step_s - step.sync_s) * split.accum) / app->slowdown;
}

double fz_app_train(const fz_app *app, const fz_app_place *place, fz_app_split split, fz_app_progress *at,
                    double seconds)
{
    double rate = fz_app_rate(app, place, split, at->epoch), border = app->borders[at->epoch + 1];
    if (at->progress + rate * seconds < border) {
        at->progress += rate * seconds;
        return 0;
    }
    double needed = rint((border - at->progress) / rate);
    at->epoch++;
    at->progress = border;
    return seconds > needed ? seconds - needed : 0;
}

double fz_app_time_left(const fz_app *app, const fz_app_place *place, fz_app_split split, fz_app_progress at)
{
    double seconds = 0;
    for (uint32_t epoch = at.epoch; epoch < app->n_epochs; epoch++) {
        double from = epoch == at.epoch ? at.progress : app->borders[epoch];
        seconds += rint((app->borders[epoch + 1] - from) / fz_app_rate(app, place, split, epoch));
    }
    return seconds;
}

/* Steps of `batch` that are done at the end of row `row`. */
static double iterations_at(const fz_app *app, double batch, uint32_t row)
{
    uint32_t below = 0, above = 0;
    double part = batch_find(app, batch, &below, &above);
    double a = app->rows[below][row].iteration, b = app->rows[above][row].iteration;
    return a + (b - a) * part;
}

double fz_app_iterations_left(const fz_app *app, double batch, fz_app_progress at)
{
    uint32_t last = app->n_epochs - 1;
    if (at.epoch >= last)
        return 1;
    double here = iterations_at(app, batch, at.epoch);
    double width = app->borders[at.epoch + 1] - app->borders[at.epoch];
    double part = width > 0 ? (at.progress - app->borders[at.epoch]) / width : 0;
    double next = iterations_at(app, batch, at.epoch + 1);
    return fmax(rint(iterations_at(app, batch, last) - (here + (next - here) * part)), 1);
}
