#include "sim/experiment/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/suggest.h"
#include "core/support/timetext.h"

static void defaults(const fz_param *params, uint32_t n, double *values)
{
    for (uint32_t i = 0; i < n && i < FZ_MAX_PARAMS; i++)
        values[i] = params[i].fallback;
}

fz_settings fz_settings_default(const fz_sched_ops *sched)
{
    fz_settings settings = {0};
    uint32_t n = 0;
    const fz_param *world = fz_world_params(&n);
    defaults(world, n, settings.world);
    defaults(sched->params, sched->n_params, settings.sched);
    return settings;
}

/* ---- one value ------------------------------------------------------------------------------------------ */

/* The index of `text` among "first|last"; -1 if it is none. */
static int choice_index(const char *choices, const char *text)
{
    size_t length = strlen(text);
    int index = 0;
    for (const char *at = choices; at != NULL; index++) {
        const char *bar = strchr(at, '|');
        size_t here = bar != NULL ? (size_t)(bar - at) : strlen(at);
        if (here == length && strncmp(at, text, here) == 0)
            return index;
        at = bar != NULL ? bar + 1 : NULL;
    }
    return -1;
}

static fz_status choice_parse(const fz_param *param, const char *text, double *value, fz_error *err)
{
    int index = choice_index(param->choices, text);
    if (index < 0)
        return fz_fail(err, FZ_EUSAGE, "--set %s: '%s' is none of %s", param->name, text, param->choices);
    *value = index;
    return FZ_OK;
}

static fz_status number_parse(const fz_param *param, const char *text, double *value, fz_error *err)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number))
        return fz_fail(err, FZ_EUSAGE, "--set %s: '%s' is not a number", param->name, text);
    if (param->kind == FZ_PARAM_FLAG && number != 0 && number != 1)
        return fz_fail(err, FZ_EUSAGE, "--set %s: '%s' is neither 0 nor 1", param->name, text);
    if (number < param->min || number > param->max)
        return fz_fail(err, FZ_EUSAGE, "--set %s: %s is out of range, expected %g to %g", param->name, text,
                       param->min, param->max);
    *value = number;
    return FZ_OK;
}

static int param_find(const fz_param *params, uint32_t n, const char *name, size_t length)
{
    for (uint32_t i = 0; i < n; i++)
        if (strlen(params[i].name) == length && strncmp(params[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

static fz_status value_set(const fz_param *params, uint32_t n, const char *key, size_t length, double *values,
                           const char *text, bool *applied, fz_error *err)
{
    int at = param_find(params, n, key, length);
    if (at < 0)
        return FZ_OK;
    *applied = true;
    if (params[at].kind == FZ_PARAM_CHOICE)
        return choice_parse(&params[at], text, &values[at], err);
    return number_parse(&params[at], text, &values[at], err);
}

fz_status fz_settings_apply(const fz_sched_ops *sched, fz_settings *settings, const char *text, bool *applied,
                            fz_error *err)
{
    *applied = false;
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return fz_fail(err, FZ_EUSAGE, "--set wants key=value, not '%s'", text);
    const char *key = text;
    size_t name = strlen(sched->name);
    const char *dot = memchr(text, '.', (size_t)(equals - text));
    bool own_only = dot != NULL;
    if (own_only) {
        if ((size_t)(dot - text) != name || strncmp(text, sched->name, name) != 0)
            return FZ_OK;
        key = dot + 1;
    }
    size_t length = (size_t)(equals - key);
    uint32_t n_world = 0;
    const fz_param *world = fz_world_params(&n_world);
    if (!own_only)
        FZ_TRY(value_set(world, n_world, key, length, settings->world, equals + 1, applied, err));
    if (*applied)
        return FZ_OK;
    return value_set(sched->params, sched->n_params, key, length, settings->sched, equals + 1, applied, err);
}

fz_status fz_settings_unknown(const fz_sched_ops *const *scheds, uint32_t n_scheds, const char *text,
                              fz_error *err)
{
    const char *names[FZ_MAX_PARAMS * 4];
    uint32_t n_names = 0;
    uint32_t n_world = 0;
    const fz_param *world = fz_world_params(&n_world);
    for (uint32_t i = 0; i < n_world; i++)
        names[n_names++] = world[i].name;
    for (uint32_t k = 0; k < n_scheds; k++)
        for (uint32_t i = 0; i < scheds[k]->n_params && n_names < FZ_MAX_PARAMS * 4; i++)
            names[n_names++] = scheds[k]->params[i].name;
    char key[64];
    const char *dot = memchr(text, '.', strcspn(text, "="));
    const char *start = dot != NULL ? dot + 1 : text;
    snprintf(key, sizeof(key), "%.*s", (int)strcspn(start, "="), start);
    const char *near = fz_suggest(key, names, n_names);
    if (near != NULL && strcmp(near, key) != 0)
        return fz_fail(err, FZ_EUSAGE, "--set: unknown key '%s' (did you mean '%s'?)", key, near);
    return fz_fail(err, FZ_EUSAGE, "--set: unknown key in '%s'; `frenzy schedulers NAME` lists the keys",
                   text);
}

/* ---- as text -------------------------------------------------------------------------------------------- */

void fz_param_text(const fz_param *param, double value, char *text, size_t size)
{
    if (param->kind != FZ_PARAM_CHOICE) {
        char number[FZ_NUMBER_TEXT];
        fz_number_text(value, number);
        snprintf(text, size, "%s", number);
        return;
    }
    const char *at = param->choices;
    for (int skip = (int)value; skip > 0 && at != NULL; skip--)
        at = strchr(at, '|') != NULL ? strchr(at, '|') + 1 : NULL;
    snprintf(text, size, "%.*s", at != NULL ? (int)strcspn(at, "|") : 0, at != NULL ? at : "");
}

static size_t append(char *text, size_t size, size_t length, const char *key, const char *value)
{
    char *at = length < size ? text + length : NULL;
    int more = snprintf(at, at != NULL ? size - length : 0, "%s=%s\n", key, value);
    return length + (more > 0 ? (size_t)more : 0);
}

size_t fz_settings_text(const fz_sched_ops *sched, const fz_settings *settings, char *text, size_t size)
{
    uint32_t n_world = 0;
    const fz_param *world = fz_world_params(&n_world);
    char value[64];
    size_t length = append(text, size, 0, "scheduler", sched->name);
    for (uint32_t i = 0; i < sched->n_params; i++) {
        fz_param_text(&sched->params[i], settings->sched[i], value, sizeof(value));
        length = append(text, size, length, sched->params[i].name, value);
    }
    for (uint32_t i = 0; i < n_world; i++) {
        fz_param_text(&world[i], settings->world[i], value, sizeof(value));
        length = append(text, size, length, world[i].name, value);
    }
    return length;
}
