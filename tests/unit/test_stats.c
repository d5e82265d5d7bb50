/* Statistics of traces, against values by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"
#include "workloads/cluster_file.h"
#include "workloads/ops/load.h"
#include "workloads/ops/stats.h"

static fz_temp temp;

static fz_trace *read_text(const char *text)
{
    fz_trace *trace = NULL;
    fz_import_options how = {.cpu_jobs = true};
    CU_ASSERT_EQUAL_FATAL(fz_trace_read_with(fz_temp_text(&temp, "t.csv", text), &how, &trace, NULL, NULL),
                          FZ_OK);
    return trace;
}

/* 2020-01-01 was a Wednesday; t = 0 is 22:30. One job an hour for 24 hours, and four more in the first. Twelve counts
 * of the first half day: 5 1 1 1 ... */
static void arrivals_by_hand(void)
{
    char text[2048] = "# epoch: 2020-01-01T22:30:00\njob_id,submit_s,duration_s,req_gpus,vc\n";
    for (int i = 0; i < 24; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "j%d,%d,1,1,v%d\n", i, 3600 * i, i);
    for (int i = 0; i < 4; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "k%d,%d,1,%d,v0\n", i, 10 * i + 10,
                       i == 3 ? 2 : 1);
    fz_trace *trace = read_text(text);
    fz_trace_stats s;
    CU_ASSERT_EQUAL_FATAL(fz_trace_stats_of(trace, &s, NULL), FZ_OK);
    const fz_stats_arrivals *a = &s.arrivals;
    CU_ASSERT(s.jobs == 28 && a->clock_known);
    CU_ASSERT_DOUBLE_EQUAL(a->span_s, 23 * 3600, 0);
    CU_ASSERT_DOUBLE_EQUAL(a->hours[22], 5.0 / 28, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(a->hours[21], 1.0 / 28, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(a->weekdays[2], 6.0 / 28, 1e-12);  /* Wednesday, 22:30 and 23:30 */
    CU_ASSERT_DOUBLE_EQUAL(a->weekdays[3], 22.0 / 28, 1e-12); /* Thursday */
    /* counts 5 and 23 ones: mean 28/24, squares 25 + 23 - 28^2/24 = 15.333.., / 23 / mean */
    CU_ASSERT_DOUBLE_EQUAL(a->dispersion_1h, (48 - 784.0 / 24) / 23 / (28.0 / 24), 1e-12);
    CU_ASSERT(a->empty_hours == 0 && isnan(a->autocorrelation[1]) && isnan(a->autocorrelation[2]));
    /* lag 1: (5 - m)(1 - m) + 22 (1 - m)^2 over the sum of squares, m = 7/6: -23/36 + 22/36 */
    CU_ASSERT_DOUBLE_EQUAL(a->autocorrelation[0], (-23.0 / 36 + 22.0 / 36) / (48 - 784.0 / 24), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(a->follows, 3.0 / 28, 1e-12); /* k0, k1, k2; k3 has another size */
    CU_ASSERT(a->gap_p50_s == 3600 && s.vcs.n == 24);
    CU_ASSERT_DOUBLE_EQUAL(s.vcs.top_jobs[0], 5.0 / 28, 1e-12);
    CU_ASSERT_STRING_EQUAL(s.vcs.most_jobs, "v0");
    fz_trace_free(trace);
}

/* ln of 1, e^2 = 7.389056 and e^4 = 54.598150 is 0, 2, 4: mean 2, standard deviation 2. */
static void durations_by_hand(void)
{
    fz_trace *trace =
        read_text("job_id,submit_s,duration_s,req_gpus,state,job_class\n"
                  "a,0,1,1,COMPLETED,train\nb,0,7.389056,2,FAILED,train\nc,0,54.59815,0.5,FAILED,eval\n"
                  "d,0,0,4,,\ne,0,100,0,COMPLETED,\n");
    fz_trace_stats s;
    CU_ASSERT_EQUAL_FATAL(fz_trace_stats_of(trace, &s, NULL), FZ_OK);
    CU_ASSERT(s.durations.n == 4 && s.durations.n_zero == 1 && s.cpu_jobs == 1 && s.serverless == 0);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.mu, 2, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.sigma, 2, 1e-6);
    /* normal (2, 2) at 0, 2, 4: .158655, .5, .841345; the empirical one steps to 1/3 at 0: off by .174678 */
    CU_ASSERT_DOUBLE_EQUAL(s.durations.ks, 1.0 / 3 - 0.15865525, 1e-6);
    CU_ASSERT(s.durations.p25_s == 0 && s.durations.p50_s == 1 && s.durations.max_s == 54.59815);
    CU_ASSERT_DOUBLE_EQUAL(s.gpu_s, 1 + 2 * 7.389056 + 0.5 * 54.59815, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.mean_gpus, 7.5 / 4, 1e-12);
    CU_ASSERT(s.sizes[0].jobs == 1 && s.sizes[1].jobs == 1 && s.sizes[2].jobs == 1 && s.sizes[3].jobs == 1);
    CU_ASSERT(s.states[FZ_TRACE_FAILED].jobs == 2 && s.states[FZ_TRACE_COMPLETED].jobs == 2 &&
              s.states[FZ_TRACE_UNKNOWN].jobs == 1);
    CU_ASSERT_DOUBLE_EQUAL(s.states[FZ_TRACE_COMPLETED].gpu_s, 1, 1e-9);
    CU_ASSERT_EQUAL_FATAL(s.n_classes, 2);
    CU_ASSERT_STRING_EQUAL(s.classes[0].name, "train");
    CU_ASSERT(!s.arrivals.clock_known && isnan(s.arrivals.jobs_per_h) && isnan(s.arrivals.dispersion_1h));
    fz_trace_free(trace);
}

/* Users with 8, 4, 2 and 1 jobs: ln share against ln rank by least squares, by hand 4 points (0, 3), (1, 2),
 * (log2 3, 1), (2, 0) in base 2: slope = (sum xy - n mx my) / (sum x^2 - n mx^2). */
static void ranks_by_hand(void)
{
    char text[1024] = "job_id,submit_s,duration_s,req_gpus,user\n";
    const int counts[4] = {1, 8, 2, 4};
    for (int u = 0, n = 0; u < 4; u++)
        for (int i = 0; i < counts[u]; i++)
            (void)snprintf(text + strlen(text), sizeof text - strlen(text), "j%d,0,1,1,u%d\n", n++, u);
    fz_trace *trace = read_text(text);
    fz_trace_stats s;
    CU_ASSERT_EQUAL_FATAL(fz_trace_stats_of(trace, &s, NULL), FZ_OK);
    double l3 = log2(3), mx = (3 + l3) / 4, slope = (2 + l3 - 4 * mx * 1.5) / (5 + l3 * l3 - 4 * mx * mx);
    CU_ASSERT_DOUBLE_EQUAL(s.users.jobs_slope, slope, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(s.users.top_jobs[0], 8.0 / 15, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(s.users.top_jobs[1], 1, 1e-12);
    CU_ASSERT_STRING_EQUAL(s.users.most_jobs, "u1");
    CU_ASSERT_EQUAL(s.vcs.n, 0);
    fz_trace_free(trace);
}

/* 100 s x 4 and 50 s x 0.5 GPUs in 100 s, on 4 GPUs: 425 / 400. With an LLM job: 6 P x 10 x 8 x 512 FLOP more. */
static void load_by_hand(void)
{
    fz_cluster_file *cluster = NULL;
    fz_load load;
    CU_ASSERT_EQUAL_FATAL(
        fz_cluster_file_read(fz_temp_text(&temp, "c.yaml",
                                          "node_types: {n: {gpus: [{type: a100-80g, count: 4}]}}\n"
                                          "pools: [{node_type: n, count: 1}]\n"),
                             &cluster, NULL),
        FZ_OK);
    fz_trace *trace = read_text("job_id,submit_s,duration_s,req_gpus\na,0,100,4\nb,50,50,0.5\nc,100,7,0\n");
    CU_ASSERT_EQUAL_FATAL(fz_load_of(trace, &cluster->spec, &load, NULL), FZ_OK);
    CU_ASSERT(load.capacity == 4 && load.span_s == 100 && load.measured == 2 && load.unknown == 0);
    CU_ASSERT_DOUBLE_EQUAL(load.load, 425.0 / 400, 1e-12);
    fz_trace_free(trace);
    trace = read_text("job_id,submit_s,duration_s,req_gpus,model,seq_len,global_batch,steps\n"
                      "a,0,100,4,,,,\nb,100,,,gpt2,512,8,10\n");
    CU_ASSERT_EQUAL_FATAL(fz_load_of(trace, &cluster->spec, &load, NULL), FZ_OK);
    double flop = 6 * 124439808.0 * 10 * 8 * 512; /* GPT-2 has 124,439,808 parameters */
    CU_ASSERT_DOUBLE_EQUAL(load.flop / flop, 1, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(load.load, (400.0 / 4 + load.flop / load.rate) / 100, 1e-12);
    CU_ASSERT_EQUAL_FATAL(fz_load_of(trace, NULL, &load, NULL), FZ_OK);
    CU_ASSERT(load.load == -1 && load.gpu_s == 400);
    fz_trace_free(trace);
    fz_cluster_file_free(cluster);
}

int main(void)
{
    static const fz_test tests[] = {
        {"arrivals by hand", arrivals_by_hand},
        {"durations by hand", durations_by_hand},
        {"ranks by hand", ranks_by_hand},
        {"load by hand", load_by_hand},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("stats of traces", tests);
    fz_temp_close(&temp);
    return failed;
}
