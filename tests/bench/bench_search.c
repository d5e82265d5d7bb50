/* Measures the plan search and what it asks: microseconds for models on four GPU types, nanoseconds an estimate. Prints;
 * never judges. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <frenzy/search.h>
#include <frenzy/step.h>

#include "workloads/cluster_file.h"
#include "workloads/models.h"

enum { ROUNDS = 200, ESTIMATES = 200000, N_TYPES = 4 };

static double now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

typedef struct world {
    fz_gpu_type gpus[N_TYPES];
    fz_search_type types[N_TYPES];
    fz_search_plan plans[N_TYPES * FZ_SEARCH_PER_TYPE];
} world;

static void make_types(world *w)
{
    static const char *const names[N_TYPES] = {"a100-80g", "h100", "v100-32g", "a100-40g"};
    for (int i = 0; i < N_TYPES; i++) {
        w->gpus[i] = fz_catalog_gpu_type(fz_catalog_find(names[i]), names[i]);
        w->types[i] = (fz_search_type){.gpu = &w->gpus[i], .gpus = 512, .node_gpus = 8};
    }
}

static fz_search search_for(const fz_model *model, const char *profile)
{
    return (fz_search){.job = {.model = model, .seq_len = 4096, .flash_attention = true, .profile = profile},
                       .global_batch = 512,
                       .zero = FZ_SEARCH_ANY,
                       .recompute = FZ_SEARCH_ANY,
                       .max_gpus = 512,
                       .confidence = 0.9};
}

/* The best of the rounds: other work on the machine only adds. */
static void measure_search(world *w, const fz_search *search)
{
    size_t n = 0;
    double best = 1e300;
    for (int i = 0; i < ROUNDS; i++) {
        double start = now_us();
        (void)fz_search_plans(search, w->types, N_TYPES, w->plans, &n, NULL);
        double took = now_us() - start;
        best = took < best ? took : best;
    }
    printf("%-16s %-14s %10.0f us %6zu plans\n", search->job.model->name,
           search->job.profile != NULL ? search->job.profile : "any", best, n);
}

static void measure_estimates(const world *w, const fz_search *search)
{
    fz_training_run run = fz_search_run(search, &w->plans[0]);
    fz_memory_basis memory = {0};
    fz_step_basis speed = {0};
    fz_step_hardware hardware = fz_step_hardware_of(&w->gpus[0], 8);
    fz_step step = {0};
    double sum = 0;
    if (fz_memory_prepare(&run, 0.9, &memory, NULL) != FZ_OK ||
        fz_step_prepare(&run, 0.9, &speed, NULL) != FZ_OK)
        return;
    double start = now_us();
    for (uint64_t i = 0; i < ESTIMATES; i++) {
        run.micro_batch = 1 + i % 4;
        sum += fz_memory_need(&memory, &run);
    }
    double middle = now_us();
    for (uint64_t i = 0; i < ESTIMATES; i++) {
        run.micro_batch = 1 + i % 4;
        fz_step_time(&speed, &run, &hardware, &step);
        sum += step.seconds;
    }
    printf("one estimate of memory %.0f ns, of a step %.0f ns (%s)\n", (middle - start) / ESTIMATES * 1e3,
           (now_us() - middle) / ESTIMATES * 1e3, sum > 0 ? "both positive" : "?");
}

int main(void)
{
    static const char *const models[] = {"llama-2-70b", "llama-2-70b", "llama-2-7b", "mixtral-8x7b",
                                         "deepseek-v3"};
    static const char *const profiles[] = {NULL, "megatron-core", "torch-fsdp", NULL, NULL};
    fz_arena *arena = fz_arena_new(NULL);
    world *w = calloc(1, sizeof *w);
    if (arena == NULL || w == NULL)
        return 1;
    make_types(w);
    printf("plan search on four GPU types, up to 512 GPUs, global batch 512\n");
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        fz_model model = {0};
        if (fz_model_find(models[i], arena, &model, NULL) != FZ_OK)
            return 1;
        fz_search search = search_for(&model, profiles[i]);
        measure_search(w, &search);
        if (i == 0)
            measure_estimates(w, &search);
    }
    free(w);
    fz_arena_free(arena);
    return 0;
}
