#include <string.h>

#include "core/support/output.h"
#include "core/support/timetext.h"
#include "workloads/canonical.h"
#include "workloads/canonical_columns.h"

typedef struct writer {
    const fz_trace *trace;
    fz_output *out;
    const fz_column *columns[64]; /* those that the trace has */
    uint32_t n_columns;
} writer;

/* The array of a column in the trace; NULL when no job has it. */
static const void *column_data(const fz_trace *trace, const fz_column *column)
{
    const void *data = NULL;
    if (column->kind == FZ_COLUMN_ID)
        return trace->job_id_at;
    if (column->kind >= FZ_COLUMN_EXTRA_TEXT || column->kind == FZ_COLUMN_TOKENS)
        return NULL;
    memcpy(&data, (const char *)trace + column->in_trace, sizeof(data));
    if (column->kind == FZ_COLUMN_GPUS && data == NULL)
        return trace->cpu_only;
    return data;
}

static void write_number(fz_output *out, double value)
{
    char text[FZ_NUMBER_TEXT];
    if (value != 0)
        fz_output_write(out, text, fz_number_text(value, text));
}

static void write_time(fz_output *out, fz_time t)
{
    char text[FZ_TIME_TEXT];
    fz_output_write(out, text, fz_time_text(t, text));
}

/* 0 is "not given". */
static void write_count(fz_output *out, uint64_t value)
{
    char text[FZ_TIME_TEXT];
    if (value != 0)
        fz_output_write(out, text, fz_count_text(value, text));
}

static void write_gpus(const writer *w, uint32_t job)
{
    if (w->trace->cpu_only != NULL && w->trace->cpu_only[job])
        fz_output_write(w->out, "0", 1);
    else if (w->trace->req_gpus_exact != NULL && w->trace->req_gpus_exact[job] > 0)
        write_number(w->out, w->trace->req_gpus_exact[job]);
    else if (w->trace->req_gpus != NULL)
        write_count(w->out, w->trace->req_gpus[job]);
}

static void write_cell(const writer *w, const fz_column *column, uint32_t job)
{
    const fz_trace *trace = w->trace;
    const void *data = column_data(trace, column);
    switch (column->kind) {
    case FZ_COLUMN_ID:
        fz_output_csv(w->out, fz_trace_job_id(trace, job));
        break;
    case FZ_COLUMN_SUBMIT:
    case FZ_COLUMN_TIME:
    case FZ_COLUMN_POINT:
        write_time(w->out, ((const fz_time *)data)[job]);
        break;
    case FZ_COLUMN_GPUS:
        write_gpus(w, job);
        break;
    case FZ_COLUMN_COUNT32:
        write_count(w->out, ((const uint32_t *)data)[job]);
        break;
    case FZ_COLUMN_COUNT64:
        write_count(w->out, ((const uint64_t *)data)[job]);
        break;
    case FZ_COLUMN_NUMBER:
    case FZ_COLUMN_STEPS:
        write_number(w->out, ((const double *)data)[job]);
        break;
    case FZ_COLUMN_GIB:
        write_number(w->out, (double)((const uint64_t *)data)[job] / (double)FZ_GIB);
        break;
    case FZ_COLUMN_TEXT:
    case FZ_COLUMN_DURATIONS:
        fz_output_csv(w->out, trace->texts[((const fz_text_id *)data)[job]]);
        break;
    case FZ_COLUMN_STATE:
        fz_output_text(w->out, fz_trace_state_text((fz_trace_state)((const uint8_t *)data)[job]));
        break;
    case FZ_COLUMN_TOKENS:
    case FZ_COLUMN_EXTRA_TEXT:
    case FZ_COLUMN_EXTRA_WHOLE:
    case FZ_COLUMN_EXTRA_NUMBER:
    case FZ_COLUMN_EXTRA_FLAG:
    case FZ_COLUMN_EXTRA_WORK:
        break;
    }
}

static void write_head(writer *w)
{
    const fz_trace *trace = w->trace;
    fz_output_text(w->out, "# frenzy-trace: 1\n");
    for (uint32_t i = 0; i < trace->n_headers; i++) {
        fz_output_text(w->out, "# ");
        fz_output_text(w->out, trace->headers[i].key);
        fz_output_text(w->out, ": ");
        fz_output_text(w->out, trace->headers[i].value);
        fz_output_text(w->out, "\n");
    }
    for (uint32_t i = 0; i < fz_canonical_n_columns; i++) {
        if (column_data(trace, &fz_canonical_columns[i]) == NULL)
            continue;
        fz_output_text(w->out, w->n_columns > 0 ? "," : "");
        fz_output_text(w->out, fz_canonical_columns[i].name);
        w->columns[w->n_columns++] = &fz_canonical_columns[i];
    }
    for (uint32_t i = 0; i < trace->n_extras; i++) {
        fz_output_text(w->out, ",");
        fz_output_csv(w->out, trace->extras[i].name);
    }
    fz_output_text(w->out, "\n");
}

static void write_row(const writer *w, uint32_t job)
{
    for (uint32_t i = 0; i < w->n_columns; i++) {
        if (i > 0)
            fz_output_write(w->out, ",", 1);
        write_cell(w, w->columns[i], job);
    }
    for (uint32_t i = 0; i < w->trace->n_extras; i++) {
        fz_output_write(w->out, ",", 1);
        fz_output_csv(w->out, w->trace->texts[w->trace->extras[i].values[job]]);
    }
    fz_output_write(w->out, "\n", 1);
}

fz_status fz_trace_write(const fz_trace *trace, const char *path, fz_error *err)
{
    writer w = {.trace = trace};
    FZ_TRY(fz_output_open(path, &w.out, err));
    write_head(&w);
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        write_row(&w, job);
    return fz_output_commit(w.out, err);
}
