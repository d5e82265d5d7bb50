#include <math.h>
#include <string.h>

#include "workloads/canonical_columns.h"
#include "workloads/generate/profile_parts.h"

#define MAX_GPUS 1e6
#define MAX_S    1e9

static fz_status no_memory(uint32_t n, fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for %u parts of a profile", n);
}

/* ---- sizes and types ------------------------------------------------------------------------------- */

fz_status fz_profile_sizes_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    static const char *const keys[] = {"gpus", "share", NULL};
    const fz_doc_node *items = NULL;
    double sum = 0;
    FZ_TRY(fz_yaml_list(yaml, root, "gpus", false, &items, &p->n_sizes, err));
    if (items == NULL)
        return FZ_OK;
    fz_profile_size *sizes = FZ_NEW(yaml->arena, p->n_sizes, fz_profile_size);
    if (sizes == NULL)
        return no_memory(p->n_sizes, err);
    for (uint32_t i = 0; i < p->n_sizes; i++) {
        FZ_TRY(fz_doc_check_keys(yaml->doc, &items[i], "a size", keys, err));
        FZ_TRY(fz_doc_number(yaml->doc, &items[i], "gpus", true, 0.001, MAX_GPUS, &sizes[i].gpus, err));
        FZ_TRY(fz_doc_number(yaml->doc, &items[i], "share", true, 1e-9, 1e9, &sizes[i].share, err));
        if (sizes[i].gpus > 1 && sizes[i].gpus != floor(sizes[i].gpus))
            return fz_doc_fail(yaml->doc, fz_doc_get(&items[i], "gpus"), err,
                               "gpus: whole GPUs, or a share of one below 1, are possible");
        sum += sizes[i].share;
    }
    for (uint32_t i = 0; i < p->n_sizes; i++)
        sizes[i].share /= sum;
    p->sizes = sizes;
    return FZ_OK;
}

fz_status fz_profile_types_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    static const char *const keys[] = {"types", "share", NULL};
    const fz_doc_node *items = NULL;
    double sum = 0;
    FZ_TRY(fz_yaml_list(yaml, root, "gpu_types", false, &items, &p->n_types, err));
    fz_profile_type *types = FZ_NEW(yaml->arena, p->n_types, fz_profile_type);
    if (types == NULL)
        return no_memory(p->n_types, err);
    for (uint32_t i = 0; i < p->n_types; i++) {
        FZ_TRY(fz_doc_check_keys(yaml->doc, &items[i], "a GPU type", keys, err));
        FZ_TRY(fz_yaml_text(yaml, &items[i], "types", true, &types[i].types, err));
        FZ_TRY(fz_doc_number(yaml->doc, &items[i], "share", true, 0, 1, &types[i].share, err));
        sum += types[i].share;
    }
    if (sum > 1 + 1e-9)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "gpu_types"), err,
                           "gpu_types: the shares add up to %g; at most 1 is possible", sum);
    p->types = types;
    return FZ_OK;
}

/* ---- durations ------------------------------------------------------------------------------------- */

static fz_status part_read(const fz_yaml *yaml, const fz_doc_node *map, fz_profile_part *part, fz_error *err)
{
    static const char *const keys[] = {"weight", "mu", "median_s", "sigma", NULL};
    double mu = NAN;
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "a part of the durations", keys, err));
    part->weight = 1;
    FZ_TRY(fz_doc_number(yaml->doc, map, "weight", false, 1e-9, 1e9, &part->weight, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "mu", false, -7, 21, &mu, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "median_s", false, 0.001, MAX_S, &part->median_s, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "sigma", true, 0, 10, &part->sigma, err));
    if (isnan(mu) == (part->median_s <= 0))
        return fz_doc_fail(yaml->doc, map, err, "one of 'mu' (mean logarithm) and 'median_s' is expected");
    if (part->median_s <= 0)
        part->median_s = exp(mu);
    return FZ_OK;
}

/* Mean and standard deviation of the logarithm, of all parts together. */
static void moments(fz_profile_durations *d)
{
    double second = 0;
    for (uint32_t i = 0; i < d->n_parts; i++) {
        double mu = log(d->parts[i].median_s);
        d->mu += d->parts[i].weight * mu;
        second += d->parts[i].weight * (mu * mu + d->parts[i].sigma * d->parts[i].sigma);
    }
    d->sigma = sqrt(fmax(second - d->mu * d->mu, 0));
}

static fz_status class_read(const fz_yaml *yaml, const fz_doc_node *map, bool last, fz_profile_durations *d,
                            fz_error *err)
{
    static const char *const keys[] = {"max_gpus", "parts", NULL};
    const fz_doc_node *items = NULL;
    double sum = 0;
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "a class of durations", keys, err));
    d->max_gpus = HUGE_VAL;
    FZ_TRY(fz_doc_number(yaml->doc, map, "max_gpus", !last, 0.001, MAX_GPUS, &d->max_gpus, err));
    if (last && isfinite(d->max_gpus))
        return fz_doc_fail(yaml->doc, map, err, "the last class takes all larger jobs and has no max_gpus");
    FZ_TRY(fz_yaml_list(yaml, map, "parts", true, &items, &d->n_parts, err));
    fz_profile_part *parts = FZ_NEW(yaml->arena, d->n_parts, fz_profile_part);
    if (parts == NULL)
        return no_memory(d->n_parts, err);
    for (uint32_t i = 0; i < d->n_parts; i++) {
        FZ_TRY(part_read(yaml, &items[i], &parts[i], err));
        sum += parts[i].weight;
    }
    for (uint32_t i = 0; i < d->n_parts; i++)
        parts[i].weight /= sum;
    d->parts = parts;
    moments(d);
    return FZ_OK;
}

fz_status fz_profile_durations_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p,
                                    fz_error *err)
{
    static const char *const keys[] = {"min_s", "max_s", "classes", NULL};
    const fz_doc_node *map = fz_doc_get(root, "durations"), *items = NULL;
    if (fz_doc_is_null(map))
        return fz_doc_fail(yaml->doc, root, err, "'durations' is missing: a map with classes is expected");
    FZ_TRY(fz_doc_expect(yaml->doc, map, FZ_DOC_MAP, "durations", err));
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "durations", keys, err));
    p->min_s = 1;
    p->max_s = MAX_S;
    FZ_TRY(fz_doc_number(yaml->doc, map, "min_s", false, 0, MAX_S, &p->min_s, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "max_s", false, p->min_s, MAX_S, &p->max_s, err));
    FZ_TRY(fz_yaml_list(yaml, map, "classes", true, &items, &p->n_durations, err));
    fz_profile_durations *classes = FZ_NEW(yaml->arena, p->n_durations, fz_profile_durations);
    if (classes == NULL)
        return no_memory(p->n_durations, err);
    for (uint32_t i = 0; i < p->n_durations; i++) {
        FZ_TRY(class_read(yaml, &items[i], i + 1 == p->n_durations, &classes[i], err));
        if (i > 0 && classes[i].max_gpus <= classes[i - 1].max_gpus)
            return fz_doc_fail(yaml->doc, &items[i], err, "max_gpus must rise from class to class");
    }
    p->durations = classes;
    return FZ_OK;
}

/* ---- states ---------------------------------------------------------------------------------------- */

static fz_status state_read(const fz_yaml *yaml, const fz_doc_node *map, fz_profile_state *state,
                            double *gpu_time, fz_error *err)
{
    static const char *const keys[] = {"state", "share", "gpu_time", NULL};
    const char *text = NULL;
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "a state", keys, err));
    FZ_TRY(fz_doc_text(yaml->doc, map, "state", true, &text, err));
    if (!fz_trace_state_parse(text, &state->state)) {
        const char *near = fz_trace_state_suggest(text);
        return fz_doc_fail(yaml->doc, fz_doc_get(map, "state"), err, "state '%.40s' is unknown%s%s%s", text,
                           near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                           near != NULL ? "'?" : "");
    }
    FZ_TRY(fz_doc_number(yaml->doc, map, "share", true, 1e-9, 1e9, &state->share, err));
    *gpu_time = state->share;
    return fz_doc_number(yaml->doc, map, "gpu_time", false, 1e-9, 1e15, gpu_time, err);
}

/* A state's jobs run gpu_time / share times as long as the mean job. What failing early takes away from the mean,
 * E[u^k] = 1 / (1 + k), is given back. */
static void scales_find(fz_profile *p, fz_profile_state *states, const double *gpu_time)
{
    double shares = 0, times = 0, mean = 0, k = p->failure_skew;
    for (uint32_t i = 0; i < p->n_states; i++) {
        shares += states[i].share;
        times += gpu_time[i];
    }
    for (uint32_t i = 0; i < p->n_states; i++) {
        states[i].share /= shares;
        states[i].ln_scale = log(gpu_time[i] / times / states[i].share);
        if (states[i].state == FZ_TRACE_FAILED)
            states[i].ln_scale += log(1 + k) - k;
        mean += states[i].share * states[i].ln_scale;
    }
    for (uint32_t i = 0; i < p->n_states; i++)
        states[i].ln_scale -= mean;
}

fz_status fz_profile_states_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    const fz_doc_node *items = NULL;
    FZ_TRY(fz_doc_number(yaml->doc, root, "failure_skew", false, 0, 10, &p->failure_skew, err));
    FZ_TRY(fz_yaml_list(yaml, root, "states", false, &items, &p->n_states, err));
    if (items == NULL && p->failure_skew > 0)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "failure_skew"), err, "failure_skew needs states");
    if (items != NULL && p->mix != NULL)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "states"), err, "LLM jobs have no states");
    fz_profile_state *states = FZ_NEW(yaml->arena, p->n_states, fz_profile_state);
    double *gpu_time = FZ_NEW(yaml->arena, p->n_states, double);
    if (states == NULL || gpu_time == NULL)
        return no_memory(p->n_states, err);
    for (uint32_t i = 0; i < p->n_states; i++)
        FZ_TRY(state_read(yaml, &items[i], &states[i], &gpu_time[i], err));
    scales_find(p, states, gpu_time);
    p->states = states;
    return FZ_OK;
}

/* ---- tenants --------------------------------------------------------------------------------------- */

/* The given shares first; from there on (rank)^slope, continuing the last one or, without any, from 1. */
fz_status fz_profile_ranks_read(const fz_yaml *yaml, const fz_doc_node *map, const char *key,
                                fz_profile_ranks *out, fz_error *err)
{
    static const char *const keys[] = {"count", "slope", "shares", NULL};
    const fz_doc_node *node = fz_doc_get(map, key);
    const double *given = NULL;
    uint64_t count = 0;
    uint32_t n_given = 0;
    double slope = 0, sum = 0;
    if (fz_doc_is_null(node))
        return FZ_OK;
    FZ_TRY(fz_doc_expect(yaml->doc, node, FZ_DOC_MAP, key, err));
    FZ_TRY(fz_doc_check_keys(yaml->doc, node, key, keys, err));
    FZ_TRY(fz_doc_count(yaml->doc, node, "count", true, 1, 100000, &count, err));
    FZ_TRY(fz_doc_number(yaml->doc, node, "slope", false, -10, 0, &slope, err));
    FZ_TRY(fz_yaml_numbers(yaml, node, "shares", 0, 1e-9, 1e9, &given, &n_given, err));
    if (n_given > count)
        return fz_doc_fail(yaml->doc, node, err, "%s: %u shares for %llu", key, n_given,
                           (unsigned long long)count);
    double *shares = FZ_NEW(yaml->arena, count, double);
    if (shares == NULL)
        return no_memory((uint32_t)count, err);
    for (uint32_t i = 0; i < count; i++) {
        double last = n_given > 0 ? given[n_given - 1] / pow(n_given, slope) : 1;
        shares[i] = i < n_given ? given[i] : last * pow(i + 1.0, slope);
        sum += shares[i];
    }
    for (uint32_t i = 0; i < count; i++)
        shares[i] /= sum;
    *out = (fz_profile_ranks){.count = (uint32_t)count, .shares = shares};
    return FZ_OK;
}

/* ---- guesses --------------------------------------------------------------------------------------- */

fz_status fz_profile_guess_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    static const char *const keys[] = {"gpu_gib", "bytes_per_param", "max_gpus", "factors", NULL};
    static const char *const factor_keys[] = {"factor", "share", NULL};
    const fz_doc_node *map = fz_doc_get(root, "guess"), *items = NULL;
    uint64_t max = 0;
    double sum = 0;
    if (fz_doc_is_null(map))
        return FZ_OK;
    FZ_TRY(fz_doc_expect(yaml->doc, map, FZ_DOC_MAP, "guess", err));
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "guess", keys, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "gpu_gib", true, 0.1, 1e6, &p->guess_gpu_gib, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "bytes_per_param", true, 0.1, 1e3, &p->guess_bytes_per_param, err));
    FZ_TRY(fz_doc_count(yaml->doc, map, "max_gpus", true, 1, 65536, &max, err));
    p->guess_max = (uint32_t)max;
    FZ_TRY(fz_yaml_list(yaml, map, "factors", true, &items, &p->n_factors, err));
    fz_profile_factor *factors = FZ_NEW(yaml->arena, p->n_factors, fz_profile_factor);
    if (factors == NULL)
        return no_memory(p->n_factors, err);
    for (uint32_t i = 0; i < p->n_factors; i++) {
        FZ_TRY(fz_doc_check_keys(yaml->doc, &items[i], "a factor of guess", factor_keys, err));
        FZ_TRY(fz_doc_number(yaml->doc, &items[i], "factor", true, 1e-3, 1e3, &factors[i].factor, err));
        FZ_TRY(fz_doc_number(yaml->doc, &items[i], "share", true, 1e-9, 1e9, &factors[i].share, err));
        sum += factors[i].share;
    }
    for (uint32_t i = 0; i < p->n_factors; i++)
        factors[i].share /= sum;
    p->factors = factors;
    return FZ_OK;
}
