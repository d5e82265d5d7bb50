/* Experiments as runs: what the lists span, what names a run, and how loads scale a trace. */
#include <stdio.h>
#include <string.h>

#include "sim/experiment/grid.h"
#include "tests/clusters.h"
#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/canonical.h"
#include "workloads/ops/load.h"

static fz_temp temp;

/* 8 GPUs; jobs of 4 GPUs x 100 s at 0 s and of 2 GPUs x 300 s at 100 s: load (400 + 600) / (8 x 100) = 1.25. */
static const char trace_text[] = "job_id,submit_s,duration_s,req_gpus\na,0,100,4\nb,100,300,2\n";
static const char cluster_text[] = "name: eight\nnode_types: {n: {gpus: [{type: a100-80g, count: 8}]}}\n"
                                   "pools: [{node_type: n, count: 1}]\n";

typedef struct world {
    fz_arena *arena;
    fz_trace *trace;
    fz_cluster_file *cluster;
    const fz_model *models[8];
    const fz_trace *traces[2];
    const fz_model *const *trace_models[2];
    const fz_cluster_file *clusters[2];
    fz_doc *doc;
    fz_roster roster;
    fz_experiment experiment;
    fz_grid grid;
} world;

static world made(const char *text, const char *version)
{
    world w = {.arena = fz_arena_new(NULL)};
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(
        fz_trace_read(fz_temp_text(&temp, "t.csv", trace_text), FZ_BAD_ROWS_DEFAULT, &w.trace, NULL, &err),
        FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_cluster_file_read(fz_temp_text(&temp, "c.yaml", cluster_text), &w.cluster, &err),
                          FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_roster_init(&w.roster, &err), FZ_OK);
    fz_status status = fz_experiment_read(w.arena, fz_temp_text(&temp, "e.yaml", text), &w.roster, NULL, 0,
                                          &w.doc, &w.experiment, &err);
    if (status != FZ_OK)
        printf("\n%u:%u: %s\n", err.line, err.column, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    for (int i = 0; i < 2; i++) {
        w.traces[i] = w.trace;
        w.trace_models[i] = w.models;
        w.clusters[i] = w.cluster;
    }
    fz_grid_inputs inputs = {
        .traces = w.traces, .models = w.trace_models, .clusters = w.clusters, .version = version};
    CU_ASSERT_EQUAL_FATAL(fz_grid_build(w.arena, &w.experiment, &inputs, &w.grid, &err), FZ_OK);
    return w;
}

static void forget(world *w)
{
    fz_trace_free(w->trace);
    fz_cluster_file_free(w->cluster);
    fz_doc_free(w->doc);
    fz_roster_release(&w->roster);
    fz_arena_free(w->arena);
}

static void lists_span_the_grid(void)
{
    world w = made(
        "trace: t.csv\ncluster: c.yaml\nload: [0.5, 1]\n"
        "scheduler: [easy, {name: fifo, consolidate: [0, 1]}]\nset: {restart_s: [0, 5, 9]}\nseed: 0..9\n",
        "1");
    CU_ASSERT_EQUAL(w.grid.n_scenarios, 2 * 3);
    CU_ASSERT_EQUAL_FATAL(w.grid.n_runs, 2 * 3 * 3); /* nothing is random: one seed */
    CU_ASSERT_EQUAL(w.grid.seeds_dropped, 6);
    CU_ASSERT_STRING_EQUAL(w.experiment.name, "e");
    CU_ASSERT_STRING_EQUAL(w.experiment.variants[2].label, "fifo consolidate=1");
    CU_ASSERT_STRING_EQUAL(w.grid.scenarios[3].text, "t.csv on c.yaml, load 1, restart_s=5");
    CU_ASSERT_EQUAL(w.grid.runs[4].scenario, 1);
    CU_ASSERT_EQUAL(w.grid.runs[4].variant, 1);
    for (uint32_t i = 0; i < w.grid.n_runs; i++)
        for (uint32_t k = 0; k < i; k++)
            CU_ASSERT_STRING_NOT_EQUAL(w.grid.runs[i].cell, w.grid.runs[k].cell);
    char config[FZ_CONFIG_LENGTH];
    fz_grid_config(&w.grid, &w.grid.runs[11], config);
    CU_ASSERT_PTR_NOT_NULL(strstr(config, "consolidate=1\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(config, "restart_s=5\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(config, "load=1\n"));
    forget(&w);
}

/* The name of a run is that of what is run: not of the file, its other lists, or the order of keys. */
static void what_names_a_run(void)
{
    static const char *const same[] = {
        "trace: t.csv\ncluster: c.yaml\nscheduler: {name: fifo, consolidate: 1}\n",
        "name: other\nscheduler: [easy, {consolidate: 1, name: fifo, label: x}]\ncluster: c.yaml\ntrace: "
        "t.csv\n",
        "trace: t.csv\ncluster: c.yaml\nscheduler: fifo\nset: {consolidate: 1}\n"};
    static const char *const other[] = {
        "trace: t.csv\ncluster: c.yaml\nscheduler: {name: fifo, consolidate: 0}\n",
        "trace: t.csv\ncluster: c.yaml\nscheduler: {name: fifo, consolidate: 1}\nload: 1.25\n",
        "trace: t.csv\ncluster: c.yaml\nscheduler: {name: fifo, consolidate: 1}\nwindow: 0:1\n",
        "trace: t.csv\ncluster: c.yaml\nscheduler: {name: fifo, consolidate: 1}\nseed: 1\n",
        "trace: t.csv\ncluster: c.yaml\nscheduler: {name: fifo, consolidate: 1}\noverload: {max_queue: 9}\n"};
    char cell[65];
    char key[65];
    world first = made(same[0], "1");
    memcpy(cell, first.grid.runs[0].cell, sizeof(cell));
    memcpy(key, first.grid.runs[0].key, sizeof(key));
    forget(&first);
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        world w = made(same[i], i == 2 ? "2" : "1");
        const fz_grid_run *run = &w.grid.runs[w.grid.n_runs - 1];
        CU_ASSERT_STRING_EQUAL(run->cell, cell);
        CU_ASSERT_EQUAL(strcmp(run->key, key) == 0, i != 2); /* another version has another key */
        forget(&w);
    }
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        world w = made(other[i], "1");
        CU_ASSERT_STRING_NOT_EQUAL(w.grid.runs[0].cell, cell);
        forget(&w);
    }
}

static void loads(void)
{
    world w = made("trace: t.csv\ncluster: c.yaml\nload: [0.5, 2.5]\nscheduler: fifo\nwindow: 1:2\n", "1");
    fz_run_spec spec;
    fz_load load;
    CU_ASSERT_DOUBLE_EQUAL(w.grid.scenarios[0].natural_load, 1.25, 1e-12);
    CU_ASSERT_EQUAL(fz_grid_spec(&w.grid, 0, &spec, NULL), FZ_OK);
    CU_ASSERT_EQUAL(spec.trace->submit[1], 250 * FZ_SECOND); /* half the load in 2.5 times the time */
    CU_ASSERT_EQUAL(fz_load_of(spec.trace, spec.cluster, &load, NULL), FZ_OK);
    CU_ASSERT_DOUBLE_EQUAL(load.load, 0.5, 1e-12);
    CU_ASSERT_EQUAL(spec.window_first, 1);
    CU_ASSERT_EQUAL(spec.window_end, 2);
    CU_ASSERT_EQUAL(fz_grid_spec(&w.grid, 1, &spec, NULL), FZ_OK);
    CU_ASSERT_EQUAL(spec.trace->submit[1], 50 * FZ_SECOND);
    CU_ASSERT_EQUAL(w.trace->submit[1], 100 * FZ_SECOND); /* the trace itself is as it was */
    forget(&w);
}

/* Rows by time: [60 s, 10 h) after the first submission. At load 2.5 the second job comes at 50 s. */
static void a_window_by_time(void)
{
    world w = made("trace: t.csv\ncluster: c.yaml\nscheduler: fifo\nwindow: 1m:10h\n", "1");
    CU_ASSERT_EQUAL(w.grid.scenarios[0].window_first, 1);
    CU_ASSERT_EQUAL(w.grid.scenarios[0].window_end, 2);
    forget(&w);
}

int main(void)
{
    static const fz_test tests[] = {
        {"lists span the grid", lists_span_the_grid},
        {"what names a run", what_names_a_run},
        {"loads", loads},
        {"a window by time", a_window_by_time},
    };
    fz_temp_open(&temp);
    int code = FZ_TEST_MAIN("grid", tests);
    fz_temp_close(&temp);
    return code;
}
