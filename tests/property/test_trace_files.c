/* Trace files with random damage, under every format and policy: reading never breaks, an error says where,
 * every row is accounted for, and what was read comes back after writing. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"

enum { ROUNDS = 3300, LONGEST = 4096 };
#define SEED UINT64_C(20171002)

static fz_temp temp;

static const char *const samples[] = {
    "# frenzy-trace: 1\n# source: "
    "hand\njob_id,submit_s,duration_s,req_gpus,req_gpu_mem,est_s,user,x_n,state\n"
    "a,0,10.5,4,16.5,20,ann,1,COMPLETED\nb,1.25,0,1,,,bob,\"x,y\",\nc,1,3,2.5,,4,,,FAILED\na,7,1,1,1,1,,,\n",
    "submit_s,model,seq_len,global_batch,steps,tokens,deadline_s,limit_s\n"
    "0,gpt2,1024,8,100,,5,6\n1,gpt2,1024,8,,819200,,\n-2,gpt2,1024,8,100,819200,,\n",
    "timestamp,duration,num_gpus,gpu_time,cluster\r\n2017-10-09 07:01:55,66.0,1,66.0,11cb48\r\n"
    "2017-10-09 06:13:03,2951.0,2,5902.0,6214e9\r\n2017-10-09 07:01:55,66.0,1,66.0,11cb48\r\n",
    "name,submission_time,duration,application,num_gpus,num_cpus,bandwidth,exec_plan,steps,is_sla\n"
    "vit-0,0,3163.091667,vit,2,16,0,zero-dp,37239,0\nllama30-1,1639,142.2190972,llama30,48,384,1.25,344,64,0",
    "; Version: 2\n; UnixStartTime: 1027839845\n 1 10 5 100 8 12.5 2048 16 200 1024 1 3 4 5 2 6 -1 -1\n"
    "2 12 -1 -1 8 -1 -1 8 200 -1 -1 3 -1 -1 2 -1 -1 -1\n3 11 0 1.5 8 -1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 1 60\n",
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
    "7,ua,va,8,32,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:11,2020-06-09 18:42:51,100,10\n"
    "8,ub,va,0,4,1,COMPLETED,2020-06-09 18:41:02,2020-06-09 18:41:02,2020-06-09 18:41:03,1,0\n",
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_"
    "time,"
    "end_time,fail_time,stop_time,duration,queue,gpu_time\na,u1,8,64,960,1000,100.0,Other,FAILED,2023-05-17 "
    "11:00:58+00:00,2023-05-17 11:01:08+00:00,2023-05-17 11:01:16+00:00,2023-05-17 "
    "11:01:16+00:00,,18,10.0,9\n",
    "job_id,user,num_gpu,num_cpu,num_pod,duration,job_name,submit_time,group,gpu_type,wait_time,user_dur,"
    "group_dur,group_gpu_dur\n1,ua,25.0,200.0,50.0,15,n1,3,g1,MISC,2,386.0,70.5,15.0\n"
    "3,ub,0.25,6.0,1.0,20,n2,5,g2,T4,,1.0,,1.0\n",
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
    "scheduled_time\n"
    "p0,12000,16384,1,1000,,LS,Running,0,50,10\np1,6000,12288,1,460,V100M16|V100M32,BE,Running,5,100,7\n"
    "p3,500,100,1,1000,,BE,Pending,7,7,\n",
    "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\n"
    "1,13,A10,20,1,1,0,2764799,HP\n3,57,A10,1.5,0.5,3,5,7,Spot\n",
    "[{\"status\": \"Pass\", \"vc\": \"v\", \"jobid\": \"a\", \"attempts\": [{\"start_time\": \"2017-10-07 "
    "01:12:09\", "
    "\"end_time\": \"2017-10-07 01:13:23\", \"detail\": [{\"ip\": \"m\", \"gpus\": [\"g0\", \"g1\"]}]}],\n"
    "\"submitted_time\": \"2017-10-07 01:11:39\", \"user\": \"u\"},\n{\"jobid\": \"b\", \"attempts\": []}]",
};

enum { N_SAMPLES = sizeof samples / sizeof samples[0] };

static uint64_t draw(uint64_t *state) /* SplitMix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* One change: a byte replaced, a stretch taken out or written twice, or a piece that is likely to hurt. */
static size_t damage(char *text, size_t length, uint64_t *state)
{
    static const char *const pieces[] = {"\"", ",", "\n",  "-1",   "1e400", "nan", "99999999999999999999",
                                         "#",  " ", "0.5", "\xff", "x_",    ":"};
    uint64_t x = draw(state);
    size_t at = length > 0 ? (size_t)(x >> 8) % length : 0, left = length - at;
    size_t n = left > 0 ? (size_t)(x >> 40) % (left < 20 ? left : 20) : 0;
    const char *piece = pieces[(x >> 24) % (sizeof pieces / sizeof pieces[0])];
    switch (x % 4) {
    case 0:
        if (length > 0)
            text[at] = (char)(x >> 32);
        return length;
    case 1:
        memmove(text + at, text + at + n, left - n);
        return length - n;
    case 2:
        memmove(text + at + n, text + at, left);
        return length + n;
    default:
        n = strlen(piece);
        memmove(text + at + n, text + at, left);
        for (size_t i = 0; i < n; i++)
            text[at + i] = piece[i];
        return length + n;
    }
}

static void check_report(const fz_trace *trace, const fz_trace_report *report)
{
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < report->n_findings; i++) {
        dropped += report->findings[i].what == 'd' ? report->findings[i].rows : 0;
        CU_ASSERT(report->findings[i].first_line > 0);
    }
    CU_ASSERT_EQUAL(report->rows_read, report->rows_kept + dropped);
    CU_ASSERT_EQUAL(trace->n_jobs, report->rows_kept);
    for (uint32_t job = 1; job < trace->n_jobs; job++)
        CU_ASSERT(trace->submit[job] >= trace->submit[job - 1]);
}

/* Written, read, and written again: the same bytes. */
static bool comes_back(const fz_trace *trace, fz_error *err)
{
    fz_trace *once = NULL, *twice = NULL;
    char path[sizeof temp.path];
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "back.csv"));
    bool good = fz_trace_write(trace, path, err) == FZ_OK &&
                fz_trace_read(path, FZ_BAD_ROWS_FAIL, &once, NULL, err) == FZ_OK &&
                once->n_jobs == trace->n_jobs && fz_trace_write(once, path, err) == FZ_OK &&
                fz_trace_read(path, FZ_BAD_ROWS_FAIL, &twice, NULL, err) == FZ_OK &&
                strcmp(once->sha256, twice->sha256) == 0;
    fz_trace_free(once);
    fz_trace_free(twice);
    return good;
}

static void read_damaged(const char *text, size_t length, const fz_trace_format *format, fz_bad_rows policy,
                         uint32_t *read)
{
    fz_trace *trace = NULL;
    fz_trace_report report;
    fz_error err = {0};
    const char *path = fz_temp_write(&temp, "damaged", text, length);
    fz_status status = format->read(path, &(fz_import_options){.bad_rows = policy}, &trace, &report, &err);
    if (status != FZ_OK) {
        CU_ASSERT(err.message[0] != '\0' && err.file[0] != '\0');
        CU_ASSERT(err.line > 0 || status == FZ_EUNSUPPORTED || status == FZ_EIO);
        return;
    }
    CU_ASSERT_STRING_EQUAL(err.message, "");
    check_report(trace, &report);
    bool good = comes_back(trace, &err);
    CU_ASSERT_TRUE(good);
    if (!good)
        (void)fprintf(stderr, "%s: %s\n---\n%.*s\n---\n", format->name, err.message, (int)length, text);
    fz_trace_free(trace);
    ++*read;
}

static void damaged_files(void)
{
    static const fz_bad_rows policies[] = {FZ_BAD_ROWS_DROP, FZ_BAD_ROWS_CLAMP, FZ_BAD_ROWS_FAIL};
    uint32_t n_formats = 0, read = 0;
    uint64_t state = SEED;
    const fz_trace_format *const *formats = fz_trace_formats(&n_formats);
    (void)printf("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        char text[LONGEST];
        uint64_t x = draw(&state);
        size_t length = strlen(samples[x % N_SAMPLES]);
        memcpy(text, samples[x % N_SAMPLES], length);
        for (uint64_t i = 0; i < (x >> 8) % 4; i++)
            length = damage(text, length, &state);
        for (uint32_t i = 0; i < n_formats; i++)
            if (formats[i]->probe(text, length))
                read_damaged(text, length, formats[i], policies[(x >> 16) % 3], &read);
    }
    CU_ASSERT(read > ROUNDS / 4); /* else the damage is too heavy to say much */
}

int main(void)
{
    static const fz_test tests[] = {{"damaged files", damaged_files}};
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("trace_files", tests);
    fz_temp_close(&temp);
    return failed;
}
