/* Traces of studies (Muri, Chronus, ElasticFlow, Tiresias, NREL, Shockwave) on small files made by hand: units of
 * time, deadlines, bad rows with their places, and wrong clocks. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/imports.h"

static fz_temp temp;

static fz_imported read_text(const char *format, const char *text)
{
    fz_imported read = fz_imported_text(&temp, format, text, (fz_import_options){0});
    CU_ASSERT_EQUAL(read.report.rows_read, read.report.rows_kept + fz_imported_dropped(&read));
    fz_imported_comes_back(&temp, read.trace, false);
    return read;
}

#define MURI                                                                                                 \
    "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time,"          \
    "resource_time_0,resource_time_1,resource_time_2,priority\n"
#define CHRONUS                                                                                              \
    "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,expect_time_list,"              \
    "expect_value_list,best_effort,job_type\n"
#define ELASTICFLOW "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration\n"
#define TIRESIAS    "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\r\n"
#define NREL                                                                                                 \
    "job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req,submit_time," \
    "start_time,end_time,run_time,state,name,work_dir,submit_line\n"

static void muri(void)
{
    fz_imported r =
        read_text(NULL, MURI "a,4,1500,10,m,32,2500,9,250,1,2,0.5,1\nb,0,1600,10,m,32,1,9,1,1,1,1,0\n");
    CU_ASSERT_EQUAL(r.trace->submit[0], FZ_SECOND * 3 / 2);
    CU_ASSERT_EQUAL(r.trace->duration[0], FZ_SECOND * 5 / 2);
    CU_ASSERT_EQUAL(r.trace->global_batch[0], 128);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(r.trace, "priority", 0), "1");
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "no GPU asked for", 'd'), 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "muri", MURI "a,4,x,10,m,32,2500,9,250,1,2,0.5,1\n", 2, 5, "submit_time");
    fz_import_refused(&temp, "muri", MURI "a,4,1,10,m,32,-5,9,250,1,2,0.5,1\n", 2, 15, "duration");
}

static void chronus(void)
{
    fz_imported r = read_text(NULL, CHRONUS "a,u,1,30,5,m,10,1,20,7,0,strict\n"
                                            "b,u,2,20,5,m,10,1,15-30,7-3,0,soft\n"
                                            "c,u,1,40,5,m,50,1,40,1,1,best\n"
                                            "d,u,0,50,5,m,50,1,50,1,1,best\n"
                                            "e,u,1,60,5,m,10,1,15-30,7,0,soft\n");
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 4); /* b, a, c, e */
    CU_ASSERT(t->submit[0] == 1200 * FZ_SECOND && t->duration[0] == 600 * FZ_SECOND);
    CU_ASSERT_EQUAL(t->deadline[0], (20 + 15) * 60 * FZ_SECOND);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "value_curve", 0), "900:7;1800:3");
    CU_ASSERT_EQUAL(t->deadline[1], (30 + 20) * 60 * FZ_SECOND);
    CU_ASSERT_EQUAL(t->deadline[2], FZ_TIME_NONE); /* best effort */
    CU_ASSERT_EQUAL(t->deadline[3], FZ_TIME_NONE);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "lists of deadlines that cannot be read", 'n'), 1);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "a deadline below the run time", 'n'), 1);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "no GPU asked for", 'd'), 1);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "a submit time before that of an earlier row", 'c'), 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "chronus", CHRONUS "a,u,1,99999999999,5,m,10,1,20,7,0,strict\n", 2, 7,
                      "minutes");
}

static void elasticflow(void)
{
    fz_imported r = read_text(NULL, ELASTICFLOW "a,10,5,m,100,64,2,80\nb,20,5,m,100,64,2,81\n");
    CU_ASSERT_EQUAL(r.trace->deadline[0], 100 * FZ_SECOND);
    CU_ASSERT_EQUAL(r.trace->global_batch[0], 64);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "a deadline before the earliest end", 'n'), 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "elasticflow", ELASTICFLOW "a,10,5,m,never,64,2,80\n", 2, 10, "ddl");
}

static void tiresias(void)
{
    fz_imported r = read_text(NULL, TIRESIAS "a,2,7,5,m,9,1\r\na,2,8,5,m,9,1"); /* no newline at the end */
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(r.trace, 1), "a#2");
    CU_ASSERT_EQUAL(r.trace->submit[0], 7 * FZ_SECOND);
    fz_imported_free(&r);
    /* Seconds since 1970 are no relative clock. */
    r = read_text("tiresias", TIRESIAS "a,2,1600000000,5,m,9,1\r\nb,2,1600000060,5,m,9,1\r\n");
    CU_ASSERT(r.trace->submit[0] == 0 && r.trace->submit[1] == 60 * FZ_SECOND);
    CU_ASSERT_STRING_EQUAL(r.trace->epoch, "2020-09-13T12:26:40");
    fz_imported_free(&r);
    fz_import_refused(&temp, "tiresias", TIRESIAS "a,two,7,5,m,9,1\r\n", 2, 3, "num_gpu");
}

static void nrel_eagle(void)
{
    fz_imported r = read_text(
        NULL,
        NREL "1,u,acc,p,q,60.0,1,8,2,0.0,2019-01-01 08:00:00,2019-01-01 08:00:10,2019-01-01 08:01:20,70.0,"
             "TIMEOUT,n,w,s\n"
             "1,u,acc,p,q,60.0,1,8,0,0.0,2019-01-01 08:00:00,2019-01-01 08:00:10,2019-01-01 08:01:20,70.0,"
             "COMPLETED,n,w,s\n");
    CU_ASSERT_EQUAL(r.trace->n_jobs, 1);
    CU_ASSERT(r.trace->submit[0] == 0 && r.trace->start[0] == 10 * FZ_SECOND);
    CU_ASSERT_EQUAL(r.trace->duration[0], 70 * FZ_SECOND);
    CU_ASSERT_EQUAL(r.trace->state[0], FZ_TRACE_TIMEOUT);
    CU_ASSERT_STRING_EQUAL(r.trace->epoch, "2019-01-01T08:00:00");
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "ran longer than its limit", 'n'), 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "nrel_eagle",
                      NREL "1,u,acc,p,q,60.0,1,8,2,0.0,soon,2019-01-01 08:00:10,2019-01-01 08:01:20,70.0,"
                           "TIMEOUT,n,w,s\n",
                      2, 28, "submit_time");
}

static void shockwave(void)
{
    fz_imported r = read_text(NULL, "LM (batch size 10)\tc\tw\t-s\t1\t500\t4\tgns\t2\t-1.000000\t1418\t3\n"
                                    "LM (batch size 5)\tc\tw\t-s\t1\t500\t4\n");
    CU_ASSERT_EQUAL(r.trace->n_jobs, 1);
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(r.trace, 0), "1");
    CU_ASSERT(r.trace->submit[0] == 3 * FZ_SECOND && r.trace->duration[0] == 1418 * FZ_SECOND);
    CU_ASSERT_STRING_EQUAL(r.trace->texts[r.trace->model[0]], "LM (batch size 10)");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(r.trace, "batch_mode", 0), "gns");
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "another number of fields than 12", 'd'), 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "shockwave", "LM\tc\tw\t-s\t1\t500\t4\tgns\t2\t-1\tlong\t3\n", 1, 28,
                      "duration");
}

int main(void)
{
    static const fz_test tests[] = {
        {"Muri", muri},         {"Chronus", chronus}, {"ElasticFlow", elasticflow},
        {"Tiresias", tiresias}, {"NREL", nrel_eagle}, {"Shockwave", shockwave},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("study_formats", tests);
    fz_temp_close(&temp);
    return failed;
}
