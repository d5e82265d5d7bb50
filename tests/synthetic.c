#include "tests/synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frenzy/units.h>

static uint64_t draw(uint64_t *state) /* SplitMix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 1, 2, 4, ... with falling weights for up to 6 sizes; else even over 1 .. n. */
static uint32_t draw_gpus(uint64_t *state, uint32_t n_sizes)
{
    uint64_t x = draw(state);
    if (n_sizes > 6)
        return 1 + (uint32_t)(x % n_sizes);
    uint32_t step = 0;
    while (step + 1 < n_sizes && (x >> (2 * step) & 3) == 0)
        step++;
    return 1u << step;
}

/* Seconds with a heavy tail: uniform in the exponent, 2^4 .. 2^15. */
static fz_time draw_duration(uint64_t *state)
{
    uint64_t x = draw(state);
    uint64_t base = (uint64_t)16 << (x % 11);
    return (fz_time)(base + (x >> 16) % base) * FZ_SECOND;
}

/* Gaps between submissions: the sum of two even draws, mean `mean`. */
static fz_time draw_gap(uint64_t *state, double mean)
{
    uint64_t x = draw(state);
    double part = (double)(x & 0xffffffffu) / 4294967296.0 + (double)(x >> 32) / 4294967296.0;
    return (fz_time)(part * mean);
}

static void ids_fill(fz_arena *arena, fz_trace *trace)
{
    char *ids = FZ_NEW(arena, 9 * (size_t)trace->n_jobs, char);
    uint64_t *at = FZ_NEW(arena, trace->n_jobs, uint64_t);
    uint64_t used = 0;
    for (uint32_t job = 0; job < trace->n_jobs; job++) {
        at[job] = used;
        used += (uint64_t)snprintf(ids + used, 9, "%u", job) + 1;
    }
    trace->job_ids = ids;
    trace->job_id_at = at;
}

fz_trace *synthetic_trace(fz_arena *arena, const synthetic *options)
{
    uint32_t n = options->n_jobs;
    fz_trace *trace = FZ_NEW(arena, 1, fz_trace);
    fz_time *submit = FZ_NEW(arena, n, fz_time);
    fz_time *duration = FZ_NEW(arena, n, fz_time);
    fz_time *estimate = FZ_NEW(arena, n, fz_time);
    uint32_t *gpus = FZ_NEW(arena, n, uint32_t);
    uint64_t *memory = FZ_NEW(arena, n, uint64_t);
    const char **texts = FZ_NEW(arena, 1, const char *);
    uint64_t state = options->seed;
    double gpu_time = 0;
    for (uint32_t job = 0; job < n; job++) {
        gpus[job] = draw_gpus(&state, options->n_sizes);
        duration[job] = draw_duration(&state);
        estimate[job] = duration[job] * (fz_time)(1 + draw(&state) % 5);
        memory[job] = options->n_classes > 0
                          ? (1 + draw(&state) % (1 + options->n_classes / options->n_sizes)) * FZ_MIB
                          : 0;
        gpu_time += (double)duration[job] * gpus[job];
    }
    double gap = options->load > 0 ? gpu_time / n / options->load / options->gpus : 0;
    for (uint32_t job = 1; job < n; job++)
        submit[job] = submit[job - 1] + draw_gap(&state, gap);
    texts[0] = "";
    *trace = (fz_trace){.path = "",
                        .source = "synthetic",
                        .epoch = "",
                        .n_jobs = n,
                        .texts = texts,
                        .n_texts = 1,
                        .submit = submit,
                        .duration = duration,
                        .estimate = estimate,
                        .req_gpus = gpus,
                        .req_gpu_mem = options->n_classes > 0 ? memory : NULL};
    ids_fill(arena, trace);
    return trace;
}

const fz_cluster_spec *synthetic_cluster(fz_arena *arena, uint32_t n_nodes, uint32_t gpus_per_node)
{
    fz_cluster_spec *spec = FZ_NEW(arena, 1, fz_cluster_spec);
    fz_gpu_type *type = FZ_NEW(arena, 1, fz_gpu_type);
    fz_node_spec *nodes = FZ_NEW(arena, n_nodes, fz_node_spec);
    *type = (fz_gpu_type){.name = "gpu", .mem_bytes = 80 * FZ_GIB};
    for (uint32_t i = 0; i < n_nodes; i++) {
        char name[16];
        snprintf(name, sizeof(name), "n-%u", i);
        nodes[i] = (fz_node_spec){.name = fz_arena_strdup(arena, name), .gpus = gpus_per_node};
    }
    *spec = (fz_cluster_spec){
        .name = "synthetic", .types = type, .n_types = 1, .nodes = nodes, .n_nodes = n_nodes};
    return spec;
}
