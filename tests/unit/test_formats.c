/* Foreign formats on small files made by hand: probing, quirks, bad rows. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"
#include "workloads/formats/formats.h"

static fz_temp temp;
static fz_error err;
static fz_trace_report report;

static fz_status read_as(const char *format, const char *text, fz_bad_rows policy, fz_trace **out)
{
    err = (fz_error){0};
    const fz_trace_format *found = fz_trace_format_find(format);
    CU_ASSERT_PTR_NOT_NULL(found);
    if (found == NULL)
        return FZ_ENOTFOUND;
    return found->read(fz_temp_text(&temp, "t.txt", text), &(fz_import_options){.bad_rows = policy}, out,
                       &report, &err);
}

static fz_trace *good(const char *format, const char *text, fz_bad_rows policy)
{
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL(read_as(format, text, policy, &trace), FZ_OK);
    if (err.message[0] != '\0')
        (void)fprintf(stderr, "%u:%u: %s\n", err.line, err.column, err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return trace;
}

static void bad(const char *format, const char *text, uint32_t line, uint32_t column, const char *message)
{
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL(read_as(format, text, FZ_BAD_ROWS_FAIL, &trace), FZ_EPARSE);
    CU_ASSERT(err.line == line && err.column == column);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, message));
    if (err.line != line || err.column != column || strstr(err.message, message) == NULL)
        (void)fprintf(stderr, "got %u:%u: %s\n", err.line, err.column, err.message);
}

static uint64_t rows_of(const char *cause, char what)
{
    for (uint32_t i = 0; i < report.n_findings; i++)
        if (strcmp(report.findings[i].cause, cause) == 0 && report.findings[i].what == what)
            return report.findings[i].rows;
    return 0;
}

static const char *text_of(const fz_trace *trace, const char *extra, uint32_t job)
{
    for (uint32_t i = 0; i < trace->n_extras; i++)
        if (strcmp(trace->extras[i].name, extra) == 0)
            return trace->texts[trace->extras[i].values[job]];
    return "(no such column)";
}

#define PHILLY "timestamp,duration,num_gpus,gpu_time,cluster\n"
#define RUBICK                                                                                               \
    "name,submission_time,duration,application,num_gpus,num_cpus,bandwidth,exec_plan,steps,is_sla\n"
#define SWF_ROW "1 10 5 100 8 -1 -1 8 200 -1 1 3 -1 -1 2 -1 -1 -1\n"

static void probing(void)
{
    static const struct {
        const char *text, *format;
    } cases[] = {
        {"job_id,submit_s\na,0\n", "canonical"},
        {"submit_s,x\n0,0\n", "canonical"},
        {"# frenzy-trace: 1\nwhatever", "canonical"},
        {"# a comment\n\n\"job_id\",\"submit_s\"\n", "canonical"},
        {"\xef\xbb\xbf" PHILLY, "philly"},
        {"timestamp,duration,num_gpus,gpu_time,cluster\r\n", "philly"},
        {RUBICK, "rubick"},
        {SWF_ROW, "swf"},
        {"; Version: 2\n;\n   " SWF_ROW, "swf"},
        {"; only a comment\n", "swf"},
        {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", NULL},
        {"job_id\tx\ty\tz\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\n", NULL},
        {"job_id,presubmit_s\n", NULL},
        {"job_id,submit_string\n", NULL},
        {"\n\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const fz_trace_format *format = NULL;
        fz_status status = fz_trace_format_probe(fz_temp_text(&temp, "p", cases[i].text), &format, &err);
        CU_ASSERT_EQUAL(status, cases[i].format != NULL ? FZ_OK : FZ_EUNSUPPORTED);
        if (status == FZ_OK)
            CU_ASSERT_STRING_EQUAL(format->name, cases[i].format);
    }
    const fz_trace_format *format = NULL;
    CU_ASSERT_EQUAL(fz_trace_format_probe(fz_temp_text(&temp, "p", "a,b\n1,2\n"), &format, &err),
                    FZ_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "this file begins with 'a,b'"));
    CU_ASSERT_EQUAL(fz_trace_format_probe(fz_temp_text(&temp, "p", ""), &format, &err), FZ_EPARSE);
    CU_ASSERT_EQUAL(fz_trace_format_probe(fz_temp_write(&temp, "p", "\0\1\2", 3), &format, &err),
                    FZ_EUNSUPPORTED);
    CU_ASSERT_EQUAL(fz_trace_format_probe(fz_temp_path(&temp, "missing"), &format, &err), FZ_EIO);
    CU_ASSERT_EQUAL(fz_trace_format_probe("-", &format, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(format->name, "canonical");
    const char *packed = fz_temp_gzip(&temp, "p.gz", PHILLY, strlen(PHILLY));
    CU_ASSERT_EQUAL_FATAL(fz_trace_format_probe(packed, &format, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(format->name, "philly");
}

static void registry(void)
{
    uint32_t n = 0;
    const fz_trace_format *const *all = fz_trace_formats(&n);
    CU_ASSERT_EQUAL(n, 17);
    for (uint32_t i = 0; i < n; i++) {
        CU_ASSERT_PTR_EQUAL(fz_trace_format_find(all[i]->name), all[i]);
        CU_ASSERT(all[i]->summary[0] != '\0' && all[i]->probe != NULL && all[i]->read != NULL);
    }
    CU_ASSERT_PTR_NULL(fz_trace_format_find("no such format"));
}

static void philly_quirks(void)
{
    fz_trace *t = good("philly",
                       "\xef\xbb\xbf" PHILLY "2017-10-09 07:01:55,66.0,1,66.0,11cb48\r\n"
                       "2017-10-09 07:01:54.5,10,2,20,b\r\n2017-10-09 07:01:55,66.0,1,66.0,11cb48\r\n"
                       "2017-10-09 07:01:55,66.0,1,67.0,other\r\n"
                       "None,5,1,5,b\r\n,5,1,5,b\r\n2017-10-09 07:02:00,,1,,b\r\n"
                       "2017-10-09 07:02:00,0,0,0,b\r\n2017-10-09 07:02:00,0,3,0,b",
                       FZ_BAD_ROWS_DEFAULT);
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 5);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2017-10-09T07:01:54.500000");
    CU_ASSERT_STRING_EQUAL(t->source, "philly");
    CU_ASSERT(t->submit[0] == 0 && t->submit[1] == FZ_SECOND / 2 && t->submit[4] == 11 * FZ_SECOND / 2);
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 0), "3"); /* its line */
    CU_ASSERT(t->req_gpus[0] == 2 && t->duration[1] == 66 * FZ_SECOND);
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[1]], "11cb48");
    CU_ASSERT(rows_of("the same row as an earlier one", 'n') == 1);
    CU_ASSERT(rows_of("a gpu_time other than duration x num_gpus", 'n') == 1);
    CU_ASSERT(rows_of("no submit time", 'd') == 2);
    CU_ASSERT(rows_of("no work", 'd') == 1 && rows_of("no GPU asked for", 'd') == 1);
    CU_ASSERT(rows_of("a run time of 0", 'n') == 1);
    fz_trace_free(t);
    bad("philly", PHILLY "2017-13-09 07:01:55,66.0,1,66.0,a\n", 2, 1, "'2017-13-09 07:01:55' is no time");
    bad("philly", PHILLY "2017-10-09 07:01:55,x,1,66.0,a\n", 2, 21, "duration: 'x' is not a number");
    bad("philly", PHILLY, 1, 1, "there are no rows");
    bad("philly", "timestamp,duration\n", 1, 1, "there is no column 'num_gpus'");
}

static void rubick_quirks(void)
{
    fz_trace *t = good("rubick",
                       RUBICK "vit-0,0,3163.091667,vit,2,16,0,zero-dp,37239,0\r\n"
                              "l-1,1639,0.0425,llama30,48,384,1.25,344,64,1\r\n"
                              "l-1,1640,1,llama7,8,64,0,ga,1,0",
                       FZ_BAD_ROWS_DEFAULT);
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 3);
    CU_ASSERT(t->duration[0] == 3163091667 && t->duration[1] == 42500);
    CU_ASSERT(t->req_gpus[1] == 48 && t->req_cpus[1] == 384 && t->steps[0] == 37239);
    CU_ASSERT_STRING_EQUAL(t->texts[t->model[1]], "llama30");
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[1]], "1");
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 2), "l-1#2");
    CU_ASSERT_EQUAL(rows_of("a job_id that was there before", 'c'), 1);
    CU_ASSERT_STRING_EQUAL(text_of(t, "plan", 0), "");
    CU_ASSERT_STRING_EQUAL(text_of(t, "plan", 1), "d3t4p4");
    CU_ASSERT_STRING_EQUAL(text_of(t, "x_exec_plan", 1), "344");
    CU_ASSERT_STRING_EQUAL(text_of(t, "x_exec_plan", 2), "ga");
    CU_ASSERT_STRING_EQUAL(text_of(t, "x_bandwidth", 1), "1.25");
    CU_ASSERT_STRING_EQUAL(text_of(t, "run_gpu_type", 1), "A800");
    fz_trace_free(t);
    bad("rubick", RUBICK "a,0,1,vit,2,1,0,ga,1,0\na,0,1,vit,2,1,0,ga,1,0\n", 3, 1, "job_id 'a' was there");
}

static void swf_quirks(void)
{
    fz_trace *t = good("swf",
                       "; Version: 2.2\n; UnixStartTime: 1027839845\n; TimeZone: 3600\n"
                       "  1   10 5   100 8 12.5 2048 16 200 1024 1   3 4 5 2 6 -1 -1\n"
                       "2 12 -1 -1 8 -1 -1 8 200 -1 -1 3 -1 -1 2 -1 -1 -1\n"
                       "3 11 -0.0 1.5 8 -1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 1 60\n"
                       "4 20 0 300 8 -1 -1 8 200 -1 5 3 -1 -1 2 -1 -1 -1\n"
                       "5 30 0 1 -1 -1 -1 0 -1 -1 1 3 -1 -1 2 -1 -1 -1\n"
                       "6 30 0 1 4\n",
                       FZ_BAD_ROWS_DEFAULT);
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 3);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2002-07-28T08:04:05");
    CU_ASSERT_STRING_EQUAL(t->headers[2].value, "+01:00");
    CU_ASSERT(t->submit[0] == 10 * FZ_SECOND && t->start[0] == 15 * FZ_SECOND);
    CU_ASSERT(t->start[1] == 11 * FZ_SECOND && t->limit[0] == 200 * FZ_SECOND);
    CU_ASSERT(t->limit[1] == FZ_TIME_NONE && t->duration[1] == 1500000);
    CU_ASSERT(t->req_gpus[0] == 16 && t->req_gpus[1] == 8);
    CU_ASSERT_EQUAL(t->req_mem[0], 16 * FZ_MIB);
    CU_ASSERT(t->state[0] == FZ_TRACE_COMPLETED && t->state[1] == FZ_TRACE_FAILED &&
              t->state[2] == FZ_TRACE_CANCELLED);
    CU_ASSERT_STRING_EQUAL(t->texts[t->user[0]], "3");
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[0]], "2");
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[1]], "");
    CU_ASSERT_STRING_EQUAL(text_of(t, "run_gpus", 0), "8");
    CU_ASSERT_STRING_EQUAL(text_of(t, "x_used_memory_kb", 0), "2048");
    CU_ASSERT_STRING_EQUAL(text_of(t, "depends_on", 1), "1");
    CU_ASSERT_STRING_EQUAL(text_of(t, "depends_on", 0), "");
    CU_ASSERT_STRING_EQUAL(text_of(t, "think_s", 1), "60");
    CU_ASSERT_STRING_EQUAL(text_of(t, "x_partition", 0), "6");
    CU_ASSERT(rows_of("no work", 'd') == 1 && rows_of("no GPU asked for", 'd') == 1);
    CU_ASSERT(rows_of("fewer than 18 fields", 'd') == 1);
    CU_ASSERT(rows_of("ran longer than its limit", 'n') == 1);
    CU_ASSERT(rows_of("ran on another size than asked for", 'n') == 1);
    fz_trace_free(t);
    bad("swf", SWF_ROW "2 -7 5 100 8 -1 -1 8 200 -1 1 3 -1 -1 2 -1 -1 -1\n", 2, 3,
        "submit time (field 2): '-7' is negative");
    /* Found by a fuzzer: the row is left out before its memory is used. */
    static const char negative[] = "2 7 5 100 8 -1 -1 8 200 -18 1 3 -1 -1 2 -1 -1 -1\n";
    char rows[256];
    (void)snprintf(rows, sizeof rows, "%s%s", SWF_ROW, negative);
    bad("swf", rows, 2, 25, "requested memory (field 10): '-18' must not be negative");
    fz_trace_free(good("swf", rows, FZ_BAD_ROWS_DROP));
    CU_ASSERT_EQUAL(rows_of("a negative number", 'd'), 1);
    bad("swf", SWF_ROW "2 7 5\n", 2, 1, "this row has 3 fields; 18 are expected");
    bad("swf", "; nothing\n", 1, 1, "there are no rows");
}

/* 21 fields, and times that count from 1970. */
static void swf_variant(void)
{
    fz_trace *t = good("swf",
                       "0 1356996157 3 56011 64 1 1024 64 86400 68719476736 1 62 1 1 -1 1 1 1 {1,1} q_1d "
                       "1:ppn=64\n"
                       "1 1356996147 0 5 12 1 1024 12 9 -1 1 101 1 1 -1 1 1 1 {2} q_2w 1:ppn=12\n",
                       FZ_BAD_ROWS_DEFAULT);
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 2);
    CU_ASSERT(t->submit[0] == 0 && t->submit[1] == 10 * FZ_SECOND && t->start[1] == 13 * FZ_SECOND);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2012-12-31T23:22:27");
    CU_ASSERT_STRING_EQUAL(t->headers[2].value, "+00:00");
    CU_ASSERT_EQUAL(t->req_mem[1], 64 * FZ_GIB);
    CU_ASSERT_STRING_EQUAL(text_of(t, "x_node_list", 1), "{1,1}");
    CU_ASSERT_STRING_EQUAL(text_of(t, "x_queue_name", 0), "q_2w");
    fz_trace_free(t);
}

/* Expected numbers: date -u -d '...' +%s */
static void wall_times(void)
{
    static const struct {
        const char *text;
        int64_t seconds;
    } cases[] = {
        {"1970-01-01T00:00:00", 0},          {"2000-02-29T12:34:56", 951827696},
        {"2017-09-04T10:30:41", 1504521041}, {"2024-12-31T23:59:59", 1735689599},
        {"2100-03-01T00:00:00", 4107542400}, {"9999-12-31T23:59:59", 253402300799},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FZ_WALL_TIME_TEXT];
        fz_time t = 0;
        CU_ASSERT_TRUE(fz_wall_time_parse(cases[i].text, &t));
        CU_ASSERT_EQUAL(t, cases[i].seconds * FZ_SECOND);
        fz_wall_time_text(t, text);
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
    }
    static const char *const wrong[] = {"",
                                        "2017-10-09",
                                        "2017-10-09 07:01",
                                        "2017-02-29 00:00:00",
                                        "2017-04-31 00:00:00",
                                        "1969-12-31 23:59:59",
                                        "2017-10-09 24:00:00",
                                        "2017-10-09 07:01:55Z",
                                        "2017-10-09 07:01:55.",
                                        "2017-10-09x07:01:55",
                                        "2017-1a-09 07:01:55",
                                        "2017-10-09 07:01:55.5s"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fz_time t = 0;
        CU_ASSERT_FALSE(fz_wall_time_parse(wrong[i], &t));
    }
    for (int64_t day = 0; day < 2932896; day += 13) { /* to the year 9999 and back */
        char text[FZ_WALL_TIME_TEXT];
        fz_time t = day * 86400 * FZ_SECOND + 1, back = 0;
        fz_wall_time_text(t, text);
        CU_ASSERT_FATAL(fz_wall_time_parse(text, &back) && back == t);
    }
}

int main(void)
{
    static const fz_test tests[] = {
        {"probing", probing},       {"registry", registry}, {"Philly", philly_quirks},
        {"Rubick", rubick_quirks},  {"SWF", swf_quirks},    {"SWF with 21 fields", swf_variant},
        {"wall times", wall_times},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("formats", tests);
    fz_temp_close(&temp);
    return failed;
}
