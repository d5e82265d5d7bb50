/* Operations on random traces against what they mean, written naively: two cuts are the whole, a sample keeps the share of
 * each stratum, a filter keeps what it should, scaled times are scaled, a type by its own name changes nothing, and
 * models are given once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/random.h"
#include "tests/temp.h"
#include "workloads/canonical.h"
#include "workloads/ops/assign_models.h"
#include "workloads/ops/change.h"
#include "workloads/ops/stats.h"

enum { ROUNDS = 60, MOST = 120 };
#define SEED UINT64_C(20261201)

static fz_temp temp;

static fz_trace *random_trace(fz_random *random)
{
    static const char *const types[] = {"", "T4", "T4|V100", "A100"};
    static const char *const vcs[] = {"", "a", "b", "c"};
    char *text = fz_temp_bytes(MOST * 80, '\0');
    uint32_t n = fz_random_between(random, 2, MOST - 1);
    int at = sprintf(
        text, "# epoch: 2020-01-01T00:00:00\njob_id,submit_s,duration_s,req_gpus,req_gpu_types,vc,x_n\n");
    for (uint32_t i = 0; i < n; i++)
        at += sprintf(text + at, "j%u,%u.5,%u,%u,%s,%s,%u\n", i, fz_random_below(random, 300),
                      fz_random_below(random, 1000), fz_random_between(random, 1, 9),
                      types[fz_random_below(random, 4)], vcs[fz_random_below(random, 4)],
                      fz_random_below(random, 3));
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL_FATAL(
        fz_trace_read(fz_temp_text(&temp, "t.csv", text), FZ_BAD_ROWS_DEFAULT, &trace, NULL, NULL), FZ_OK);
    free(text);
    return trace;
}

/* What it is all about, by job. */
static bool same_job(const fz_trace *a, uint32_t i, const fz_trace *b, uint32_t k)
{
    const char *vc_a = a->vc != NULL ? a->texts[a->vc[i]] : "",
               *vc_b = b->vc != NULL ? b->texts[b->vc[k]] : "";
    const char *type_a = a->req_types != NULL ? a->texts[a->req_types[i]] : "";
    const char *type_b = b->req_types != NULL ? b->texts[b->req_types[k]] : "";
    return strcmp(fz_trace_job_id(a, i), fz_trace_job_id(b, k)) == 0 && a->submit[i] == b->submit[k] &&
           a->duration[i] == b->duration[k] && a->req_gpus[i] == b->req_gpus[k] && strcmp(vc_a, vc_b) == 0 &&
           strcmp(type_a, type_b) == 0;
}

static void cuts_are_the_whole(const fz_trace *trace, fz_random *random)
{
    fz_time at = fz_random_between(random, 1, 299) * FZ_SECOND;
    bool zero = fz_random_below(random, 2) == 1; /* the epoch brings it back */
    fz_trace *parts[2] = {NULL, NULL}, *whole = NULL;
    uint32_t renamed = 0;
    fz_status low = fz_trace_cut(trace, &(fz_cut){.from = 0, .to = at}, &parts[0], NULL);
    fz_status high =
        fz_trace_cut(trace, &(fz_cut){.from = at, .to = FZ_TIME_MAX, .zero = zero}, &parts[1], NULL);
    CU_ASSERT(low == FZ_OK || trace->submit[0] >= at);
    CU_ASSERT(high == FZ_OK || trace->submit[trace->n_jobs - 1] < at);
    if (low == FZ_OK && high == FZ_OK) {
        const fz_trace *both[2] = {parts[0], parts[1]};
        CU_ASSERT_EQUAL_FATAL(fz_trace_merge(both, 2, &whole, &renamed, NULL), FZ_OK);
        CU_ASSERT_EQUAL_FATAL(whole->n_jobs, trace->n_jobs);
        for (uint32_t job = 0; job < trace->n_jobs; job++)
            CU_ASSERT(same_job(trace, job, whole, job));
        CU_ASSERT(renamed == 0 && strcmp(whole->epoch, trace->epoch) == 0);
    }
    fz_trace_free(parts[0]);
    fz_trace_free(parts[1]);
    fz_trace_free(whole);
}

static uint32_t stratum_count(const fz_trace *trace, uint32_t size, const char *vc)
{
    uint32_t n = 0;
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        n += fz_stats_size_class(trace->req_gpus[job]) == size &&
             strcmp(trace->vc != NULL ? trace->texts[trace->vc[job]] : "", vc) == 0;
    return n;
}

static void sample_keeps_shares(const fz_trace *trace, fz_random *random)
{
    static const char *const vcs[] = {"", "a", "b", "c"};
    fz_trace *out = NULL;
    fz_sample sample = {
        .jobs = fz_random_between(random, 1, trace->n_jobs), .by_size = true, .by_vc = true, .seed = 7};
    CU_ASSERT_EQUAL_FATAL(fz_trace_sample(trace, &sample, &out, NULL), FZ_OK);
    CU_ASSERT_EQUAL(out->n_jobs, sample.jobs);
    for (uint32_t size = 0; size < FZ_STATS_SIZES; size++) {
        for (uint32_t v = 0; v < 4; v++) {
            double exact = (double)stratum_count(trace, size, vcs[v]) * sample.jobs / trace->n_jobs;
            CU_ASSERT(fabs(stratum_count(out, size, vcs[v]) - exact) < 1);
        }
    }
    uint32_t k = 0; /* and its jobs are those of the trace, in order */
    for (uint32_t job = 0; job < trace->n_jobs && k < out->n_jobs; job++)
        k += same_job(trace, job, out, k);
    CU_ASSERT_EQUAL(k, out->n_jobs);
    fz_trace_free(out);
}

static void filter_keeps_what_it_should(const fz_trace *trace, fz_random *random)
{
    char least[32];
    uint32_t gpus = fz_random_between(random, 1, 10), kept = 0, k = 0;
    (void)snprintf(least, sizeof least, "gpus>=%u", gpus);
    const char *const conditions[] = {least, "vc!=a", "x_n=1"};
    fz_trace *out = NULL;
    fz_status status = fz_trace_filter(trace, conditions, 3, &out, NULL);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        const char *vc = trace->texts[trace->vc[job]];
        bool fits = trace->req_gpus[job] >= gpus && vc[0] != '\0' && strcmp(vc, "a") != 0 &&
                    strcmp(trace->texts[trace->extras[0].values[job]], "1") == 0;
        kept += fits;
        if (fits && status == FZ_OK && k < out->n_jobs)
            k += same_job(trace, job, out, k);
    }
    CU_ASSERT_EQUAL(status == FZ_OK, kept > 0);
    CU_ASSERT(status != FZ_OK || (out->n_jobs == kept && k == kept));
    fz_trace_free(out);
}

static void scaled_times(const fz_trace *trace, fz_random *random)
{
    double factor = (fz_random_below(random, 4000) + 1) / 1000.0;
    fz_trace *out = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_trace_scale(trace, factor, &out, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(out->n_jobs, trace->n_jobs);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        double exact = (double)(trace->submit[job] - trace->submit[0]) * factor;
        CU_ASSERT(fabs((double)(out->submit[job] - trace->submit[0]) - exact) <= 0.5);
        CU_ASSERT_STRING_EQUAL(fz_trace_job_id(out, job), fz_trace_job_id(trace, job));
    }
    fz_trace_free(out);
}

static void own_name_changes_nothing(const fz_trace *trace)
{
    fz_gpu_rename pairs[2] = {{.from = "t4", .to = "T4"}, {.from = "V100", .to = "V100"}};
    fz_trace *out = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_trace_map_gpus(trace, pairs, 2, &out, NULL), FZ_OK);
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        CU_ASSERT(same_job(trace, job, out, job));
    fz_trace_free(out);
}

static void models_once(const fz_trace *trace)
{
    fz_mix *mix = NULL;
    fz_trace *once = NULL, *twice = NULL;
    fz_assign_report first, second;
    CU_ASSERT_EQUAL_FATAL(fz_mix_read("llm-by-size", &mix, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_trace_assign_models(trace, mix, 3, &once, &first, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_trace_assign_models(once, mix, 4, &twice, &second, NULL), FZ_OK);
    CU_ASSERT(first.assigned == trace->n_jobs && first.had == 0 && first.left == 0);
    CU_ASSERT(second.assigned == 0 && second.had == trace->n_jobs);
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        const fz_mix_class *c = fz_mix_class_of(mix, trace->req_gpus[job]);
        const char *model = once->texts[once->model[job]];
        bool found = false;
        for (uint32_t i = 0; i < c->n_models; i++)
            found = found || strcmp(c->models[i].name, model) == 0;
        CU_ASSERT(found && once->steps[job] >= 1 && once->seq_len[job] > 0 && once->global_batch[job] > 0);
        CU_ASSERT(once->steps[job] == twice->steps[job] && once->req_gpus[job] == trace->req_gpus[job]);
    }
    CU_ASSERT_PTR_NULL(once->duration);
    fz_mix_free(mix);
    fz_trace_free(once);
    fz_trace_free(twice);
}

static void random_traces(void)
{
    fz_random random = {.state = SEED};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        unsigned int failures = CU_get_number_of_failures();
        fz_trace *trace = random_trace(&random);
        cuts_are_the_whole(trace, &random);
        sample_keeps_shares(trace, &random);
        if (trace->vc != NULL && trace->n_extras > 0)
            filter_keeps_what_it_should(trace, &random);
        scaled_times(trace, &random);
        own_name_changes_nothing(trace);
        models_once(trace);
        fz_trace_free(trace);
        if (CU_get_number_of_failures() != failures)
            (void)fprintf(stderr, "round %u of seed %llu\n", round, (unsigned long long)SEED);
    }
}

int main(void)
{
    static const fz_test tests[] = {{"random traces", random_traces}};
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("changes of traces", tests);
    fz_temp_close(&temp);
    return failed;
}
