/* Application profiles and throughput tables: reading, every kind of bad file, interpolation and progress, on invented
 * tables (tests/invented_profiles). */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/apps/work_tables.h"

#define TOYS FZ_SOURCE_DIR "/tests/invented_profiles"

static bool near(double a, double b)
{
    bool good = fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
    if (!good)
        printf("%.17g is not %.17g\n", a, b);
    return good;
}

static fz_work_tables *toys(void)
{
    fz_work_tables *tables = NULL;
    fz_error err = {0};
    if (fz_work_tables_read(TOYS, &tables, &err) != FZ_OK)
        printf("%s\n", err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tables);
    return tables;
}

static fz_app_place place_on(const fz_app *app, const char *type, uint32_t n, const uint32_t *by_node)
{
    return fz_app_place_of(fz_app_gpu_find(app, type), by_node, n);
}

static void what_is_read(void)
{
    fz_work_tables *tables = toys();
    const fz_app *app = fz_work_app(tables, "toy");
    CU_ASSERT_PTR_NOT_NULL_FATAL(app);
    CU_ASSERT_PTR_NULL(fz_work_app(tables, "other"));
    CU_ASSERT_EQUAL(tables->n_apps, 1);
    CU_ASSERT_EQUAL(app->rules, FZ_APP_SIA);
    CU_ASSERT_EQUAL(app->n_epochs, 2);
    CU_ASSERT(app->n_batches == 2 && app->batches[0] == 8 && app->batches[1] == 32);
    CU_ASSERT(app->borders[0] == 0 && app->borders[1] == 100 && app->borders[2] == 300); /* the least */
    CU_ASSERT_EQUAL(app->least_local, 4);
    CU_ASSERT(app->restart_s == 30 &&
              app->slowdown == 1.2); /* what applications get that Sia does not know */
    const fz_app_gpu *aws = fz_app_gpu_find(app, "aws"), *rtx = fz_app_gpu_find(app, "rtx");
    CU_ASSERT_FATAL(aws != NULL && rtx != NULL);
    CU_ASSERT(aws->most_local == 16 && rtx->most_local == 8);
    CU_ASSERT(near(aws->one_gpu_rate, 20) && near(rtx->one_gpu_rate, 40)); /* 16 / 0.8, 8 / 0.2 */
    CU_ASSERT_PTR_NULL(fz_app_gpu_find(app, "quad"));
    fz_work_tables_free(tables);
}

static void places(void)
{
    fz_work_tables *tables = toys();
    const fz_app *app = fz_work_app(tables, "toy");
    fz_app_place place = place_on(app, "aws", 3, (uint32_t[]){4, 3, 4}); /* 434, 344, 443 */
    CU_ASSERT(place.placement == 344 && place.nodes == 3 && place.gpus == 11);
    place = place_on(app, "aws", 2, (uint32_t[]){12, 1}); /* no digit */
    CU_ASSERT(place.placement == 0 && place.gpus == 13);
    place = fz_app_place_packed(fz_app_gpu_find(app, "aws"), 6, 4); /* 4 and 2 */
    CU_ASSERT(place.placement == 24 && place.nodes == 2 && place.gpus == 6);
    fz_work_tables_free(tables);
}

static void step_at(const fz_app *app, uint32_t n, const uint32_t *by_node, double local, double step,
                    double sync, bool extrapolated)
{
    fz_app_place place = place_on(app, "aws", n, by_node);
    fz_app_step found = fz_app_step_time(app, &place, local);
    CU_ASSERT_TRUE(near(found.step_s, step));
    CU_ASSERT_TRUE(near(found.sync_s, sync));
    CU_ASSERT_EQUAL(found.extrapolated, extrapolated);
}

static void step_times(void)
{
    fz_work_tables *tables = toys();
    const fz_app *app = fz_work_app(tables, "toy");
    step_at(app, 1, (uint32_t[]){2}, 4, 0.25, 0.05, false);
    step_at(app, 1, (uint32_t[]){2}, 10, 0.55, 0.05, false);  /* half way */
    step_at(app, 1, (uint32_t[]){2}, 100, 0.85, 0.05, false); /* the end holds */
    step_at(app, 1, (uint32_t[]){2}, 1, 0.25, 0.05, false);
    step_at(app, 2, (uint32_t[]){3, 1}, 4, 0.4, 0.2, false); /* not placed: any with 2 nodes and 4 GPUs */
    step_at(app, 4, (uint32_t[]){1, 1, 2, 2}, 4, 0.65, 0.45, true); /* 6 GPUs, half way from 4 to 8 */
    /* 3 nodes: half way from 2 nodes (4 GPUs there: 0.4) to 4 nodes (6 GPUs: 0.65) */
    step_at(app, 3, (uint32_t[]){2, 2, 2}, 4, 0.525, 0.325, true);
    step_at(app, 9, (uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, 4, 0.7, 0.5,
            true); /* clamped to 4 nodes, 8 GPUs */
    fz_work_tables_free(tables);
}

static void split_is(const fz_app *app, const char *type, uint32_t gpus, double batch, double local,
                     uint32_t accum)
{
    fz_app_place place = place_on(app, type, 1, &gpus);
    fz_app_split split = fz_app_split_batch(app, &place, batch);
    CU_ASSERT_TRUE(near(split.local, local));
    CU_ASSERT_EQUAL(split.accum, accum);
}

static void splits(void)
{
    fz_work_tables *tables = toys();
    const fz_app *app = fz_work_app(tables, "toy");
    split_is(app, "aws", 2, 8, 4, 0);
    split_is(app, "aws", 1, 8, 8, 0);  /* the base batch */
    split_is(app, "aws", 1, 16, 8, 1); /* above it one GPU accumulates at least once */
    split_is(app, "aws", 1, 32, 16, 1);
    split_is(app, "rtx", 1, 32, 8, 3);
    split_is(app, "rtx", 2, 32, 8, 1);
    split_is(app, "aws", 4, 30, 8, 0); /* rounded up: 32 */
    split_is(app, "aws", 4, 64, 8, 0); /* not above the largest batch: 16 on 4 GPUs would be 64 */
    fz_work_tables_free(tables);
}

/* 2 GPUs, batch 8: gain 1, 0.25 s a step, slowdown 1.2: 10/3 a second. Epoch 0 takes 30 s, epoch 1 60 s.
 * Batch 32 (16 a GPU): epoch 0: gain (3 + 1) / (3/4 + 1) = 16/7; epoch 1: 16 / (15/4 + 1) = 64/19; 0.85 s a step. */
static void progress(void)
{
    fz_work_tables *tables = toys();
    const fz_app *app = fz_work_app(tables, "toy");
    fz_app_place place = place_on(app, "aws", 1, (uint32_t[]){2});
    fz_app_split base = {.local = 4}, large = {.local = 16};
    CU_ASSERT_TRUE(near(fz_app_rate(app, &place, base, 0), 10.0 / 3));
    CU_ASSERT_TRUE(near(fz_app_rate(app, &place, large, 0), 16.0 / 7 / 0.85 / 1.2));
    CU_ASSERT_TRUE(near(fz_app_rate(app, &place, large, 1), 64.0 / 19 / 0.85 / 1.2));
    /* accumulation: a pass without synchronisation takes 0.2 s */
    CU_ASSERT_TRUE(near(fz_app_rate(app, &place, (fz_app_split){.local = 4, .accum = 1}, 0),
                        4.0 / (3.0 / 2 + 1) / (0.25 + 0.2) / 1.2));
    fz_app_noise noise = fz_app_noise_at(app, 1, 20);
    CU_ASSERT(near(noise.sqr, 1) && near(noise.var, 15));
    CU_ASSERT_TRUE(near(fz_app_time_left(app, &place, base, (fz_app_progress){0}), 90));
    CU_ASSERT_TRUE(near(fz_app_time_left(app, &place, base, (fz_app_progress){1, 200}), 30));

    fz_app_progress at = {0};
    CU_ASSERT_EQUAL(fz_app_train(app, &place, base, &at, 12), 0);
    CU_ASSERT(at.epoch == 0 && near(at.progress, 40));
    CU_ASSERT_EQUAL(fz_app_train(app, &place, base, &at, 60), 42); /* 18 s to the border */
    CU_ASSERT(at.epoch == 1 && at.progress == 100);
    at.progress = 299; /* 0.3 s before the end: rounded down to now */
    CU_ASSERT_EQUAL(fz_app_train(app, &place, base, &at, 60), 60);
    CU_ASSERT_EQUAL(at.epoch, 2);
    at = (fz_app_progress){1, 298}; /* 0.6 s: rounded up, to no more than there was */
    CU_ASSERT_EQUAL(fz_app_train(app, &place, base, &at, 0.7), 0);
    CU_ASSERT_EQUAL(at.epoch, 2);
    fz_work_tables_free(tables);
}

/* Batch 32: 30 steps at the end of the first row, 80 at the end of the second; of the 50 between them, half are left
 * in the middle of the epoch. */
static void iterations(void)
{
    fz_work_tables *tables = toys();
    const fz_app *app = fz_work_app(tables, "toy");
    CU_ASSERT_EQUAL(fz_app_iterations_left(app, 32, (fz_app_progress){0}), 50);
    CU_ASSERT_EQUAL(fz_app_iterations_left(app, 32, (fz_app_progress){0, 50}), 25);
    CU_ASSERT_EQUAL(fz_app_iterations_left(app, 32, (fz_app_progress){1, 150}), 1);
    fz_work_tables_free(tables);
}

static void throughputs(void)
{
    fz_work_tables *tables = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_work_tables_read(TOYS "/throughputs.json", &tables, NULL), FZ_OK);
    const fz_throughputs *table = &tables->throughputs;
    CU_ASSERT(table->n == 3 && table->n_gpu_types == 2); /* neither 0.0 nor unconsolidated */
    CU_ASSERT_EQUAL(fz_throughputs_find(table, "Toy (batch size 4)", 1, 0), 2);
    CU_ASSERT_EQUAL(fz_throughputs_find(table, "Toy (batch size 4)", 1, 1), 4);
    CU_ASSERT_EQUAL(fz_throughputs_find(table, "Toy (batch size 4)", 2, 0), 3);
    CU_ASSERT_EQUAL(fz_throughputs_find(table, "Toy (batch size 4)", 2, 1), 0);
    CU_ASSERT_EQUAL(fz_throughputs_find(table, "Toy", 1, 0), 0);
    fz_work_tables_free(tables);
}

/* ---- bad files ---------------------------------------------------------------------------------------------- */

static void refused(const char *path, const char *words)
{
    fz_work_tables *tables = NULL;
    fz_error err = {0};
    fz_status status = fz_work_tables_read(path, &tables, &err);
    CU_ASSERT(status == FZ_EPARSE || status == FZ_EIO);
    CU_ASSERT_PTR_NULL(tables);
    bool said = strstr(err.message, words) != NULL || strstr(err.file, words) != NULL;
    if (!said)
        printf("'%s: %s' does not say '%s'\n", err.file, err.message, words);
    CU_ASSERT_TRUE(said);
}

static void bad_throughputs(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    refused(fz_temp_path(&temp, "none.json"), "none.json");
    refused(fz_temp_text(&temp, "a.json", "[1]"), "a throughput table must be a map");
    refused(fz_temp_text(&temp, "a.json", "{\"k80\": 3}"), "a GPU type must be a map");
    refused(fz_temp_text(&temp, "a.json", "{\"k80\": {\"x\": {\"null\": 1}}}"), "('<job type>', <GPUs>)");
    refused(fz_temp_text(&temp, "a.json", "{\"k80\": {\"('x', 0)\": {\"null\": 1}}}"),
            "('<job type>', <GPUs>)");
    refused(fz_temp_text(&temp, "a.json", "{\"k80\": {\"('x', 1)\": {}}}"), "null");
    refused(fz_temp_text(&temp, "a.json", "{\"k80\": {\"('x', 1)\": {\"null\": -1}}}"), "null");
    refused(fz_temp_text(&temp, "a.json", "{\"k80\": {\"('x', 1)\": {\"null\": 0}}}"), "above 0");
    fz_temp_close(&temp);
}

/* A folder with one application of two files; each test breaks one. */
typedef struct broken {
    const char *placements, *validation; /* NULL: no such file */
    const char *words;
} broken;

#define GOOD_PLACES "placement,local_bsz,step_time,sync_time\n1,4,0.2,0\n"
#define GOOD_EPOCHS "progress,iteration,grad_sqr,grad_var\n10,10,1,1\n"

static void bad_folder(fz_temp *temp, const broken *b)
{
    char folder[200], places_path[256], epochs_path[256];
    snprintf(folder, sizeof folder, "%s/app", temp->folder);
    snprintf(places_path, sizeof places_path, "%s/placements-aws.csv", folder);
    snprintf(epochs_path, sizeof epochs_path, "%s/validation-8.csv", folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0755), 0);
    if (b->placements != NULL)
        (void)fz_temp_text(temp, "app/placements-aws.csv", b->placements);
    if (b->validation != NULL)
        (void)fz_temp_text(temp, "app/validation-8.csv", b->validation);
    refused(temp->folder, b->words);
    (void)unlink(places_path);
    (void)unlink(epochs_path);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static void bad_profiles(void)
{
    static const broken all[] = {
        {NULL, GOOD_EPOCHS, "no rows in placements"},
        {GOOD_PLACES, NULL, "no validation-<batch>.csv"},
        {"placement,local_bsz,step_time\n1,4,0.2\n", GOOD_EPOCHS, "'sync_time' is missing"},
        {"placement,local_bsz,step_time,sync_time\n102,4,0.2,0\n", GOOD_EPOCHS, "a node without GPUs"},
        {"placement,local_bsz,step_time,sync_time\n0,4,0.2,0\n", GOOD_EPOCHS, "placement is 0"},
        {"placement,local_bsz,step_time,sync_time\nx,4,0.2,0\n", GOOD_EPOCHS, "placement"},
        {"placement,local_bsz,step_time,sync_time\n1,4,0,0\n", GOOD_EPOCHS, "step_time is 0"},
        {"placement,local_bsz,step_time,sync_time\n1,4,0.2,-1\n", GOOD_EPOCHS, "sync_time is -1"},
        {"placement,local_bsz,step_time,sync_time\n1,0,0.2,0\n", GOOD_EPOCHS, "local_bsz is 0"},
        {GOOD_PLACES, "progress,iteration,grad_sqr,grad_var\n", "no epochs"},
        {GOOD_PLACES, "progress,iteration,grad_sqr\n10,10,1\n", "'grad_var' is missing"},
        {GOOD_PLACES, "progress,iteration,grad_sqr,grad_var\n10,10,1,1\n5,20,1,1\n", "progress is 5"},
    };
    fz_temp temp;
    fz_temp_open(&temp);
    refused(temp.folder, "no folders");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bad_folder(&temp, &all[i]);
    fz_temp_close(&temp);
}

int main(void)
{
    const fz_test tests[] = {
        {"what is read", what_is_read},
        {"allocations in the terms of the tables", places},
        {"step times and what lies between", step_times},
        {"splits of a batch", splits},
        {"progress, by hand", progress},
        {"iterations left", iterations},
        {"throughput tables", throughputs},
        {"bad throughput tables", bad_throughputs},
        {"bad profiles", bad_profiles},
    };
    return FZ_TEST_MAIN("apps", tests);
}
