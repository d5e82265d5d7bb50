/* Trace: a list of jobs as submitted, immutable after loading, sorted by submit time (ties keep the
 * order of the file). A job is named by its row in this order; every tie in a simulation is broken by
 * it, never by the text of an id.
 *
 * Columns: one array an attribute, each of n_jobs entries; NULL when no job of the trace has it.
 * Texts are ids into one string table: text 0 is "" and stands for "unknown". All memory belongs to
 * the trace and is const: traces may be shared between processes and threads. */
#ifndef FRENZY_WORKLOADS_TRACE_H
#define FRENZY_WORKLOADS_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include <frenzy/arena.h>
#include <frenzy/status.h>
#include <frenzy/units.h>

typedef uint32_t fz_text_id; /* index into fz_trace.texts; 0 is "" */

/* End state as observed by the trace's own system, for statistics; not what a replay does. */
typedef enum fz_trace_state {
    FZ_TRACE_UNKNOWN,
    FZ_TRACE_COMPLETED,
    FZ_TRACE_CANCELLED,
    FZ_TRACE_FAILED,
    FZ_TRACE_TIMEOUT,
    FZ_TRACE_NODE_FAIL,
    FZ_TRACE_RUNNING,
    FZ_TRACE_PENDING,
} fz_trace_state;

/* A column that the simulator does not interpret (name, user, vc, x_*...), kept as text. */
typedef struct fz_trace_extra {
    const char *name;
    const fz_text_id *values;
} fz_trace_extra;

/* A line `# key: value` before the header of a trace file. */
typedef struct fz_trace_header {
    const char *key, *value;
} fz_trace_header;

typedef struct fz_trace {
    const char *path;               /* as given, for messages; "" when made in memory */
    char sha256[65];                /* of the unpacked bytes of the file, hex; "" when made in memory */
    const char *source;             /* header line `# source:`, "" if absent */
    const char *epoch;              /* header line `# epoch:`, "" if absent */
    const fz_trace_header *headers; /* all header lines but `# frenzy-trace:`, those two included */
    uint32_t n_headers;

    uint32_t n_jobs;
    const char *const *texts;
    uint32_t n_texts;
    const char *job_ids;       /* all ids, each ended by a zero */
    const uint64_t *job_id_at; /* offset of a job's id in job_ids */

    const fz_time *submit;    /* >= 0, ascending; always there */
    const fz_time *duration;  /* service time of an opaque job; FZ_TIME_NONE: not given */
    const fz_time *estimate;  /* est_s; FZ_TIME_NONE: not given */
    const fz_time *limit;     /* limit_s; FZ_TIME_NONE: not given */
    const uint32_t *req_gpus; /* whole GPUs; 0: serverless, the predictor chooses */
    const double
        *req_gpus_exact; /* what was asked for where each worker takes a share of a GPU (0.25; 12.5 over
                                     50 workers): req_gpus is what holds those shares; else 0 */
    const uint32_t *req_workers;  /* 0: not given */
    const uint32_t *req_nodes;    /* exactly so many nodes, req_gpus / req_nodes on each; 0: any spread */
    const fz_text_id *durations;  /* durations_s, `a100:5|v100:7.5`: run time by GPU type; "": not given */
    const uint8_t *cpu_only;      /* 1: no GPU is asked for (kept on request only); req_gpus is then 0 */
    const fz_text_id *req_types;  /* `A100|V100`; "" = any */
    const uint64_t *req_gpu_mem;  /* bytes per GPU; 0: no demand */
    const fz_text_id *model;      /* "" for an opaque job */
    const uint32_t *seq_len;      /* tokens; 0: not given */
    const uint64_t *global_batch; /* sequences a step; 0: not given */
    const double *steps;          /* training steps (tokens are turned into steps); 0: not given */
    const fz_text_id *user;
    const fz_text_id *vc;
    const uint8_t *state;    /* fz_trace_state */
    const double *req_cpus;  /* asked for, not used for placement yet; 0: not given */
    const uint64_t *req_mem; /* bytes, total; likewise */
    const fz_time *start;    /* start_s, end_s: as observed, to compare with; FZ_TIME_NONE: not given */
    const fz_time *end;
    const fz_time *deadline; /* deadline_s, a point in time; FZ_TIME_NONE: not given */
    const uint32_t *line;    /* of the file, from 1; NULL unless asked for (fz_import_options) */

    const fz_trace_extra *extras; /* all other columns, in the order of the file */
    uint32_t n_extras;

    fz_arena *arena; /* owns everything above */
} fz_trace;

void fz_trace_free(fz_trace *trace); /* NULL is allowed */

static inline const char *fz_trace_job_id(const fz_trace *trace, uint32_t job)
{
    return trace->job_ids + trace->job_id_at[job];
}

/* The GPUs that a job asks for, fractions included; 0: none, or not given. */
static inline double fz_trace_gpus(const fz_trace *trace, uint32_t job)
{
    if (trace->req_gpus_exact != NULL && trace->req_gpus_exact[job] > 0)
        return trace->req_gpus_exact[job];
    return trace->req_gpus != NULL ? trace->req_gpus[job] : 0;
}

/* Shares of GPUs: `gpus` in total over `workers` (0: one), each less than a GPU. */
/* Of one worker, in thousandths of a GPU (1 to 999, rounded); 0 if it is no share. */
uint32_t fz_share_milli(double gpus, uint32_t workers);
/* The whole GPUs that hold all shares, as many on a GPU as it has room for; 0 if it is no share. */
uint32_t fz_share_gpus(double gpus, uint32_t workers);

/* Building a trace: importers, the reader and the generator add rows in any order; finish sorts them
 * (stable, by submit time), drops empty columns and hands out the immutable trace. */
typedef struct fz_trace_builder fz_trace_builder;

/* One row. Start from fz_trace_row_blank() and set what is known. Texts are copied. */
/* What ends a job whose run time the trace does not say. */
typedef enum fz_work_kind {
    FZ_WORK_UNSAID, /* duration, or the steps of an LLM job */
    FZ_WORK_STEPS,  /* so many steps of a profile named by `model` */
    FZ_WORK_TARGET, /* the target of the profile named by `model` */
} fz_work_kind;

typedef struct fz_trace_row {
    const char *job_id; /* required */
    fz_time submit;     /* required, >= 0 */
    fz_time duration, estimate, limit, start, end, deadline;
    uint32_t req_gpus;
    double req_gpus_exact;
    uint32_t req_workers;
    uint32_t req_nodes;
    bool cpu_only;
    const char *req_types;
    const char *durations;
    uint64_t req_gpu_mem;
    const char *model;
    uint32_t seq_len;
    uint64_t global_batch;
    double steps;
    fz_work_kind work; /* seen when the row is checked; kept as the extra column work_kind */
    const char *user, *vc;
    fz_trace_state state;
    double req_cpus;
    uint64_t req_mem;
    uint32_t line; /* 0: none */
} fz_trace_row;

fz_trace_row fz_trace_row_blank(void);

fz_trace_builder *fz_trace_builder_new(void);          /* NULL: out of memory */
void fz_trace_builder_free(fz_trace_builder *builder); /* NULL is allowed */
/* FZ_EINVAL: no id, or no submit time >= 0. FZ_EPARSE: a job of this id was added before, and nothing else;
 * the row may then be added under another id. */
fz_status fz_trace_builder_add(fz_trace_builder *builder, const fz_trace_row *row, fz_error *err);
/* The id of the row added last; "" before the first. Good until the next is added. */
const char *fz_trace_builder_last_id(const fz_trace_builder *builder);
/* Whether a job of this id was added. */
fz_status fz_trace_builder_has(fz_trace_builder *builder, const char *job_id, bool *found, fz_error *err);
/* The value of an extra column in the row added last; the column is made on first use. */
fz_status fz_trace_builder_extra(fz_trace_builder *builder, const char *name, const char *value,
                                 fz_error *err);
/* A header line; a key may come more than once. FZ_EINVAL: a line break, or a colon in the key. */
fz_status fz_trace_builder_header(fz_trace_builder *builder, const char *key, const char *value,
                                  fz_error *err);
/* The earliest submit time so far; there must be a row. */
fz_time fz_trace_builder_first(const fz_trace_builder *builder);
/* Changes the state of a row that was added before. */
fz_status fz_trace_builder_set_state(fz_trace_builder *builder, uint32_t row, fz_trace_state state,
                                     fz_error *err);
/* For absolute clocks: the first submission becomes t = 0, and all points in time move with it. Returns
 * what was taken off. */
fz_time fz_trace_builder_rebase(fz_trace_builder *builder);
/* `unsorted` (optional) receives how many rows were submitted before one that was added earlier. The builder is
 * empty afterwards and must still be freed. */
fz_status fz_trace_builder_finish(fz_trace_builder *builder, fz_trace **out, uint32_t *unsorted,
                                  fz_error *err);

#endif
