#include "workloads/mix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <frenzy/marp.h>

#include "core/support/rng.h"
#include "core/support/suggest.h"
#include "workloads/bundled.h"
#include "workloads/models.h"
#include "workloads/yaml_values.h"

#define MAX_SEQ    2147483648.0
#define MAX_BATCH  1e12
#define MAX_PARAMS 1e15
#define MAX_STEPS  1e15

/* The model's own count, unless the file gives a published one. */
static fz_status params_find(const fz_yaml *yaml, const fz_doc_node *map, fz_mix_model *out, fz_error *err)
{
    fz_model model;
    fz_error inner = {0};
    FZ_TRY(fz_doc_number(yaml->doc, map, "params", false, 1, MAX_PARAMS, &out->params, err));
    fz_status status = fz_model_find(out->name, yaml->arena, &model, &inner);
    if (status == FZ_OK)
        status = fz_model_complete(&model, &inner);
    if (status == FZ_ENOMEM)
        return fz_fail(err, status, "%s", inner.message);
    if (status != FZ_OK)
        return fz_doc_fail(yaml->doc, fz_doc_get(map, "model"), err, "%.300s", inner.message);
    if (out->params <= 0)
        out->params = fz_marp_params(&model);
    return FZ_OK;
}

static fz_status model_read(const fz_yaml *yaml, const fz_doc_node *map, fz_mix_model *out, fz_error *err)
{
    static const char *const keys[] = {"model", "params", "share", "seq_lens", "batches", NULL};
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "a model of a mix", keys, err));
    FZ_TRY(fz_yaml_text(yaml, map, "model", true, &out->name, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "share", true, 1e-9, 1e9, &out->share, err));
    FZ_TRY(fz_yaml_numbers(yaml, map, "seq_lens", 0, 1, MAX_SEQ, &out->seq_lens, &out->n_seq_lens, err));
    FZ_TRY(fz_yaml_numbers(yaml, map, "batches", 0, 1, MAX_BATCH, &out->batches, &out->n_batches, err));
    if (out->n_seq_lens == 0 || out->n_batches == 0)
        return fz_doc_fail(yaml->doc, map, err, "'%s' is missing: a list of numbers is expected",
                           out->n_seq_lens == 0 ? "seq_lens" : "batches");
    for (uint32_t i = 0; i < out->n_seq_lens + out->n_batches; i++) {
        double value = i < out->n_seq_lens ? out->seq_lens[i] : out->batches[i - out->n_seq_lens];
        if (value != floor(value))
            return fz_doc_fail(yaml->doc, map, err, "seq_lens and batches must be whole numbers, not %g",
                               value);
    }
    return params_find(yaml, map, out, err);
}

static fz_status class_read(const fz_yaml *yaml, const fz_doc_node *map, bool last, fz_mix_class *out,
                            fz_error *err)
{
    static const char *const keys[] = {"max_gpus", "models", NULL};
    const fz_doc_node *items = NULL;
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "a class of a mix", keys, err));
    out->max_gpus = HUGE_VAL;
    FZ_TRY(fz_doc_number(yaml->doc, map, "max_gpus", !last, 1e-3, 1e9, &out->max_gpus, err));
    if (last && isfinite(out->max_gpus))
        return fz_doc_fail(yaml->doc, map, err, "the last class takes all larger jobs and has no max_gpus");
    FZ_TRY(fz_yaml_list(yaml, map, "models", true, &items, &out->n_models, err));
    fz_mix_model *models = FZ_NEW(yaml->arena, out->n_models, fz_mix_model);
    if (models == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u models", out->n_models);
    for (uint32_t i = 0; i < out->n_models; i++) {
        FZ_TRY(model_read(yaml, &items[i], &models[i], err));
        out->shares += models[i].share;
    }
    out->models = models;
    return FZ_OK;
}

static fz_status mix_read(const fz_yaml *yaml, fz_mix *mix, fz_error *err)
{
    static const char *const keys[] = {"format", "version", "name", "summary", "gpu_tflops", "classes", NULL};
    const fz_doc_node *root = fz_doc_root(yaml->doc), *items = NULL;
    const char *format = NULL;
    uint64_t version = 1;
    double tflops = 0;
    FZ_TRY(fz_doc_expect(yaml->doc, root, FZ_DOC_MAP, "a model mix", err));
    FZ_TRY(fz_doc_check_keys(yaml->doc, root, "a model mix", keys, err));
    FZ_TRY(fz_doc_text(yaml->doc, root, "format", true, &format, err));
    if (strcmp(format, "frenzy-mix") != 0)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "format"), err, "format must be frenzy-mix");
    FZ_TRY(fz_doc_count(yaml->doc, root, "version", false, 1, 1, &version, err));
    FZ_TRY(fz_yaml_text(yaml, root, "name", true, &mix->name, err));
    FZ_TRY(fz_doc_number(yaml->doc, root, "gpu_tflops", true, 1e-3, 1e6, &tflops, err));
    mix->flops_per_s = tflops * 1e12;
    FZ_TRY(fz_yaml_list(yaml, root, "classes", true, &items, &mix->n_classes, err));
    fz_mix_class *classes = FZ_NEW(yaml->arena, mix->n_classes, fz_mix_class);
    if (classes == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u classes", mix->n_classes);
    for (uint32_t i = 0; i < mix->n_classes; i++) {
        FZ_TRY(class_read(yaml, &items[i], i + 1 == mix->n_classes, &classes[i], err));
        if (i > 0 && classes[i].max_gpus <= classes[i - 1].max_gpus)
            return fz_doc_fail(yaml->doc, &items[i], err, "max_gpus must rise from class to class");
    }
    mix->classes = classes;
    (void)snprintf(mix->sha256, sizeof mix->sha256, "%s", fz_doc_sha256(yaml->doc));
    return FZ_OK;
}

static fz_status mix_of_doc(fz_doc *doc, fz_mix **out, fz_error *err)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_mix *mix = arena != NULL ? FZ_NEW(arena, 1, fz_mix) : NULL;
    fz_status status = FZ_OK;
    if (mix == NULL) {
        status = fz_fail(err, FZ_ENOMEM, "no memory for a model mix");
    } else {
        mix->arena = arena;
        status = mix_read(&(fz_yaml){.doc = doc, .arena = arena}, mix, err);
    }
    fz_doc_free(doc);
    if (status == FZ_OK)
        *out = mix;
    else
        fz_arena_free(arena);
    return status;
}

fz_status fz_mix_parse(const char *name, const char *bytes, uint64_t length, fz_mix **out, fz_error *err)
{
    fz_doc *doc = NULL;
    FZ_TRY(fz_doc_parse(name, bytes, length, &doc, err));
    return mix_of_doc(doc, out, err);
}

fz_status fz_mix_read(const char *name_or_path, fz_mix **out, fz_error *err)
{
    const fz_bundled *bundled = fz_bundled_of_path(FZ_BUNDLED_MIX, name_or_path);
    fz_doc *doc = NULL;
    if (bundled != NULL)
        return fz_mix_parse(bundled->file, bundled->bytes, bundled->length, out, err);
    if (strpbrk(name_or_path, "./") == NULL) {
        char list[200];
        uint32_t count = 0;
        const char *const *names = fz_bundled_names(FZ_BUNDLED_MIX, &count);
        const char *near = fz_suggest(name_or_path, names, count);
        fz_bundled_list(FZ_BUNDLED_MIX, list, sizeof list);
        if (near != NULL)
            return fz_fail(err, FZ_ENOTFOUND, "there is no mix '%.60s'; did you mean '%s'?", name_or_path,
                           near);
        return fz_fail(err, FZ_ENOTFOUND, "there is no mix '%.60s'; give a file, or one of %s", name_or_path,
                       list);
    }
    FZ_TRY(fz_doc_read(name_or_path, &doc, err));
    return mix_of_doc(doc, out, err);
}

void fz_mix_free(fz_mix *mix)
{
    if (mix != NULL)
        fz_arena_free(mix->arena);
}

const fz_mix_class *fz_mix_class_of(const fz_mix *mix, double gpus)
{
    uint32_t i = 0;
    while (i + 1 < mix->n_classes && gpus > mix->classes[i].max_gpus)
        i++;
    return &mix->classes[i];
}

fz_mix_draw fz_mix_draw_of(const fz_mix_class *c, uint64_t seed, uint64_t entity)
{
    double left = fz_rng_once(seed, 0, "generate model", entity) * c->shares;
    uint32_t i = 0;
    while (i + 1 < c->n_models && left >= c->models[i].share)
        left -= c->models[i++].share;
    const fz_mix_model *model = &c->models[i];
    uint32_t length = (uint32_t)(fz_rng_once(seed, 0, "generate length", entity) * model->n_seq_lens);
    uint32_t batch = (uint32_t)(fz_rng_once(seed, 0, "generate batch", entity) * model->n_batches);
    return (fz_mix_draw){model, (uint32_t)model->seq_lens[length], (uint64_t)model->batches[batch]};
}

/* Three digits, at least 1, and no more than a trace may hold. */
static double three_digits(double value)
{
    double unit = 1;
    value = value < MAX_STEPS ? value : MAX_STEPS;
    while (value / unit >= 1000)
        unit *= 10;
    double rounded = round(value / unit) * unit;
    return rounded < 1 ? 1 : rounded;
}

double fz_mix_steps(const fz_mix *mix, const fz_mix_draw *draw, double gpu_s)
{
    double step_flop = 6 * draw->model->params * (double)draw->global_batch * draw->seq_len;
    return three_digits(gpu_s * mix->flops_per_s / step_flop);
}
