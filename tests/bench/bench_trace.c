/* Writes the benchmark's job list as a canonical trace: `bench_trace 1000000 > jobs.csv`. */
#include <stdio.h>
#include <stdlib.h>

#include "core/support/pages.h"
#include "tests/synthetic.h"

int main(int argc, char **argv)
{
    uint32_t n_jobs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    fz_arena *arena = fz_arena_new(fz_pages_allocator());
    if (arena == NULL || n_jobs == 0)
        return 1;
    synthetic options = {.n_jobs = n_jobs, .n_sizes = 6, .gpus = 512, .load = 0.82, .seed = 1};
    const fz_trace *trace = synthetic_trace(arena, &options);
    printf("job_id,submit_s,req_gpus,duration_s,est_s,user,vc\n");
    for (uint32_t job = 0; job < n_jobs; job++)
        printf("%u,%.6f,%u,%lld,%lld,%u,%u\n", job, fz_time_to_s(trace->submit[job]), trace->req_gpus[job],
               (long long)(trace->duration[job] / FZ_SECOND), (long long)(trace->estimate[job] / FZ_SECOND),
               job % 97, job % 7);
    fz_arena_free(arena);
    return fflush(stdout) == 0 ? 0 : 1;
}
