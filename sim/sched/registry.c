/* All built-in policies in one table. To add one: copy fifo.c, name its ops here. */
#include <string.h>

#include "sim/sched/sched.h"

extern const fz_sched_ops fz_sched_has, fz_sched_opportunistic, fz_sched_fifo, fz_sched_fifo_skip,
    fz_sched_sjf, fz_sched_easy, fz_sched_slurm_fifo, fz_sched_slurm_backfill, fz_sched_conservative,
    fz_sched_srtf;

static const fz_sched_ops *const all[] = {
    &fz_sched_has,  &fz_sched_opportunistic, &fz_sched_fifo,           &fz_sched_fifo_skip,    &fz_sched_sjf,
    &fz_sched_easy, &fz_sched_slurm_fifo,    &fz_sched_slurm_backfill, &fz_sched_conservative, &fz_sched_srtf,
};

const fz_sched_ops *const *fz_sched_all(uint32_t *count)
{
    *count = sizeof(all) / sizeof(all[0]);
    return all;
}

const fz_sched_ops *fz_sched_find(const char *name)
{
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}
