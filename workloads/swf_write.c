/* Writing a trace in the Standard Workload Format, version 2.2: 18 fields a job, -1 is "unknown".
 *
 * The format has no GPUs, types, shares, models or deadlines: GPUs are its processors, the rest is lost. Users and
 * queues are numbers there: texts are numbered from 1 in the order in which they come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/number.h"
#include "core/support/output.h"
#include "core/support/timetext.h"
#include "workloads/formats/formats.h"

#define UNKNOWN "-1"

/* A column of texts; NULL: the trace has none. Numbers stay what they are when all of them are. */
typedef struct numbered {
    const fz_text_id *values;
    bool numbers;
    uint32_t *number_of; /* by text; 0: not seen yet */
    uint32_t n;
} numbered;

typedef struct writer {
    const fz_trace *trace;
    fz_output *out;
    numbered user, group, executable, queue, partition;
    const fz_text_id *run_gpus, *average_cpu, *used_memory, *preceding, *think;
    bool ids_are_numbers;
} writer;

/* ---- columns --------------------------------------------------------------------------------------- */

static const fz_text_id *extra(const fz_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->n_extras; i++)
        if (strcmp(trace->extras[i].name, name) == 0)
            return trace->extras[i].values;
    return NULL;
}

static bool is_count(const char *text)
{
    uint64_t value = 0;
    return fz_number_count(text, strlen(text), INT64_MAX, &value) == FZ_NUMBER_OK && text[0] >= '0' &&
           text[0] <= '9' && strchr(text, '.') == NULL;
}

static fz_status numbered_open(numbered *column, const fz_trace *trace, const fz_text_id *values,
                               fz_error *err)
{
    *column = (numbered){.values = values, .numbers = true};
    for (uint32_t job = 0; values != NULL && job < trace->n_jobs && column->numbers; job++) {
        const char *text = trace->texts[values[job]];
        column->numbers = text[0] == '\0' || is_count(text);
    }
    column->number_of = calloc(trace->n_texts, sizeof *column->number_of);
    return column->number_of != NULL ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory to number texts");
}

/* ---- fields ---------------------------------------------------------------------------------------- */

static void field(const writer *w, const char *text)
{
    fz_output_text(w->out, text[0] != '\0' ? text : UNKNOWN);
    fz_output_text(w->out, " ");
}

static void count_field(const writer *w, uint64_t value, bool known)
{
    char text[FZ_TIME_TEXT];
    (void)fz_count_text(value, text);
    field(w, known ? text : "");
}

static void time_field(const writer *w, fz_time t)
{
    char text[FZ_TIME_TEXT];
    (void)fz_time_text(t, text);
    field(w, text);
}

static void extra_field(const writer *w, const fz_text_id *values, uint32_t job)
{
    field(w, values != NULL ? w->trace->texts[values[job]] : "");
}

static void numbered_field(const writer *w, numbered *column, uint32_t job)
{
    if (column->values == NULL || column->numbers) {
        extra_field(w, column->values, job);
        return;
    }
    uint32_t *number = &column->number_of[column->values[job]];
    bool known = w->trace->texts[column->values[job]][0] != '\0';
    if (known && *number == 0)
        *number = ++column->n;
    count_field(w, *number, known);
}

static const char *status_of(const fz_trace *trace, uint32_t job)
{
    switch (trace->state != NULL ? trace->state[job] : FZ_TRACE_UNKNOWN) {
    case FZ_TRACE_COMPLETED:
        return "1";
    case FZ_TRACE_FAILED:
    case FZ_TRACE_TIMEOUT:
    case FZ_TRACE_NODE_FAIL:
        return "0";
    case FZ_TRACE_CANCELLED:
        return "5";
    default:
        return UNKNOWN;
    }
}

static fz_time time_at(const fz_time *times, uint32_t job)
{
    return times != NULL ? times[job] : FZ_TIME_NONE;
}

/* Of a processor, in kB. */
static void memory_field(const writer *w, uint32_t job)
{
    const fz_trace *trace = w->trace;
    bool known = trace->req_mem != NULL && trace->req_mem[job] > 0 && trace->req_gpus != NULL &&
                 trace->req_gpus[job] > 0;
    count_field(w, known ? trace->req_mem[job] / FZ_KIB / trace->req_gpus[job] : 0, known);
}

static void job_write(writer *w, uint32_t job)
{
    const fz_trace *trace = w->trace;
    fz_time start = time_at(trace->start, job);
    uint32_t gpus = trace->req_gpus != NULL ? trace->req_gpus[job] : 0;
    if (w->ids_are_numbers)
        field(w, fz_trace_job_id(trace, job));
    else
        count_field(w, job + (uint64_t)1, true);
    time_field(w, trace->submit[job]);
    time_field(w, start != FZ_TIME_NONE && start >= trace->submit[job] ? start - trace->submit[job]
                                                                       : FZ_TIME_NONE);
    time_field(w, time_at(trace->duration, job));
    extra_field(w, w->run_gpus, job);
    extra_field(w, w->average_cpu, job);
    extra_field(w, w->used_memory, job);
    count_field(w, gpus, gpus > 0);
    time_field(w, time_at(trace->limit, job));
    memory_field(w, job);
    field(w, status_of(trace, job));
    numbered_field(w, &w->user, job);
    numbered_field(w, &w->group, job);
    numbered_field(w, &w->executable, job);
    numbered_field(w, &w->queue, job);
    numbered_field(w, &w->partition, job);
    extra_field(w, w->preceding, job);
    fz_output_text(w->out, w->think != NULL && trace->texts[w->think[job]][0] != '\0'
                               ? trace->texts[w->think[job]]
                               : UNKNOWN);
    fz_output_text(w->out, "\n");
}

/* ---- file ------------------------------------------------------------------------------------------ */

static const char *header_of(const fz_trace *trace, const char *key)
{
    for (uint32_t i = 0; i < trace->n_headers; i++)
        if (strcmp(trace->headers[i].key, key) == 0)
            return trace->headers[i].value;
    return "";
}

/* Two digits; -1 where there is something else. */
static int64_t two_digits(const char *text)
{
    bool digits = text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9';
    return digits ? (text[0] - '0') * 10 + (text[1] - '0') : -1;
}

/* "+08:00" in seconds; 0 where it is nothing like that. */
static int64_t offset_of(const char *text)
{
    if (strlen(text) != strlen("+08:00") || (text[0] != '+' && text[0] != '-') || text[3] != ':')
        return 0;
    int64_t hours = two_digits(text + 1), minutes = two_digits(text + 4);
    if (hours < 0 || minutes < 0)
        return 0;
    int64_t seconds = (hours * 60 + minutes) * 60;
    return text[0] == '-' ? -seconds : seconds;
}

static void header_write(const writer *w)
{
    char text[256];
    fz_time epoch = 0;
    int64_t zone_s = offset_of(header_of(w->trace, "utc_offset"));
    bool known = fz_wall_time_parse(w->trace->epoch, &epoch);
    (void)snprintf(text, sizeof text,
                   "; Version: 2.2\n; Note: processors are GPUs\n; MaxJobs: %u\n; MaxRecords: %u\n"
                   "; UnixStartTime: %lld\n; TimeZone: %lld\n",
                   w->trace->n_jobs, w->trace->n_jobs, known ? (long long)(epoch / FZ_SECOND - zone_s) : 0LL,
                   (long long)zone_s);
    fz_output_text(w->out, text);
}

static fz_status columns_open(writer *w, fz_error *err)
{
    const fz_trace *trace = w->trace;
    w->run_gpus = extra(trace, "run_gpus");
    w->average_cpu = extra(trace, "x_average_cpu_s");
    w->used_memory = extra(trace, "x_used_memory_kb");
    w->think = extra(trace, "think_s");
    w->ids_are_numbers = true;
    for (uint32_t job = 0; job < trace->n_jobs && w->ids_are_numbers; job++)
        w->ids_are_numbers = is_count(fz_trace_job_id(trace, job));
    w->preceding = w->ids_are_numbers ? extra(trace, "depends_on") : NULL;
    FZ_TRY(numbered_open(&w->user, trace, trace->user, err));
    FZ_TRY(numbered_open(&w->group, trace, extra(trace, "x_group"), err));
    FZ_TRY(numbered_open(&w->executable, trace, extra(trace, "x_executable"), err));
    FZ_TRY(numbered_open(&w->queue, trace, trace->vc, err));
    return numbered_open(&w->partition, trace, extra(trace, "x_partition"), err);
}

static void columns_close(writer *w)
{
    free(w->user.number_of);
    free(w->group.number_of);
    free(w->executable.number_of);
    free(w->queue.number_of);
    free(w->partition.number_of);
}

fz_status fz_trace_write_swf(const fz_trace *trace, const char *path, fz_error *err)
{
    writer w = {.trace = trace};
    fz_status status = columns_open(&w, err);
    if (status == FZ_OK)
        status = fz_output_open(path, &w.out, err);
    if (status == FZ_OK) {
        header_write(&w);
        for (uint32_t job = 0; job < trace->n_jobs; job++)
            job_write(&w, job);
        status = fz_output_commit(w.out, err);
    }
    columns_close(&w);
    return status;
}
