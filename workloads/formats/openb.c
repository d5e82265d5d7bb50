/* Alibaba openb 2023, pods: `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,
 * deletion_time,scheduled_time`.
 *
 * Times are seconds of a relative clock. A pod has num_gpu GPUs, or the share gpu_milli of one; gpu_spec lists the
 * types it may have. It runs from scheduled_time to deletion_time; without the first it never ran. The phase is
 * that of its last sight: a Running pod was deleted later, or, where deletion_time is the end of the whole log, cut.
 *
 * The lists `multigpu*` have the first five columns only. With --submit they get arrivals, and run times drawn from
 * the lognormal distribution that fits the pods with times (6,203 pods with GPUs: mu 6.566, sigma 1.911). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/rng.h"
#include "workloads/formats/formats.h"

#define FIT_MU      6.566
#define FIT_SIGMA   1.911
#define FIT_LONGEST 12537496.0 /* the longest pod */
#define MAX_MIB     1e12

enum {
    NAME,
    CPU_MILLI,
    MEMORY_MIB,
    NUM_GPU,
    GPU_MILLI,
    N_REQUIRED,
    CREATION = N_REQUIRED,
    DELETION,
    SCHEDULED,
    GPU_SPEC,
    QOS,
    POD_PHASE,
    N_COLUMNS
};
static const char *const names[N_COLUMNS] = {"name",      "cpu_milli",     "memory_mib",    "num_gpu",
                                             "gpu_milli", "creation_time", "deletion_time", "scheduled_time",
                                             "gpu_spec",  "qos",           "pod_phase"};

/* A pod that was running at the last deletion seen so far. */
typedef struct cut_pod {
    uint32_t row, line;
} cut_pod;

typedef struct reader {
    fz_table table; /* first */
    bool timed;
    double drawn_s; /* the last submission drawn */
    fz_time last_deletion;
    cut_pod *cut;
    uint32_t n_cut, capacity;
} reader;

static bool probe(const char *head, uint64_t length)
{
    return fz_head_is(head, length, "name,cpu_milli,memory_mib,num_gpu,gpu_milli");
}

/* ---- sizes ------------------------------------------------------------------------------------------ */

static fz_status read_size(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    uint64_t milli = 1000;
    double cpu_milli = 0, mib = 0;
    FZ_TRY(fz_import_gpus(in, t->cells[NUM_GPU], "num_gpu", row, err));
    if (!in->skip && !row->cpu_only)
        FZ_TRY(fz_import_count(in, t->cells[GPU_MILLI], "gpu_milli", 1000, &milli, err));
    if (!in->skip && milli == 0)
        return fz_import_drop(in, t->cells[GPU_MILLI], "a share of 0", err,
                              "gpu_milli is 0, but num_gpu is not; 1 to 1000 is expected");
    if (milli < 1000) {
        row->req_workers = row->req_gpus > 1 ? row->req_gpus : 0;
        row->req_gpus_exact = (double)(row->req_gpus * milli) / 1000;
    }
    fz_import_soft_number(in, t->cells[CPU_MILLI], "a number of CPUs that is none", &cpu_milli);
    fz_import_soft_number(in, t->cells[MEMORY_MIB], "a size of memory that is none", &mib);
    row->req_cpus = cpu_milli / 1000;
    row->req_mem = mib <= MAX_MIB ? (uint64_t)(mib * (double)FZ_MIB) : 0;
    if (!row->cpu_only)
        row->req_types = t->cells[GPU_SPEC]->text;
    return FZ_OK;
}

/* ---- times ------------------------------------------------------------------------------------------ */

static fz_status read_times(fz_table *t, fz_trace_row *row, fz_error *err)
{
    fz_import *in = &t->in;
    FZ_TRY(fz_import_time(in, t->cells[CREATION], "creation_time", true, &row->submit, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[SCHEDULED], "scheduled_time", false, &row->start, err));
    if (!in->skip)
        FZ_TRY(fz_import_time(in, t->cells[DELETION], "deletion_time", false, &row->end, err));
    if (!in->skip && row->start == FZ_TIME_NONE)
        return fz_import_drop(in, NULL, "never scheduled", err,
                              "this pod was never scheduled: it has no run time");
    return fz_import_observed(in, row, err);
}

static void draw_times(reader *r, fz_trace_row *row)
{
    fz_import *in = &r->table.in;
    const fz_import_options *options = r->table.options;
    if (in->skip)
        return;
    uint32_t number = (uint32_t)in->report->rows_read;
    double z = fz_rng_once_normal(options->seed, 0, "import run time", number);
    double run_s = round(exp(FIT_MU + FIT_SIGMA * z));
    row->submit = fz_import_poisson(options, number, &r->drawn_s);
    row->duration = (fz_time)(run_s < 1 ? 1 : run_s > FIT_LONGEST ? FIT_LONGEST : run_s) * FZ_SECOND;
    fz_import_changed(in, "a submit time and a run time drawn, since the list has none");
}

/* Pods in phase Running whose deletion is the last of the log. */
static fz_status cut_remember(reader *r, const fz_trace_row *row, uint32_t index, fz_error *err)
{
    if (row->end == FZ_TIME_NONE || row->end < r->last_deletion)
        return FZ_OK;
    r->n_cut = row->end > r->last_deletion ? 0 : r->n_cut;
    r->last_deletion = row->end;
    if (strcmp(r->table.cells[POD_PHASE]->text, "Running") != 0)
        return FZ_OK;
    if (r->n_cut == r->capacity) {
        uint32_t capacity = r->capacity > 0 ? 2 * r->capacity : 64;
        cut_pod *grown = realloc(r->cut, capacity * sizeof *grown);
        if (grown == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for %u pods", capacity);
        r->cut = grown;
        r->capacity = capacity;
    }
    r->cut[r->n_cut++] = (cut_pod){.row = index, .line = fz_import_line(&r->table.in)};
    return FZ_OK;
}

/* ---- rows and file ---------------------------------------------------------------------------------- */

static fz_status add_extras(fz_table *t, fz_error *err)
{
    FZ_TRY(fz_trace_builder_extra(t->in.builder, "x_qos", t->cells[QOS]->text, err));
    return fz_trace_builder_extra(t->in.builder, "x_pod_phase", t->cells[POD_PHASE]->text, err);
}

static fz_status read_row(fz_table *t, fz_error *err)
{
    reader *r = (reader *)t;
    fz_import *in = &t->in;
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = t->cells[NAME]->text;
    in->id_field = t->cells[NAME];
    FZ_TRY(read_size(t, &row, err));
    if (!r->timed)
        draw_times(r, &row);
    else if (!in->skip)
        FZ_TRY(read_times(t, &row, err));
    if (in->skip)
        return FZ_OK;
    if (strcmp(t->cells[POD_PHASE]->text, "Running") != 0)
        (void)fz_import_state(in, t->cells[POD_PHASE]->text, &row.state);
    FZ_TRY(fz_import_add(in, &row, err));
    if (in->skip)
        return FZ_OK;
    FZ_TRY(cut_remember(r, &row, (uint32_t)in->report->rows_kept - 1, err));
    return add_extras(t, err);
}

static fz_status begin(fz_table *t, fz_error *err)
{
    reader *r = (reader *)t;
    bool drawn = t->options->submits_per_h > 0;
    r->timed =
        t->at[CREATION] != UINT32_MAX && t->at[DELETION] != UINT32_MAX && t->at[SCHEDULED] != UINT32_MAX;
    if (r->timed && drawn)
        return fz_fail(err, FZ_EUSAGE, "--submit is for lists without times; %s has its own", t->in.path);
    if (!r->timed && !drawn)
        return fz_fail_at(
            err, FZ_EUNSUPPORTED, t->in.path, 1, 1,
            "this list has no times (no creation_time, scheduled_time and deletion_time), so it cannot "
            "be replayed as it is; --submit poisson:RATE draws some");
    return FZ_OK;
}

static fz_status header_drawn(fz_table *t, fz_error *err)
{
    char text[160];
    (void)snprintf(text, sizeof text,
                   "drawn: Poisson, %.6g an hour; run times lognormal, mu %.3f, sigma %.3f; seed %llu",
                   t->options->submits_per_h, FIT_MU, FIT_SIGMA, (unsigned long long)t->options->seed);
    return fz_trace_builder_header(t->in.builder, "times", text, err);
}

static fz_status end(fz_table *t, fz_error *err)
{
    reader *r = (reader *)t;
    if (!r->timed)
        return header_drawn(t, err);
    for (uint32_t i = 0; i < r->n_cut; i++) {
        FZ_TRY(fz_trace_builder_set_state(t->in.builder, r->cut[i].row, FZ_TRACE_RUNNING, err));
        fz_trace_report_add(t->in.report, FZ_CAUSE_CUT, 'n', r->cut[i].line);
    }
    return fz_import_relative_clock_end(&t->in, err);
}

static fz_status openb_read(const char *path, const fz_import_options *options, fz_trace **out,
                            fz_trace_report *report, fz_error *err)
{
    static const fz_table_format format = {.source = "openb",
                                           .names = names,
                                           .n_names = N_COLUMNS,
                                           .n_required = N_REQUIRED,
                                           .begin = begin,
                                           .row = read_row,
                                           .end = end};
    reader r = {.last_deletion = -1};
    fz_status status = fz_table_read(&r.table, &format, path, options, out, report, err);
    free(r.cut);
    return status;
}

const fz_trace_format fz_format_openb = {
    .name = "openb",
    .summary = "Alibaba openb 2023, pods (name,cpu_milli,memory_mib,num_gpu,gpu_milli,...)",
    .may_lack_times = true,
    .probe = probe,
    .read = openb_read,
};
