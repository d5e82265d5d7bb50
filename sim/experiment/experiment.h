/* Experiment file: what `frenzy sweep` runs. README.md describes it for people.
 *
 * Every key takes one value or a list of them; the lists span the grid. Schedulers are names, or maps of a name
 * and its parameters, which may be lists, too. This module reads and checks the file; grid.h makes runs of it. */
#ifndef FRENZY_SIM_EXPERIMENT_EXPERIMENT_H
#define FRENZY_SIM_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>

#include "core/support/doc.h"
#include "sim/experiment/settings.h"
#include "sim/plugin/roster.h"

#define FZ_MAX_RUNS 1000000u /* of a grid */

/* A scheduler with its parameters. */
typedef struct fz_variant {
    const fz_sched_ops *sched;
    fz_settings settings; /* of the policy; the world's come from the scenario */
    const char *label;    /* "has", "easy consolidate=1" */
} fz_variant;

/* One combination of what `set` gives. */
typedef struct fz_world_set {
    const char *const *texts; /* "mem_error_sigma=0.1" */
    const fz_doc_node **nodes;
    uint32_t n_texts;
    const char *label; /* the texts, joined by blanks; "" if none */
} fz_world_set;

typedef struct fz_window_ask {
    bool given, by_time;
    double first, end; /* rows, or seconds after the first submission; [first, end) */
    const char *text;
} fz_window_ask;

typedef struct fz_experiment {
    const char *name;
    const char *path;
    const char *out;           /* database; NULL if the file does not say */
    const char *const *traces; /* as written, and where they are */
    const char *const *trace_paths;
    const fz_doc_node *const *trace_nodes;
    uint32_t n_traces;
    const char *const *clusters;
    const char *const *cluster_paths;
    const fz_doc_node *const *cluster_nodes;
    uint32_t n_clusters;
    const char *profiles; /* path of tables for jobs that name a profile; NULL: none */
    const fz_doc_node *profiles_node;
    const fz_variant *variants;
    uint32_t n_variants;
    const fz_world_set *worlds; /* at least one */
    uint32_t n_worlds;
    const double *loads; /* 0: as in the trace */
    uint32_t n_loads;
    const uint64_t *seeds;
    uint32_t n_seeds;
    fz_window_ask window;
    uint64_t max_queue;   /* overload; 0: no rule */
    double time_limit_s;  /* of a run; 0: none */
    double memory_gib;    /* of a worker; 0: no limit */
    const char *baseline; /* label that others are compared with; NULL: the first */
    const fz_doc *doc;    /* for complaints */
} fz_experiment;

/* Reads and checks a file. The plug-ins that it names are added to `roster`. `sets` (optional): texts of --set, laid over all schedulers. Everything lives in
 * `arena`, but the document, which the caller frees after the experiment: fz_doc_free(*doc). Errors are
 * FZ_EPARSE at file:line:column, FZ_EUSAGE for `sets`. */
fz_status fz_experiment_read(fz_arena *arena, const char *path, fz_roster *roster, const char *const *sets,
                             uint32_t n_sets, fz_doc **doc, fz_experiment *out, fz_error *err);

/* "0..9", "3" or "1,4,7" as seeds in `seeds` (room for `max`). FZ_EUSAGE in words, without the name of an
 * option. */
fz_status fz_seeds_parse(const char *text, uint64_t *seeds, uint32_t max, uint32_t *n, fz_error *err);

#endif
