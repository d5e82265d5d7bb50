#include "sim/cli/import_files.h"

#include <stdio.h>
#include <string.h>

#include "core/support/suggest.h"
#include "sim/cli/report_text.h"
#include "sim/cli/say.h"
#include "workloads/ops/change.h"

static fz_status format_unknown(const char *name, fz_error *err)
{
    uint32_t n = 0;
    const fz_trace_format *const *all = fz_trace_formats(&n);
    const char *names[64];
    char list[512] = "auto";
    for (uint32_t i = 0; i < n && i < 64; i++) {
        size_t length = strlen(list);
        names[i] = all[i]->name;
        snprintf(list + length, sizeof(list) - length, ", %s", names[i]);
    }
    const char *near = fz_suggest(name, names, n < 64 ? n : 64);
    if (near != NULL)
        return fz_fail(err, FZ_EUSAGE, "unknown format '%s' (did you mean '%s'?); there are %s", name, near,
                       list);
    return fz_fail(err, FZ_EUSAGE, "unknown format '%s'; there are %s", name, list);
}

static fz_status format_choose(const char *name, const char *path, const fz_trace_format **format,
                               fz_error *err)
{
    if (strcmp(name, "auto") == 0)
        return fz_trace_format_probe(path, format, err);
    *format = fz_trace_format_find(name);
    return *format != NULL ? FZ_OK : format_unknown(name, err);
}

static fz_status options_suit(const fz_trace_format *format, const fz_import_options *how, fz_error *err)
{
    if (how->submits_per_h > 0 && !format->may_lack_times)
        return fz_fail(err, FZ_EUSAGE, "--submit is for lists without times; a %s trace has its own",
                       format->name);
    if (how->attempts != NULL && !format->has_attempts)
        return fz_fail(err, FZ_EUSAGE, "--attempts has no effect: a %s trace tells no attempts",
                       format->name);
    return FZ_OK;
}

static fz_status one_format(const fz_trace_format *first, const fz_trace_format *format, const char *path,
                            fz_error *err)
{
    if (first == NULL || first == format)
        return FZ_OK;
    return fz_fail(err, FZ_EUSAGE,
                   "%.200s is a %s trace, the files before are of %s; import them one by one, and put them "
                   "together with frenzy trace merge",
                   path, format->name, first->name);
}

/* The findings of one file go to those of all. */
static void report_add(fz_trace_report *all, const fz_trace_report *one)
{
    all->rows_read += one->rows_read;
    all->rows_kept += one->rows_kept;
    for (uint32_t i = 0; i < one->n_findings; i++) {
        const fz_finding *finding = &one->findings[i];
        for (uint64_t k = 0; k < finding->rows; k++)
            fz_trace_report_add(all, finding->cause, finding->what, finding->first_line);
    }
}

/* args->rest[which], into *trace. */
static fz_status read_one(const fz_args *args, uint32_t which, const fz_import_options *how,
                          fz_import_files *out, fz_trace **trace, fz_error *err)
{
    const char *path = args->rest[which];
    const fz_trace_format *format = NULL;
    fz_trace_report report = {0};
    FZ_TRY(format_choose(args->rest[0], path, &format, err));
    FZ_TRY(one_format(out->format, format, path, err));
    FZ_TRY(options_suit(format, how, err));
    out->format = format;
    FZ_TRY(format->read(path, how, trace, &report, err));
    if (args->n_rest > 2) {
        fz_say_note("%s", path);
        fz_report_print(stderr, &report);
    }
    report_add(&out->report, &report);
    return FZ_OK;
}

/* Several traces become one; those that are there are freed. */
static fz_status traces_join(fz_trace **traces, uint32_t n, fz_status status, fz_import_files *out,
                             fz_error *err)
{
    const fz_trace *inputs[FZ_MAX_IMPORT_FILES] = {NULL};
    uint32_t renamed = 0;
    for (uint32_t i = 0; i < n; i++)
        inputs[i] = traces[i];
    if (status == FZ_OK)
        status = fz_trace_merge(inputs, n, &out->trace, &renamed, err);
    for (uint32_t i = 0; i < n; i++)
        fz_trace_free(traces[i]);
    if (status == FZ_OK && renamed > 0)
        fz_say_note("%u ids that were there before got a number, such as '#2'", renamed);
    return status;
}

fz_status fz_import_files_read(const fz_args *args, const fz_import_options *how, fz_import_files *out,
                               fz_error *err)
{
    fz_trace *traces[FZ_MAX_IMPORT_FILES] = {NULL};
    uint32_t n = args->n_rest - 1;
    fz_status status = FZ_OK;
    *out = (fz_import_files){0};
    if (n == 1)
        return read_one(args, 1, how, out, &out->trace, err);
    if (how->attempts != NULL || how->submits_per_h > 0)
        return fz_fail(err, FZ_EUSAGE, "--%s is for one file at a time",
                       how->attempts != NULL ? "attempts" : "submit");
    for (uint32_t i = 0; i < n && status == FZ_OK; i++)
        status = read_one(args, i + 1, how, out, &traces[i], err);
    return traces_join(traces, n, status, out, err);
}
