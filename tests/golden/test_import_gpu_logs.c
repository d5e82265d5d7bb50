/* Logs of GPU clusters: rows, causes, GPU-seconds and submit times of the real files, against counts made with
 * Python or awk on the same files. GPU-seconds are of kept rows, shares as they were asked for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/imports.h"
#include "workloads/formats/formats.h"

static fz_temp temp;

typedef struct expectation {
    const char *file, *format;
    uint64_t rows, kept;
    double gpu_s;
    int64_t first_s, last_s; /* submit times */
    const char *epoch;
} expectation;

/* Imports a file under the shared data and compares; false: the data are not there. */
static bool import(const expectation *e, fz_import_options options, fz_imported *r)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", FZ_SHARED_DATA, e->file);
    if (!fz_test_have(path))
        return false;
    *r = fz_imported_read(NULL, path, options);
    if (r->status != FZ_OK)
        (void)fprintf(stderr, "%s:%u: %s\n", path, r->err.line, r->err.message);
    CU_ASSERT_EQUAL_FATAL(r->status, FZ_OK);
    CU_ASSERT_STRING_EQUAL(r->trace->source, e->format);
    CU_ASSERT(r->report.rows_read == e->rows && r->report.rows_kept == e->kept &&
              r->trace->n_jobs == e->kept);
    CU_ASSERT_EQUAL(r->report.rows_read, r->report.rows_kept + fz_imported_dropped(r));
    CU_ASSERT(fabs(fz_imported_gpu_seconds(r->trace) - e->gpu_s) < 1e-9 * e->gpu_s);
    CU_ASSERT_EQUAL(r->trace->submit[0], e->first_s * FZ_SECOND);
    CU_ASSERT_EQUAL(r->trace->submit[r->trace->n_jobs - 1], e->last_s * FZ_SECOND);
    CU_ASSERT_STRING_EQUAL(r->trace->epoch, e->epoch);
    fz_imported_comes_back(&temp, r->trace, options.cpu_jobs);
    return true;
}

/* rows=list(csv.DictReader(gzip.open(FILE,'rt'))); g=lambda r: int(r['num_gpu'])
 * k=[r for r in rows if g(r) and r['scheduled_time']]
 * kept        len(k)
 * GPU-seconds sum((int(r['deletion_time'])-int(r['scheduled_time']))*g(r)*int(r['gpu_milli']) for r in k)/1000
 * first, last min and max of int(r['creation_time']) for r in k
 * no GPU      sum(g(r)==0 for r in rows); never scheduled: sum(g(r)>0 and not r['scheduled_time'] for r in rows)
 * shares      sum(g(r)==1 and int(r['gpu_milli'])<1000 for r in k) (3,078, 4,001 and 3,078 in all rows)
 * no queue    sum(r['scheduled_time']==r['creation_time'] for r in k)
 * cut         sum(r['deletion_time']=='12902960' for r in k) (all of them in phase Running)
 * unsorted    rows of k whose creation_time is below that of an earlier row of k
 * types       sum(r['gpu_spec']!='' for r in k) */
static void openb(void)
{
    static const struct {
        expectation e;
        uint64_t no_gpu, unscheduled, shares, no_queue, cut, unsorted, types;
    } files[] = {
        {{"openb/openb_pod_list_default.csv.gz", "openb", 8152, 6203, 185294426.97, 0, 12901761, ""},
         1088,
         861,
         2573,
         1922,
         32,
         0,
         0},
        {{"openb/openb_pod_list_gpushare40.csv.gz", "openb", 8152, 6119, 152704808.22, 0, 12901761, ""},
         1088,
         945,
         3339,
         2069,
         31,
         6110,
         0},
        {{"openb/openb_pod_list_gpuspec33.csv.gz", "openb", 8152, 6203, 185294426.97, 0, 12901761, ""},
         1088,
         861,
         2573,
         1922,
         32,
         0,
         2092},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        fz_imported r;
        uint64_t no_queue = 0, types = 0;
        if (!import(&files[i].e, (fz_import_options){0}, &r))
            return;
        for (uint32_t job = 0; job < r.trace->n_jobs; job++) {
            no_queue += r.trace->start[job] == r.trace->submit[job];
            types += r.trace->req_types != NULL && r.trace->req_types[job] != 0;
            CU_ASSERT_FATAL(r.trace->start[job] >= r.trace->submit[job]); /* no negative queue */
        }
        CU_ASSERT(no_queue == files[i].no_queue && types == files[i].types);
        CU_ASSERT_EQUAL(fz_imported_rows(&r, "no GPU asked for", 'd'), files[i].no_gpu);
        CU_ASSERT_EQUAL(fz_imported_rows(&r, "never scheduled", 'd'), files[i].unscheduled);
        CU_ASSERT_EQUAL(fz_imported_rows(&r, "shares of GPUs, placed as whole GPUs", 'n'), files[i].shares);
        CU_ASSERT_EQUAL(fz_imported_rows(&r, FZ_CAUSE_CUT, 'n'), files[i].cut);
        CU_ASSERT_EQUAL(fz_imported_rows(&r, "a submit time before that of an earlier row", 'c'),
                        files[i].unsorted);
        CU_ASSERT_EQUAL(r.report.n_findings, 4 + (files[i].unsorted > 0));
        fz_imported_free(&r);
    }
}

/* The whole default list with its CPU pods, as the page on the data counts it: 897 never scheduled (one of them with
 * deletion = creation), 2,046 without a queue, 34 cut.
 * kept: sum(r['scheduled_time']!='' for r in rows), of which 1,052 have num_gpu 0 */
static void openb_with_cpu_pods(void)
{
    static const expectation e = {
        "openb/openb_pod_list_default.csv.gz", "openb", 8152, 7255, 185294426.97, 0, 12901761, ""};
    fz_imported r;
    uint64_t cpu_only = 0, no_queue = 0;
    if (!import(&e, (fz_import_options){.cpu_jobs = true}, &r))
        return;
    for (uint32_t job = 0; job < r.trace->n_jobs; job++) {
        cpu_only += r.trace->cpu_only[job];
        no_queue += r.trace->start[job] == r.trace->submit[job];
    }
    CU_ASSERT(cpu_only == 1052 && no_queue == 2046);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "never scheduled", 'd'), 897);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, FZ_CAUSE_CUT, 'n'), 34);
    fz_imported_free(&r);
}

/* zcat FILE | awk -F, 'NR>1 {n++; c+=$4==0; f+=$4==1 && $5<1000; g+=$4*$5/1000} END {print n, n-c, f, g}' */
static void openb_list_without_times(void)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/openb/openb_pod_list_multigpu20.csv.gz", FZ_SHARED_DATA);
    if (!fz_test_have(path))
        return;
    fz_imported r = fz_imported_read("openb", path, (fz_import_options){0});
    CU_ASSERT(r.status == FZ_EUNSUPPORTED && strstr(r.err.message, "this list has no times") != NULL);
    r = fz_imported_read("openb", path, (fz_import_options){.submits_per_h = 240, .seed = 1});
    CU_ASSERT_EQUAL_FATAL(r.status, FZ_OK);
    CU_ASSERT(r.report.rows_read == 8324 && r.report.rows_kept == 7236);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "shares of GPUs, placed as whole GPUs", 'n'), 3078);
    double gpus = 0, logs = 0, squares = 0, hours = fz_time_to_s(r.trace->submit[7235]) / 3600;
    for (uint32_t job = 0; job < r.trace->n_jobs; job++) {
        double ln = log(fz_time_to_s(r.trace->duration[job]));
        gpus += fz_trace_gpus(r.trace, job);
        logs += ln / 7236;
        squares += ln * ln / 7236;
    }
    CU_ASSERT(fabs(gpus - 7086.8) < 1e-6);
    /* within five standard errors of what was asked for */
    CU_ASSERT(fabs(7236 / hours / 240 - 1) < 5 / sqrt(7236));
    CU_ASSERT(fabs(logs - 6.566) < 5 * 1.911 / sqrt(7236));
    CU_ASSERT(fabs(sqrt(squares - logs * logs) - 1.911) < 5 * 1.911 / sqrt(2 * 7236));
    fz_imported_comes_back(&temp, r.trace, false);
    fz_imported_free(&r);
}

/* rows=list(csv.DictReader(open(FILE))); k=[r for r in rows if float(r['num_gpu'])>0]
 * sum(float(r['num_gpu'])*int(r['duration']) for r in k)
 * shares: sum(float(r['num_gpu'])<float(r['num_pod']) for r in k) */
static void pai(void)
{
    static const expectation e = {"format_samples/alibaba_pai_job_duration_estimate_100K_head.csv",
                                  "pai2020",
                                  30,
                                  24,
                                  1161159.8,
                                  3,
                                  1003,
                                  ""};
    fz_imported r;
    if (!import(&e, (fz_import_options){0}, &r))
        return;
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "no GPU asked for", 'd'), 6);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "shares of GPUs, placed as whole GPUs", 'n'), 11);
    CU_ASSERT_EQUAL(r.report.n_findings, 2);
    /* job 67: 25 GPUs over 50 pods */
    uint32_t job = 0;
    while (job < r.trace->n_jobs && strcmp(fz_trace_job_id(r.trace, job), "67") != 0)
        job++;
    CU_ASSERT_FATAL(job < r.trace->n_jobs);
    CU_ASSERT(r.trace->req_gpus[job] == 25 && r.trace->req_workers[job] == 50 &&
              r.trace->req_cpus[job] == 200);
    CU_ASSERT(r.trace->submit[job] == 707 * FZ_SECOND && r.trace->start[job] == 712 * FZ_SECOND);
    CU_ASSERT_EQUAL(r.trace->estimate[job], 6876 * FZ_SECOND);
    fz_imported_free(&r);
}

/* awk -F, 'NR>1 {s += $5*$6*$8} END {print NR-1, s}' */
static void spot(void)
{
    static const expectation e = {
        "format_samples/alibaba_spot_job_info_df.csv", "spot2026", 4, 4, 26060850, 0, 9589663, ""};
    fz_imported r;
    if (!import(&e, (fz_import_options){0}, &r))
        return;
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "submitted when the log began: it may have run before", 'n'), 2);
    CU_ASSERT(r.report.n_findings == 1 && r.trace->req_gpus[3] == 94 && r.trace->req_cpus[3] == 15 * 94);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(r.trace, "preemptible", 3), "1");
    fz_imported_free(&r);
}

/* awk -F, 'NR>1 {s += $4*$11} END {print s}'; the last submission is 27 s after the first */
static void helios(void)
{
    static const expectation e = {
        "format_samples/helios_cluster_log.csv", "helios", 3, 3, 713077, 0, 27, "2020-06-09T18:41:01"};
    fz_imported r;
    if (!import(&e, (fz_import_options){0}, &r))
        return;
    CU_ASSERT(r.report.n_findings == 0 && r.trace->state[2] == FZ_TRACE_CANCELLED);
    fz_imported_free(&r);
}

/* By hand: Seren 8 x 117 + 8 x 2,693, that is its gpu_time, 336 s apart; Kalos 64 x 8 + 64 x 70, which is not its
 * gpu_time (64 x 18 + 64 x 82: with the queue), 1,664 s apart. */
static void acme(void)
{
    static const expectation seren = {
        "format_samples/acme_trace_seren.csv", "acme", 2, 2, 22480, 0, 336, "2023-03-01T00:18:22"};
    static const expectation kalos = {
        "format_samples/acme_trace_kalos.csv", "acme", 2, 2, 4992, 0, 1664, "2023-05-17T11:00:58"};
    fz_imported r;
    if (!import(&seren, (fz_import_options){0}, &r))
        return;
    CU_ASSERT_EQUAL(r.report.n_findings, 0);
    fz_imported_free(&r);
    if (!import(&kalos, (fz_import_options){0}, &r))
        return;
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "a duration that counts the queue: end - start is taken", 'n'), 2);
    CU_ASSERT_EQUAL(r.report.n_findings, 1);
    CU_ASSERT_EQUAL(r.trace->req_mem[0], 8 * 1000 * FZ_GB);
    fz_imported_free(&r);
}

/* r=list(csv.DictReader(gzip.open(FILE,'rt'))); ts=sorted(x['timestamp'] for x in r); n=lambda x: int(x['num_gpus'])
 * GPU-seconds sum(float(x['duration'])*n(x) for x in r); first and last ts[0], ts[-1]
 * no gap      sum(a==b for a,b in zip(ts,ts[1:]))
 * under 60 s  sum(float(x['duration'])<60 for x in r), none below 1 s
 * odd sizes   sum(n(x) in (12,24) for x in r), sum(n(x)>24 for x in r)
 * repeated    len(r)-len(set(map(tuple,(x.values() for x in r)))) */
static void philly_flattened(void)
{
    static const expectation e = {
        "philly/philly_jobs.csv.gz", "philly", 62194, 62194, 2739362060.0, 0, 69 * 86400 + 48393,
        "2017-09-04T10:30:41"};
    fz_imported r;
    uint64_t no_gap = 0, brief = 0, odd = 0, large = 0;
    if (!import(&e, (fz_import_options){0}, &r))
        return;
    const fz_trace *t = r.trace;
    for (uint32_t job = 0; job < t->n_jobs; job++) {
        no_gap += job > 0 && t->submit[job] == t->submit[job - 1];
        brief += t->duration[job] < 60 * FZ_SECOND;
        odd += t->req_gpus[job] == 12 || t->req_gpus[job] == 24;
        large += t->req_gpus[job] == 32;
        CU_ASSERT_FATAL(t->duration[job] >= FZ_SECOND && t->req_gpus[job] <= 32);
    }
    CU_ASSERT(no_gap == 5770 && brief == 5623 && odd == 11 && large == 29);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "the same row as an earlier one", 'n'), 41);
    fz_imported_free(&r);
}

/* By hand. Job 1: 74 + 193,182 s on 8 GPUs (date: 2017-10-09 06:53:12 - 2017-10-07 01:13:30); job 2: only its second
 * attempt has both ends, 43 s on 1 GPU, and the other three count nothing; job 3 has no attempt. */
static void philly_json(void)
{
    static const expectation e = {"format_samples/philly_cluster_job_log.json",
                                  "philly",
                                  3,
                                  2,
                                  (74 + 193182) * 8 + 43,
                                  0,
                                  2 * 86400 + 6757,
                                  "2017-10-07T01:11:39"};
    fz_imported r;
    if (!import(&e, (fz_import_options){0}, &r))
        return;
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "never started", 'd'), 1);
    CU_ASSERT_EQUAL(fz_imported_rows(&r, "an attempt without a start or an end, not counted", 'n'), 3);
    CU_ASSERT_EQUAL(r.report.n_findings, 2);
    CU_ASSERT(r.trace->req_gpus[0] == 8 && r.trace->req_gpus[1] == 1);
    CU_ASSERT_STRING_EQUAL(fz_imported_extra(r.trace, "attempts", 1), "4");
    fz_imported_free(&r);
}

/* By hand from the sample: the first job's two attempts and the second job's four, seconds after 2017-10-07 01:11:39;
 * 1:12:09 is 30 s later, 2017-10-09 03:07:23 is 179,744 s later. */
static void philly_attempts(void)
{
    static const char expected[] = "job_id,attempt,start_s,end_s,node,gpus\n"
                                   "application_1506638472019_14199,1,30,104,m47,8\n"
                                   "application_1506638472019_14199,2,111,193293,m412,8\n"
                                   "application_1506638472019_16565,1,179744,,m146,1\n"
                                   "application_1506638472019_16565,2,179975,180018,m146,1\n"
                                   "application_1506638472019_16565,3,180165,,m146,1\n"
                                   "application_1506638472019_16565,4,,180213,m153,1\n";
    char path[512], out[sizeof temp.path], text[1024] = "";
    (void)snprintf(path, sizeof path, "%s/format_samples/philly_cluster_job_log.json", FZ_SHARED_DATA);
    if (!fz_test_have(path))
        return;
    (void)snprintf(out, sizeof out, "%s", fz_temp_path(&temp, "attempts.csv"));
    fz_imported r = fz_imported_read("philly", path, (fz_import_options){.attempts = out});
    CU_ASSERT_EQUAL_FATAL(r.status, FZ_OK);
    FILE *file = fopen(out, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    CU_ASSERT_STRING_EQUAL(text, expected);
    fz_imported_free(&r);
}

int main(void)
{
    static const fz_test tests[] = {
        {"openb pods", openb},
        {"openb with its CPU pods", openb_with_cpu_pods},
        {"an openb list without times", openb_list_without_times},
        {"PAI", pai},
        {"Spot", spot},
        {"Helios", helios},
        {"Acme", acme},
        {"Philly flattened", philly_flattened},
        {"Philly's job log", philly_json},
        {"Philly's attempts", philly_attempts},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("import_gpu_logs", tests);
    fz_temp_close(&temp);
    return failed;
}
