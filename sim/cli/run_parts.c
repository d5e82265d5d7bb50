#include "sim/cli/run_parts.h"

#include <string.h>

const char *fz_run_label_tuning(const fz_run_row *row)
{
    return row->run.tuning == FZ_TUNE_FULL ? "full_training" : "adapters";
}

const char *fz_run_label_source(const fz_run_row *row)
{
    return row->source;
}

const char *fz_run_label_framework(const fz_run_row *row)
{
    return row->framework;
}

const char *fz_run_label_gpu(const fz_run_row *row)
{
    return row->gpu[0] != '\0' ? row->gpu : "unknown";
}

fz_status fz_run_labels_list(const fz_run_rows *rows, fz_run_label label, fz_arena *arena, fz_run_labels *out,
                             fz_error *err)
{
    *out = (fz_run_labels){.labels = FZ_NEW(arena, rows->n_rows + 1, const char *)};
    if (out->labels == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < rows->n_rows; i++) {
        const char *text = label(&rows->rows[i]);
        uint32_t k = 0;
        while (k < out->n && strcmp(out->labels[k], text) != 0)
            k++;
        if (k == out->n)
            out->labels[out->n++] = text;
    }
    return FZ_OK;
}

bool *fz_run_part(const fz_run_rows *rows, fz_run_label label, const char *wanted, fz_arena *arena)
{
    bool *include = FZ_NEW(arena, rows->n_rows + 1, bool);
    for (uint32_t i = 0; include != NULL && i < rows->n_rows; i++) {
        const fz_run_row *row = &rows->rows[i];
        include[i] = !row->computed && (label == NULL || strcmp(label(row), wanted) == 0);
    }
    return include;
}

const char *fz_run_reason(const fz_run_row *row, bool predicted)
{
    if (row->computed)
        return "computed, not measured";
    if (row->skip != NULL)
        return row->skip;
    return predicted ? NULL : "not predicted by this estimator";
}

void fz_run_reasons_count(const fz_run_rows *rows, const fz_prediction *predicted, const bool *include,
                          fz_run_reasons *out)
{
    *out = (fz_run_reasons){.n = 0};
    for (uint32_t i = 0; i < rows->n_rows; i++) {
        const char *reason = fz_run_reason(&rows->rows[i], predicted[i].value > 0);
        uint32_t k = 0;
        if (reason == NULL || (include != NULL && !include[i]))
            continue;
        while (k < out->n && strcmp(out->at[k].reason, reason) != 0)
            k++;
        if (k == FZ_RUN_REASONS_MAX)
            k = FZ_RUN_REASONS_MAX - 1; /* the rest under the last */
        else if (k == out->n)
            out->at[out->n++].reason = reason;
        out->at[k].n++;
    }
}
