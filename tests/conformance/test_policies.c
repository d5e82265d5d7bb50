/* Every registered policy x every value of its parameters x every scenario: the invariants hold after
 * each instant, the result is consistent, and a second run gives the same bytes. A new policy is tested
 * by being registered. */
#include <ctype.h>
#include <frenzy/units.h>
#include <stdio.h>
#include <string.h>

#include "sim/engine/classes.h"
#include "tests/harness.h"
#include "tests/scenarios.h"

enum { SEEDS = 3, MAX_PARAMS = 16 };

/* One policy with one setting in one world. */
typedef struct trial {
    const fz_sched_ops *sched;
    double params[MAX_PARAMS];
    char setting[64];
    const test_scenario *scenario;
    uint64_t seed;
    fz_arena *arena;
    fz_run_spec spec;
    fz_run_result result;
} trial;

static bool fault(const trial *t, const char *what, fz_job job)
{
    printf("scheduler %s%s, scenario '%s', seed %llu, job %u: %s\n", t->sched->name, t->setting,
           t->scenario->name, (unsigned long long)t->seed, job, what);
    return false;
}

/* ---- what must be true of every result -------------------------------------------------------------- */

static bool preempts(const trial *t)
{
    return (t->sched->caps & FZ_SCHED_PREEMPT) != 0;
}

static bool is_llm(const trial *t, fz_job job)
{
    return fz_job_is_llm(t->spec.trace, t->spec.models, job);
}

static bool counters_agree(const trial *t)
{
    const fz_summary *sum = &t->result.summary;
    uint64_t starts = 0;
    uint64_t failed_attempts = 0;
    for (fz_job job = 0; job < t->result.n_jobs; job++) {
        const fz_job_result *record = &t->result.jobs[job];
        starts += record->attempts;
        failed_attempts += record->attempts;
        failed_attempts -= record->attempts > 0 && record->state != FZ_JOB_OOM;
    }
    uint64_t ended = sum->finished + sum->rejected + sum->timeouts + sum->oom_failed;
    if (sum->jobs != t->spec.trace->n_jobs || ended != sum->jobs || sum->unfinished != 0)
        return fault(t, "some jobs are in no final state", 0);
    if (sum->starts != starts || failed_attempts != sum->ooms + sum->preemptions)
        return fault(t, "the attempts of the jobs are not the counted ones", 0);
    if (t->sched->next_wakeup == NULL && !preempts(t) && sum->events != sum->jobs + starts)
        return fault(t, "events are not one for each arrival and each end of an attempt", 0);
    return sum->alloc_frac <= 1 + 1e-12 || fault(t, "more GPU time leased than there is", 0);
}

/* GPUs on which an opaque job may run, as this policy places: all types together or the best single one. */
static uint32_t gpus_for(const trial *t, fz_job job)
{
    const fz_trace *trace = t->spec.trace;
    const fz_cluster_spec *cluster = t->spec.cluster;
    const char *asked = trace->req_types != NULL ? trace->texts[trace->req_types[job]] : "";
    uint32_t all = 0;
    uint32_t most = 0;
    for (uint32_t type = 0; type < cluster->n_types; type++) {
        char upper[16] = "";
        for (uint32_t i = 0; i < 15 && cluster->types[type].name[i] != '\0'; i++)
            upper[i] = (char)toupper((unsigned char)cluster->types[type].name[i]);
        bool named = asked[0] == '\0' || strstr(asked, cluster->types[type].name) != NULL ||
                     strstr(asked, upper) != NULL;
        if (!named || cluster->types[type].mem_bytes < trace->req_gpu_mem[job])
            continue;
        uint32_t gpus = 0;
        for (uint32_t node = 0; node < cluster->n_nodes; node++)
            gpus += cluster->nodes[node].type == type ? cluster->nodes[node].gpus : 0;
        all += gpus;
        most = gpus > most ? gpus : most;
    }
    return (t->sched->caps & FZ_SCHED_PLANS) != 0 ? all : most;
}

static bool opaque_job_right(const trial *t, fz_job job)
{
    const fz_job_result *record = &t->result.jobs[job];
    const fz_trace *trace = t->spec.trace;
    bool fits = gpus_for(t, job) >= trace->req_gpus[job];
    if (fits == (record->state == FZ_JOB_REJECTED))
        return fault(t, "rejected though it fits, or the other way round", job);
    if (!fits)
        return record->attempts == 0 || fault(t, "ran and was rejected", job);
    if (record->gpus != trace->req_gpus[job])
        return fault(t, "runs on another number of GPUs than it asked for", job);
    fz_time work = trace->duration[job];
    bool limited = t->spec.world.enforce_limit && trace->limit[job] >= 0 && trace->limit[job] < work;
    /* A limit counts from each start, so a job that was stopped in between may finish all the same. */
    bool may_finish = !limited || record->preemptions > 0;
    if (!(limited && record->state == FZ_JOB_TIMEOUT) && !(may_finish && record->state == FZ_JOB_FINISHED))
        return fault(t, "ends in the wrong state", job);
    if (!preempts(t) && record->end - record->start != (limited ? trace->limit[job] : work))
        return fault(t, "does not run exactly for its duration", job);
    return true;
}

static bool job_right(const trial *t, fz_job job)
{
    const fz_job_result *record = &t->result.jobs[job];
    fz_time submit = t->spec.trace->submit[job];
    if (record->state == FZ_JOB_REJECTED)
        return is_llm(t, job) || opaque_job_right(t, job);
    if (record->start < submit || record->end < record->start || record->attempts == 0)
        return fault(t, "submit, start and end are out of order", job);
    if (record->run > record->end - submit || record->gpu_time < record->run)
        return fault(t, "ran longer than it was there, or on no GPU", job);
    return is_llm(t, job) || opaque_job_right(t, job);
}

static bool jobs_right(const trial *t)
{
    for (fz_job job = 0; job < t->result.n_jobs; job++)
        if (!job_right(t, job))
            return false;
    return true;
}

/* ---- no GPU twice, found out from the result alone ------------------------------------------------------ */

/* GPUs that `job` holds at `now` on each node are added to `held`. Of a job with several attempts only the
 * last placement is known, and not when it began: it is left out. */
static void held_add(const trial *t, fz_job job, fz_time now, fz_placement *where, uint32_t *held)
{
    const fz_job_result *record = &t->result.jobs[job];
    if (record->attempts != 1 || record->start > now || record->end <= now)
        return;
    fz_places_read(t->result.places, record->place, where);
    for (uint32_t i = 0; i < where->n_parts; i++)
        held[where->parts[i].node] += where->parts[i].gpus;
}

static bool placement_right(const trial *t, fz_job job, fz_placement *where)
{
    const fz_job_result *record = &t->result.jobs[job];
    fz_places_read(t->result.places, record->place, where);
    if (where->gpus != record->gpus)
        return fault(t, "its placement has another number of GPUs", job);
    uint64_t asked = t->spec.trace->req_gpu_mem[job];
    for (uint32_t i = 0; i < where->n_parts; i++) {
        uint32_t type = t->spec.cluster->nodes[where->parts[i].node].type;
        if (t->spec.cluster->types[type].mem_bytes < asked)
            return fault(t, "its GPUs have less memory than it asked for", job);
        if (is_llm(t, job) && t->spec.cluster->types[type].flops_per_s <= 0)
            return fault(t, "an LLM job runs on GPUs of unknown speed", job);
    }
    return true;
}

static bool placements_right(const trial *t)
{
    const fz_cluster_spec *cluster = t->spec.cluster;
    fz_placement where = {.parts = FZ_NEW(t->arena, cluster->n_nodes, fz_part), .capacity = cluster->n_nodes};
    uint32_t *held = FZ_NEW(t->arena, cluster->n_nodes, uint32_t);
    for (fz_job job = 0; job < t->result.n_jobs; job++) {
        if (t->result.jobs[job].attempts == 0)
            continue;
        if (!placement_right(t, job, &where))
            return false;
        memset(held, 0, cluster->n_nodes * sizeof(*held));
        for (fz_job other = 0; other < t->result.n_jobs; other++)
            held_add(t, other, t->result.jobs[job].start, &where, held);
        for (uint32_t node = 0; node < cluster->n_nodes; node++)
            if (held[node] > cluster->nodes[node].gpus)
                return fault(t, "at its start a node has more GPUs leased than it has", job);
    }
    return true;
}

/* ---- running ---------------------------------------------------------------------------------------------- */

static bool run(trial *t, fz_run_result *result)
{
    fz_error err = {0};
    fz_status status = fz_run(t->arena, &t->spec, result, &err);
    return status == FZ_OK || fault(t, err.message, 0);
}

static bool same_summary(const fz_summary *a, const fz_summary *b)
{
    return memcmp(a, b, offsetof(fz_summary, memory_stream_drawn)) == 0 &&
           a->memory_stream_drawn == b->memory_stream_drawn && a->asks_cpus == b->asks_cpus &&
           a->asks_mem == b->asks_mem;
}

static bool same_again(trial *t)
{
    fz_run_result again;
    const fz_run_result *first = &t->result;
    t->spec.check_invariants = false; /* looking must not change anything */
    t->spec.time_decisions = true;
    if (!run(t, &again))
        return false;
    bool same = again.n_jobs == first->n_jobs && again.places_len == first->places_len &&
                again.n_plans == first->n_plans &&
                memcmp(again.jobs, first->jobs, first->n_jobs * sizeof(*first->jobs)) == 0 &&
                memcmp(again.places, first->places, first->places_len) == 0 &&
                same_summary(&again.summary, &first->summary);
    for (uint32_t i = 0; same && i < first->n_plans; i++)
        same = fz_plan_same_shape(&again.plans[i], &first->plans[i]);
    return same || fault(t, "a second run differs", 0);
}

static bool trial_run(trial *t)
{
    fz_random random = {t->seed};
    t->arena = fz_arena_new(NULL);
    t->spec = (fz_run_spec){.sched = t->sched,
                            .sched_params = t->params,
                            .world = test_world_default(),
                            .check_invariants = true};
    t->scenario->make(t->arena, &random, &t->spec);
    bool right =
        run(t, &t->result) && counters_agree(t) && jobs_right(t) && placements_right(t) && same_again(t);
    fz_arena_free(t->arena);
    return right;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static void scenarios_run(trial *t)
{
    uint32_t count = 0;
    const test_scenario *all = test_scenarios(&count);
    for (uint32_t i = 0; i < count; i++) {
        t->scenario = &all[i];
        for (t->seed = 1; t->seed <= SEEDS; t->seed++)
            CU_ASSERT_TRUE(trial_run(t));
    }
}

static uint32_t n_values(const fz_param *param)
{
    if (param->kind == FZ_PARAM_FLAG)
        return 2;
    uint32_t n = 1;
    for (const char *at = param->choices; at != NULL && *at != '\0'; at++)
        n += *at == '|';
    return n;
}

static trial trial_default(const fz_sched_ops *sched)
{
    trial t = {.sched = sched};
    for (uint32_t i = 0; i < sched->n_params; i++)
        t.params[i] = sched->params[i].fallback;
    return t;
}

static void test_defaults(void)
{
    uint32_t count = 0;
    const fz_sched_ops *const *all = fz_sched_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        trial t = trial_default(all[i]);
        scenarios_run(&t);
    }
}

/* Flags and choices one at a time; numbers at both ends of their range. */
static void test_parameters(void)
{
    uint32_t count = 0;
    const fz_sched_ops *const *all = fz_sched_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < all[i]->n_params; p++) {
            const fz_param *param = &all[i]->params[p];
            bool number = param->kind == FZ_PARAM_NUMBER;
            for (uint32_t value = 0; value < (number ? 2 : n_values(param)); value++) {
                trial t = trial_default(all[i]);
                t.params[p] = !number ? value : value == 0 ? param->min : param->max;
                snprintf(t.setting, sizeof(t.setting), " %s=%g", param->name, t.params[p]);
                if (t.params[p] != param->fallback)
                    scenarios_run(&t);
            }
        }
}

static bool param_well_formed(const fz_param *param)
{
    bool named =
        param->name != NULL && param->name[0] != '\0' && param->help != NULL && param->help[0] != '\0';
    switch (param->kind) {
    case FZ_PARAM_FLAG:
        return named && (param->fallback == 0 || param->fallback == 1);
    case FZ_PARAM_NUMBER:
        return named && param->min <= param->fallback && param->fallback <= param->max;
    case FZ_PARAM_CHOICE:
        return named && param->choices != NULL && param->fallback >= 0 && param->fallback < n_values(param) &&
               param->fallback == (uint32_t)param->fallback;
    }
    return false;
}

static void test_tables(void)
{
    uint32_t count = 0;
    const fz_sched_ops *const *all = fz_sched_all(&count);
    CU_ASSERT_TRUE(count >= 6);
    for (uint32_t i = 0; i < count; i++) {
        const fz_sched_ops *ops = all[i];
        CU_ASSERT_PTR_EQUAL(fz_sched_find(ops->name), ops); /* so names are unique */
        CU_ASSERT_TRUE(ops->summary != NULL && ops->summary[0] != '\0' && strchr(ops->summary, '\n') == NULL);
        CU_ASSERT_TRUE(ops->manual != NULL && strlen(ops->manual) > 100);
        CU_ASSERT_PTR_NOT_NULL(ops->decide);
        CU_ASSERT_TRUE_FATAL(ops->n_params <= MAX_PARAMS);
        for (uint32_t p = 0; p < ops->n_params; p++)
            CU_ASSERT_TRUE(param_well_formed(&ops->params[p]));
    }
    CU_ASSERT_PTR_NULL(fz_sched_find("no such policy"));
}

int main(void)
{
    const fz_test tests[] = {
        {"tables of the policies", test_tables},
        {"all policies in all scenarios", test_defaults},
        {"all values of their parameters", test_parameters},
    };
    return FZ_TEST_MAIN("policies", tests);
}
