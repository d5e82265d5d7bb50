#include <stdio.h>
#include <string.h>

#include "calib/samples/fields.h"
#include "calib/samples/samples_csv.h"
#include "core/support/output.h"
#include "core/support/timetext.h"
#include "core/support/utf8.h"

/* Numbers as text; room for the longest. */
static const char *number(const fz_field *field, const void *object, char text[FZ_NUMBER_TEXT])
{
    if (!fz_field_known(field, object))
        return "";
    if (field->kind == FZ_FIELD_REAL)
        fz_number_text(fz_field_real(field, object), text);
    else
        fz_count_text((uint64_t)fz_field_integer(field, object), text);
    return text;
}

/* One line, valid UTF-8, whatever the driver said. */
static void write_line_of(fz_output *out, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\r\n"), valid = fz_utf8_valid(text, length);
        fz_output_write(out, text, valid);
        text += valid;
        if (*text != '\0') {
            fz_output_text(out, " ");
            text++;
        }
    }
}

static void write_facts(fz_output *out, const char *prefix, fz_field_list list, const void *object)
{
    char text[FZ_NUMBER_TEXT];
    for (uint32_t i = 0; i < list.n; i++) {
        const fz_field *field = &list.fields[i];
        if (!fz_field_known(field, object))
            continue;
        fz_output_text(out, "# ");
        fz_output_text(out, prefix);
        fz_output_text(out, field->name);
        fz_output_text(out, "=");
        write_line_of(out, field->kind == FZ_FIELD_TEXT ? fz_field_text(field, object)
                                                        : number(field, object, text));
        fz_output_text(out, "\n");
    }
}

static void write_env(fz_output *out, const fz_env_sample *sample)
{
    char text[FZ_NUMBER_TEXT];
    fz_field_list list = fz_env_fields();
    for (uint32_t i = 0; i < list.n; i++) {
        fz_output_text(out, i == 0 ? "# env=" : ",");
        fz_output_text(out, number(&list.fields[i], sample, text));
    }
    fz_output_text(out, "\n");
}

static void write_memory(fz_output *out, const fz_mem_fact *fact)
{
    char text[FZ_TIME_TEXT];
    fz_count_text((uint64_t)fact->bytes, text);
    fz_output_text(out, "# memory.");
    fz_output_text(out, fact->name);
    fz_output_text(out, "=");
    fz_output_text(out, text);
    fz_output_text(out, "\n");
}

/* Where `rep,seconds` and `dropped` stand among the fields of a point: the first columns are those of any recorded
 * file. */
#define BEFORE_SECONDS 10u

static void write_header(fz_output *out)
{
    fz_field_list list = fz_point_fields();
    for (uint32_t i = 0; i < list.n; i++) {
        if (i == BEFORE_SECONDS)
            fz_output_text(out, "rep,seconds,");
        fz_output_text(out, list.fields[i].name);
        fz_output_text(out, i + 1 < list.n ? "," : ",dropped\n");
    }
}

/* One repeat; seconds NULL: a point without any. */
static void write_row(fz_output *out, const fz_bench_point *point, uint32_t rep, const double *seconds,
                      bool dropped)
{
    fz_field_list list = fz_point_fields();
    char text[FZ_NUMBER_TEXT];
    for (uint32_t i = 0; i < list.n; i++) {
        const fz_field *field = &list.fields[i];
        if (i == BEFORE_SECONDS && seconds != NULL) {
            fz_count_text(rep, text);
            fz_output_text(out, text);
            fz_output_text(out, ",");
            fz_number_text(*seconds, text);
            fz_output_text(out, text);
            fz_output_text(out, ",");
        } else if (i == BEFORE_SECONDS) {
            fz_output_text(out, ",,");
        }
        if (field->kind == FZ_FIELD_TEXT)
            fz_output_csv(out, fz_field_text(field, point));
        else
            fz_output_text(out, number(field, point, text));
        fz_output_text(out, ",");
    }
    fz_output_text(out, dropped ? "1\n" : "\n");
}

static void write_point(fz_output *out, const fz_samples *samples, const fz_bench_point *point)
{
    if (point->n_samples == 0)
        write_row(out, point, 0, NULL, false);
    for (uint32_t i = 0; i < point->n_samples; i++) {
        uint32_t at = point->first_sample + i;
        write_row(out, point, i, &samples->seconds[at],
                  samples->dropped != NULL && samples->dropped[at] != 0);
    }
}

fz_status fz_samples_write(const char *path, const fz_samples *samples, fz_error *err)
{
    fz_output *out = NULL;
    char format[64];
    FZ_TRY(fz_output_open(path, &out, err));
    (void)snprintf(format, sizeof format, "# frenzy-samples=%d\n", FZ_SAMPLES_FORMAT);
    fz_output_text(out, format);
    write_facts(out, "device.", fz_device_fields(), &samples->device);
    write_facts(out, "run.", fz_run_fields(), &samples->run);
    for (uint32_t i = 0; i < samples->n_facts; i++)
        write_memory(out, &samples->facts[i]);
    for (uint32_t i = 0; i < samples->n_env; i++)
        write_env(out, &samples->env[i]);
    write_header(out);
    for (uint32_t i = 0; i < samples->n_points; i++)
        write_point(out, samples, &samples->points[i]);
    return fz_output_commit(out, err);
}
