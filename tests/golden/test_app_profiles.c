/* The profiles of Pollux and Sia as they were published: constants, step times and rates against values that an
 * independent program worked out from the same files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "workloads/apps/work_tables.h"

#define POLLUX FZ_SHARED_DATA "/pollux"
#define SIA    FZ_SHARED_DATA "/sia"

/* To the nine digits that are given. */
static bool near(double a, double b)
{
    bool good = fabs(a - b) <= 6e-9 * fabs(b);
    if (!good)
        printf("%.17g is not %.17g\n", a, b);
    return good;
}

static fz_work_tables *tables_of(const char *path)
{
    fz_work_tables *tables = NULL;
    fz_error err = {0};
    if (fz_work_tables_read(path, &tables, &err) != FZ_OK)
        printf("%s: %s\n", err.file, err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tables);
    return tables;
}

typedef struct rate_case {
    const char *app;
    double batch;
    uint32_t n_nodes, by_node[9];
    double local;
    uint32_t accum, epoch;
    double step_s, sync_s, sqr, var, rate;
} rate_case;

static void pollux_rates(void)
{
    static const rate_case cases[] = {
        {"cifar10", 2048, 2, {4, 2}, 342, 0, 0, 0.268777414, 0.020076066, 10.7401733, 5.49831549, 5.45116968},
        {"cifar10",
         2048,
         2,
         {4, 2},
         342,
         0,
         50,
         0.268777414,
         0.020076066,
         0.0238077708,
         3.32902435,
         53.8928855},
        {"deepspeech2",
         640,
         3,
         {4, 4, 4},
         53,
         0,
         3,
         1.77568649,
         0.195431978,
         0.158627303,
         2.00267841,
         5.49251331},
        {"ncf", 32768, 1, {1}, 16384, 1, 0, 0.0149687379, 0.000339131641, 709753.42, 574325286, 3738.53782},
        {"bert",
         384,
         4,
         {4, 4, 4, 4},
         12,
         1,
         1,
         1.88819464,
         0.995358318,
         4.30323044e+10,
         4.58685793e+13,
         11.1816323},
        {"imagenet",
         3200,
         6,
         {4, 4, 4, 4, 4, 4},
         134,
         0,
         10,
         0.745332142,
         0.0599265443,
         0.138039113,
         6.01261099,
         16.1189625},
        {"imagenet",
         6400,
         9,
         {4, 4, 4, 4, 4, 3, 3, 3, 3},
         200,
         0,
         0,
         1.08080824,
         0.0831428563,
         8.62499341,
         27.5111417,
         3.52507771},
        {"yolov3", 64, 1, {4}, 8, 1, 2, 0.500925109, 0.118961833, 1350.41012, 31449.2376, 7.03397405},
    };
    fz_work_tables *tables = tables_of(POLLUX);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rate_case *c = &cases[i];
        const fz_app *app = fz_work_app(tables, c->app);
        CU_ASSERT_PTR_NOT_NULL_FATAL(app);
        fz_app_place place = fz_app_place_of(&app->gpus[0], c->by_node, c->n_nodes);
        fz_app_split split = fz_app_split_batch(app, &place, c->batch);
        fz_app_step step = fz_app_step_time(app, &place, split.local);
        fz_app_noise noise = fz_app_noise_at(app, c->epoch, fz_app_batch(&place, split));
        CU_ASSERT(split.local == c->local && split.accum == c->accum && !step.extrapolated);
        CU_ASSERT(near(step.step_s, c->step_s) && near(step.sync_s, c->sync_s));
        CU_ASSERT(near(noise.sqr, c->sqr) && near(noise.var, c->var));
        CU_ASSERT_TRUE(near(fz_app_rate(app, &place, split, c->epoch), c->rate));
    }
    fz_work_tables_free(tables);
}

typedef struct app_case {
    const char *app;
    double base, largest, least_local, pollux_local;
    uint32_t epochs;
    double border1, border_last;
    double restart_s, slowdown;
} app_case;

static const app_case apps[] = {
    {"bert", 12, 384, 4, 12, 2, 7387, 14774, 120, 1.2},
    {"cifar10", 128, 4096, 32, 1024, 100, 390.714386, 39062.908167, 50, 1.8},
    {"deepspeech2", 20, 640, 10, 80, 80, 356.727365, 28536, 25, 1.2},
    {"imagenet", 200, 12800, 20, 200, 90, 6405.927175, 576525.594896, 250, 1.2},
    {"ncf", 256, 32768, 32, 32768, 10, 19417.594235, 194174, 15, 1.5},
    {"yolov3", 8, 512, 4, 8, 50, 2068.97291, 103443.977963, 80, 1.2},
};

static void pollux_constants(void)
{
    fz_work_tables *tables = tables_of(POLLUX);
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        const app_case *c = &apps[i];
        const fz_app *app = fz_work_app(tables, c->app);
        CU_ASSERT_PTR_NOT_NULL_FATAL(app);
        CU_ASSERT(app->rules == FZ_APP_POLLUX && app->restart_s == 30 && app->slowdown == 1);
        CU_ASSERT(app->batches[0] == c->base && app->batches[app->n_batches - 1] == c->largest);
        CU_ASSERT(app->least_local == c->least_local && app->gpus[0].most_local == c->pollux_local);
        CU_ASSERT_EQUAL(app->n_epochs, c->epochs);
        CU_ASSERT(near(app->borders[1], c->border1) && near(app->borders[c->epochs], c->border_last));
    }
    fz_work_tables_free(tables);
}

typedef struct gpu_case {
    const char *app, *gpu;
    double most_local, one_gpu_rate; /* to three digits behind the point or better */
} gpu_case;

static void sia_constants(void)
{
    static const gpu_case cases[] = {
        {"bert", "aws", 12, 13.0220},
        {"bert", "dgx-ext", 48, 140.4415},
        {"bert", "rtx", 12, 26.8507},
        {"cifar10", "aws", 1024, 1458.497},
        {"cifar10", "dgx-ext", 4096, 10062.552},
        {"cifar10", "quad", 2048, 3740.145},
        {"deepspeech2", "aws", 80, 31.4883},
        {"deepspeech2", "rtx", 57, 52.5122},
        {"imagenet", "dgx-ext", 800, 1034.011},
        {"imagenet", "azure", 600, 673.237},
        {"yolov3", "rtx", 8, 11.7242},
        {"yolov3", "quad", 16, 50.5933},
    };
    fz_work_tables *tables = tables_of(SIA);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gpu_case *c = &cases[i];
        const fz_app *app = fz_work_app(tables, c->app);
        CU_ASSERT_PTR_NOT_NULL_FATAL(app);
        const fz_app_gpu *gpu = fz_app_gpu_find(app, c->gpu);
        CU_ASSERT_PTR_NOT_NULL_FATAL(gpu);
        CU_ASSERT_EQUAL(gpu->most_local, c->most_local);
        bool good = fabs(gpu->one_gpu_rate - c->one_gpu_rate) < 1e-3;
        if (!good)
            printf("%s on %s: %.6f\n", c->app, c->gpu, gpu->one_gpu_rate);
        CU_ASSERT_TRUE(good);
    }
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        const fz_app *app = fz_work_app(tables, apps[i].app);
        CU_ASSERT_PTR_NOT_NULL_FATAL(app);
        CU_ASSERT(app->rules == FZ_APP_SIA && app->restart_s == apps[i].restart_s);
        CU_ASSERT(app->slowdown == apps[i].slowdown && app->n_epochs == apps[i].epochs);
    }
    fz_work_tables_free(tables);
}

static void gavel_table(void)
{
    fz_work_tables *tables = tables_of(FZ_SHARED_DATA "/gavel/simulation_throughputs.json.gz");
    const char *job = "ResNet-50 (batch size 64)";
    double expected[] = {0.619, 4.395, 2.619};
    static const char *const types[] = {"k80", "v100", "p100"};
    CU_ASSERT_EQUAL_FATAL(tables->throughputs.n_gpu_types, 3);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++)
            if (strcmp(types[k], tables->throughputs.gpu_types[i]) == 0)
                CU_ASSERT_TRUE(fabs(fz_throughputs_find(&tables->throughputs, job, 1, i) - expected[k]) <
                               5e-4);
    fz_work_tables_free(tables);
}

int main(void)
{
    if (!fz_test_have(POLLUX "/offgrid.csv") || !fz_test_have(SIA "/ORIGIN.txt"))
        return FZ_TEST_SKIPPED;
    const fz_test tests[] = {
        {"Pollux: step times and rates", pollux_rates},
        {"Pollux: constants", pollux_constants},
        {"Sia: constants", sia_constants},
        {"Gavel: a throughput", gavel_table},
    };
    return FZ_TEST_MAIN("app profiles", tests);
}
