#include <assert.h>
#include <string.h>

#include "workloads/cluster_formats/formats.h"

static fz_status columns_find(const fz_csv *csv, const char *const *names, uint32_t n_names, bool no_header,
                              uint32_t *at, fz_error *err)
{
    for (uint32_t i = 0; i < n_names; i++) {
        int found = no_header ? (int)i : fz_csv_find_column(csv, names[i]);
        if (found < 0)
            return fz_csv_fail(csv, NULL, err, "there is no column '%s'", names[i]);
        at[i] = (uint32_t)found;
    }
    return FZ_OK;
}

static bool repeats_names(const fz_csv_field *fields, const char *const *names, uint32_t n_names)
{
    for (uint32_t i = 0; i < n_names; i++)
        if (strcmp(fields[i].text, names[i]) != 0)
            return false;
    return true;
}

/* What is wrong with the row, at its line if it has no place. */
static fz_status row_read(fz_cluster_table *t, fz_status (*row)(fz_cluster_table *t, fz_error *err),
                          fz_error *err)
{
    fz_error inside = {0};
    fz_status status = row(t, &inside);
    if (status == FZ_EPARSE && inside.file[0] == '\0')
        return fz_csv_fail(t->csv, NULL, err, "%s", inside.message);
    if (status != FZ_OK && err != NULL)
        *err = inside;
    return status;
}

static fz_status rows_read(fz_cluster_table *t, const char *const *names, uint32_t n_names, bool no_header,
                           fz_status (*row)(fz_cluster_table *t, fz_error *err), fz_error *err)
{
    uint32_t at[FZ_CLUSTER_COLUMNS] = {0}, n_fields = 0;
    const fz_csv_field *fields = NULL;
    bool first = no_header;
    assert(n_names <= FZ_CLUSTER_COLUMNS);
    FZ_TRY(columns_find(t->csv, names, n_names, no_header, at, err));
    for (;; first = false) {
        FZ_TRY(fz_csv_next(t->csv, &fields, &n_fields, err));
        if (fields == NULL)
            return FZ_OK;
        if (no_header && n_fields != n_names)
            return fz_csv_fail(t->csv, NULL, err, "this row has %u fields; %u are expected", n_fields,
                               n_names);
        if (first && repeats_names(fields, names, n_names))
            continue;
        for (uint32_t i = 0; i < n_names; i++)
            t->cells[i] = &fields[at[i]];
        FZ_TRY(row_read(t, row, err));
    }
}

fz_status fz_cluster_table_read(const fz_cluster_source *source, fz_cluster_draft *draft,
                                const char *const *names, uint32_t n_names, bool no_header,
                                fz_status (*row)(fz_cluster_table *t, fz_error *err), fz_error *err)
{
    fz_cluster_table t = {.source = source, .draft = draft};
    fz_csv_options options = {.no_header = no_header};
    FZ_TRY(fz_csv_open(source->paths[0], &options, &t.csv, err));
    fz_status status = rows_read(&t, names, n_names, no_header, row, err);
    fz_csv_close(t.csv);
    return status;
}
