/* Real traces: rows, GPU-seconds and findings, against numbers counted with awk on the same files.
 *
 * GPU-seconds of kept rows, for instance of the SWF logs:
 *   zcat FILE | grep -v '^;' | awk '{g = $8 > 0 ? $8 : $5; if (g > 0 && $4 >= 0) {n++; s += g * $4}}
 *                                   END {printf "%d %.6f", n, s}'
 * Philly: zcat FILE | awk -F, 'NR > 1 {n++; s += $2 * $3; r[$0]++} END {for (k in r) d += r[k] - 1;
 *                              printf "%d %.6f %d", n, s, d}'
 * Rubick: awk -F, 'NR > 1 {n++; s += $3 * $5} END {printf "%d %.6f", n, s}' */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"

static fz_temp temp;

typedef struct expectation {
    const char *file, *format;
    uint64_t rows, kept;
    double gpu_s;
    const char *epoch;
} expectation;

static double gpu_seconds(const fz_trace *trace)
{
    double sum = 0;
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        sum += fz_time_to_s(trace->duration[job]) * trace->req_gpus[job];
    return sum;
}

static uint64_t rows_of(const fz_trace_report *report, const char *cause)
{
    for (uint32_t i = 0; i < report->n_findings; i++)
        if (strcmp(report->findings[i].cause, cause) == 0)
            return report->findings[i].rows;
    return 0;
}

/* Writes the trace and reads it again: every job must come back. */
static void round_trip(const fz_trace *trace)
{
    fz_error err = {0};
    fz_trace *again = NULL;
    char path[sizeof temp.path];
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "again.csv"));
    CU_ASSERT_EQUAL_FATAL(fz_trace_write(trace, path, &err), FZ_OK);
    fz_status status = fz_trace_read(path, FZ_BAD_ROWS_FAIL, &again, NULL, &err);
    if (status != FZ_OK)
        (void)fprintf(stderr, "%u:%u: %s\n", err.line, err.column, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    CU_ASSERT_EQUAL_FATAL(again->n_jobs, trace->n_jobs);
    CU_ASSERT_EQUAL(again->n_extras, trace->n_extras);
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        CU_ASSERT_FATAL(again->submit[job] == trace->submit[job] &&
                        again->duration[job] == trace->duration[job] &&
                        again->req_gpus[job] == trace->req_gpus[job] &&
                        strcmp(fz_trace_job_id(again, job), fz_trace_job_id(trace, job)) == 0);
    fz_trace_free(again);
}

static fz_trace *import(const expectation *e, fz_trace_report *report)
{
    char path[512];
    fz_error err = {0};
    fz_trace *trace = NULL;
    const fz_trace_format *format = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", FZ_SHARED_DATA, e->file);
    if (!fz_test_have(path))
        return NULL;
    CU_ASSERT_EQUAL_FATAL(fz_trace_format_probe(path, &format, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(format->name, e->format);
    CU_ASSERT_EQUAL_FATAL(format->read(path, &(fz_import_options){0}, &trace, report, &err), FZ_OK);
    CU_ASSERT_EQUAL(report->rows_read, e->rows);
    CU_ASSERT_EQUAL(report->rows_kept, e->kept);
    CU_ASSERT_EQUAL(trace->n_jobs, e->kept);
    CU_ASSERT(fabs(gpu_seconds(trace) - e->gpu_s) < 1e-9 * e->gpu_s);
    CU_ASSERT_STRING_EQUAL(trace->epoch, e->epoch);
    for (uint32_t job = 1; job < trace->n_jobs; job++)
        CU_ASSERT_FATAL(trace->submit[job] >= trace->submit[job - 1]);
    round_trip(trace);
    return trace;
}

static void philly(void)
{
    static const expectation e = {"philly/philly_jobs.csv.gz", "philly", 62194, 62194, 2739362060.0,
                                  "2017-09-04T10:30:41"};
    fz_trace_report report;
    fz_trace *trace = import(&e, &report);
    if (trace == NULL)
        return;
    CU_ASSERT_EQUAL(trace->submit[0], 0);
    /* 2017-11-12 23:57:14 is 69 days 13:26:33 later */
    CU_ASSERT_EQUAL(trace->submit[trace->n_jobs - 1], (69 * 86400 + 13 * 3600 + 26 * 60 + 33) * FZ_SECOND);
    CU_ASSERT_EQUAL(rows_of(&report, "the same row as an earlier one"), 41);
    CU_ASSERT_EQUAL(rows_of(&report, "a gpu_time other than duration x num_gpus"), 0);
    CU_ASSERT_EQUAL(rows_of(&report, "a submit time before that of an earlier row"), 62185);
    CU_ASSERT_EQUAL(report.n_findings, 2);
    fz_trace_free(trace);
}

static void rubick(void)
{
    static const expectation e = {"rubick_llm/workload-base.csv", "rubick", 406, 406, 2223969.016829, ""};
    fz_trace_report report;
    fz_trace *trace = import(&e, &report);
    if (trace == NULL)
        return;
    CU_ASSERT_EQUAL(report.n_findings, 0);
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(trace, 1), "llama30-1");
    CU_ASSERT_STRING_EQUAL(trace->texts[trace->model[1]], "llama30");
    CU_ASSERT(trace->req_gpus[1] == 48 && trace->req_cpus[1] == 384 && trace->steps[1] == 64);
    CU_ASSERT_EQUAL(trace->duration[1], 142219097); /* 142.2190972 s */
    CU_ASSERT_EQUAL_FATAL(trace->n_extras, 4);
    CU_ASSERT_STRING_EQUAL(trace->texts[trace->extras[1].values[1]], "d3t4p4");
    CU_ASSERT_STRING_EQUAL(trace->texts[trace->extras[2].values[0]], "zero-dp");
    fz_trace_free(trace);
}

static void swf(void)
{
    static const expectation files[] = {
        {"swf/NASA-iPSC-1993-3.1-cln.swf.gz", "swf", 18239, 18239, 474238015.0, "1993-09-30T23:00:03"},
        {"swf/HPC2N-head-3170.swf.gz", "swf", 3170, 3145, 502634281.0, "2002-07-28T08:04:05"},
        {"swf/evalys_float_times.swf.gz", "swf", 800, 800, 256361.954, ""},
        {"swf/lublin_256.swf.gz", "swf", 10000, 10000, 2092781168.0, ""},
        {"swf/wagap-2013-first1500.swf.gz", "swf", 1500, 1500, 1621887426.0, "2012-12-31T23:22:27"},
    };
    fz_trace_report reports[5];
    fz_trace *traces[5];
    for (uint32_t i = 0; i < 5; i++)
        traces[i] = import(&files[i], &reports[i]);
    if (traces[0] != NULL)
        CU_ASSERT_EQUAL(rows_of(&reports[0], "a run time of 0"), 173);
    if (traces[1] != NULL) {
        CU_ASSERT_EQUAL(rows_of(&reports[1], "no work"), 25);
        CU_ASSERT_EQUAL(rows_of(&reports[1], "ran longer than its limit"), 320);
        CU_ASSERT_EQUAL(rows_of(&reports[1], "ran on another size than asked for"), 213);
        CU_ASSERT_EQUAL(traces[1]->start[0], 308434 * FZ_SECOND);
    }
    if (traces[4] != NULL) {
        CU_ASSERT_EQUAL(rows_of(&reports[4], "ran longer than its limit"), 69);
        CU_ASSERT_EQUAL(traces[4]->req_mem[0], 64 * FZ_GIB);
        CU_ASSERT(traces[4]->submit[0] == 0 && traces[4]->submit[1] == 548 * FZ_SECOND);
        CU_ASSERT_EQUAL(traces[4]->start[1], (548 + 71) * FZ_SECOND);
    }
    for (uint32_t i = 0; i < 5; i++)
        fz_trace_free(traces[i]);
}

/* awk -F, 'NR > 1 {n++; s += $3 * $4} END {print n, s}' */
static void queueing_reference(void)
{
    static const expectation files[] = {
        {"queueing-reference/jobs_a.csv", "canonical", 5000, 5000, 33173108.0, ""},
        {"queueing-reference/jobs_b.csv", "canonical", 2000, 2000, 12125209.0, ""},
    };
    for (uint32_t i = 0; i < 2; i++) {
        fz_trace_report report;
        fz_trace *trace = import(&files[i], &report);
        if (trace != NULL)
            CU_ASSERT(report.n_findings == 0 && trace->estimate != NULL && trace->user != NULL);
        fz_trace_free(trace);
    }
}

int main(void)
{
    static const fz_test tests[] = {
        {"Philly", philly},
        {"Rubick", rubick},
        {"Standard Workload Format", swf},
        {"lists of the queueing reference", queueing_reference},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("import", tests);
    fz_temp_close(&temp);
    return failed;
}
