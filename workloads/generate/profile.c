/* Reads a profile: what stands where, and that it makes sense. */
#include "workloads/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/support/suggest.h"
#include "workloads/bundled.h"
#include "workloads/generate/profile_parts.h"

static fz_status tenants_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    static const char *const keys[] = {"vcs", "users", "mu_spread", "sigma_spread", NULL};
    const fz_doc_node *map = fz_doc_get(root, "tenants");
    if (fz_doc_is_null(map))
        return FZ_OK;
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "tenants", keys, err));
    FZ_TRY(fz_profile_ranks_read(yaml, map, "vcs", &p->vcs, err));
    FZ_TRY(fz_profile_ranks_read(yaml, map, "users", &p->users, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "mu_spread", false, 0, 10, &p->mu_spread, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "sigma_spread", false, 0, 3, &p->sigma_spread, err));
    if (p->vcs.count < 2 && (p->mu_spread > 0 || p->sigma_spread > 0))
        return fz_doc_fail(yaml->doc, map, err, "a spread between tenants needs at least 2 vcs");
    return FZ_OK;
}

static fz_status head_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    const char *format = NULL;
    uint64_t version = 1, jobs = 10000;
    FZ_TRY(fz_doc_text(yaml->doc, root, "format", true, &format, err));
    if (strcmp(format, "frenzy-profile") != 0)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "format"), err, "format must be frenzy-profile");
    FZ_TRY(fz_doc_count(yaml->doc, root, "version", false, 1, 1, &version, err));
    FZ_TRY(fz_yaml_text(yaml, root, "name", true, &p->name, err));
    if (strlen(p->name) > 60 || strpbrk(p->name, " ,\"\r\n") != NULL)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "name"), err,
                           "name: job ids begin with it; at most 60 characters without blanks, commas and "
                           "quotes are possible");
    p->summary = "";
    FZ_TRY(fz_yaml_text(yaml, root, "summary", false, &p->summary, err));
    FZ_TRY(fz_doc_count(yaml->doc, root, "jobs", false, 1, FZ_PROFILE_MAX_JOBS, &jobs, err));
    p->jobs = (uint32_t)jobs;
    p->preemptible = -1;
    return fz_doc_number(yaml->doc, root, "preemptible", false, 0, 1, &p->preemptible, err);
}

/* Jobs of a trace bring sizes and durations; LLM jobs bring models, and durations from which steps follow. */
static fz_status work_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    const fz_doc_node *models = fz_doc_get(root, "models");
    const char *mix = NULL;
    FZ_TRY(fz_profile_sizes_read(yaml, root, p, err));
    FZ_TRY(fz_profile_guess_read(yaml, root, p, err));
    FZ_TRY(fz_doc_text(yaml->doc, root, "models", false, &mix, err));
    if ((mix != NULL) == (p->sizes != NULL))
        return fz_doc_fail(yaml->doc, root, err,
                           "one of 'gpus' (jobs with durations) and 'models' (LLM jobs) is expected");
    if (mix == NULL && p->n_factors > 0)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "guess"), err, "guess needs models");
    if (mix == NULL)
        return FZ_OK;
    fz_error inner = {0};
    fz_status status = fz_mix_read(mix, &p->mix, &inner);
    if (status == FZ_ENOTFOUND || status == FZ_EIO)
        return fz_doc_fail(yaml->doc, models, err, "models: %.300s", inner.message);
    if (status != FZ_OK && err != NULL)
        *err = inner;
    return status;
}

/* The spread between tenants and states must leave something for the parts. */
static fz_status variance_check(const fz_yaml *yaml, const fz_doc_node *root, const fz_profile *p,
                                fz_error *err)
{
    double shift = fz_profile_shift_variance(p);
    for (uint32_t i = 0; shift > 0 && i < p->n_durations; i++)
        if (shift >= 0.95 * p->durations[i].sigma * p->durations[i].sigma)
            return fz_doc_fail(yaml->doc, fz_doc_get(root, "durations"), err,
                               "tenants, states and failures spread the logarithm by a variance of %.3g, but "
                               "the parts up to %g GPUs have only %.3g",
                               shift, p->durations[i].max_gpus,
                               p->durations[i].sigma * p->durations[i].sigma);
    return FZ_OK;
}

static fz_status profile_read(const fz_yaml *yaml, fz_profile *p, fz_error *err)
{
    static const char *const keys[] = {"format",  "version",  "name",         "summary",     "jobs",
                                       "epoch",   "arrivals", "gpus",         "gpu_types",   "durations",
                                       "tenants", "states",   "failure_skew", "preemptible", "models",
                                       "guess",   NULL};
    const fz_doc_node *root = fz_doc_root(yaml->doc);
    FZ_TRY(fz_doc_expect(yaml->doc, root, FZ_DOC_MAP, "a profile", err));
    FZ_TRY(fz_doc_check_keys(yaml->doc, root, "a profile", keys, err));
    FZ_TRY(head_read(yaml, root, p, err));
    FZ_TRY(fz_profile_arrivals_read(yaml, root, p, err));
    FZ_TRY(work_read(yaml, root, p, err));
    FZ_TRY(fz_profile_durations_read(yaml, root, p, err));
    FZ_TRY(tenants_read(yaml, root, p, err));
    FZ_TRY(fz_profile_states_read(yaml, root, p, err));
    FZ_TRY(fz_profile_types_read(yaml, root, p, err));
    (void)snprintf(p->sha256, sizeof p->sha256, "%s", fz_doc_sha256(yaml->doc));
    return variance_check(yaml, root, p, err);
}

static fz_status profile_of_doc(fz_doc *doc, const char *given, bool bundled, fz_profile **out, fz_error *err)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_profile *p = arena != NULL ? FZ_NEW(arena, 1, fz_profile) : NULL;
    fz_status status = FZ_OK;
    if (p == NULL || (p->given = fz_arena_strdup(arena, given)) == NULL) {
        status = fz_fail(err, FZ_ENOMEM, "no memory for a profile");
    } else {
        p->arena = arena;
        p->bundled = bundled;
        status = profile_read(&(fz_yaml){.doc = doc, .arena = arena}, p, err);
    }
    fz_doc_free(doc);
    if (status == FZ_OK) {
        *out = p;
        return FZ_OK;
    }
    if (p != NULL)
        fz_mix_free(p->mix);
    fz_arena_free(arena);
    return status;
}

fz_status fz_profile_parse(const char *name, const char *bytes, uint64_t length, fz_profile **out,
                           fz_error *err)
{
    fz_doc *doc = NULL;
    FZ_TRY(fz_doc_parse(name, bytes, length, &doc, err));
    return profile_of_doc(doc, name, false, out, err);
}

static fz_status unknown(const char *name, fz_error *err)
{
    char list[200];
    uint32_t count = 0;
    const char *const *names = fz_bundled_names(FZ_BUNDLED_PROFILE, &count);
    const char *near = fz_suggest(name, names, count);
    fz_bundled_list(FZ_BUNDLED_PROFILE, list, sizeof list);
    if (near != NULL)
        return fz_fail(err, FZ_ENOTFOUND, "there is no profile '%.60s'; did you mean '%s'?", name, near);
    return fz_fail(err, FZ_ENOTFOUND, "there is no profile '%.60s'; give a file, or one of %s", name, list);
}

fz_status fz_profile_read(const char *name_or_path, fz_profile **out, fz_error *err)
{
    const fz_bundled *bundled = fz_bundled_of_path(FZ_BUNDLED_PROFILE, name_or_path);
    fz_doc *doc = NULL;
    if (bundled == NULL && strpbrk(name_or_path, "./") == NULL)
        return unknown(name_or_path, err);
    if (bundled != NULL)
        FZ_TRY(fz_doc_parse(bundled->file, bundled->bytes, bundled->length, &doc, err));
    else
        FZ_TRY(fz_doc_read(name_or_path, &doc, err));
    return profile_of_doc(doc, bundled != NULL ? bundled->name : name_or_path, bundled != NULL, out, err);
}

void fz_profile_free(fz_profile *profile)
{
    if (profile == NULL)
        return;
    fz_mix_free(profile->mix);
    fz_arena_free(profile->arena);
}

double fz_profile_shift_variance(const fz_profile *p)
{
    double variance = p->mu_spread * p->mu_spread;
    for (uint32_t i = 0; i < p->n_states; i++) {
        variance += p->states[i].share * p->states[i].ln_scale * p->states[i].ln_scale;
        if (p->states[i].state == FZ_TRACE_FAILED)
            variance += p->states[i].share * p->failure_skew * p->failure_skew;
    }
    return variance;
}

/* Of a count with mean m in a bin: m (2 S - 1) from the sweeps (those are short against a bin), and m^2 times the
 * squared variation of the rate, (1 + waves) (1 + noise) - 1. */
double fz_profile_dispersion(const fz_profile *p, double jobs_per_h, double bin_s)
{
    double waves = 0, mean = jobs_per_h * bin_s / 3600;
    for (uint32_t i = 0; i < FZ_WEEK_HOURS; i++)
        waves += p->arrivals.weights[i] * p->arrivals.weights[i] / FZ_WEEK_HOURS;
    return 2 * p->arrivals.sweep_jobs - 1 + mean * (waves * (1 + p->arrivals.noise_cv2) - 1);
}
