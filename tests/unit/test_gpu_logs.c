/* Logs of GPU clusters (Philly's JSON, Helios, Acme, PAI, openb, Spot) on small files made by hand: every quirk, bad
 * rows with their places, and wrong clocks. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/imports.h"
#include "workloads/formats/formats.h"

static fz_temp temp;

static fz_imported read_text(const char *format, const char *text)
{
    fz_imported read = fz_imported_text(&temp, format, text, (fz_import_options){0});
    CU_ASSERT_EQUAL(read.report.rows_read, read.report.rows_kept + fz_imported_dropped(&read));
    fz_imported_comes_back(&temp, read.trace, false);
    return read;
}

#define DROPPED(cause) fz_imported_rows(&r, cause, 'd')
#define CHANGED(cause) fz_imported_rows(&r, cause, 'c')
#define NOTED(cause)   fz_imported_rows(&r, cause, 'n')

/* ---- wall clocks ------------------------------------------------------------------------------------- */

/* Expected numbers: date -u -d '...' +%s */
static void zones(void)
{
    static const struct {
        const char *text;
        int64_t seconds;
        int32_t offset_s;
    } good[] = {
        {"2023-03-01 00:18:22+08:00", 1677601102, 28800},  {"2023-03-01T00:18:22+0800", 1677601102, 28800},
        {"2023-02-28 16:18:22Z", 1677601102, 0},           {"2023-02-28 16:18:22+00:00", 1677601102, 0},
        {"2017-11-05 01:30:00-07:00", 1509870600, -25200}, {"2017-11-05 01:30:00-08", 1509874200, -28800},
        {"2024-02-29 12:00:00+05:45", 1709187300, 20700},
    };
    fz_time t = 0;
    bool zoned = false;
    int32_t offset = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CU_ASSERT_TRUE(fz_wall_time_parse_zone(good[i].text, &t, &zoned, &offset));
        CU_ASSERT(t == good[i].seconds * FZ_SECOND && zoned && offset == good[i].offset_s);
    }
    CU_ASSERT(fz_wall_time_parse_zone("2023-03-01 00:18:22.5", &t, &zoned, &offset) && !zoned);
    CU_ASSERT(fz_wall_time_parse_zone("2023-03-01 00:18:22.25+01:00", &t, &zoned, &offset));
    CU_ASSERT_EQUAL(t, INT64_C(1677626302) * FZ_SECOND + 250000);
    static const char *const bad[] = {"2023-03-01 00:18:22+8",     "2023-03-01 00:18:22+19:00",
                                      "2023-03-01 00:18:22+08:60", "2023-03-01 00:18:22 +08:00",
                                      "2023-03-01 00:18:22z",      "2023-03-01 00:18:22+08:00Z",
                                      "2023-03-01 00:18:22 CST",   "1677601102000",
                                      "2023-03-01 00:18:22+"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_FALSE(fz_wall_time_parse_zone(bad[i], &t, &zoned, &offset));
}

/* ---- Helios ------------------------------------------------------------------------------------------ */

#define HELIOS                                                                                               \
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"

static void helios(void)
{
    fz_imported r = read_text(
        "helios", HELIOS
        "7,ua,va,8,32,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:11,2020-06-09 18:42:51,100,10\n"
        "8,ub,va,0,4,1,COMPLETED,2020-06-09 18:41:02,2020-06-09 18:41:02,2020-06-09 18:41:03,1,0\n"
        "7,ua,vb,16,64.0,2,NODE_FAIL,2020-06-09 18:41:00,2020-06-09 18:41:01,2020-06-09 18:41:02,5,9\n"
        "9,ua,vb,1,1,1,SUSPENDED,2020-06-09 19:00:00,,,30,\n"
        "10,ua,vb,1,1,1,CANCELLED,2020-06-09 19:00:00,None,None,,\n"
        "11,ua,vb,1,x,many,TIMEOUT,2020-06-09 19:00:00,2020-06-09 18:59:59,2020-06-09 18:59:59,0,-1\n");
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 4);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2020-06-09T18:41:00");
    CU_ASSERT_STRING_EQUAL(t->headers[2].value, "+08:00");
    CU_ASSERT_STRING_EQUAL(t->source, "helios");
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 0), "7#2");
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 1), "7");
    CU_ASSERT(t->submit[1] == FZ_SECOND && t->start[1] == 11 * FZ_SECOND &&
              t->duration[1] == 100 * FZ_SECOND);
    CU_ASSERT(t->req_gpus[1] == 8 && t->req_cpus[1] == 32 && t->state[1] == FZ_TRACE_COMPLETED);
    CU_ASSERT(t->state[0] == FZ_TRACE_NODE_FAIL && t->duration[0] == FZ_SECOND); /* end - start, not 5 */
    CU_ASSERT(t->state[2] == FZ_TRACE_UNKNOWN && t->duration[2] == 30 * FZ_SECOND);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "x_state", 2), "SUSPENDED");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "run_nodes", 0), "2");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "run_nodes", 3), "");
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[2]], "vb");
    CU_ASSERT_STRING_EQUAL(t->texts[t->user[2]], "ua");
    CU_ASSERT(DROPPED("no GPU asked for") == 1 && DROPPED("no work") == 1 && r.report.rows_kept == 4);
    CU_ASSERT(NOTED("a duration other than end - start") == 1 &&
              NOTED("a queue time other than start - submit") == 1);
    CU_ASSERT(NOTED("a state that frenzy has no word for") == 1 && NOTED("a run time of 0") == 1);
    CU_ASSERT(NOTED("a start before the submit time") == 1 && NOTED("a number of CPUs that is none") == 1);
    CU_ASSERT(NOTED("a whole number that is none") == 1 &&
              NOTED("a queue time that is no number of seconds") == 1);
    CU_ASSERT(CHANGED("a job_id that was there before") == 1);
    fz_imported_free(&r);
}

/* Summer time, zones, milliseconds, the far future. */
static void helios_clocks(void)
{
    fz_imported r = read_text(
        "helios", HELIOS "a,u,v,1,1,1,COMPLETED,2020-06-09 18:00:00,2020-06-09 18:00:00,2020-06-09 "
                         "18:00:10,10,0\n"
                         "b,u,v,1,1,1,COMPLETED,2020-10-25 01:00:00,2020-10-25 01:30:00,2020-10-25 "
                         "01:10:00,10,0\n" /* set back */
                         "c,u,v,1,1,1,COMPLETED,2020-06-09 18:00:00+08:00,2020-06-09 18:00:00,2020-06-09 "
                         "18:00:10,10,0\n"
                         "d,u,v,1,1,1,COMPLETED,1591696800000,2020-06-09 18:00:00,2020-06-09 18:00:10,10,0\n"
                         "e,u,v,1,1,1,COMPLETED,2020-06-09 18:00:01.250,2020-06-09 18:00:02,2020-06-09 "
                         "18:00:03,1,0\n"
                         "f,u,v,1,1,1,COMPLETED,2020-06-09 18:00:02,2020-06-09 18:00:02,9999-12-31 "
                         "23:59:59,1,0\n"
                         "g,u,v,1,1,1,COMPLETED,2099-06-09 18:00:02,2099-06-09 18:00:02,2099-06-09 "
                         "18:00:03,1,0\n"
                         "h,u,v,1,1,1,COMPLETED,2020-06-31 18:00:02,2020-06-09 18:00:02,2020-06-09 "
                         "18:00:02,1,0\n");
    CU_ASSERT_EQUAL_FATAL(r.trace->n_jobs, 4);
    CU_ASSERT(r.trace->submit[1] == 1250000 && r.trace->submit[3] == INT64_C(2492985602) * FZ_SECOND);
    CU_ASSERT(DROPPED("an end before the start") == 1 && DROPPED("a time that is none") == 2);
    CU_ASSERT(DROPPED("a time with a zone among times without") == 1);
    CU_ASSERT(NOTED("a run time of more than ten years") == 1);
    CU_ASSERT(NOTED("a submit time more than ten years after all earlier rows") == 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "helios", HELIOS "a,u,v,1,1,1,X,1591696800000,,,10,0\n", 2, 15,
                      "submit_time: '1591696800000' is no time; such as 2017-10-09 07:01:55 is expected");
    fz_import_refused(&temp, "helios",
                      HELIOS "a,u,v,1,1,1,X,2020-10-25 01:00:00,2020-10-25 01:30:00,2020-10-25 01:10:00,,\n",
                      2, 1, "this job ends 1200 s before it starts");
}

static void helios_refused(void)
{
    fz_import_refused(&temp, "helios", HELIOS, 1, 1, "there are no rows");
    fz_import_refused(&temp, "helios", "job_id,user,vc\n", 1, 1, "there is no column 'gpu_num'");
    fz_import_refused(&temp, "helios", HELIOS "a,u,v,many,1,1,X,2020-10-25 01:00:00,,,10,\n", 2, 7,
                      "gpu_num: 'many' is not a number");
    fz_import_refused(&temp, "helios", HELIOS "a,u,v,1,1,1,X,,,,10,\n", 2, 1, "this job has no submit time");
    fz_import_refused(&temp, "helios", HELIOS "a,u,v,1,1\n", 2, 1, "12");
}

/* ---- Acme -------------------------------------------------------------------------------------------- */

#define SEREN                                                                                                \
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_"    \
    "time\n"
#define KALOS                                                                                                \
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_"   \
    "time,"                                                                                                  \
    "end_time,fail_time,stop_time,duration,queue,gpu_time\n"

static void acme_kalos(void)
{
    fz_imported r = read_text(
        "acme",
        KALOS "a,u1,8,64,960,1000,100.0,Pretrain,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,"
              "2023-05-17 11:01:16+00:00,2023-05-17 11:01:16+00:00,,18,10.0,1152.0\n"
              "b,u1,1,1,8,50,,Eval,RUNNING,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,"
              "2023-05-17 11:01:16+00:00,,,8,10.0,8.0\n"
              "c,u1,1,1,8,50,,Agent,CANCELLED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,"
              "2023-05-17 11:01:16+00:00,2023-05-17 11:01:15+00:00,2023-05-17 11:01:16+00:00,9,10.0,8.0\n"
              "d,u1,1,0,8,50,,Other,COMPLETED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,"
              "2023-05-17 11:01:16+00:00,,,18,10.0,0\n");
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 3);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2023-05-17T11:00:58");
    CU_ASSERT_STRING_EQUAL(t->headers[2].value, "+00:00");
    CU_ASSERT(t->duration[0] == 8 * FZ_SECOND && t->duration[1] == 8 * FZ_SECOND &&
              t->start[0] == 10 * FZ_SECOND);
    CU_ASSERT(t->req_mem[0] == 8 * 1000 * FZ_GB && t->req_mem[1] == 50 * FZ_GB && t->req_cpus[0] == 960);
    CU_ASSERT(t->state[0] == FZ_TRACE_FAILED && t->state[1] == FZ_TRACE_RUNNING);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "job_class", 0), "train");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "job_class", 1), "eval");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "job_class", 2), "other");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "x_type", 2), "Agent");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "x_shared_mem_per_pod", 0), "100.0");
    CU_ASSERT(NOTED("a duration that counts the queue: end - start is taken") == 1);
    CU_ASSERT(NOTED("a duration other than end - start") == 1 &&
              NOTED("both a fail_time and a stop_time") == 1);
    CU_ASSERT(NOTED("a fail_time or stop_time other than end_time") == 1 && NOTED(FZ_CAUSE_CUT) == 1);
    CU_ASSERT(DROPPED("no GPU asked for") == 1);
    fz_imported_free(&r);
}

/* Offsets that change from row to row, as where summer time ends, are no gap and no overlap. */
static void acme_clocks(void)
{
    fz_imported r = read_text(
        "acme", SEREN
        "a,u,1,8,128,SFT,COMPLETED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 "
        "00:20:51+08:00,117,32,936.0\n"
        "b,u,1,8,128,MLLM,COMPLETED,2023-11-05 01:30:00-07:00,2023-11-05 01:30:00-07:00,2023-11-05 "
        "01:10:00-08:00,2400,0,0\n"
        "c,u,1,8,128,Debug,FAILED,2023-03-01 00:18:22,2023-03-01 00:18:54,2023-03-01 00:20:51,117,32,0\n"
        "d,u,1,8,128,Other,FAILED,1677601102000,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00,1,3,0\n"
        "e,u,1,8,128,Other,FAILED,2123-03-01 00:18:22Z,2123-03-01 00:18:22Z,2123-03-01 00:18:23Z,1,0,0\n");
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 3);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2023-03-01T00:18:22");
    CU_ASSERT_STRING_EQUAL(t->headers[2].value, "+08:00");
    CU_ASSERT(t->duration[1] == 2400 * FZ_SECOND);
    CU_ASSERT_EQUAL(t->submit[1], (INT64_C(1699173000) - 1677601102) * FZ_SECOND); /* date -u -d ... +%s */
    CU_ASSERT(DROPPED("a time without a zone among times with one") == 1 &&
              DROPPED("a time that is none") == 1);
    CU_ASSERT(NOTED("a submit time more than ten years after all earlier rows") == 1);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "job_class", 0), "train");
    fz_imported_free(&r);
    fz_import_refused(&temp, "acme",
                      SEREN "a,u,1,8,128,SFT,X,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54,,,,\n", 2, 45,
                      "start_time: '2023-03-01 00:18:54' has no zone, the times before have one");
    fz_import_refused(&temp, "acme", SEREN "a,u,1,-8,128,SFT,X,2023-03-01 00:18:22+08:00,,,,,\n", 2, 7,
                      "gpu_num: '-8' must not be negative");
    fz_import_refused(&temp, "acme", "job_id,user,node_num,gpu_num\n", 1, 1, "there is no column 'type'");
}

/* ---- PAI --------------------------------------------------------------------------------------------- */

#define PAI                                                                                                  \
    "job_id,user,num_gpu,num_cpu,num_pod,duration,job_name,submit_time,group,gpu_type,wait_time,user_dur,"   \
    "group_dur,group_gpu_dur\n"

static void pai(void)
{
    fz_imported r = read_text("pai2020", PAI "0,ua,0.0,2.0,1.0,34,n0,0,g0,CPU,3,386.0,6793.5,34.0\n"
                                             "1,ua,25.0,200.0,50.0,15,n1,3,g1,MISC,2,386.0,70.5,15.0\n"
                                             "3,ub,0.25,6.0,1.0,20,n2,5,g2,T4,,1.0,,1.0\n"
                                             "4,ub,7.5,6.0,5.0,20,n2,5,g2,V100,7,1.0,1.0,1.0\n"
                                             "5,ub,8.0,6.0,2.0,0,n2,6,g2,V100M32,7,1.0,nan,1.0\n"
                                             "6,ub,1,6.0,1,5,n2,4,g2,CPU,x,1.0,-1,1.0\n");
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 4);
    CU_ASSERT(t->submit[0] == 3 * FZ_SECOND && t->start[0] == 5 * FZ_SECOND && t->epoch[0] == '\0');
    CU_ASSERT(t->req_gpus[0] == 25 && t->req_gpus_exact[0] == 25 && t->req_workers[0] == 50 &&
              t->req_cpus[0] == 200);
    CU_ASSERT(t->estimate[0] == 70500000 && t->estimate[1] == FZ_TIME_NONE);
    CU_ASSERT(t->req_gpus[2] == 1 && t->req_gpus_exact[2] == 0.25 && t->start[2] == FZ_TIME_NONE);
    CU_ASSERT(t->req_gpus[3] == 8 && t->req_gpus_exact[3] == 0 && t->req_workers[3] == 2);
    CU_ASSERT_STRING_EQUAL(t->texts[t->req_types[0]], "MISC");
    CU_ASSERT_STRING_EQUAL(t->texts[t->req_types[1]], "");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "x_group", 2), "g2");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "name", 0), "n1");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "run_gpu_type", 2), "T4");
    CU_ASSERT(DROPPED("no GPU asked for") == 1 && DROPPED("a fraction of a GPU") == 1);
    CU_ASSERT(NOTED("shares of GPUs, placed as whole GPUs") == 2 && NOTED("a run time of 0") == 1);
    CU_ASSERT(NOTED("a group_dur that is no number of seconds") == 1);
    CU_ASSERT(NOTED("a wait_time that is no number of seconds") == 1);
    fz_imported_free(&r);
    r = fz_imported_text(&temp, "pai2020", PAI "0,ua,0.0,2.0,1.0,34,n0,0,g0,CPU,3,386.0,6793.5,34.0\n",
                         (fz_import_options){.cpu_jobs = true});
    CU_ASSERT(r.trace->cpu_only[0] == 1 && r.trace->req_types == NULL && r.trace->req_cpus[0] == 2);
    fz_imported_comes_back(&temp, r.trace, true);
    fz_imported_free(&r);
}

/* A clock that counts from 1970 is set to 0 at the first job; milliseconds since then are no seconds. */
static void pai_clocks(void)
{
    fz_imported r =
        read_text("pai2020", PAI "1,u,1,1,1,15,n,1588000010,g,T4,2,,,\n2,u,1,1,1,15,n,1588000000,g,T4,2,,,\n"
                                 "3,u,1,1,1,15,n,1588000000000,g,T4,2,,,\n4,u,1,1,1,15,n,-5,g,T4,2,,,\n"
                                 "5,u,1,1,1,15,n,3e9,g,T4,2,,,\n6,u,1,1,1,4e8,n,1588000001,g,T4,2,,,\n");
    CU_ASSERT_EQUAL_FATAL(r.trace->n_jobs, 4);
    CU_ASSERT_STRING_EQUAL(r.trace->epoch, "2020-04-27T15:06:40"); /* date -u -d @1588000000 */
    CU_ASSERT(r.trace->submit[0] == 0 && r.trace->submit[2] == 10 * FZ_SECOND &&
              r.trace->start[0] == 2 * FZ_SECOND);
    CU_ASSERT(DROPPED("an absurd size") == 1 && DROPPED("a negative time") == 1);
    CU_ASSERT(NOTED("a submit time more than ten years after all earlier rows") == 1);
    CU_ASSERT(NOTED("a run time of more than ten years") == 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "pai2020", PAI "3,u,1,1,1,15,n,1588000000000,g,T4,2,,,\n", 2, 16,
                      "submit_time: '1588000000000' is too large");
    fz_import_refused(&temp, "pai2020", PAI "3,u,1,1,1.5,15,n,15,g,T4,2,,,\n", 2, 9, "num_pod: '1.5'");
    fz_import_refused(&temp, "pai2020", PAI "3,u,7.5,1,5,15,n,15,g,T4,2,,,\n", 2, 5,
                      "7.5 GPUs: a worker takes whole GPUs, or less than one");
    fz_import_refused(&temp, "pai2020", PAI "3,u,1,1,5,2020-01-01 00:00:00,n,15,g,T4,2,,,\n", 2, 11,
                      "duration: '2020-01-01 00:00:00' is not a number");
}

/* ---- openb ------------------------------------------------------------------------------------------- */

#define OPENB                                                                                                \
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"        \
    "scheduled_time\n"

static const char pods[] = OPENB "p0,12000,16384,1,1000,,LS,Running,0,50,10\n"
                                 "p1,6000,12288,1,460,V100M16|V100M32,BE,Running,5,100,7\n"
                                 "p2,500,0,8,1000,G2,LS,Failed,6,90,8\n"
                                 "p3,500,100,1,1000,,BE,Pending,7,7,\n"
                                 "p4,500,100,0,0,,BE,Pending,8,,\n"
                                 "p5,500,100,0,0,,BE,Running,8,100,9\n"
                                 "p6,500,100,1,0,,BE,Running,8,100,9\n"
                                 "p7,500,100,3,100,,Burstable,Succeeded,9,99,9\n"
                                 "p8,500,100,1,1000,,BE,Running,9,100,11\n";

static void openb(void)
{
    fz_imported r = read_text("openb", pods);
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 5);
    CU_ASSERT(t->submit[0] == 0 && t->start[0] == 10 * FZ_SECOND && t->duration[0] == 40 * FZ_SECOND);
    CU_ASSERT(t->req_cpus[0] == 12 && t->req_mem[0] == 16 * FZ_GIB && t->req_cpus[2] == 0.5);
    CU_ASSERT(t->req_gpus_exact[1] == 0.46 && t->req_gpus[1] == 1 && t->req_gpus[2] == 8);
    CU_ASSERT(t->req_gpus_exact[3] == 0.3 && t->req_workers[3] == 3 && t->req_gpus[3] == 1);
    CU_ASSERT_STRING_EQUAL(t->texts[t->req_types[1]], "V100M16|V100M32");
    CU_ASSERT(t->state[0] == FZ_TRACE_UNKNOWN && t->state[1] == FZ_TRACE_RUNNING &&
              t->state[2] == FZ_TRACE_FAILED);
    CU_ASSERT(t->state[3] == FZ_TRACE_COMPLETED && t->state[4] == FZ_TRACE_RUNNING);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "x_pod_phase", 0), "Running");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "x_qos", 3), "Burstable");
    CU_ASSERT(DROPPED("no GPU asked for") == 2 && DROPPED("never scheduled") == 1 &&
              DROPPED("a share of 0") == 1);
    CU_ASSERT(NOTED(FZ_CAUSE_CUT) == 2 && NOTED("shares of GPUs, placed as whole GPUs") == 2);
    fz_imported_free(&r);
    r = fz_imported_text(&temp, "openb", pods, (fz_import_options){.cpu_jobs = true});
    CU_ASSERT(r.trace->n_jobs == 6 && fz_imported_rows(&r, "never scheduled", 'd') == 2);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, FZ_CAUSE_CUT, 'n'), 3);
    fz_imported_comes_back(&temp, r.trace, true);
    fz_imported_free(&r);
}

static void openb_clocks(void)
{
    fz_imported r =
        read_text("openb", OPENB "a,1,1,1,1000,,LS,Failed,100,300,200\n" /* seconds */
                                 "b,1,1,1,1000,,LS,Failed,100,150,200\n" /* ends before it starts */
                                 "c,1,1,1,1000,,LS,Failed,300,450,200\n" /* starts before it is there */
                                 "d,1,1,1,1000,,LS,Failed,1e12,1e12,1e12\n"
                                 "e,1,1,1,1000,,LS,Failed,100,5e8,200\n"
                                 "f,1,1,1,1000,,LS,Failed,-1,5,2\n");
    CU_ASSERT_EQUAL_FATAL(r.trace->n_jobs, 3);
    CU_ASSERT(DROPPED("an end before the start") == 1 && DROPPED("an absurd size") == 1);
    CU_ASSERT(DROPPED("a negative time") == 1 && NOTED("a start before the submit time") == 1);
    CU_ASSERT(NOTED("a run time of more than ten years") == 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "openb", OPENB "a,1,1,1,1001,,LS,Failed,100,300,200\n", 2, 9,
                      "gpu_milli: '1001' is too large");
    fz_import_refused(&temp, "openb", OPENB "a,1,1,1,1000,,LS,Failed,2020-01-01 00:00:00,300,200\n", 2, 25,
                      "creation_time: '2020-01-01 00:00:00' is not a number");
    fz_import_refused(&temp, "openb", OPENB "a,1,1,1,1000,,LS,Pending,100,,\n", 2, 1, "never scheduled");
}

/* A list without times is refused, or gets times that depend on the seed only. */
static void openb_without_times(void)
{
    static const char list[] =
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,1000\nb,1,1,0,0\nc,1,1,1,500\n";
    const char *path = fz_temp_text(&temp, "list.csv", list);
    fz_imported r = fz_imported_read("openb", path, (fz_import_options){0});
    CU_ASSERT(r.status == FZ_EUNSUPPORTED && r.err.line == 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.message, "this list has no times"));
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.message, "--submit poisson:RATE"));
    fz_import_options options = {.submits_per_h = 3600, .seed = 7};
    r = fz_imported_read("openb", path, options);
    CU_ASSERT_EQUAL_FATAL(r.status, FZ_OK);
    CU_ASSERT(r.trace->n_jobs == 2 && r.trace->submit[0] > 0 && r.trace->submit[1] > r.trace->submit[0]);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "a submit time and a run time drawn, since the list has none", 'c'),
                    2);
    fz_imported_comes_back(&temp, r.trace, false);
    fz_imported same = fz_imported_read("openb", fz_temp_text(&temp, "list.csv", list), options);
    CU_ASSERT(same.trace->submit[1] == r.trace->submit[1] && same.trace->duration[1] == r.trace->duration[1]);
    options.seed = 8;
    fz_imported other = fz_imported_read("openb", fz_temp_text(&temp, "list.csv", list), options);
    CU_ASSERT(other.trace->submit[1] != r.trace->submit[1] &&
              other.trace->duration[1] != r.trace->duration[1]);
    fz_imported timed = fz_imported_read("openb", fz_temp_text(&temp, "timed.csv", pods), options);
    CU_ASSERT_EQUAL(timed.status, FZ_EUSAGE);
    fz_imported_free(&r);
    fz_imported_free(&same);
    fz_imported_free(&other);
}

/* Poisson arrivals of 3,600 an hour: 20,000 gaps of mean 1 s and coefficient of variation 1, within five standard
 * errors; half the rate, twice the times. */
static void poisson(void)
{
    enum { N = 20000 };
    double seconds = 0, before = 0, sum = 0, squares = 0, slow = 0;
    for (uint32_t row = 1; row <= N; row++) {
        fz_time t = fz_import_poisson(&(fz_import_options){.submits_per_h = 3600, .seed = 3}, row, &seconds);
        CU_ASSERT_FATAL(t >= 0 && seconds > before);
        sum += seconds - before;
        squares += (seconds - before) * (seconds - before);
        before = seconds;
        (void)fz_import_poisson(&(fz_import_options){.submits_per_h = 1800, .seed = 3}, row, &slow);
    }
    CU_ASSERT(sum / N > 1 - 0.036 && sum / N < 1 + 0.036);
    CU_ASSERT(squares / N > 2 - 0.16 && squares / N < 2 + 0.16);
    CU_ASSERT(slow > 1.999999 * seconds && slow < 2.000001 * seconds);
}

/* ---- Spot -------------------------------------------------------------------------------------------- */

#define SPOT                                                                                                 \
    "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\n"

static void spot(void)
{
    fz_imported r = read_text("spot2026", SPOT
                              "1,13,A10,20,1,1,0,2764799,HP\n2,57,A100-SXM4-80GB,15,8,94,10,71718,Spot\n"
                              "3,57,A10,1.5,0.5,3,5,7,Spot\n4,57,A10,4,0,2,5,7,Spot\n"
                              "5,57,A10,4,1,0,5,7,Spot\n6,57,A10,4,1.5,2,5,7,HP\n7,,A10,4,1,1,6,0,Best\n");
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 4);
    CU_ASSERT(t->req_gpus[3] == 752 && t->req_workers[3] == 94 && t->req_cpus[3] == 1410);
    CU_ASSERT(t->req_gpus_exact[1] == 1.5 && t->req_gpus[1] == 2 && t->req_workers[1] == 3 &&
              t->req_cpus[1] == 4.5);
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[3]], "57");
    CU_ASSERT_STRING_EQUAL(t->texts[t->req_types[3]], "A100-SXM4-80GB");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "priority", 0), "1");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "preemptible", 0), "0");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "priority", 3), "0");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "preemptible", 3), "1");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "preemptible", 2), "");
    CU_ASSERT(DROPPED("no GPU asked for") == 1 && DROPPED("no worker") == 1 &&
              DROPPED("a fraction of a GPU") == 1);
    CU_ASSERT(NOTED("a job_type that is neither HP nor Spot") == 1 && NOTED("a run time of 0") == 1);
    CU_ASSERT(NOTED("submitted when the log began: it may have run before") == 1);
    fz_imported_free(&r);
    fz_import_refused(&temp, "spot2026", SPOT "1,13,A10,20,1,1,0,-1,HP\n", 2, 19,
                      "duration: '-1' is negative");
    fz_import_refused(&temp, "spot2026", SPOT "1,13,A10,20,900,90000,0,1,HP\n", 2, 13,
                      "90000 workers of 900 GPUs");
    fz_import_refused(&temp, "spot2026", SPOT "1,13,A10,20,1,1,1767225600000,1,HP\n", 2, 17,
                      "submit_time: '1767225600000' is too large");
    fz_import_refused(&temp, "spot2026", SPOT "1,13,A10,20,1,1,2026-01-01T00:00:00,1,HP\n", 2, 17,
                      "is not a number");
    r = read_text("spot2026", SPOT "1,13,A10,20,1,1,1767225601,5,HP\n2,13,A10,20,1,1,4000000000,5,HP\n");
    CU_ASSERT_STRING_EQUAL(r.trace->epoch, "2026-01-01T00:00:01");
    CU_ASSERT(NOTED("a submit time more than ten years after all earlier rows") == 1);
    fz_imported_free(&r);
}

/* ---- Philly's job log -------------------------------------------------------------------------------- */

#define JOB(id, status, submitted, attempts)                                                                 \
    "{\"status\": \"" status "\", \"vc\": \"v1\", \"jobid\": \"" id "\", \"attempts\": [" attempts           \
    "], \"submitted_time\": " submitted ", \"user\": \"u1\"}"
#define TRY(start, end, gpus)                                                                                \
    "{\"start_time\": " start ", \"end_time\": " end ", \"detail\": [{\"ip\": \"m1\", \"gpus\": [" gpus "]}" \
    "]}"
#define AT(time) "\"2017-10-09 " time "\""

static void philly_json(void)
{
    fz_imported r = read_text(
        "philly",
        "\xef\xbb\xbf[\n" JOB("a", "Pass", AT("01:00:00"),
                              TRY(AT("01:00:10"), AT("01:01:00"), "\"gpu0\",\"gpu1\"") ",\n" TRY(
                                  AT("02:00:00"), AT("02:00:05"), "\"gpu0\",\"gpu1\"")) ",\n" /* 50 + 5 s */
        JOB("b", "Killed", AT("00:59:00"), "") ",\n" /* never started */
        JOB("c", "Failed", AT("01:00:00"),
            TRY(AT("01:00:00"), "\"None\"", "\"gpu0\"") "," TRY(
                AT("01:02:00"), AT("01:02:30"),
                "\"gpu0\"")) ",\n" JOB("d", "Pass", AT("01:00:01"),
                                       TRY(AT("01:00:00"), AT("01:00:20"),
                                           "\"gpu0\"") "," TRY(AT("01:02:00"), "null",
                                                               "\"gpu0\",\"gpu2\"")) ",\n" /* still running */
        JOB("e", "Pass", AT("01:00:00"), TRY(AT("01:00:00"), AT("01:00:20"), "")) ",\n"    /* no GPU */
        JOB("f", "Pass", "null", TRY(AT("01:00:00"), AT("01:00:20"), "\"gpu0\"")) ",\n" JOB(
            "g", "Pass", AT("01:00:00"),
            TRY(AT("01:00:00"), "\"\"", "\"gpu0\"")) ",\n" /* running, nothing done */
        JOB("a", "Odd", AT("01:00:02"),
            TRY(AT("01:00:00"), AT("00:00:20"), "\"gpu0\"") "," TRY(AT("01:02:00"), AT("01:02:01"),
                                                                    "\"gpu0\"")) "\n]\n");
    const fz_trace *t = r.trace;
    CU_ASSERT_EQUAL_FATAL(t->n_jobs, 4);
    CU_ASSERT_STRING_EQUAL(t->epoch, "2017-10-09T01:00:00");
    CU_ASSERT_STRING_EQUAL(t->source, "philly");
    CU_ASSERT(t->req_gpus[0] == 2 && t->duration[0] == 55 * FZ_SECOND && t->state[0] == FZ_TRACE_COMPLETED);
    CU_ASSERT(t->start[0] == 10 * FZ_SECOND && t->end[0] == 3605 * FZ_SECOND);
    CU_ASSERT(t->duration[1] == 30 * FZ_SECOND && t->state[1] == FZ_TRACE_FAILED && t->start[1] == 0);
    CU_ASSERT(t->duration[2] == 20 * FZ_SECOND && t->state[2] == FZ_TRACE_RUNNING &&
              t->end[2] == FZ_TIME_NONE);
    CU_ASSERT(t->duration[3] == FZ_SECOND && t->state[3] == FZ_TRACE_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(t, 3), "a#2");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "attempts", 0), "2");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "run_nodes", 0), "1");
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(t, "x_state", 3), "Odd");
    CU_ASSERT_STRING_EQUAL(t->texts[t->vc[0]], "v1");
    CU_ASSERT_STRING_EQUAL(t->texts[t->user[0]], "u1");
    CU_ASSERT(DROPPED("never started") == 1 && DROPPED("no GPU asked for") == 1 &&
              DROPPED("no submit time") == 1);
    CU_ASSERT(DROPPED("no work") == 1 && NOTED(FZ_CAUSE_CUT) == 1);
    CU_ASSERT(NOTED("an attempt without a start or an end, not counted") == 1);
    CU_ASSERT(NOTED("an attempt that ends before it starts, not counted") == 1);
    CU_ASSERT(NOTED("attempts on different numbers of GPUs: the first counts") == 1);
    CU_ASSERT(NOTED("a start before the submit time") == 2 && CHANGED("a job_id that was there before") == 1);
    CU_ASSERT_EQUAL(strlen(t->sha256), 64);
    fz_imported_free(&r);
}

static void philly_json_clocks(void)
{
    fz_imported r = read_text(
        "philly",
        "[" JOB("a", "Pass", AT("01:00:00"), TRY(AT("01:00:00"), AT("01:00:20"), "\"gpu0\"")) "," JOB(
            "b", "Pass", "1507510800000",
            TRY(AT("01:00:00"), AT("01:00:20"),
                "\"gpu0\"")) "," JOB("c", "Pass", AT("01:00:00-07:00"),
                                     TRY(AT("01:00:00"), AT("01:00:20"),
                                         "\"gpu0\"")) "," JOB("d", "Pass", AT("01:00:00.5"),
                                                              TRY(AT("01:00:01"), "\"9999-10-09 01:00:01\"",
                                                                  "\"gpu0\"")) "," JOB("e", "Pass",
                                                                                       "\"2117-10-09 "
                                                                                       "01:00:00\"",
                                                                                       TRY("\"2117-10-09 "
                                                                                           "01:00:00\"",
                                                                                           "\"2117-10-09 "
                                                                                           "01:00:09\"",
                                                                                           "\"g\"")) "]");
    CU_ASSERT_EQUAL_FATAL(r.trace->n_jobs, 3);
    CU_ASSERT_EQUAL(r.trace->submit[1], FZ_SECOND / 2);
    CU_ASSERT(DROPPED("a time that is none") == 1 && DROPPED("a time with a zone among times without") == 1);
    CU_ASSERT(NOTED("a run time of more than ten years") == 1);
    CU_ASSERT(NOTED("a submit time more than ten years after all earlier rows") == 1);
    fz_imported_free(&r);
}

static void philly_json_refused(void)
{
    static const char good[] = JOB("a", "Pass", AT("01:00:00"), TRY(AT("01:00:00"), AT("01:00:20"), "\"g\""));
    char text[2048];
    fz_import_refused(&temp, "philly", "[\n{\"jobid\": \"a\",\n  \"submitted_time\": \"soon\"}]", 3, 21,
                      "submitted_time: 'soon' is no time");
    fz_import_refused(&temp, "philly", "[\n{\"jobid\": \"a\",\n\"submitted_time\": [1]}]", 3, 19,
                      "submitted_time: a text is expected");
    fz_import_refused(&temp, "philly", "[\n{\"attempts\": 5,\n\"submitted_time\": null}]", 2, 1,
                      "attempts: a list is expected");
    fz_import_refused(&temp, "philly", "[\n\"attempts\"]", 2, 1, "a job is expected");
    fz_import_refused(&temp, "philly", "[]", 1, 1, "there are no rows");
    fz_import_refused(&temp, "philly", "[\n\n{\"jobid\": \"a\",\n", 3, 1,
                      "the file ends inside the element that begins here");
    fz_import_refused(&temp, "philly", "[\n\n{\"jobid\": \"a\",\n\"x\" 5}]", 4, 5, "");
    (void)snprintf(text, sizeof text, "[%s\n,]", good);
    fz_import_refused(&temp, "philly", text, 2, 1, "a comma before the end of the list");
    (void)snprintf(text, sizeof text, "[%s]\n[]", good);
    fz_import_refused(&temp, "philly", text, 2, 1, "there is text behind the list");
    (void)snprintf(text, sizeof text, "[%s,\n%s]", good, good);
    fz_import_refused(&temp, "philly", text, 2, 1, "job_id 'a' was there before");
    (void)snprintf(text, sizeof text, "[%s\n%s]", good, good);
    fz_import_refused(&temp, "philly", text, 2, 1, "text follows the end of the document");
}

/* The flattened log. */
static void philly_csv_clocks(void)
{
    fz_imported r =
        read_text("philly", "timestamp,duration,num_gpus,gpu_time,cluster\n"
                            "2017-10-09 01:00:00.5,10,1,10,a\n2017-10-09 01:00:00,10,1,10,a\n"
                            "2017-11-05 01:30:00,10,1,10,a\n2017-11-05 01:10:00,10,1,10,a\n" /* set back */
                            "2017-10-09 01:00:00-07:00,10,1,10,a\n1507510800000,10,1,10,a\n"
                            "2117-10-09 01:00:00,1e9,1,1e9,a\n");
    CU_ASSERT_EQUAL_FATAL(r.trace->n_jobs, 5);
    CU_ASSERT(r.trace->submit[1] == FZ_SECOND / 2 && r.trace->submit[2] < r.trace->submit[3]);
    CU_ASSERT_STRING_EQUAL(r.trace->headers[1].value, "unknown");
    CU_ASSERT(CHANGED("a submit time before that of an earlier row") == 2);
    CU_ASSERT(DROPPED("a time that is none") == 1 && DROPPED("a time with a zone among times without") == 1);
    CU_ASSERT(NOTED("a run time of more than ten years") == 1);
    CU_ASSERT(NOTED("a submit time more than ten years after all earlier rows") == 1);
    fz_imported_free(&r);
}

/* ---- which format it is ------------------------------------------------------------------------------- */

static void probes(void)
{
    static const struct {
        const char *text, *format;
    } cases[] = {{HELIOS, "helios"}, {SEREN, "acme"},
                 {KALOS, "acme"},    {PAI, "pai2020"},
                 {OPENB, "openb"},   {"name,cpu_milli,memory_mib,num_gpu,gpu_milli\n", "openb"},
                 {SPOT, "spot2026"}, {"[\n  {\"status\": \"Pass\", \"attempts\": []}]", "philly"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const fz_trace_format *format = NULL;
        CU_ASSERT_EQUAL_FATAL(fz_trace_format_probe(fz_temp_text(&temp, "p", cases[i].text), &format, NULL),
                              FZ_OK);
        CU_ASSERT_STRING_EQUAL(format->name, cases[i].format);
    }
    const fz_trace_format *format = NULL;
    CU_ASSERT_EQUAL(fz_trace_format_probe(fz_temp_text(&temp, "p", "[{\"a\": 1}]"), &format, NULL),
                    FZ_EUNSUPPORTED);
}

int main(void)
{
    static const fz_test tests[] = {
        {"zones", zones},
        {"Helios", helios},
        {"Helios: clocks", helios_clocks},
        {"Helios: refused", helios_refused},
        {"Acme, Kalos", acme_kalos},
        {"Acme: clocks", acme_clocks},
        {"PAI", pai},
        {"PAI: clocks", pai_clocks},
        {"openb", openb},
        {"openb: clocks", openb_clocks},
        {"openb without times", openb_without_times},
        {"Poisson arrivals", poisson},
        {"Spot", spot},
        {"Philly's job log", philly_json},
        {"Philly's job log: clocks", philly_json_clocks},
        {"Philly's job log: refused", philly_json_refused},
        {"Philly flattened: clocks", philly_csv_clocks},
        {"probes", probes},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("gpu_logs", tests);
    fz_temp_close(&temp);
    return failed;
}
