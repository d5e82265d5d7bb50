/* Shares of GPUs and CPU jobs: what a trace says, what the engine gets, and that both come back from a file. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"

static fz_temp temp;
static fz_error err;
static fz_trace_report report;

/* By hand: thousandths of one worker, and whole GPUs that hold floor(1000 / thousandths) workers each. */
static void packing(void)
{
    static const struct {
        double gpus;
        uint32_t workers, milli, whole;
    } cases[] = {
        {0.25, 0, 250, 1}, {0.25, 1, 250, 1},    {12.5, 50, 250, 13}, {25, 50, 500, 25}, {2, 5, 400, 3},
        {3, 5, 600, 5},    {1.0 / 3, 1, 333, 1}, {2, 6, 333, 2},      {0.0001, 1, 1, 1}, {0.9999, 1, 999, 1},
        {1, 1, 0, 0},      {2.5, 1, 0, 0},       {7.5, 5, 0, 0},      {0, 1, 0, 0},      {4, 0, 0, 0},
        {0.05, 100, 1, 1}, {1, 1000, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_EQUAL(fz_share_milli(cases[i].gpus, cases[i].workers), cases[i].milli);
        CU_ASSERT_EQUAL(fz_share_gpus(cases[i].gpus, cases[i].workers), cases[i].whole);
    }
}

static uint64_t rows_of(const char *cause, char what)
{
    for (uint32_t i = 0; i < report.n_findings; i++)
        if (strcmp(report.findings[i].cause, cause) == 0 && report.findings[i].what == what)
            return report.findings[i].rows;
    return 0;
}

static fz_trace *read_text(const char *text, fz_import_options options)
{
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL_FATAL(
        fz_trace_read_with(fz_temp_text(&temp, "t.csv", text), &options, &trace, &report, &err), FZ_OK);
    return trace;
}

static const char sample[] =
    "# frenzy-trace: 1\njob_id,submit_s,duration_s,req_gpus,req_workers\n"
    "a,0,10,0.25,\nb,0,10,12.5,50\nc,0,10,25,50\nd,0,10,2,1\ne,0,10,0,\nf,0,10,0.1,1\n";

static void shares_are_kept(void)
{
    fz_trace *t = read_text(sample, (fz_import_options){0});
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 5);
    static const uint32_t whole[] = {1, 13, 25, 2, 1}, workers[] = {0, 50, 50, 1, 1};
    static const double exact[] = {0.25, 12.5, 25, 0, 0.1}, asked[] = {0.25, 12.5, 25, 2, 0.1};
    for (uint32_t job = 0; job < t->n_jobs; job++)
        CU_ASSERT(t->req_gpus[job] == whole[job] && t->req_gpus_exact[job] == exact[job] &&
                  t->req_workers[job] == workers[job] && fz_trace_gpus(t, job) == asked[job]);
    CU_ASSERT_PTR_NULL(t->cpu_only);
    CU_ASSERT_EQUAL(rows_of("shares of GPUs, placed as whole GPUs", 'n'), 4);
    CU_ASSERT_EQUAL(rows_of("no GPU asked for", 'd'), 1); /* although bad rows fail: it is no bad row */
    fz_trace_free(t);
}

static void they_come_back(void)
{
    char path[sizeof temp.path], text[512] = "";
    fz_trace *t = read_text(sample, (fz_import_options){.cpu_jobs = true});
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 6);
    CU_ASSERT(t->cpu_only != NULL && t->cpu_only[4] == 1 && t->cpu_only[0] == 0 && t->req_gpus[4] == 0);
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "again.csv"));
    CU_ASSERT_EQUAL_FATAL(fz_trace_write(t, path, &err), FZ_OK);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    CU_ASSERT_STRING_EQUAL(text, sample);
    fz_trace_free(t);
}

static void only_cpu_jobs(void)
{
    static const char text[] = "# frenzy-trace: 1\njob_id,submit_s,duration_s,req_gpus\na,0,10,0\n";
    char path[sizeof temp.path];
    fz_trace *t = read_text(text, (fz_import_options){.cpu_jobs = true}), *again = NULL;
    CU_ASSERT(t->n_jobs == 1 && t->req_gpus == NULL && t->cpu_only[0] == 1);
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "again.csv"));
    CU_ASSERT_EQUAL_FATAL(fz_trace_write(t, path, &err), FZ_OK);
    CU_ASSERT_EQUAL(fz_trace_read(path, FZ_BAD_ROWS_FAIL, &again, NULL, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "none of 1 rows can be used; the first has no GPU asked for");
    CU_ASSERT_EQUAL_FATAL(
        fz_trace_read_with(path, &(fz_import_options){.cpu_jobs = true}, &again, NULL, &err), FZ_OK);
    CU_ASSERT(again->n_jobs == 1 && again->cpu_only[0] == 1);
    fz_trace_free(t);
    fz_trace_free(again);
}

int main(void)
{
    static const fz_test tests[] = {
        {"packing shares into whole GPUs", packing},
        {"shares are kept, and the engine's whole GPUs follow", shares_are_kept},
        {"they come back from a file", they_come_back},
        {"a trace of CPU jobs only", only_cpu_jobs},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("shares", tests);
    fz_temp_close(&temp);
    return failed;
}
