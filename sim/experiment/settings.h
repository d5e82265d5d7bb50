/* Settings of a run: the values of `--set key=value`, checked against the parameter tables of the world
 * and of the policy. */
#ifndef FRENZY_SIM_EXPERIMENT_SETTINGS_H
#define FRENZY_SIM_EXPERIMENT_SETTINGS_H

#include <stdbool.h>

#include "sim/engine/engine.h"

typedef struct fz_settings {
    double world[FZ_MAX_PARAMS]; /* by fz_world_params() */
    double sched[FZ_MAX_PARAMS]; /* by the policy's own table */
} fz_settings;

fz_settings fz_settings_default(const fz_sched_ops *sched);

/* Applies `key=value` (a key of the world or of the policy) or `policy.key=value`. `*applied` is false
 * when the text is well formed but speaks of another policy or of a key that this one has not. FZ_EUSAGE:
 * no '=', or a value that the parameter does not take. */
fz_status fz_settings_apply(const fz_sched_ops *sched, fz_settings *settings, const char *text, bool *applied,
                            fz_error *err);

/* FZ_EUSAGE for a text that none of the policies took: names the key, with "did you mean". */
fz_status fz_settings_unknown(const fz_sched_ops *const *scheds, uint32_t n_scheds, const char *text,
                              fz_error *err);

/* The resolved configuration as lines `key=value`, in the order of the tables. Returns its length; writes
 * at most `size` bytes with the zero. */
size_t fz_settings_text(const fz_sched_ops *sched, const fz_settings *settings, char *text, size_t size);

/* A parameter's value as `--set` takes it. */
void fz_param_text(const fz_param *param, double value, char *text, size_t size);

#endif
