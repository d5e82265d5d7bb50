/* The canonical trace: columns, header lines, each kind of bad row under each policy, writing and reading
 * back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/input.h"
#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"

static fz_temp temp;
static fz_error err;

static fz_status read_text(const char *text, fz_bad_rows policy, fz_trace **trace, fz_trace_report *report)
{
    err = (fz_error){0};
    return fz_trace_read(fz_temp_text(&temp, "t.csv", text), policy, trace, report, &err);
}

static fz_trace *good(const char *text)
{
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL(read_text(text, FZ_BAD_ROWS_DEFAULT, &trace, NULL), FZ_OK);
    if (err.message[0] != '\0')
        (void)fprintf(stderr, "%u:%u: %s\n", err.line, err.column, err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return trace;
}

static void bad(const char *text, uint32_t line, uint32_t column, const char *message)
{
    fz_trace *trace = NULL;
    fz_trace_report report;
    CU_ASSERT_EQUAL(read_text(text, FZ_BAD_ROWS_DEFAULT, &trace, &report), FZ_EPARSE);
    CU_ASSERT_EQUAL(err.line, line);
    CU_ASSERT_EQUAL(err.column, column);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, message));
    if (strstr(err.message, message) == NULL)
        (void)fprintf(stderr, "got: %s\n", err.message);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.file, "t.csv"));
}

static const fz_finding *finding(const fz_trace_report *report, const char *cause, char what)
{
    static const fz_finding none;
    for (uint32_t i = 0; i < report->n_findings; i++)
        if (strcmp(report->findings[i].cause, cause) == 0 && report->findings[i].what == what)
            return &report->findings[i];
    return &none;
}

static void all_columns(void)
{
    fz_trace *t = good(
        "# frenzy-trace: 1\n# epoch: 2017-10-02T00:00:00\n# source: hand\n# a comment of no use\n"
        "# cluster: a:b.json\n"
        "x_color,vc,user,submit_s,job_id,duration_s,req_gpus,req_gpu_types,req_gpu_mem,est_s,limit_s,state,"
        "req_cpus,req_mem,deadline_s,start_s,end_s,job_class,priority,preemptible\n"
        "red,A,ann,1.5,j1,10,4,A100|V100,15.5,20,30,COMPLETED,8.5,64,99,2,12,train,-0,1\n"
        ",,bob,2,j2,0.000001,1,,,,,,,,,,,,,\n");
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 2);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2017-10-02T00:00:00");
    CU_ASSERT_STRING_EQUAL(t->source, "hand");
    CU_ASSERT_EQUAL_FATAL(t->n_headers, 3);
    CU_ASSERT_STRING_EQUAL(t->headers[2].value, "a:b.json");
    CU_ASSERT_EQUAL(strlen(t->sha256), 64);
    CU_ASSERT_PTR_NOT_NULL(strstr(t->path, "t.csv"));
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 0), "j1");
    CU_ASSERT(t->submit[0] == 1500000 && t->duration[0] == 10 * FZ_SECOND && t->duration[1] == 1);
    CU_ASSERT(t->estimate[0] == 20 * FZ_SECOND && t->estimate[1] == FZ_TIME_NONE);
    CU_ASSERT(t->limit[0] == 30 * FZ_SECOND && t->deadline[0] == 99 * FZ_SECOND);
    CU_ASSERT(t->start[0] == 2 * FZ_SECOND && t->end[0] == 12 * FZ_SECOND && t->end[1] == FZ_TIME_NONE);
    CU_ASSERT(t->req_gpus[0] == 4 && t->req_gpus[1] == 1);
    CU_ASSERT_STRING_EQUAL(t->texts[t->req_types[0]], "A100|V100");
    CU_ASSERT(t->req_gpu_mem[0] == 31 * FZ_GIB / 2 && t->req_gpu_mem[1] == 0);
    CU_ASSERT(t->req_cpus[0] == 8.5 && t->req_mem[0] == 64 * FZ_GIB);
    CU_ASSERT(t->state[0] == FZ_TRACE_COMPLETED && t->state[1] == FZ_TRACE_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(t->texts[t->user[1]], "bob");
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[1]], "");
    CU_ASSERT_EQUAL_FATAL(t->n_extras, 4);
    CU_ASSERT_STRING_EQUAL(t->extras[0].name, "x_color");
    CU_ASSERT_STRING_EQUAL(t->extras[1].name, "job_class");
    CU_ASSERT_STRING_EQUAL(t->texts[t->extras[3].values[0]], "1");
    CU_ASSERT_PTR_NULL(t->model);
    fz_trace_free(t);
}

static void llm_jobs_and_tokens(void)
{
    fz_trace *t = good("submit_s,model,seq_len,global_batch,steps,tokens\n"
                       "0,gpt2,1024,8,100,\n"
                       "1,gpt2,1024,8,,819200\n"
                       "2,gpt2,1024,8,100,820000\n"); /* off by 0.098 % */
    CU_ASSERT(t->n_jobs == 3 && t->seq_len[0] == 1024 && t->global_batch[0] == 8);
    CU_ASSERT(t->steps[0] == 100 && t->steps[1] == 100 && t->steps[2] == 100);
    CU_ASSERT_PTR_NULL(t->req_gpus);
    CU_ASSERT_STRING_EQUAL(t->texts[t->model[2]], "gpt2");
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 0), "2"); /* no ids: the line in the file */
    CU_ASSERT_EQUAL(t->n_extras, 0);
    fz_trace_free(t);
    bad("submit_s,model,seq_len,global_batch,steps,tokens\n2,gpt2,1024,8,100,820100\n", 2, 1,
        "tokens is 820100, but steps x global_batch x seq_len is 819200");
    t = good("job_id,submit_s,duration_s,req_gpus,tokens\na,0,1,1,5e6\n"); /* no use for them, but kept */
    CU_ASSERT_EQUAL_FATAL(t->n_extras, 1);
    CU_ASSERT_STRING_EQUAL(t->texts[t->extras[0].values[0]], "5e6");
    fz_trace_free(t);
}

#define HEAD "job_id,submit_s,duration_s,req_gpus\n"

static void bad_files(void)
{
    bad("", 1, 1, "the file is empty; a header line");
    bad(HEAD, 1, 1, "there are no rows; at least one job is expected");
    bad("job_id,duration_s\na,1\n", 1, 1, "there is no column submit_s");
    bad("submit_s;duration_s;req_gpus\n0;1;1\n", 1, 1, "separated by semicolons; commas are expected");
    bad("submit_s\tduration_s\treq_gpus\n0\t1\t1\n", 1, 1, "separated by tabs; commas are expected");
    bad("job_id,submit_s,durations,req_gpus\na,0,1,1\n", 1, 17,
        "unknown column 'durations'; did you mean 'duration_s'?");
    bad("job_id,submit_s,colour\na,0,1\n", 1, 17,
        "unknown column 'colour'; columns of your own begin with x_");
    bad(HEAD "a,0,1,1,5\n", 2, 1, "5 fields, the header has 4");
    bad("# frenzy-trace: 1\n\n" HEAD, 3, 1, "there are no rows");
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL(read_text("# frenzy-trace: 2\n" HEAD "a,0,1,1\n", FZ_BAD_ROWS_DROP, &trace, NULL),
                    FZ_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "version '2'"));
    CU_ASSERT_EQUAL(fz_trace_read(fz_temp_path(&temp, "missing.csv"), FZ_BAD_ROWS_DROP, &trace, NULL, &err),
                    FZ_EIO);
    CU_ASSERT_EQUAL(fz_trace_read(temp.folder, FZ_BAD_ROWS_DROP, &trace, NULL, &err), FZ_EIO);
    CU_ASSERT_EQUAL(read_text(HEAD "a,,1,1\nb,,1,1\n", FZ_BAD_ROWS_DROP, &trace, NULL), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "none of 2 rows can be used; the first has no submit time");
}

/* Each cause: the row, where the error is under `fail`, what the report counts under `drop` and `clamp`. */
static const struct {
    const char *row;
    uint32_t column;
    const char *message, *cause;
    char clamped;
} causes[] = {
    {"b,,1,1,,", 1, "no submit time", "no submit time", 'd'},
    {"b,x,1,1,,", 3, "submit_s: 'x' is not a number", "text where a number belongs", 'd'},
    {"b,nan,1,1,,", 3, "submit_s: 'nan' is not a number", "text where a number belongs", 'd'},
    {"b,-3,1,1,,", 3, "submit_s: '-3' is negative", "a negative time", 'c'},
    {"b,3e14,1,1,,", 3, "submit_s: '3e14' is too large", "an absurd size", 'd'},
    {"b,3,-1,1,,", 5, "duration_s: '-1' is negative", "a negative time", 'd'},
    {"b,3,inf,1,,", 5, "duration_s: 'inf' is not a number", "text where a number belongs", 'd'},
    {"b,3,,1,,", 1, "this job has no work", "no work", 'd'},
    {"b,3,5,,,", 1, "this job has no work", "no work", 'd'},
    {"b,3,5,2.5,,", 7, "2.5 GPUs: a worker takes whole GPUs, or less than one", "a fraction of a GPU", 'c'},
    {"b,3,5,-2,,", 7, "req_gpus: '-2' must not be negative", "a negative number", 'd'},
    {"b,3,5,1000001,,", 7, "req_gpus: '1000001' is too large", "an absurd size", 'd'},
    {"b,3,5,1e9,,", 7, "req_gpus: '1e9' is too large", "an absurd size", 'd'},
    {"b,3,5,two,,", 7, "req_gpus: 'two' is not a number", "text where a number belongs", 'd'},
    {"a,3,5,2,,", 1, "job_id 'a' was there before", "a job_id that was there before", 'c'},
    {"b,3,5,2,DONE,", 9, "state: 'DONE' is unknown", "an unknown state", 'd'},
    {"b,3,5,2,COMPLETE,", 9, "did you mean 'COMPLETED'?", "an unknown state", 'd'},
    {"b,3,5,2,,2", 10, "preemptible: '2' is too large", "an absurd size", 'd'},
};

static void bad_rows_under_each_policy(void)
{
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "job_id,submit_s,duration_s,req_gpus,state,preemptible\n"
                       "a,0,1,1,,\n%s\nz,9,1,1,,\n",
                       causes[i].row);
        bad(text, 3, causes[i].column, causes[i].message);
        fz_trace *t = NULL;
        fz_trace_report report;
        CU_ASSERT_EQUAL_FATAL(read_text(text, FZ_BAD_ROWS_DROP, &t, &report), FZ_OK);
        CU_ASSERT(t->n_jobs == 2 && report.rows_read == 3 && report.rows_kept == 2);
        CU_ASSERT_EQUAL(finding(&report, causes[i].cause, 'd')->rows, 1);
        CU_ASSERT_EQUAL(finding(&report, causes[i].cause, 'd')->first_line, 3);
        fz_trace_free(t);
        CU_ASSERT_EQUAL_FATAL(read_text(text, FZ_BAD_ROWS_CLAMP, &t, &report), FZ_OK);
        CU_ASSERT_EQUAL(t->n_jobs, causes[i].clamped == 'c' ? 3 : 2);
        CU_ASSERT_EQUAL(finding(&report, causes[i].cause, causes[i].clamped)->rows, 1);
        fz_trace_free(t);
    }
}

static void clamped_values(void)
{
    fz_trace *t = NULL;
    fz_trace_report report;
    CU_ASSERT_EQUAL_FATAL(read_text(HEAD
                                    "a,-5,1,0.25\na,1,1,2.5\na,2,1,1\na,3,1,1\nb#2,4,1,1\nb,5,1,1\nb,6,1,1\n",
                                    FZ_BAD_ROWS_CLAMP, &t, &report),
                          FZ_OK);
    static const char *const ids[] = {"a", "a#2", "a#3", "a#4", "b#2", "b", "b#3"};
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 7);
    for (uint32_t i = 0; i < 7; i++)
        CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, i), ids[i]);
    CU_ASSERT(t->submit[0] == 0 && t->req_gpus[0] == 1 && t->req_gpus[1] == 3);
    CU_ASSERT_EQUAL(finding(&report, "a job_id that was there before", 'c')->rows, 4);
    CU_ASSERT_EQUAL(finding(&report, "a job_id that was there before", 'c')->first_line, 3);
    fz_trace_free(t);
}

static void noted_and_sorted(void)
{
    fz_trace *t = NULL;
    fz_trace_report report;
    CU_ASSERT_EQUAL_FATAL(read_text("job_id,submit_s,duration_s,req_gpus,limit_s,deadline_s,start_s,end_s\n"
                                    "a,5,10,1,9,15,6,5\nb,1,0,1,0,1,,\nc,4,2,1,9,5,,\n",
                                    FZ_BAD_ROWS_DEFAULT, &t, &report),
                          FZ_OK);
    CU_ASSERT_EQUAL(report.n_findings, 5);
    CU_ASSERT_EQUAL(finding(&report, "ran longer than its limit", 'n')->rows, 1);
    CU_ASSERT_EQUAL(finding(&report, "an end before the start", 'n')->rows, 1);
    CU_ASSERT_EQUAL(finding(&report, "a run time of 0", 'n')->first_line, 3);
    CU_ASSERT_EQUAL(finding(&report, "a deadline before the earliest end", 'n')->rows, 1);
    CU_ASSERT_EQUAL(finding(&report, "a submit time before that of an earlier row", 'c')->rows, 2);
    CU_ASSERT_EQUAL(finding(&report, "a submit time before that of an earlier row", 'c')->first_line, 3);
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 0), "b");
    fz_trace_free(t);
}

static void same(const void *a, const void *b, size_t bytes)
{
    CU_ASSERT((a == NULL) == (b == NULL));
    if (a != NULL && b != NULL)
        CU_ASSERT(memcmp(a, b, bytes) == 0);
}

static void same_texts(const fz_trace *a, const fz_text_id *in_a, const fz_trace *b, const fz_text_id *in_b)
{
    CU_ASSERT((in_a == NULL) == (in_b == NULL));
    for (uint32_t job = 0; in_a != NULL && in_b != NULL && job < a->n_jobs; job++)
        CU_ASSERT_STRING_EQUAL(a->texts[in_a[job]], b->texts[in_b[job]]);
}

/* Equal in all that a file can hold: job by job, text by text. */
static void expect_same(const fz_trace *a, const fz_trace *b)
{
    uint32_t n = a->n_jobs;
    CU_ASSERT_FATAL(n == b->n_jobs && a->n_extras == b->n_extras && a->n_headers == b->n_headers);
    same(a->submit, b->submit, n * sizeof *a->submit);
    same(a->duration, b->duration, n * sizeof *a->duration);
    same(a->estimate, b->estimate, n * sizeof *a->estimate);
    same(a->limit, b->limit, n * sizeof *a->limit);
    same(a->start, b->start, n * sizeof *a->start);
    same(a->end, b->end, n * sizeof *a->end);
    same(a->deadline, b->deadline, n * sizeof *a->deadline);
    same(a->req_gpus, b->req_gpus, n * sizeof *a->req_gpus);
    same(a->req_nodes, b->req_nodes, n * sizeof *a->req_nodes);
    same(a->req_gpu_mem, b->req_gpu_mem, n * sizeof *a->req_gpu_mem);
    same(a->seq_len, b->seq_len, n * sizeof *a->seq_len);
    same(a->global_batch, b->global_batch, n * sizeof *a->global_batch);
    same(a->steps, b->steps, n * sizeof *a->steps);
    same(a->state, b->state, n * sizeof *a->state);
    same(a->req_cpus, b->req_cpus, n * sizeof *a->req_cpus);
    same(a->req_mem, b->req_mem, n * sizeof *a->req_mem);
    same_texts(a, a->req_types, b, b->req_types);
    same_texts(a, a->durations, b, b->durations);
    same_texts(a, a->model, b, b->model);
    same_texts(a, a->user, b, b->user);
    same_texts(a, a->vc, b, b->vc);
    for (uint32_t i = 0; i < a->n_extras; i++) {
        CU_ASSERT_STRING_EQUAL(a->extras[i].name, b->extras[i].name);
        same_texts(a, a->extras[i].values, b, b->extras[i].values);
    }
    for (uint32_t i = 0; i < a->n_headers; i++)
        CU_ASSERT(strcmp(a->headers[i].key, b->headers[i].key) == 0 &&
                  strcmp(a->headers[i].value, b->headers[i].value) == 0);
    for (uint32_t job = 0; job < n; job++)
        CU_ASSERT_STRING_EQUAL(fz_trace_job_id(a, job), fz_trace_job_id(b, job));
}

static void written_and_read_back(void)
{
    fz_trace *a = good("# source: hand\n# epoch: 2020-01-01T00:00:00\n# note: \n"
                       "job_id,submit_s,duration_s,req_gpus,req_gpu_types,req_gpu_mem,req_cpus,req_mem,est_s,"
                       "limit_s,deadline_s,model,seq_len,global_batch,steps,user,vc,state,start_s,end_s,"
                       "x_b,tokens,name,\"x_a,b\",req_nodes,durations_s\n"
                       "\"a,1\",5.000001,10.5,8,A100|V100,10.123456789,0.1,1e-3,20,30,40,,,,,ann,A,FAILED,6,"
                       "16.5,\"say \"\"hi\"\"\",7,\"two\nlines\",,4,A100:9.5|V100:20\n"
                       "b,1,,,,,,,,,,\"gpt2, large\",1024,8,,ann,,,,, lead,81920000,,tail ,,\n"
                       "c,1,,3,,,,,,,,gpt2,1024,12,0.3333333333333333,,B,NODE_FAIL,,,,,,x,1,\n");
    fz_trace *b = NULL;
    char path[sizeof temp.path], first[65];
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "out.csv"));
    CU_ASSERT_EQUAL(fz_trace_write(a, path, &err), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_trace_read(path, FZ_BAD_ROWS_DEFAULT, &b, NULL, &err), FZ_OK);
    expect_same(a, b);
    CU_ASSERT_EQUAL(b->steps[0], 10000);
    (void)snprintf(first, sizeof first, "%s", b->sha256);
    fz_trace_free(a);
    CU_ASSERT_EQUAL(fz_trace_write(b, path, &err), FZ_OK); /* and writing again gives the same bytes */
    CU_ASSERT_EQUAL_FATAL(fz_trace_read(path, FZ_BAD_ROWS_DEFAULT, &a, NULL, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(a->sha256, first);
    CU_ASSERT_EQUAL(fz_trace_write(a, temp.folder, &err), FZ_EIO);
    fz_trace_free(a);
    fz_trace_free(b);
}

static void as_text(void)
{
    static const char text[] = "# frenzy-trace: 1\n# source: hand\n"
                               "job_id,submit_s,duration_s,req_gpus,req_gpu_mem,steps,user,x_n\n"
                               "a,0,1.25,2,16.5,,ann,\n"
                               "b,0.000001,90,1,,1.5,,7\n";
    fz_trace *t = good(text);
    char path[sizeof temp.path], *written = NULL;
    size_t length = 0;
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "out.csv"));
    CU_ASSERT_EQUAL(fz_trace_write(t, path, &err), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_input_slurp(path, 1 << 20, &written, &length, NULL, NULL), FZ_OK);
    CU_ASSERT_STRING_EQUAL(written, text);
    free(written);
    fz_trace_free(t);
}

static void more_causes_than_places(void)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    fz_trace_report report = {0};
    for (uint32_t i = 0; i < 50; i++)
        fz_trace_report_add(&report, &letters[i], 'n', i);
    fz_trace_report_add(&report, &letters[1], 'n', 99);
    fz_trace_report_add(&report, &letters[1], 'd', 99);
    CU_ASSERT_EQUAL(report.n_findings, FZ_MAX_FINDINGS);
    CU_ASSERT(report.findings[1].rows == 2 && report.findings[1].first_line == 1);
}

int main(void)
{
    static const fz_test tests[] = {
        {"all columns", all_columns},
        {"LLM jobs, tokens become steps", llm_jobs_and_tokens},
        {"bad files", bad_files},
        {"bad rows under each policy", bad_rows_under_each_policy},
        {"clamped values", clamped_values},
        {"noted and sorted", noted_and_sorted},
        {"written and read back", written_and_read_back},
        {"as text", as_text},
        {"more causes than places", more_causes_than_places},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("canonical", tests);
    fz_temp_close(&temp);
    return failed;
}
