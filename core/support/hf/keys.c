#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/support/hf/hf.h"

#define LARGEST ((uint64_t)1 << 32) /* as in fz_model_complete() */

const char *fz_hf_kind(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    case JSON_INTEGER:
    case JSON_REAL:
        break;
    }
    return "a number";
}

const json_t *fz_hf_get(const fz_hf_reader *r, const char *key)
{
    const json_t *value = key != NULL ? json_object_get(r->object, key) : NULL;
    return json_is_null(value) ? NULL : value;
}

static fz_status number(const fz_hf_reader *r, const char *key, uint64_t least, uint64_t *out, fz_error *err)
{
    const json_t *value = fz_hf_get(r, key);
    char found[40];
    if (value == NULL)
        return FZ_OK;
    double real = json_is_number(value) ? json_number_value(value) : -1;
    if (real >= (double)least && real <= (double)LARGEST && real == floor(real)) {
        *out = (uint64_t)real;
        return FZ_OK;
    }
    (void)snprintf(found, sizeof found, "%.17g", real);
    return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0,
                      "key '%s%s' is %s; a whole number of %llu to 2^32 is expected", r->prefix, key,
                      json_is_number(value) ? found : fz_hf_kind(value), (unsigned long long)least);
}

fz_status fz_hf_size(const fz_hf_reader *r, const char *key, uint64_t *out, fz_error *err)
{
    return number(r, key, 1, out, err);
}

fz_status fz_hf_count(const fz_hf_reader *r, const char *key, uint64_t *out, fz_error *err)
{
    return number(r, key, 0, out, err);
}

fz_status fz_hf_flag(const fz_hf_reader *r, const char *key, bool *out, fz_error *err)
{
    const json_t *value = fz_hf_get(r, key);
    if (value == NULL)
        return FZ_OK;
    if (!json_is_boolean(value))
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0, "key '%s%s' is %s; true or false is expected",
                          r->prefix, key, fz_hf_kind(value));
    *out = json_is_true(value);
    return FZ_OK;
}

fz_status fz_hf_text(const fz_hf_reader *r, const char *key, const char **out, fz_error *err)
{
    const json_t *value = fz_hf_get(r, key);
    if (value == NULL)
        return FZ_OK;
    if (!json_is_string(value))
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0, "key '%s%s' is %s; a text is expected", r->prefix,
                          key, fz_hf_kind(value));
    *out = json_string_value(value);
    return FZ_OK;
}

fz_status fz_hf_present(const fz_hf_reader *r, const char *const *keys, size_t n, fz_status status,
                        fz_error *err)
{
    char missing[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (keys[i] != NULL && fz_hf_get(r, keys[i]) == NULL && used < sizeof missing)
            used += (size_t)snprintf(missing + used, sizeof missing - used, "%s'%s%s'", used > 0 ? ", " : "",
                                     r->prefix, keys[i]);
    if (used == 0)
        return FZ_OK;
    return fz_fail_at(err, status, r->path, 0, 0, "model_type '%.60s' needs %s, not in the file",
                      r->model_type, missing);
}

fz_status fz_hf_inside(const fz_hf_reader *r, const char *key, const char *prefix, fz_hf_reader *out,
                       fz_error *err)
{
    const json_t *value = fz_hf_get(r, key);
    *out = *r;
    out->prefix = prefix;
    out->object = value;
    if (value != NULL && !json_is_object(value))
        return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0, "key '%s%s' is %s; an object is expected", r->prefix,
                          key, fz_hf_kind(value));
    return FZ_OK;
}

/* The value as it stands in the file, where it is short. */
static void value_text(const json_t *value, char *text, size_t size)
{
    size_t length = value != NULL ? json_dumpb(value, text, size - 1, JSON_ENCODE_ANY | JSON_COMPACT) : 0;
    bool shown = length > 0 && length < size;
    if (shown)
        text[length] = '\0';
    else
        (void)snprintf(text, size, "%s", value != NULL ? fz_hf_kind(value) : "absent");
}

fz_status fz_hf_refuse(const fz_hf_reader *r, const char *key, const char *why, fz_error *err)
{
    char text[48];
    value_text(fz_hf_get(r, key), text, sizeof text);
    return fz_fail_at(err, FZ_EUNSUPPORTED, r->path, 0, 0, "key '%s%s' is %s: %s", r->prefix, key, text, why);
}

fz_status fz_hf_refuse_flag(const fz_hf_reader *r, const char *key, bool value, const char *why,
                            fz_error *err)
{
    bool found = !value;
    FZ_TRY(fz_hf_flag(r, key, &found, err));
    return found == value ? fz_hf_refuse(r, key, why, err) : FZ_OK;
}

fz_status fz_hf_at_most(const fz_hf_reader *r, const char *key, uint64_t value, const char *of,
                        uint64_t limit, fz_error *err)
{
    if (value <= limit)
        return FZ_OK;
    return fz_fail_at(err, FZ_EPARSE, r->path, 0, 0, "key '%s%s' is %llu, more than the %llu of '%s%s'",
                      r->prefix, key, (unsigned long long)value, (unsigned long long)limit, r->prefix, of);
}
