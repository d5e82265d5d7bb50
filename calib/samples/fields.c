#include "calib/samples/fields.h"

#include <math.h>
#include <string.h>

#define TEXT(type, name)                                                                                     \
    {                                                                                                        \
#name, FZ_FIELD_TEXT, offsetof(type, name)                                                           \
    }
#define I32(type, name)                                                                                      \
    {                                                                                                        \
#name, FZ_FIELD_I32, offsetof(type, name)                                                            \
    }
#define I64(type, name)                                                                                      \
    {                                                                                                        \
#name, FZ_FIELD_I64, offsetof(type, name)                                                            \
    }
#define U64(type, name)                                                                                      \
    {                                                                                                        \
#name, FZ_FIELD_U64, offsetof(type, name)                                                            \
    }
#define REAL(type, name)                                                                                     \
    {                                                                                                        \
#name, FZ_FIELD_REAL, offsetof(type, name)                                                           \
    }
#define FLAG(type, name)                                                                                     \
    {                                                                                                        \
#name, FZ_FIELD_FLAG, offsetof(type, name)                                                           \
    }
#define LIST(array)                                                                                          \
    (fz_field_list)                                                                                          \
    {                                                                                                        \
        (array), sizeof(array) / sizeof((array)[0])                                                          \
    }

/* ---- the lists ------------------------------------------------------------------------------------------ */

fz_field_list fz_device_fields(void)
{
    typedef fz_device_facts t;
    static const fz_field fields[] = {
        TEXT(t, uuid),
        TEXT(t, backend),
        TEXT(t, name),
        TEXT(t, catalog),
        I32(t, cc_major),
        I32(t, cc_minor),
        I32(t, sm_count),
        REAL(t, sm_clock_max_hz),
        REAL(t, mem_clock_max_hz),
        I32(t, mem_bus_bits),
        I64(t, l2_bytes),
        I64(t, mem_total_cuda_bytes),
        I64(t, mem_total_nvml_bytes),
        I64(t, mem_reserved_bytes),
        REAL(t, power_limit_w),
        REAL(t, power_default_w),
        I32(t, ecc_enabled),
        I32(t, mig_mode),
        I32(t, pcie_gen),
        I32(t, pcie_width),
        TEXT(t, pcie_bus_id),
        I32(t, numa_node),
        I32(t, nvlink_count),
        TEXT(t, platform),
    };
    return LIST(fields);
}

fz_field_list fz_run_fields(void)
{
    typedef fz_run_facts t;
    static const fz_field fields[] = {
        TEXT(t, started_utc), TEXT(t, ended_utc),      TEXT(t, host),        TEXT(t, cpu),   TEXT(t, kernel),
        TEXT(t, driver),      I32(t, cuda_driver),     I32(t, cuda_runtime), I32(t, cublas), I32(t, nccl),
        TEXT(t, version),     TEXT(t, build_flags),    TEXT(t, argv),        U64(t, seed),   TEXT(t, env),
        I32(t, persistence),  I32(t, other_processes), TEXT(t, status),      TEXT(t, note),
    };
    return LIST(fields);
}

fz_field_list fz_point_fields(void)
{
    typedef fz_bench_point t;
    static const fz_field fields[] = {
        TEXT(t, bench),
        TEXT(t, dtype),
        I32(t, m),
        I32(t, n),
        I32(t, k),
        I64(t, bytes),
        REAL(t, flops),
        I32(t, ranks),
        I32(t, src),
        I32(t, dst),
        I32(t, seq),
        I32(t, batch),
        TEXT(t, impl),
        I32(t, algo),
        I32(t, rotate_sets),
        TEXT(t, data),
        I32(t, launches_per_sample),
        I32(t, warmup),
        FLAG(t, sentinel),
        TEXT(t, error),
    };
    return LIST(fields);
}

fz_field_list fz_env_fields(void)
{
    typedef fz_env_sample t;
    static const fz_field fields[] = {
        REAL(t, t_rel_s), I32(t, seq),        REAL(t, sm_clock_hz), REAL(t, mem_clock_hz),
        REAL(t, power_w), REAL(t, temp_c),    I64(t, reasons),      I32(t, pstate),
        I64(t, ecc_corr), I64(t, ecc_uncorr), REAL(t, host_load1),  I64(t, invol_ctx),
    };
    return LIST(fields);
}

const fz_field *fz_field_find(fz_field_list list, const char *name)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (strcmp(list.fields[i].name, name) == 0)
            return &list.fields[i];
    return NULL;
}

/* ---- values --------------------------------------------------------------------------------------------- */

static const void *at(const fz_field *field, const void *object)
{
    return (const char *)object + field->offset;
}

static void *at_mutable(const fz_field *field, void *object)
{
    return (char *)object + field->offset;
}

const char *fz_field_text(const fz_field *field, const void *object)
{
    const char *text = NULL;
    memcpy(&text, at(field, object), sizeof(text));
    return text != NULL ? text : "";
}

double fz_field_real(const fz_field *field, const void *object)
{
    return *(const double *)at(field, object);
}

int64_t fz_field_integer(const fz_field *field, const void *object)
{
    switch (field->kind) {
    case FZ_FIELD_I32:
        return *(const int32_t *)at(field, object);
    case FZ_FIELD_FLAG:
        return *(const bool *)at(field, object);
    case FZ_FIELD_I64:
    case FZ_FIELD_U64:
        return *(const int64_t *)at(field, object);
    case FZ_FIELD_TEXT:
    case FZ_FIELD_REAL:
        break;
    }
    return FZ_UNKNOWN;
}

void fz_field_set_text(const fz_field *field, void *object, const char *text)
{
    memcpy(at_mutable(field, object), &text, sizeof(text));
}

void fz_field_set_real(const fz_field *field, void *object, double value)
{
    *(double *)at_mutable(field, object) = value;
}

void fz_field_set_integer(const fz_field *field, void *object, int64_t value)
{
    switch (field->kind) {
    case FZ_FIELD_I32:
        *(int32_t *)at_mutable(field, object) = (int32_t)value;
        break;
    case FZ_FIELD_FLAG:
        *(bool *)at_mutable(field, object) = value != 0;
        break;
    case FZ_FIELD_I64:
    case FZ_FIELD_U64:
        *(int64_t *)at_mutable(field, object) = value;
        break;
    case FZ_FIELD_TEXT:
    case FZ_FIELD_REAL:
        break;
    }
}

uint64_t fz_field_max(const fz_field *field)
{
    switch (field->kind) {
    case FZ_FIELD_I32:
        return INT32_MAX;
    case FZ_FIELD_I64:
        return INT64_MAX;
    case FZ_FIELD_U64:
        return UINT64_MAX;
    case FZ_FIELD_FLAG:
    case FZ_FIELD_TEXT:
    case FZ_FIELD_REAL:
        break;
    }
    return 1;
}

void fz_fields_forget(fz_field_list list, void *object)
{
    for (uint32_t i = 0; i < list.n; i++) {
        const fz_field *field = &list.fields[i];
        if (field->kind == FZ_FIELD_TEXT)
            fz_field_set_text(field, object, "");
        else if (field->kind == FZ_FIELD_REAL)
            fz_field_set_real(field, object, (double)NAN);
        else
            fz_field_set_integer(field, object,
                                 field->kind == FZ_FIELD_I32 || field->kind == FZ_FIELD_I64 ? FZ_UNKNOWN : 0);
    }
}

bool fz_field_known(const fz_field *field, const void *object)
{
    switch (field->kind) {
    case FZ_FIELD_TEXT:
        return fz_field_text(field, object)[0] != '\0';
    case FZ_FIELD_REAL:
        return isfinite(fz_field_real(field, object));
    case FZ_FIELD_I32:
    case FZ_FIELD_I64:
        return fz_field_integer(field, object) != FZ_UNKNOWN;
    case FZ_FIELD_FLAG:
        return fz_field_integer(field, object) != 0;
    case FZ_FIELD_U64:
        return true;
    }
    return false;
}

bool fz_field_equal(const fz_field *field, const void *a, const void *b)
{
    if (field->kind == FZ_FIELD_TEXT)
        return strcmp(fz_field_text(field, a), fz_field_text(field, b)) == 0;
    bool known = fz_field_known(field, a);
    if (known != fz_field_known(field, b) || !known)
        return !known && !fz_field_known(field, b);
    return field->kind == FZ_FIELD_REAL ? fz_field_real(field, a) == fz_field_real(field, b)
                                        : fz_field_integer(field, a) == fz_field_integer(field, b);
}
