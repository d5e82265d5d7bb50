/* Traces published with studies: rows, GPU-seconds, first and last submission and quirks, against numbers counted
 * on the same files without this program.
 *
 * Muri: python3: r = list(csv.DictReader(open(FILE))); len(r), sum(num_gpu * duration) / 1000, max(submit_time) / 1000
 * Chronus: zcat FILE | awk -F, 'NR > 1 {if ($3 == 0) z++; else {n++; s += $3 * $7 * 60; if ($9 < $7) e++}}
 *                               END {printf "%d %d %.0f %d", n, z, s, e}'     (minutes; e: 304 with the 0-GPU rows)
 * ElasticFlow: awk -F, 'NR > 1 {n++; s += $7 * $9; if ($9 + $2 > $5) e++; if ($2 > b) b = $2}
 *                       END {printf "%d %.0f %d %d", n, s, e, b}'              (resnet_cifar_trace: $8 for $9)
 * Tiresias: awk -F, 'NR > 1 {n++; s += $2 * $6; if ($3 > b) b = $3} END {print n, s, b}'   (tf_job: $5 for $6)
 * NREL: awk -F, 'NR > 1 && $9 > 0 {n++; s += $9 * $14; if ($14 > $6) l++} END {print n, s, l}'; with all rows, ids that
 *       repeat: awk -F, 'NR > 1 && c[$1]++ {r++} END {print r}'
 * Sia, Pollux: awk -F, 'NR > 1 {n++; s += $4; if (NR == 2) a = $2; if ($2 > b) b = $2} END {print n, s, a, b}'
 * Gavel: zcat FILE | awk -F'\t' '{n++; s += $7; t += $5; if ($6 > b) b = $6} END {printf "%d %d %.0f %d", n, s, t, b}'
 *        (10 columns: $6 for $5, $10 for $6)
 * Shockwave: awk -F'\t' '{n++; s += $7 * $11; if ($12 > b) b = $12} END {printf "%d %.0f %d", n, s, b}' */
#include <math.h>
#include <stdio.h>

#include "tests/harness.h"
#include "tests/imports.h"

static fz_temp temp;

typedef struct expectation {
    const char *file, *format;
    uint64_t rows, kept;
    double gpu_s, first_s, last_s;
} expectation;

/* False: skipped. The file is found by its content, not by its name. */
static bool import(const expectation *e, fz_imported *imported)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", FZ_SHARED_DATA, e->file);
    if (!fz_test_have(path))
        return false;
    const fz_trace_format *format = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(fz_trace_format_probe(path, &format, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(format->name, e->format);
    *imported = fz_imported_read(NULL, path, (fz_import_options){0});
    CU_ASSERT_EQUAL_FATAL(imported->status, FZ_OK);
    const fz_trace *trace = imported->trace;
    CU_ASSERT_EQUAL(imported->report.rows_read, e->rows);
    CU_ASSERT_EQUAL(imported->report.rows_kept, e->kept);
    CU_ASSERT_EQUAL(fz_imported_dropped(imported), e->rows - e->kept);
    CU_ASSERT(fabs(fz_imported_gpu_seconds(trace) - e->gpu_s) <= 1e-9 * e->gpu_s);
    CU_ASSERT_EQUAL(fz_time_to_s(trace->submit[0]), e->first_s);
    CU_ASSERT_EQUAL(fz_time_to_s(trace->submit[trace->n_jobs - 1]), e->last_s);
    fz_imported_comes_back(&temp, trace, false);
    return true;
}

static void muri(void)
{
    static const expectation files[] = {
        {"muri/cluster_trace.csv", "muri", 400, 400, 220836929, 0, 2344695},
        {"muri/trace1.csv", "muri", 1494, 1494, 1379976364, 0, 10817570},
        {"muri/trace3.csv", "muri", 992, 992, 420084355, 0, 8166025},
        {"muri/trace3_pr.csv", "muri", 992, 992, 420084355, 0, 0},
    };
    for (uint32_t i = 0; i < 4; i++) {
        fz_imported imported;
        if (!import(&files[i], &imported))
            return;
        CU_ASSERT_EQUAL(imported.report.n_findings, 0);
        fz_imported_free(&imported);
    }
}

static void chronus(void)
{
    static const expectation e = {
        "chronus/trace_job_Philly_MIX1.csv.gz", "chronus", 30940, 30756, 1336781280, 60, 20151 * 60};
    fz_imported imported;
    if (!import(&e, &imported))
        return;
    CU_ASSERT_EQUAL(fz_imported_rows(&imported, "no GPU asked for", 'd'), 184);
    CU_ASSERT_EQUAL(fz_imported_rows(&imported, "a deadline below the run time", 'n'), 302);
    CU_ASSERT_EQUAL(fz_imported_rows(&imported, "lists of deadlines that cannot be read", 'n'), 0);
    fz_imported_free(&imported);
    fz_imported all = fz_imported_read("chronus", FZ_SHARED_DATA "/chronus/trace_job_Philly_MIX1.csv.gz",
                                       (fz_import_options){.cpu_jobs = true});
    CU_ASSERT_EQUAL(all.report.rows_kept, 30940);
    CU_ASSERT_EQUAL(fz_imported_rows(&all, "a deadline below the run time", 'n'), 304);
    fz_imported_free(&all);
}

static void elasticflow(void)
{
    static const expectation files[] = {
        {"elasticflow/philly_103959.csv", "elasticflow", 876, 876, 154137879, 0, 7910536},
        {"elasticflow/resnet_cifar_trace.csv", "elasticflow", 5, 5, 21682, 0, 309537},
    };
    static const uint64_t early[] = {466, 0};
    for (uint32_t i = 0; i < 2; i++) {
        fz_imported imported;
        if (!import(&files[i], &imported))
            return;
        CU_ASSERT_EQUAL(fz_imported_rows(&imported, "a deadline before the earliest end", 'n'), early[i]);
        fz_imported_free(&imported);
    }
}

static void tiresias(void)
{
    static const expectation files[] = {
        {"tiresias/60_job.csv", "tiresias", 60, 60, 26624, 0, 1779},
        {"tiresias/tf_job.csv", "tiresias", 2, 2, 480, 11, 11},
    };
    static const uint64_t repeated[] = {0, 1};
    for (uint32_t i = 0; i < 2; i++) {
        fz_imported imported;
        if (!import(&files[i], &imported))
            return;
        CU_ASSERT_EQUAL(fz_imported_rows(&imported, "a job_id that was there before", 'c'), repeated[i]);
        fz_imported_free(&imported);
    }
}

static void nrel_eagle(void)
{
    /* from 11:18:55 to 14:23:43 are 11,088 s */
    static const expectation e = {"nrel_eagle/sample_eagle_data.csv", "nrel_eagle", 1000, 4, 36486, 0, 11088};
    fz_imported imported;
    if (!import(&e, &imported))
        return;
    CU_ASSERT_EQUAL(fz_imported_rows(&imported, "no GPU asked for", 'd'), 996);
    CU_ASSERT_EQUAL(fz_imported_rows(&imported, "ran longer than its limit", 'n'), 3);
    CU_ASSERT_STRING_EQUAL(imported.trace->epoch, "2019-01-02T11:18:55");
    fz_imported_free(&imported);
    fz_imported all = fz_imported_read("nrel_eagle", FZ_SHARED_DATA "/nrel_eagle/sample_eagle_data.csv",
                                       (fz_import_options){.cpu_jobs = true});
    CU_ASSERT_EQUAL(all.report.rows_kept, 1000);
    CU_ASSERT_EQUAL(fz_imported_rows(&all, "a job_id that was there before", 'c'), 451);
    fz_imported_free(&all);
}

static void shockwave(void)
{
    static const expectation files[] = {
        {"shockwave/shockwave_120.trace", "shockwave", 120, 120, 711371, 0, 5011},
        {"shockwave/shockwave_220.trace", "shockwave", 220, 220, 1453927, 0, 5956},
    };
    for (uint32_t i = 0; i < 2; i++) {
        fz_imported imported;
        if (!import(&files[i], &imported))
            return;
        CU_ASSERT_EQUAL(imported.report.n_findings, 0);
        fz_imported_free(&imported);
    }
}

/* Jobs without a run time: GPUs and steps in total instead of GPU-seconds. */
typedef struct profiled {
    const char *file, *format;
    uint64_t rows, gpus;
    double steps, first_s, last_s;
} profiled;

static void import_profiled(const profiled *p, const char *kind)
{
    fz_imported imported;
    const expectation e = {p->file, p->format, p->rows, p->rows, 0, p->first_s, p->last_s};
    if (!import(&e, &imported))
        return;
    const fz_trace *trace = imported.trace;
    uint64_t gpus = 0;
    double steps = 0;
    for (uint32_t i = 0; i < trace->n_jobs; i++) {
        gpus += trace->req_gpus[i];
        steps += trace->steps != NULL ? trace->steps[i] : 0;
        CU_ASSERT_STRING_EQUAL(fz_imported_extra(trace, "work_kind", i), kind);
    }
    CU_ASSERT_EQUAL(gpus, p->gpus);
    CU_ASSERT_EQUAL(steps, p->steps);
    CU_ASSERT_PTR_NULL(trace->duration);
    CU_ASSERT_EQUAL(imported.report.n_findings, 0);
    fz_imported_free(&imported);
}

static void sia(void)
{
    static const profiled files[] = {
        {"sia/philly/workload-1.csv", "sia", 160, 1612, 0, 107, 27695},
        {"sia/newtrace/workload-1.csv", "sia", 960, 9020, 0, 487.661836, 172603.693348},
        {"sia/adaptdl_realistic/workload-1.csv", "sia", 160, 218, 0, 107, 27695},
        {"sia/scale_32x/workload-1.csv", "sia", 5120, 48512, 0, 401, 28098},
        {"pollux/workloads/2.0/workload-1.csv", "sia", 320, 2225, 0, 29, 28332},
    };
    for (uint32_t i = 0; i < sizeof files / sizeof *files; i++)
        import_profiled(&files[i], "target");
}

static void gavel(void)
{
    static const profiled files[] = {
        {"gavel/msr_seed0/0e4a51.trace.gz", "gavel", 1181, 3236, 6815877024, 0, 7363956},
        {"gavel/msr_seed0/103959.trace.gz", "gavel", 986, 2364, 1916994894, 0, 7910536},
        {"gavel/msr_seed0/11cb48.trace.gz", "gavel", 2000, 4405, 2876472301, 0, 8799232},
        {"gavel/msr_seed0/23dbec.trace.gz", "gavel", 9, 58, 4632861, 0, 188011},
        {"gavel/msr_seed0/6214e9.trace.gz", "gavel", 2000, 2214, 17063947829, 0, 4184082},
        {"gavel/msr_seed0/795a4c.trace.gz", "gavel", 3, 3, 85353, 0, 3362},
        {"gavel/msr_seed0/7f04ca.trace.gz", "gavel", 972, 4430, 13913721875, 0, 10817570},
        {"gavel/msr_seed0/ee9e8c.trace.gz", "gavel", 2000, 8587, 9875481880, 0, 4508448},
        {"gavel/physical_cluster/artifact_evaluation.trace", "gavel", 15, 18, 304697, 0, 0},
        {"gavel/physical_cluster/debug.trace", "gavel", 14, 17, 3230357, 0, 0},
        {"gavel/physical_cluster/max_min_fairness.trace", "gavel", 96, 169, 18166806, 0, 46317},
        {"gavel/physical_cluster/medium_test.trace", "gavel", 20, 20, 5484967, 0, 0},
    };
    for (uint32_t i = 0; i < sizeof files / sizeof *files; i++)
        import_profiled(&files[i], "steps");
}

/* Bad rows of both, and what work_kind may say. */
static void profiled_bad_rows(void)
{
    static const char sia_header[] = "name,time,application,num_replicas,batch_size\n";
    char text[512];
    (void)snprintf(text, sizeof text, "%scifar10-0,-5,cifar10,4,128\n", sia_header);
    fz_import_refused(&temp, "sia", text, 2, 11, "time");
    (void)snprintf(text, sizeof text, "%scifar10-0,5,cifar10,4,many\n", sia_header);
    fz_import_refused(&temp, "sia", text, 2, 23, "batch_size");
    (void)snprintf(text, sizeof text, "%scifar10-0,5,,4,128\n", sia_header);
    fz_import_refused(&temp, "sia", text, 2, 1, "no work");
    fz_import_refused(&temp, "gavel", "LM\tc\tn\t1\t100\t0\n", 1, 1, "6 fields; 7 or 10 are expected");
    fz_import_refused(&temp, "gavel", "LM\tc\tn\t1\t-100\t0\t1\n", 1, 10, "total_steps");
    fz_import_refused(&temp, "gavel", "LM\tc\td\tn\t1\t100\tx\t1\t-1\t0\n", 1, 16, "scale_factor");
    fz_import_refused(&temp, "canonical", "job_id,submit_s,req_gpus,model,work_kind\na,0,1,m,steps\n", 2, 1,
                      "no work");
    fz_import_refused(&temp, "canonical", "job_id,submit_s,req_gpus,model,work_kind\na,0,1,m,stepz\n", 2, 9,
                      "'stepz' is unknown");
}

int main(void)
{
    static const fz_test tests[] = {
        {"muri", muri},         {"chronus", chronus},       {"elasticflow", elasticflow},
        {"tiresias", tiresias}, {"nrel_eagle", nrel_eagle}, {"shockwave", shockwave},
        {"sia", sia},           {"gavel", gavel},           {"profiled_bad_rows", profiled_bad_rows},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("import_studies", tests);
    fz_temp_close(&temp);
    return failed;
}
