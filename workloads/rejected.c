#include "workloads/rejected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void field_write(FILE *text, const fz_csv_field *field)
{
    if (strpbrk(field->text, ",\"\r\n") == NULL) {
        (void)fputs(field->text, text);
        return;
    }
    (void)fputc('"', text);
    for (const char *c = field->text; *c != '\0'; c++)
        (void)fputs(*c == '"' ? "\"\"" : (char[2]){*c, '\0'}, text);
    (void)fputc('"', text);
}

/* The fields as one text; NULL: out of memory. free() it. */
static char *row_text(const fz_csv_field *fields, uint32_t n_fields)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&bytes, &size);
    if (text == NULL)
        return NULL;
    for (uint32_t i = 0; i < n_fields; i++) {
        if (i > 0)
            (void)fputc(',', text);
        field_write(text, &fields[i]);
    }
    bool whole = ferror(text) == 0;
    whole = fclose(text) == 0 && whole;
    if (!whole) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static void begin(fz_rejected *rejected)
{
    rejected->status = fz_output_open(rejected->path, &rejected->output, &rejected->err);
    if (rejected->status == FZ_OK)
        fz_output_text(rejected->output, "file,line,reason,row\n");
}

void fz_rejected_add(fz_rejected *rejected, const char *file, uint32_t line, const char *reason,
                     const fz_csv_field *fields, uint32_t n_fields)
{
    char number[16];
    if (rejected->rows++ == 0)
        begin(rejected);
    if (rejected->status != FZ_OK)
        return;
    char *row = row_text(fields, n_fields);
    if (row == NULL) {
        rejected->status = fz_fail(&rejected->err, FZ_ENOMEM, "no memory for rejected rows");
        return;
    }
    (void)snprintf(number, sizeof number, ",%u,", line);
    fz_output_csv(rejected->output, file);
    fz_output_text(rejected->output, number);
    fz_output_csv(rejected->output, reason);
    fz_output_text(rejected->output, ",");
    fz_output_csv(rejected->output, row);
    fz_output_text(rejected->output, "\n");
    free(row);
}

fz_status fz_rejected_end(fz_rejected *rejected, bool keep, fz_error *err)
{
    if (keep && rejected->rows == 0 && rejected->path != NULL)
        (void)remove(rejected->path);
    if (keep && rejected->status == FZ_OK && rejected->output != NULL)
        return fz_output_commit(rejected->output, err);
    fz_output_discard(rejected->output);
    if (keep && rejected->status != FZ_OK && err != NULL)
        *err = rejected->err;
    return keep ? rejected->status : FZ_OK;
}
