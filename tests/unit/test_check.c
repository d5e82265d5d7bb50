/* Every finding of `frenzy trace check`, in a trace that has it once or twice, with count and first line. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"
#include "workloads/cluster_file.h"
#include "workloads/ops/check.h"

static fz_temp temp;
static const char head[] = "# epoch: 2020-01-01T00:00:00\njob_id,submit_s,duration_s,req_gpus,user,vc,state";

static fz_trace *read_text(const char *text)
{
    fz_trace *trace = NULL;
    fz_error err = {0};
    fz_import_options how = {.cpu_jobs = true, .lines = true};
    fz_status status = fz_trace_read_with(fz_temp_text(&temp, "t.csv", text), &how, &trace, NULL, &err);
    if (status != FZ_OK)
        (void)fprintf(stderr, "%u:%u: %s\n", err.line, err.column, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    return trace;
}

static fz_trace_check check_text(const char *columns, const char *rows, const fz_cluster_spec *cluster)
{
    char text[8192];
    fz_trace_check check;
    (void)snprintf(text, sizeof text, "%s%s\n%s", head, columns, rows);
    fz_trace *trace = read_text(text);
    CU_ASSERT_EQUAL_FATAL(fz_trace_check_of(trace, cluster, &check, NULL), FZ_OK);
    for (uint32_t i = 0; i < check.n_supplies; i++)
        check.supplies[i].types = ""; /* borrowed from the trace */
    fz_trace_free(trace);
    return check;
}

static const fz_check_finding *find(const fz_trace_check *check, const char *key)
{
    for (uint32_t i = 0; i < check->n_findings; i++)
        if (strcmp(check->findings[i].key, key) == 0)
            return &check->findings[i];
    return NULL;
}

/* The finding is there, with this count and first line. */
static void has(const fz_trace_check *check, const char *key, uint64_t count, uint32_t line)
{
    const fz_check_finding *finding = find(check, key);
    if (finding == NULL || finding->count != count || finding->first_line != line)
        (void)fprintf(stderr, "%s: %llu, line %u\n", key,
                      finding != NULL ? (unsigned long long)finding->count : 0ULL,
                      finding != NULL ? finding->first_line : 0);
    CU_ASSERT(finding != NULL && finding->count == count && finding->first_line == line);
}

static void clean(void)
{
    fz_trace_check check = check_text("", "a,0,10,1,u,v,COMPLETED\nb,5,10,1,u,v,FAILED\n", NULL);
    CU_ASSERT(check.n_findings == 0 && check.peak_gpus == 2 && check.above_frac == -1);
}

static void columns(void)
{
    fz_trace_check check = check_text("", "a,0,10,1,u,v,COMPLETED\nb,5,10,1,,,RUNNING\nc,6,10,1,u,,\n", NULL);
    has(&check, "no_user", 1, 4);
    has(&check, "no_vc", 2, 4);
    has(&check, "no_state", 1, 5);
    has(&check, "censored", 1, 4);
    fz_trace *trace = read_text("job_id,submit_s,duration_s,req_gpus\na,0,1,1\n");
    CU_ASSERT_EQUAL_FATAL(fz_trace_check_of(trace, NULL, &check, NULL), FZ_OK);
    has(&check, "no_epoch", 1, 0);
    has(&check, "no_user", 1, 0);
    fz_trace_free(trace);
}

/* A day and a second without a job; a hundred at one instant. */
static void clock_faults(void)
{
    char rows[8192] = "a,0,10,1,u,v,COMPLETED\nb,86400,10,1,u,v,COMPLETED\nc,172801,10,1,u,v,COMPLETED\n";
    for (int i = 0; i < 100; i++)
        (void)snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "d%d,172900,%d,1,u,v,COMPLETED\n", i,
                       i + 1);
    fz_trace_check check = check_text("", rows, NULL);
    has(&check, "gaps", 1, 5);
    has(&check, "at_once", 100, 6);
    CU_ASSERT_EQUAL(check.n_findings, 2);
}

/* Rows are submitted at 100, start at 110 and end at 130. */
static void times(void)
{
    fz_trace_check check = check_text(",start_s,end_s",
                                      "a,100,20,1,u,v,COMPLETED,110,130\n"
                                      "b,100,30,1,u,v,COMPLETED,110,130\n" /* with the queue */
                                      "c,100,40,1,u,v,COMPLETED,110,130\n"
                                      "d,100,10,1,u,v,COMPLETED,110,130\n"
                                      "e,100,21,1,u,v,COMPLETED,110,130\n" /* rounding */
                                      "f,120,20,1,u,v,COMPLETED,110,130\n"
                                      "g,100,30,2,u,v,COMPLETED,110,130\n",
                                      NULL);
    has(&check, "includes_queue", 2, 4);
    has(&check, "longer_than_run", 1, 5);
    has(&check, "shorter_than_run", 1, 6);
    has(&check, "starts_early", 1, 8);
}

static void twins(void)
{
    fz_trace_check check =
        check_text("",
                   "a,0,10,1,u,v,FAILED\nb,0,10,1,u,w,FAILED\nc,0,10,1,u,v,COMPLETED\nd,0,10,1,u,v,FAILED\n"
                   "e,1,10,1,u,v,FAILED\n",
                   NULL);
    has(&check, "twins", 2, 5);
}

/* Four T4 of 14.8 GiB on two nodes and two A100 on one. */
static void fit_and_demand(void)
{
    static const char cluster_text[] =
        "gpu_types: {T4: {mem_gib: 15}, A100: {catalog: a100-80g}}\n"
        "node_types: {t: {gpus: [{type: T4, count: 2}]}, a: {gpus: [{type: A100, count: 2}]}}\n"
        "pools: [{node_type: t, count: 2}, {node_type: a, count: 1}]\n";
    fz_cluster_file *cluster = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_file_read(fz_temp_text(&temp, "c.yaml", cluster_text), &cluster, NULL),
                          FZ_OK);
    fz_trace_check check = check_text(",req_gpu_types,req_gpu_mem,req_workers",
                                      "a,0,10,7,u,v,FAILED,,,\n"      /* of 6 */
                                      "b,0,10,5,u,v,FAILED,,,\n"      /* T4 has 4 */
                                      "c,0,10,3,u,v,FAILED,,,\n"      /* two nodes */
                                      "d,0,10,1,u,v,FAILED,V100,,\n"  /* none here */
                                      "e,0,10,1,u,v,FAILED,T4,40,\n"  /* too little memory */
                                      "f,0,10,3,u,v,FAILED,,,1\n"     /* one worker of 3 */
                                      "g,100,600,1,u,v,FAILED,T4,,\n" /* 600 of 400 GPU-seconds */
                                      "h,100,1,1,u,v,FAILED,t4|a100,,\n",
                                      &cluster->spec);
    has(&check, "larger_than_cluster", 1, 3);
    has(&check, "larger_than_type", 1, 4);
    has(&check, "spans_nodes", 1, 5);
    has(&check, "no_type", 1, 6);
    has(&check, "gpu_memory", 1, 7);
    has(&check, "larger_than_node", 1, 8);
    /* 70 + 50 + 30 + 10 + 10 + 30 + 600 + 1 of 6 x 100; on T4 only: e and g, 610 of 4 x 100 */
    CU_ASSERT_DOUBLE_EQUAL(check.load.load, 801.0 / 600, 1e-12);
    has(&check, "overload", 8, 0);
    has(&check, "type_overload", 1, 0);
    CU_ASSERT_EQUAL_FATAL(check.n_supplies, 2);
    CU_ASSERT(check.supplies[0].gpus == 4 && check.supplies[1].gpus == 6);
    CU_ASSERT_DOUBLE_EQUAL(check.supplies[0].load, 610.0 / 400, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(check.supplies[1].load, 611.0 / 600, 1e-12);
    /* 20 GPUs from 0 to 10, then none to 100, then 2, then 1 to 700: above 6 for 10 of 700 s */
    CU_ASSERT_EQUAL(check.peak_gpus, 20);
    CU_ASSERT_DOUBLE_EQUAL(check.above_frac, 10.0 / 700, 1e-12);
    fz_cluster_file_free(cluster);
}

static void unknown_model(void)
{
    fz_cluster_file *cluster = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_file_read("small", &cluster, NULL), FZ_OK);
    fz_trace_check check = check_text(",model,seq_len,global_batch,steps",
                                      "a,0,,,u,v,FAILED,gpt2,512,8,100\nb,9,,,u,v,FAILED,gpt9,512,8,100\n"
                                      "c,9,5,1,u,v,FAILED,gpt9,,,\n",
                                      &cluster->spec);
    has(&check, "unknown_model", 1, 4);
    has(&check, "no_req_gpus", 2, 3);
    CU_ASSERT_EQUAL(check.load.unknown, 1);
    fz_cluster_file_free(cluster);
}

int main(void)
{
    static const fz_test tests[] = {
        {"a clean trace", clean},
        {"columns that lack", columns},
        {"clock", clock_faults},
        {"times of a job", times},
        {"twins", twins},
        {"fit and demand", fit_and_demand},
        {"unknown model", unknown_model},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("check of traces", tests);
    fz_temp_close(&temp);
    return failed;
}
