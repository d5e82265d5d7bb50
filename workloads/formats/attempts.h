/* The second file of a trace: the attempts of its jobs, `job_id,attempt,start_s,end_s,node,gpus`, a row for each node
 * of an attempt. Times are those of the trace; what is not known is empty. */
#ifndef FRENZY_WORKLOADS_ATTEMPTS_H
#define FRENZY_WORKLOADS_ATTEMPTS_H

#include <stdint.h>

#include <frenzy/status.h>
#include <frenzy/units.h>

typedef struct fz_attempts fz_attempts;

typedef struct fz_attempt {
    uint32_t number;    /* from 1 */
    fz_time start, end; /* on the clock of the log; FZ_TIME_NONE: not known */
    const char *node;
    uint64_t gpus;
} fz_attempt;

fz_attempts *fz_attempts_new(void);           /* NULL: out of memory */
void fz_attempts_free(fz_attempts *attempts); /* NULL is allowed */

/* Texts are copied. */
fz_status fz_attempts_add(fz_attempts *attempts, const char *job_id, const fz_attempt *attempt,
                          fz_error *err);
/* Writes the file whole or not at all, in the order of the log; `zero` is t = 0 on its clock. */
fz_status fz_attempts_write(const fz_attempts *attempts, const char *path, fz_time zero, fz_error *err);

#endif
