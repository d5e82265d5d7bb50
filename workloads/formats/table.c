#include <assert.h>

#include "workloads/formats/formats.h"

static fz_status columns_find(fz_table *t, const fz_table_format *format, fz_error *err)
{
    assert(format->n_names <= FZ_TABLE_COLUMNS);
    for (uint32_t i = 0; i < format->n_names; i++) {
        int found = fz_csv_find_column(t->in.csv, format->names[i]);
        if (found < 0 && i < format->n_required)
            return fz_csv_fail(t->in.csv, NULL, err, "there is no column '%s'", format->names[i]);
        t->at[i] = found < 0 ? UINT32_MAX : (uint32_t)found;
    }
    return FZ_OK;
}

static fz_status read_all(fz_table *t, const fz_table_format *format, fz_trace **out, fz_error *err)
{
    static const fz_csv_field none = {.text = ""};
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    FZ_TRY(columns_find(t, format, err));
    if (format->begin != NULL)
        FZ_TRY(format->begin(t, err));
    FZ_TRY(fz_trace_builder_header(t->in.builder, "source", format->source, err));
    for (;;) {
        FZ_TRY(fz_import_next(&t->in, &fields, &n_fields, err));
        if (fields == NULL)
            break;
        for (uint32_t i = 0; i < format->n_names; i++)
            t->cells[i] = t->at[i] < n_fields ? &fields[t->at[i]] : &none;
        FZ_TRY(format->row(t, err));
    }
    FZ_TRY(format->end(t, err));
    return fz_import_finish(&t->in, NULL, out, err);
}

fz_status fz_table_read(fz_table *t, const fz_table_format *format, const char *path,
                        const fz_import_options *options, fz_trace **out, fz_trace_report *report,
                        fz_error *err)
{
    FZ_TRY(fz_import_open(&t->in, path, NULL, options, report, err));
    t->in.rename_ids = true;
    t->options = options;
    fz_status status = read_all(t, format, out, err);
    fz_import_close(&t->in);
    return status;
}
