#include "sim/cli/report_text.h"

#include <string.h>

void fz_report_print(FILE *file, const fz_trace_report *report)
{
    fprintf(file, "%llu rows read, %llu kept\n", (unsigned long long)report->rows_read,
            (unsigned long long)report->rows_kept);
    for (uint32_t i = 0; i < report->n_findings; i++) {
        const fz_finding *finding = &report->findings[i];
        const char *what = finding->what == 'd' ? "dropped" : finding->what == 'c' ? "changed" : "noted";
        fprintf(file, "  %-8s %10llu  %s (first in line %u)\n", what, (unsigned long long)finding->rows,
                finding->cause, finding->first_line);
    }
}

static void causes_json(fz_json *json, const char *key, const fz_trace_report *report, char what)
{
    fz_json_open(json, key);
    for (uint32_t i = 0; i < report->n_findings; i++)
        if (report->findings[i].what == what)
            fz_json_count(json, report->findings[i].cause, report->findings[i].rows);
    fz_json_close(json);
}

static double gpu_seconds(const fz_trace *trace)
{
    double sum = 0;
    for (uint32_t job = 0; trace->duration != NULL && job < trace->n_jobs; job++)
        if (trace->duration[job] != FZ_TIME_NONE)
            sum += fz_time_to_s(trace->duration[job]) * fz_trace_gpus(trace, job);
    return sum;
}

void fz_report_json(fz_json *json, const fz_trace_report *report, const fz_trace *trace)
{
    fz_json_count(json, "rows_read", report->rows_read);
    fz_json_count(json, "rows_kept", report->rows_kept);
    causes_json(json, "dropped", report, 'd');
    causes_json(json, "changed", report, 'c');
    causes_json(json, "noted", report, 'n');
    if (trace == NULL)
        return;
    fz_json_count(json, "jobs", trace->n_jobs);
    fz_json_number(json, "first_submit_s", fz_time_to_s(trace->submit[0]));
    fz_json_number(json, "last_submit_s", fz_time_to_s(trace->submit[trace->n_jobs - 1]));
    fz_json_number(json, "gpu_seconds", gpu_seconds(trace));
}

void fz_assumed_json(fz_json *json, const fz_trace *trace)
{
    bool open = false;
    for (uint32_t i = 0; i < trace->n_headers; i++) {
        if (strcmp(trace->headers[i].key, "assumed") != 0)
            continue;
        if (!open)
            fz_json_open_list(json, "assumed");
        open = true;
        fz_json_text(json, NULL, trace->headers[i].value);
    }
    if (open)
        fz_json_close_list(json);
}

fz_status fz_bad_rows_option(const fz_args *args, fz_bad_rows *bad_rows, fz_error *err)
{
    const char *text = fz_args_get(args, "bad-rows");
    *bad_rows = FZ_BAD_ROWS_DEFAULT;
    if (text == NULL)
        return FZ_OK;
    if (strcmp(text, "drop") == 0)
        *bad_rows = FZ_BAD_ROWS_DROP;
    else if (strcmp(text, "clamp") == 0)
        *bad_rows = FZ_BAD_ROWS_CLAMP;
    else if (strcmp(text, "fail") == 0)
        *bad_rows = FZ_BAD_ROWS_FAIL;
    else
        return fz_fail(err, FZ_EUSAGE, "--bad-rows: '%s' is none of drop, clamp, fail", text);
    return FZ_OK;
}
