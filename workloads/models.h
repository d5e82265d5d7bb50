/* Finding models by the names that traces and users give them. */
#ifndef FRENZY_WORKLOADS_MODELS_H
#define FRENZY_WORKLOADS_MODELS_H

#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/model.h>
#include <frenzy/status.h>

#include "workloads/trace.h"

/* The name of a bundled model ("llama-2-7b", letter case ignored), or a path to a config.json or a folder
 * with one; write ./gpt2 for a folder that is called like a bundled model. FZ_ENOTFOUND names what was
 * looked for, with "did you mean". */
fz_status fz_model_find(const char *name_or_path, fz_arena *arena, fz_model *out, fz_error *err);

/* Names of the bundled models, sorted. */
const char *const *fz_model_names(uint32_t *count);

/* Models for the texts of a trace, in the form of fz_run_spec.models: NULL where a text is not used as
 * a model or names no known model; *out is NULL when no job names a model. Texts with a slash may be paths.
 * Fails only where a file that is there is no model. */
fz_status fz_models_of_trace(const fz_trace *trace, fz_arena *arena, const fz_model *const **out,
                             fz_error *err);

#endif
