/* Lines of slurm.conf and gres.conf: `Key=value Key=value ...`, a backslash joins lines, # begins a comment. */
#ifndef FRENZY_WORKLOADS_SLURM_CONF_H
#define FRENZY_WORKLOADS_SLURM_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/status.h>

enum { FZ_SLURM_PAIRS = 64 };

typedef struct fz_slurm_line {
    const char *path;
    uint32_t number; /* where it begins */
    struct {
        const char *key, *value;
    } pairs[FZ_SLURM_PAIRS]; /* good during the call */
    uint32_t n_pairs;
} fz_slurm_line;

/* The value of a key, whatever its case; NULL: not there. */
const char *fz_slurm_get(const fz_slurm_line *line, const char *key);
/* A whole number under a key; absent: *out stays as it is. */
fz_status fz_slurm_count(const fz_slurm_line *line, const char *key, uint64_t max, uint64_t *out,
                         fz_error *err);

/* Calls `each` for every line that is not empty. FZ_EPARSE: something that is no pair, or `Include`. */
fz_status fz_slurm_lines(const char *path,
                         fz_status (*each)(void *context, const fz_slurm_line *line, fz_error *err),
                         void *context, fz_error *err);

#endif
