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
    CU_ASSERT(fabs(fz_imported_gpu_seconds(trace) - e->gpu_s) < 1e-9 * e->gpu_s);
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

int main(void)
{
    static const fz_test tests[] = {
        {"muri", muri},         {"chronus", chronus},       {"elasticflow", elasticflow},
        {"tiresias", tiresias}, {"nrel_eagle", nrel_eagle}, {"shockwave", shockwave},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("import_studies", tests);
    fz_temp_close(&temp);
    return failed;
}
