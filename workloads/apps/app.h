/* Application profiles: how fast a training job of a known application really goes, as it was measured.
 *
 * A job of this kind has no run time. It ends when all epochs of its application are done; how fast an epoch goes by
 * depends on the GPU type, on how many GPUs of how many nodes it has, and on its batch. The form is that of Pollux
 * (OSDI 2021) and Sia (SOSP 2023): tables of step times, and for some batch sizes the gradient noise of each epoch.
 *
 *     rate = gain / (step + (step - sync) u) / slowdown          progress (steps at the base batch) a second
 *     gain = (var + sqr) / (var / (b / B0) + sqr)                steps at the base batch that one step of batch b is worth
 *
 * b = R m (u + 1): R GPUs, m samples a GPU and pass, u passes of accumulation. Everything is const once read. */
#ifndef FRENZY_WORKLOADS_APPS_APP_H
#define FRENZY_WORKLOADS_APPS_APP_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>

#include "core/support/sha256.h"

/* Whose simulator the rules are: constants of the two differ, see app_facts.c. */
typedef enum fz_app_rules {
    FZ_APP_SIA,   /* tables by GPU type */
    FZ_APP_POLLUX /* tables without a type */
} fz_app_rules;

typedef struct fz_app_point {
    double local; /* samples a GPU and pass */
    double step_s, sync_s;
} fz_app_point;

/* Step time over the local batch, ascending, in one form of an allocation. */
typedef struct fz_app_curve {
    uint64_t
        placement; /* digits: GPUs of each node, the smallest rotation; 0: any with so many nodes and GPUs */
    uint32_t nodes, gpus;
    uint32_t n_points;
    const fz_app_point *points;
} fz_app_curve;

/* An application on one GPU type. */
typedef struct fz_app_gpu {
    const char *name;           /* the type as the study calls it: "aws"; "" in a file without a type */
    const fz_app_curve *placed; /* by placement */
    uint32_t n_placed;
    const fz_app_curve *grid; /* by nodes, then GPUs */
    uint32_t n_grid;
    double most_local;   /* largest local batch that is believed to fit */
    double one_gpu_rate; /* samples a second on one GPU at the largest local batch */
} fz_app_gpu;

typedef struct fz_app_epoch {
    double progress;  /* at its end */
    double iteration; /* likewise, in steps of this batch */
    double sqr, var;  /* of the gradient */
} fz_app_epoch;

typedef struct fz_app {
    const char *name;
    fz_app_rules rules;
    double restart_s;          /* without progress at each start in another form */
    double believed_restart_s; /* what Sia's policy takes it for */
    double slowdown;
    uint32_t n_epochs;
    const double
        *batches; /* validated ones, ascending: the first is the base batch B0, the last the largest */
    uint32_t n_batches;
    const fz_app_epoch *const *rows; /* by batch and epoch */
    const double *borders;           /* progress at the begin of each epoch, and at the end: n_epochs + 1 */
    double least_local;
    const fz_app_gpu *gpus;
    uint32_t n_gpus;
} fz_app;

/* A folder of folders, one an application. With tables by type (placements-<type>.csv) the rules are Sia's, without
 * (placements.csv) Pollux's; offgrid.csv, beside the folders or one level up, gives values between the tables. What
 * the files say is added to `sha`. */
fz_status fz_apps_read(fz_arena *arena, const char *folder, fz_sha256 *sha, const fz_app **apps,
                       uint32_t *n_apps, fz_error *err);

/* NULL if it was not measured there. */
const fz_app_gpu *fz_app_gpu_find(const fz_app *app, const char *name);

/* ---- what an allocation does ------------------------------------------------------------------------------ */

/* An allocation in the terms of the tables. */
typedef struct fz_app_place {
    const fz_app_gpu *gpu;
    uint64_t placement; /* 0: not one that a table could list */
    uint32_t nodes, gpus;
} fz_app_place;

/* `gpus_by_node` in the order in which the job got them. */
fz_app_place fz_app_place_of(const fz_app_gpu *gpu, const uint32_t *gpus_by_node, uint32_t n_nodes);
/* The fewest nodes of `node_gpus` GPUs. */
fz_app_place fz_app_place_packed(const fz_app_gpu *gpu, uint32_t gpus, uint32_t node_gpus);

typedef struct fz_app_step {
    double step_s, sync_s;
    bool extrapolated; /* no table covers so many GPUs on so many nodes */
} fz_app_step;

fz_app_step fz_app_step_time(const fz_app *app, const fz_app_place *place, double local);

/* How a batch is split: `local` samples a GPU and pass, `accum` more passes before a step. */
typedef struct fz_app_split {
    double local;
    uint32_t accum;
} fz_app_split;

static inline double fz_app_batch(const fz_app_place *place, fz_app_split split)
{
    return place->gpus * split.local * (split.accum + 1);
}

/* The largest local batch that really fits in this allocation. */
double fz_app_most_local(const fz_app *app, const fz_app_place *place);
/* `batch` over the GPUs of `place`, rounded up to whole samples. Local below 1: cannot run. */
fz_app_split fz_app_split_batch(const fz_app *app, const fz_app_place *place, double batch);
/* No more than the tables hold, the batch no larger than the application's largest. */
fz_app_split fz_app_split_cap(const fz_app *app, const fz_app_place *place, fz_app_split split);

/* ---- progress ----------------------------------------------------------------------------------------------- */

/* Where a job is. */
typedef struct fz_app_progress {
    uint32_t epoch; /* n_epochs: done */
    double progress;
} fz_app_progress;

typedef struct fz_app_noise {
    double sqr, var;
} fz_app_noise;

fz_app_noise fz_app_noise_at(const fz_app *app, uint32_t epoch, double batch);
/* Progress a second in `epoch`. */
double fz_app_rate(const fz_app *app, const fz_app_place *place, fz_app_split split, uint32_t epoch);

/* One epoch at the most: trains for up to `seconds`, and returns how many of them are left over. The time to the end of
 * an epoch is rounded to whole seconds, as in both simulators; it may thus end at once. */
double fz_app_train(const fz_app *app, const fz_app_place *place, fz_app_split split, fz_app_progress *at,
                    double seconds);
/* Seconds from `at` to the end under one allocation and split. */
double fz_app_time_left(const fz_app *app, const fz_app_place *place, fz_app_split split, fz_app_progress at);

/* Steps of `batch` from `at` to the end of the last epoch but one, the position inside an epoch interpolated: at least 1.
 * What the simulators call remaining iterations. */
double fz_app_iterations_left(const fz_app *app, double batch, fz_app_progress at);

#endif
