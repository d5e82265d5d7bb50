#include "workloads/models.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "core/support/hf_config.h"
#include "core/support/suggest.h"
#include "workloads/bundled.h"

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

/* A plain word is the name of a bundled model before it is the name of a file. FZ_ENOTFOUND, without a
 * message, when it is neither. */
static fz_status model_load(const char *name, fz_arena *arena, fz_model *out, fz_error *err)
{
    const fz_bundled *bundled = fz_bundled_find(FZ_BUNDLED_MODEL, name);
    if (bundled != NULL)
        return fz_hf_config_parse(bundled->name, bundled->bytes, bundled->length, arena, out, err);
    if (exists(name))
        return fz_hf_config_read(name, arena, out, err);
    return FZ_ENOTFOUND;
}

static fz_status fail_unknown(const char *name, fz_error *err)
{
    uint32_t count;
    const char *const *names = fz_model_names(&count);
    const char *near = fz_suggest(name, names, count);
    if (near == NULL)
        return fz_fail(err, FZ_ENOTFOUND,
                       "no bundled model and no file is called '%.100s'; give the path of a config.json, or "
                       "a bundled model (`frenzy models` lists them)",
                       name);
    return fz_fail(err, FZ_ENOTFOUND, "no bundled model and no file is called '%.200s'; did you mean '%s'?",
                   name, near);
}

fz_status fz_model_find(const char *name_or_path, fz_arena *arena, fz_model *out, fz_error *err)
{
    fz_status status = model_load(name_or_path, arena, out, err);
    return status == FZ_ENOTFOUND ? fail_unknown(name_or_path, err) : status;
}

const char *const *fz_model_names(uint32_t *count)
{
    return fz_bundled_names(FZ_BUNDLED_MODEL, count);
}

/* In a trace only a text with a slash can be a path, so that the folder in which a program runs has no say
 * in what a plain name means. */
static fz_status text_load(const char *text, fz_arena *arena, const fz_model **out, fz_error *err)
{
    if (fz_bundled_find(FZ_BUNDLED_MODEL, text) == NULL && (strchr(text, '/') == NULL || !exists(text)))
        return FZ_OK;
    fz_model *model = FZ_NEW(arena, 1, fz_model);
    if (model == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for model '%.200s'", text);
    FZ_TRY(fz_model_find(text, arena, model, err));
    *out = model;
    return FZ_OK;
}

fz_status fz_models_of_trace(const fz_trace *trace, fz_arena *arena, const fz_model *const **out,
                             fz_error *err)
{
    *out = NULL;
    if (trace->model == NULL)
        return FZ_OK;
    const fz_model **models = FZ_NEW(arena, trace->n_texts, const fz_model *);
    bool *seen = FZ_NEW(arena, trace->n_texts, bool);
    if (models == NULL || seen == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the models of trace '%s'", trace->path);
    seen[0] = true; /* "": an opaque job */
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        fz_text_id text = trace->model[job];
        if (!seen[text])
            FZ_TRY(text_load(trace->texts[text], arena, &models[text], err));
        seen[text] = true;
    }
    *out = models;
    return FZ_OK;
}
