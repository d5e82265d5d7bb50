/* The file of --jobs-csv, cell by cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/support/input.h"
#include "sim/cli/jobs_csv.h"
#include "tests/harness.h"
#include "tests/sample_run.h"
#include "tests/temp.h"

static fz_temp temp;

#define HEADER "job_id,submit_s,start_s,end_s,state,gpus,gpu_types,nodes,plan,attempts,wait_s,gpu_s\n"

/* By hand from tests/sample_run.h; wait = end - submit - run. */
static const char expected[] = HEADER "a,0,0.5,10.25,FINISHED,4,g0:2|g1:2,n-0:2|n-1:2,,1,0.5,39\n"
                                      "\"b,\"\"2\"\"\",1.5,1.5,100.000001,FINISHED,4,g1:4,n-1:4,d2t2p1z0,2,"
                                      "8.500001,360\n"
                                      "c,2,,,REJECTED,,,,,0,,\n"
                                      "d,10,12,13,OOM,2,g0:2,n-0:2,,1,2,2\n"
                                      "e,20,20,,RUNNING,2,g0:2,n-0:2,,1,,10\n"
                                      "f,30,,,WAITING,,,,,0,,\n";

static fz_status csv_write(const char *path, const sample_run *run, fz_error *err)
{
    return fz_jobs_csv_write(path, run->trace, run->cluster, &run->result, err);
}

static void expect_content(const char *path, const char *text)
{
    char *found = NULL;
    size_t length = 0;
    CU_ASSERT_EQUAL_FATAL(fz_input_slurp(path, 1 << 20, &found, &length, NULL, NULL), FZ_OK);
    CU_ASSERT_STRING_EQUAL(found, text);
    free(found);
}

static void every_cell(void)
{
    sample_run run = sample_run_new("cells");
    const char *path = fz_temp_path(&temp, "jobs.csv");
    fz_error err = {0};
    CU_ASSERT_EQUAL(csv_write(path, &run, &err), FZ_OK);
    expect_content(path, expected);
    CU_ASSERT_EQUAL(csv_write(path, &run, &err), FZ_OK); /* takes the place of the file that was there */
    expect_content(path, expected);
    sample_run_free(&run);
}

static void no_jobs(void)
{
    sample_run run = sample_run_large("none", 0);
    const char *path = fz_temp_path(&temp, "none.csv");
    CU_ASSERT_EQUAL(csv_write(path, &run, NULL), FZ_OK);
    expect_content(path, HEADER);
    sample_run_free(&run);
}

static void where_it_cannot_be_written(void)
{
    sample_run run = sample_run_new("nowhere");
    fz_error err = {0};
    CU_ASSERT_EQUAL(csv_write(fz_temp_path(&temp, "no/jobs.csv"), &run, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.file, "no/jobs.csv"));
    CU_ASSERT_EQUAL(csv_write(temp.folder, &run, &err), FZ_EIO);
    CU_ASSERT_EQUAL(access(fz_temp_path(&temp, "no"), F_OK), -1);
    sample_run_free(&run);
}

int main(void)
{
    static const fz_test tests[] = {
        {"every cell", every_cell},
        {"no jobs", no_jobs},
        {"where it cannot be written", where_it_cannot_be_written},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("jobs_csv", tests);
    fz_temp_close(&temp);
    return failed;
}
