/* What says how long jobs run whose trace does not: one of two kinds of tables, both named by --profiles.
 *
 * A folder of application profiles (app.h) for jobs of work_kind `target`; a JSON file of throughputs
 * (throughputs.h) for jobs of work_kind `steps`. */
#ifndef FRENZY_WORKLOADS_APPS_WORK_TABLES_H
#define FRENZY_WORKLOADS_APPS_WORK_TABLES_H

#include "workloads/apps/app.h"
#include "workloads/apps/throughputs.h"
#include "workloads/trace.h"

typedef struct fz_work_tables {
    const char *path;
    char sha256[65]; /* of what all files say */
    const fz_app *apps;
    uint32_t n_apps;
    fz_throughputs throughputs;
    fz_arena *arena; /* owns all */
} fz_work_tables;

/* `path`: a file, a folder with a folder an application, or a folder that holds such a one as `profiles`. FZ_EIO, FZ_EPARSE. */
fz_status fz_work_tables_read(const char *path, fz_work_tables **out, fz_error *err);
void fz_work_tables_free(fz_work_tables *tables); /* NULL is allowed */

/* NULL: no such profile, or `tables` is NULL. */
const fz_app *fz_work_app(const fz_work_tables *tables, const char *name);

/* The kind of work of each job, read out of the column work_kind; NULL for a trace without it. In `arena`. */
fz_status fz_work_kinds(fz_arena *arena, const fz_trace *trace, const uint8_t **kinds, fz_error *err);

#endif
