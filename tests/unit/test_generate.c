/* The generator: the same bytes every time, and the distributions that profiles promise. How well a profile is met by
 * traces of all kinds is tested in golden/test_profiles.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frenzy/marp.h>

#include "core/support/input.h"
#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/bundled.h"
#include "workloads/canonical.h"
#include "workloads/cluster_file.h"
#include "workloads/generate.h"
#include "workloads/mix.h"
#include "workloads/models.h"
#include "workloads/ops/load.h"

static fz_temp temp;

static fz_trace *generate(uint32_t jobs, uint64_t seed, double rate)
{
    fz_trace *trace = NULL;
    fz_profile *profile = NULL;
    fz_generate_options options = {.jobs = jobs, .seed = seed, .jobs_per_h = rate};
    CU_ASSERT_EQUAL_FATAL(fz_profile_read("llm", &profile, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_generate(profile, &options, &trace, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(trace->n_jobs, jobs > 0 ? jobs : profile->jobs);
    fz_profile_free(profile);
    return trace;
}

static char *content(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    CU_ASSERT_EQUAL_FATAL(fz_input_slurp(path, 16 << 20, &text, &length, NULL, NULL), FZ_OK);
    return text;
}

static char *as_text(const fz_trace *trace)
{
    char path[sizeof temp.path];
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "out.csv"));
    CU_ASSERT_EQUAL_FATAL(fz_trace_write(trace, path, NULL), FZ_OK);
    return content(path);
}

/* The bundled trace is what the command in its header gives: the defaults. */
static void bundled_trace(void)
{
    fz_trace *trace = generate(0, 1, 0);
    char *made = as_text(trace), *bundled = content(FZ_SOURCE_DIR "/workloads/traces/demo.csv");
    CU_ASSERT_TRUE(strcmp(made, bundled) == 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(bundled, "# command: frenzy trace generate llm --jobs 500 --seed 1 --rate 8\n"));
    free(made);
    free(bundled);
    fz_trace_free(trace);
    const fz_trace_format *format = NULL; /* and it is found by its name from any folder */
    CU_ASSERT_EQUAL_FATAL(fz_trace_format_probe("demo", &format, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(format->read("demo", &(fz_import_options){0}, &trace, NULL, NULL), FZ_OK);
    CU_ASSERT_EQUAL(trace->n_jobs, 500);
    CU_ASSERT_STRING_EQUAL(trace->path, "demo.csv");
    fz_trace_free(trace);
}

static void reads_back_clean(void)
{
    fz_trace *trace = generate(300, 7, 2.5), *again = NULL;
    fz_trace_report report;
    char path[sizeof temp.path];
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "out.csv"));
    CU_ASSERT_EQUAL_FATAL(fz_trace_write(trace, path, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_trace_read(path, FZ_BAD_ROWS_FAIL, &again, &report, NULL), FZ_OK);
    CU_ASSERT(again->n_jobs == 300 && report.n_findings == 0);
    CU_ASSERT_STRING_EQUAL(again->source, "generate llm");
    CU_ASSERT_STRING_EQUAL(again->headers[1].value,
                           "frenzy trace generate llm --jobs 300 --seed 7 --rate 2.5");
    fz_trace_free(trace);
    fz_trace_free(again);
}

/* Draws belong to a job: a longer trace begins like a shorter one, and a rate changes submit times only. */
static void draws_belong_to_jobs(void)
{
    fz_trace *a = generate(50, 3, 8), *longer = generate(400, 3, 8), *denser = generate(50, 3, 80);
    fz_trace *other = generate(50, 4, 8);
    uint32_t different = 0;
    for (uint32_t job = 0; job < 50; job++) {
        CU_ASSERT(a->submit[job] == longer->submit[job] && a->steps[job] == longer->steps[job] &&
                  a->req_gpus[job] == longer->req_gpus[job] && a->steps[job] == denser->steps[job]);
        CU_ASSERT_STRING_EQUAL(a->texts[a->model[job]], longer->texts[longer->model[job]]);
        different += a->steps[job] != other->steps[job];
    }
    CU_ASSERT(denser->submit[49] < a->submit[49] && different > 40);
    fz_trace_free(a);
    fz_trace_free(longer);
    fz_trace_free(denser);
    fz_trace_free(other);
}

static fz_mix *mix_read(void)
{
    fz_mix *mix = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_mix_read("llm-small", &mix, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(mix->n_classes, 1);
    return mix;
}

static const fz_mix_model *mix_of(const fz_mix *mix, const fz_trace *trace, uint32_t job)
{
    const fz_mix_class *c = mix->classes;
    uint32_t i = 0;
    while (i + 1 < c->n_models && strcmp(c->models[i].name, trace->texts[trace->model[job]]) != 0)
        i++;
    CU_ASSERT_STRING_EQUAL_FATAL(c->models[i].name, trace->texts[trace->model[job]]);
    return &c->models[i];
}

static uint32_t thumb(double params)
{
    uint32_t gpus = 1;
    while (gpus * 40.0 * (double)FZ_GIB < 16 * params)
        gpus *= 2;
    return gpus;
}

/* Shares of 40,000 jobs; the bounds are 5 standard deviations of a share of a half. */
static void distributions(void)
{
    enum { JOBS = 40000 };
    const double near = 5 * 0.0025;
    fz_trace *t = generate(JOBS, 11, 30);
    fz_mix *mix = mix_read();
    double below_median = 0, above_day = 0, half = 0, same = 0, large = 0, gpt2 = 0, top_user = 0, night = 0;
    for (uint32_t job = 0; job < JOBS; job++) {
        const fz_mix_model *m = mix_of(mix, t, job);
        uint32_t gpus = thumb(m->params);
        double run_s =
            t->steps[job] * 6 * m->params * (double)t->global_batch[job] * t->seq_len[job] / (gpus * 250e12);
        below_median += run_s < 1800;
        above_day += run_s > 86400 * 1.01;
        large += gpus > 1;
        half += gpus > 1 && t->req_gpus[job] == gpus / 2;
        same += gpus > 1 && t->req_gpus[job] == gpus;
        gpt2 += strcmp(m->name, "gpt2") == 0;
        top_user += strcmp(t->texts[t->user[job]], "user-1") == 0;
        night += t->submit[job] / FZ_SECOND / 3600 % 24 == 23; /* from 7 in the morning to 8 */
        CU_ASSERT_FATAL(t->req_gpus[job] >= 1 && t->req_gpus[job] <= 16 && t->steps[job] >= 1);
    }
    CU_ASSERT_DOUBLE_EQUAL(below_median / JOBS, 0.5, near);
    CU_ASSERT_EQUAL(above_day, 0);
    CU_ASSERT_DOUBLE_EQUAL(gpt2 / JOBS, 0.20, near);
    CU_ASSERT_DOUBLE_EQUAL(large / JOBS, 0.20, near); /* the models of 7 to 13 billion parameters */
    CU_ASSERT_DOUBLE_EQUAL(half / large, 0.20, 2.3 * near);
    CU_ASSERT_DOUBLE_EQUAL(same / large, 0.45, 2.3 * near);
    CU_ASSERT_DOUBLE_EQUAL(top_user / JOBS, 1 / 1.5650, near); /* sum of 1/k^2 to 12 */
    CU_ASSERT_DOUBLE_EQUAL(night / JOBS, 0.0093, 0.003);       /* 93 of 10,002 */
    CU_ASSERT_DOUBLE_EQUAL(JOBS / (fz_time_to_s(t->submit[JOBS - 1]) / 3600), 30, 1);
    fz_trace_free(t);
    fz_mix_free(mix);
}

/* Every job of the mix has a plan on 16 GPUs of 40 GB, and its parameter count is that of the model file. */
static void mix_fits_and_is_bundled(void)
{
    static fz_plan plans[FZ_MARP_MAX_PLANS];
    const fz_gpu_type type = {.name = "A100-40", .mem_bytes = 40441 * FZ_MIB};
    fz_arena *arena = fz_arena_new(NULL);
    fz_mix *mix = mix_read();
    for (uint32_t i = 0; i < mix->classes[0].n_models; i++) {
        const fz_mix_model *m = &mix->classes[0].models[i];
        fz_model model;
        CU_ASSERT_EQUAL_FATAL(fz_model_find(m->name, arena, &model, NULL), FZ_OK);
        CU_ASSERT_EQUAL_FATAL(fz_model_complete(&model, NULL), FZ_OK);
        CU_ASSERT_DOUBLE_EQUAL(fz_marp_params(&model) / m->params, 1, 0.02);
        for (uint32_t k = 0; k < 9; k++) {
            fz_training training = {.global_batch = (uint64_t)m->batches[k / 3],
                                    .seq_len = (uint32_t)m->seq_lens[k % 3]};
            size_t n = fz_marp_plans(&model, &training, plans);
            CU_ASSERT(fz_marp_bind(plans, n, &type, 1, FZ_ALL_TYPES, 1, 16) > 0);
        }
    }
    CU_ASSERT_EQUAL(mix->classes[0].shares, 100);
    fz_mix_free(mix);
    fz_arena_free(arena);
}

static void bad_options(void)
{
    static const fz_generate_options bad[] = {{.jobs = 100000001},
                                              {.jobs = 1, .jobs_per_h = -2},
                                              {.jobs = 1, .jobs_per_h = 1e7},
                                              {.jobs = 1, .jobs_per_h = NAN}};
    fz_trace *trace = NULL;
    fz_profile *profile = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_profile_read("llm", &profile, NULL), FZ_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fz_error err = {0};
        CU_ASSERT_EQUAL(fz_generate(profile, &bad[i], &trace, &err), FZ_EINVAL);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, i < 1 ? "jobs is" : "rate is"));
    }
    fz_profile_free(profile);
}

/* Every bundled profile: the same bytes twice, other bytes for another seed, and what is written reads back. */
static void every_profile(void)
{
    uint32_t count = 0;
    const char *const *names = fz_bundled_names(FZ_BUNDLED_PROFILE, &count);
    CU_ASSERT_EQUAL(count, 5);
    for (uint32_t i = 0; i < count; i++) {
        fz_profile *profile = NULL;
        fz_trace *a = NULL, *b = NULL, *c = NULL, *again = NULL;
        fz_trace_report report;
        CU_ASSERT_EQUAL_FATAL(fz_profile_read(names[i], &profile, NULL), FZ_OK);
        CU_ASSERT_STRING_EQUAL(profile->name, names[i]);
        CU_ASSERT_EQUAL_FATAL(fz_generate(profile, &(fz_generate_options){.jobs = 800, .seed = 5}, &a, NULL),
                              FZ_OK);
        CU_ASSERT_EQUAL_FATAL(fz_generate(profile, &(fz_generate_options){.jobs = 800, .seed = 5}, &b, NULL),
                              FZ_OK);
        CU_ASSERT_EQUAL_FATAL(fz_generate(profile, &(fz_generate_options){.jobs = 800, .seed = 6}, &c, NULL),
                              FZ_OK);
        char *one = as_text(a), *two = as_text(b), *other = as_text(c);
        CU_ASSERT(strcmp(one, two) == 0 && strcmp(one, other) != 0);
        CU_ASSERT_EQUAL_FATAL(
            fz_trace_read(fz_temp_text(&temp, "out.csv", one), FZ_BAD_ROWS_FAIL, &again, &report, NULL),
            FZ_OK);
        CU_ASSERT_EQUAL(again->n_jobs, 800);
        free(one);
        free(two);
        free(other);
        fz_trace_free(a);
        fz_trace_free(b);
        fz_trace_free(c);
        fz_trace_free(again);
        fz_profile_free(profile);
    }
}

/* A load becomes a rate, and the trace of that rate offers the load: within the six digits of the rate. */
static void load_becomes_rate(void)
{
    static const char *const names[] = {"philly", "llm", "spot2026"};
    fz_cluster_file *cluster = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_file_read("uniform-512", &cluster, NULL), FZ_OK);
    for (uint32_t i = 0; i < 3; i++) {
        fz_profile *profile = NULL;
        fz_trace *trace = NULL;
        fz_generate_options options = {.jobs = 3000, .seed = 2};
        fz_load load;
        CU_ASSERT_EQUAL_FATAL(fz_profile_read(names[i], &profile, NULL), FZ_OK);
        CU_ASSERT_EQUAL_FATAL(
            fz_generate_rate(profile, &options, &cluster->spec, 0.7, &options.jobs_per_h, NULL), FZ_OK);
        CU_ASSERT_EQUAL_FATAL(fz_generate(profile, &options, &trace, NULL), FZ_OK);
        CU_ASSERT_EQUAL_FATAL(fz_load_of(trace, &cluster->spec, &load, NULL), FZ_OK);
        CU_ASSERT_DOUBLE_EQUAL(load.load, 0.7, 0.0007);
        fz_trace_free(trace);
        fz_profile_free(profile);
    }
    fz_cluster_file_free(cluster);
}

/* Rates so low that the clock would run out, and tenants whose parts have no spread at all. */
static void odd_profiles(void)
{
    static const char rare[] =
        "format: frenzy-profile\nname: p\n"
        "arrivals: {jobs_per_h: 1, sweep_jobs: 1000000, sweep_gap_s: 1000000}\n"
        "gpus: [{gpus: 1, share: 1}]\ndurations: {classes: [{parts: [{mu: 5, sigma: 0}]}]}\n"
        "tenants: {vcs: {count: 3}, sigma_spread: 1}\n";
    fz_profile *profile = NULL;
    fz_trace *trace = NULL;
    fz_error err = {0};
    fz_generate_options options = {.jobs = 400000, .jobs_per_h = 1};
    CU_ASSERT_EQUAL_FATAL(fz_profile_parse("p.yaml", rare, strlen(rare), &profile, &err), FZ_OK);
    CU_ASSERT_EQUAL(fz_generate(profile, &options, &trace, &err), FZ_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "10,000 years"));
    options.jobs = 50;
    CU_ASSERT_EQUAL_FATAL(fz_generate(profile, &options, &trace, &err), FZ_OK);
    for (uint32_t job = 0; job < 50; job++)
        CU_ASSERT_EQUAL(trace->duration[job], 148 * FZ_SECOND); /* e^5 = 148.4 */
    fz_trace_free(trace);
    fz_profile_free(profile);
}

/* Each kind of mistake in a profile, with its place. */
static void bad_profiles(void)
{
#define HEAD "format: frenzy-profile\nname: p\narrivals: {jobs_per_h: 10}\n"
#define WORK "gpus: [{gpus: 1, share: 1}]\ndurations: {classes: [{parts: [{mu: 5, sigma: 1}]}]}\n"
    static const struct {
        const char *text, *words;
        uint32_t line, column;
    } cases[] = {
        {"format: x\n", "format must be frenzy-profile", 1, 9},
        {HEAD "gpu: 3\n", "unknown key 'gpu' in a profile; did you mean 'gpus'?", 4, 1},
        {"format: frenzy-profile\nname: p\n" WORK, "'arrivals' is missing", 1, 1},
        {"format: frenzy-profile\nname: p\narrivals: {jobs_per_h: 10, hours: [1, 2]}\n" WORK,
         "hours: there are 2 numbers; 24 are expected", 3, 35},
        {"format: frenzy-profile\nname: p\narrivals: {jobs_per_h: 10, weekdays: [0, 0, 0, 0, 0, 0, "
         "x]}\n" WORK,
         "weekdays: 'x' is not a number", 3, 57},
        {"format: frenzy-profile\nname: p\nepoch: 2017-10-02\narrivals: {jobs_per_h: 10}\n" WORK,
         "is no full hour", 3, 8},
        {HEAD "gpus: [{gpus: 1.5, share: 1}]\n", "whole GPUs, or a share", 4, 15},
        {HEAD "gpus: []\n", "gpus: the list is empty", 4, 7},
        {HEAD
         "gpus: [{gpus: 1, share: 1}]\ndurations: {classes: [{parts: [{mu: 5, median_s: 3, sigma: 1}]}]}\n",
         "one of 'mu'", 5, 32},
        {HEAD WORK "tenants: {vcs: {count: 1}, mu_spread: 1}\n", "at least 2 vcs", 6, 10},
        {HEAD WORK "tenants: {vcs: {count: 3}, mu_spread: 1}\n", "spread the logarithm by a variance of 1", 5,
         12},
        {HEAD WORK "states: [{state: DONE, share: 1}]\n", "state 'DONE' is unknown", 6, 18},
        {HEAD WORK "models: llm-small\n", "one of 'gpus'", 1, 1},
        {HEAD "models: llm-smal\n", "did you mean 'llm-small'?", 4, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fz_profile *profile = NULL;
        fz_error err = {0};
        fz_status status = fz_profile_parse("p.yaml", cases[i].text, strlen(cases[i].text), &profile, &err);
        CU_ASSERT_EQUAL(status, FZ_EPARSE);
        CU_ASSERT_STRING_EQUAL(err.file, "p.yaml");
        if (strstr(err.message, cases[i].words) == NULL || err.line != cases[i].line ||
            err.column != cases[i].column) {
            (void)fprintf(stderr, "case %zu: %u:%u: %s\n", i, err.line, err.column, err.message);
            CU_FAIL("another message or place");
        }
    }
}

int main(void)
{
    static const fz_test tests[] = {
        {"the bundled trace", bundled_trace},
        {"reads back clean", reads_back_clean},
        {"draws belong to jobs", draws_belong_to_jobs},
        {"distributions", distributions},
        {"the mix fits and is bundled", mix_fits_and_is_bundled},
        {"bad options", bad_options},
        {"every profile", every_profile},
        {"a load becomes a rate", load_becomes_rate},
        {"odd profiles", odd_profiles},
        {"bad profiles", bad_profiles},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("generate", tests);
    fz_temp_close(&temp);
    return failed;
}
