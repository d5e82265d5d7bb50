/* Statistics of real traces against numbers computed another way: those of the Philly extract (as far as it is at
 * hand: 62,194 rows) with Python's statistics module on the CSV file, those of the SWF logs in the table of the
 * specification (n, mu, sigma, KS, percentiles; fitted with another program). */
#include <math.h>
#include <stdio.h>

#include "tests/harness.h"
#include "workloads/canonical.h"
#include "workloads/ops/stats.h"

static bool stats_of(const char *file, fz_trace_stats *out)
{
    char path[512];
    fz_trace *trace = NULL;
    const fz_trace_format *format = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", FZ_SHARED_DATA, file);
    if (!fz_test_have(path))
        return false;
    CU_ASSERT_EQUAL_FATAL(fz_trace_format_probe(path, &format, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(format->read(path, &(fz_import_options){0}, &trace, NULL, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_trace_stats_of(trace, out, NULL), FZ_OK);
    /* names are borrowed from the trace */
    out->vcs.most_jobs = out->vcs.most_gpu_s = out->users.most_jobs = out->users.most_gpu_s = NULL;
    fz_trace_free(trace);
    return true;
}

static void philly(void)
{
    fz_trace_stats s;
    if (!stats_of("philly/philly_jobs.csv.gz", &s))
        return;
    static const double days[7] = {0.108708, 0.142104, 0.164035, 0.17447, 0.213332, 0.097341, 0.10001};
    CU_ASSERT(s.jobs == 62194 && s.arrivals.clock_known);
    CU_ASSERT_DOUBLE_EQUAL(s.gpu_s, 2739362060.0, 1);
    for (uint32_t i = 0; i < 7; i++)
        CU_ASSERT_DOUBLE_EQUAL(s.arrivals.weekdays[i], days[i], 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.hours[0], 0.057851, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.hours[7], 0.091858, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.hours[23], 0.044956, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.dispersion_1h, 183.492521, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.dispersion_10min, 67.525812, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.empty_hours, 0.262275, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.autocorrelation[0], 0.464335, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.autocorrelation[1], 0.202578, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.autocorrelation[2], 0.103681, 1e-6);
    CU_ASSERT(s.arrivals.gap_p50_s == 7 && s.arrivals.gap_p90_s == 258);
    CU_ASSERT_DOUBLE_EQUAL(s.arrivals.gap_cv, 17.428672, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.mu, 6.890070, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.sigma, 2.066441, 1e-6);
    CU_ASSERT(s.durations.p5_s == 48 && s.durations.p25_s == 178 && s.durations.p50_s == 1359 &&
              s.durations.p75_s == 2770 && s.durations.p90_s == 10796 && s.durations.p95_s == 35049 &&
              s.durations.p99_s == 270621 && s.durations.max_s == 4628226);
    CU_ASSERT_EQUAL(s.sizes[4].jobs, 1069);
    CU_ASSERT_DOUBLE_EQUAL(s.sizes[4].durations.mu, 9.665408, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(s.sizes[4].durations.sigma, 3.004220, 1e-6);
    CU_ASSERT_EQUAL(s.vcs.n, 13);
    CU_ASSERT_DOUBLE_EQUAL(s.vcs.top_jobs[0], 31364.0 / 62194, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.vcs.top_gpu_s[0], 678137177.0 / 2739362060.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.vcs.jobs_slope, -2.968811, 1e-6);
}

/* HPC2N head | 3,145 | 6.832 | 2.783 | 0.077 | 5 | 129 | 943 | 7,331 | 28,816 | 46,762 | 110,745 | 429,927.
 * Percentiles there are interpolated: half a rank. */
static void hpc2n(void)
{
    fz_trace_stats s;
    if (!stats_of("swf/HPC2N-head-3170.swf.gz", &s))
        return;
    const fz_stats_durations *d = &s.durations;
    CU_ASSERT_EQUAL(d->n, 3145);
    CU_ASSERT_DOUBLE_EQUAL(d->mu, 6.832, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL(d->sigma, 2.783, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL(d->ks, 0.077, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL(d->p50_s, 943, 2);
    CU_ASSERT_DOUBLE_EQUAL(d->p75_s / 7331, 1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(d->p90_s / 28816, 1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(d->p99_s / 110745, 1, 0.01);
    CU_ASSERT_EQUAL(d->max_s, 429927);
}

/* NASA iPSC | 18,066 | 4.682 | 1.822 | 0.054 | .. | 62,643: the fit is over the run times above 0. */
static void nasa(void)
{
    fz_trace_stats s;
    if (!stats_of("swf/NASA-iPSC-1993-3.1-cln.swf.gz", &s))
        return;
    CU_ASSERT_EQUAL(s.durations.n - s.durations.n_zero, 18066);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.mu, 4.682, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.sigma, 1.822, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.ks, 0.054, 0.0006);
    CU_ASSERT_EQUAL(s.durations.max_s, 62643);
}

/* Rubick base (LLM, A800) | 406 | 2.500 | 3.212 | 0.072; sizes 1: 10.8, 2: 18.5, 4: 19.2 % */
static void rubick(void)
{
    fz_trace_stats s;
    if (!stats_of("rubick_llm/workload-base.csv", &s))
        return;
    CU_ASSERT_DOUBLE_EQUAL(s.durations.mu, 2.500, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL(s.durations.sigma, 3.212, 0.004); /* n or n - 1: 0.004 */
    CU_ASSERT_DOUBLE_EQUAL(s.durations.ks, 0.072, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL((double)s.sizes[1].jobs / 406, 0.108, 0.0006);
    CU_ASSERT_DOUBLE_EQUAL((double)s.sizes[2].jobs / 406, 0.185, 0.0006);
}

int main(void)
{
    static const fz_test tests[] = {{"Philly", philly}, {"HPC2N", hpc2n}, {"NASA", nasa}, {"Rubick", rubick}};
    return FZ_TEST_MAIN("stats", tests);
}
