/* Values that several foreign formats share. */
#include <math.h>
#include <string.h>

#include "core/support/number.h"
#include "core/support/timetext.h"
#include "workloads/formats/formats.h"

#define LARGEST 1e18

void fz_import_soft_time(fz_import *in, const fz_csv_field *field, const char *cause, fz_time *out)
{
    fz_time t = 0;
    if (in->skip || fz_import_missing(field))
        return;
    if (fz_number_time(field->text, field->length, &t) == FZ_NUMBER_OK && t >= 0)
        *out = t;
    else
        fz_import_note(in, cause);
}

const fz_csv_field *fz_import_known(const fz_csv_field *field)
{
    static const fz_csv_field unknown = {.text = ""};
    double value = 0;
    bool none = fz_number_real(field->text, field->length, &value) == FZ_NUMBER_OK && value == -1;
    return none ? &unknown : field;
}

void fz_import_soft_number(fz_import *in, const fz_csv_field *field, const char *cause, double *out)
{
    double value = 0;
    if (in->skip || fz_import_missing(field))
        return;
    if (fz_number_real(field->text, field->length, &value) == FZ_NUMBER_OK && value >= 0 && value <= LARGEST)
        *out = value;
    else
        fz_import_note(in, cause);
}

fz_status fz_import_gpus_each(fz_import *in, const fz_csv_field *field, const char *what, uint32_t workers,
                              fz_trace_row *row, fz_error *err)
{
    FZ_TRY(fz_import_gpus(in, field, what, row, err));
    double gpus = row->req_gpus_exact > 0 ? row->req_gpus_exact : row->req_gpus;
    if (in->skip)
        return FZ_OK;
    if (gpus * workers > FZ_IMPORT_MAX_GPUS)
        return fz_import_drop(in, field, "an absurd size", err, "%s: %u workers of %.60s GPUs are too many",
                              what, workers, field->text);
    row->req_workers = workers;
    row->req_gpus *= workers;
    row->req_gpus_exact = round(row->req_gpus_exact * workers * 1e6) / 1e6; /* 3 x 0.1 is 0.3 */
    return FZ_OK;
}

fz_status fz_import_count_text(fz_import *in, const char *column, const fz_csv_field *field, fz_error *err)
{
    uint64_t value = 0;
    char text[FZ_TIME_TEXT] = "";
    if (fz_import_missing(field))
        return fz_trace_builder_extra(in->builder, column, "", err);
    if (fz_number_count(field->text, field->length, UINT32_MAX, &value) == FZ_NUMBER_OK)
        (void)fz_count_text(value, text);
    else
        fz_import_note(in, "a whole number that is none");
    return fz_trace_builder_extra(in->builder, column, text, err);
}

bool fz_import_state(fz_import *in, const char *text, fz_trace_state *out)
{
    static const struct {
        const char *text;
        fz_trace_state state;
    } words[] = {
        {"COMPLETED", FZ_TRACE_COMPLETED},
        {"CANCELLED", FZ_TRACE_CANCELLED},
        {"FAILED", FZ_TRACE_FAILED},
        {"TIMEOUT", FZ_TRACE_TIMEOUT},
        {"NODE_FAIL", FZ_TRACE_NODE_FAIL},
        {"RUNNING", FZ_TRACE_RUNNING},
        {"PENDING", FZ_TRACE_PENDING},
        {"OUT_OF_MEMORY", FZ_TRACE_FAILED},
        /* Philly */
        {"Pass", FZ_TRACE_COMPLETED},
        {"Killed", FZ_TRACE_CANCELLED},
        {"Failed", FZ_TRACE_FAILED},
        /* phases of Kubernetes */
        {"Succeeded", FZ_TRACE_COMPLETED},
        {"Running", FZ_TRACE_RUNNING},
        {"Pending", FZ_TRACE_PENDING},
        {"", FZ_TRACE_UNKNOWN},
    };
    size_t length = strcspn(text, " "); /* "CANCELLED by 1234" */
    *out = FZ_TRACE_UNKNOWN;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].text) == length && memcmp(words[i].text, text, length) == 0) {
            *out = words[i].state;
            return true;
        }
    }
    fz_import_note(in, "a state that frenzy has no word for");
    return false;
}

fz_status fz_import_observed(fz_import *in, fz_trace_row *row, fz_error *err)
{
    if (in->skip || row->start == FZ_TIME_NONE || row->end == FZ_TIME_NONE)
        return FZ_OK;
    row->duration = row->end - row->start;
    if (row->duration >= 0)
        return FZ_OK;
    return fz_import_drop(in, NULL, "an end before the start", err, "this job ends %lld s before it starts",
                          (long long)(-row->duration / FZ_SECOND));
}
