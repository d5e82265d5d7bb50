/* Philly's own job log: a JSON list of
 *   {"status": "Pass", "vc": .., "jobid": .., "user": .., "submitted_time": "2017-10-07 01:11:39",
 *    "attempts": [{"start_time": .., "end_time": .., "detail": [{"ip": "m47", "gpus": ["gpu0", ..]}, ..]}, ..]}.
 *
 * Times are local wall times without a zone; null, "" and "None" all say that one is missing. The GPUs are those of
 * the first attempt. A job's run time is the sum of its attempts, without the gaps between them; an attempt
 * without a start or an end counts nothing, but a last one that has begun and not ended was still running. */
#include <stdio.h>
#include <string.h>

#include "core/support/timetext.h"
#include "workloads/formats/attempts.h"
#include "workloads/formats/formats.h"
#include "workloads/formats/json_list.h"

typedef struct reader {
    fz_import in;
    fz_wall_clock clock;
    fz_json_list *list;
    fz_attempts *attempts; /* for the second file; NULL: not asked for */
} reader;

/* What the attempts of a job add up to. */
typedef struct attempts {
    uint32_t count, nodes;
    uint64_t gpus; /* of the first one */
    fz_time start, end, run;
    bool ran, cut, other_sizes;
} attempts;

/* ---- values out of the tree ------------------------------------------------------------------------- */

/* The text under `key` as a field; its line becomes the current one, for messages. */
static fz_status text_of(reader *r, const fz_doc_node *map, const char *key, fz_csv_field *out, fz_error *err)
{
    const fz_doc_node *node = fz_doc_get(map, key);
    *out = (fz_csv_field){.text = "", .column = map->column};
    r->in.line = fz_json_list_line(r->list, (node != NULL ? node : map)->line);
    if (node == NULL)
        return FZ_OK;
    out->column = node->column;
    if (node->kind != FZ_DOC_SCALAR)
        return fz_import_drop(&r->in, out, "a list or map where a text belongs", err,
                              "%s: a text is expected", key);
    out->text = node->text;
    out->length = (uint32_t)strlen(node->text);
    return FZ_OK;
}

/* The list under `key`; NULL where it is missing or null. */
static fz_status list_of(reader *r, const fz_doc_node *map, const char *key, const fz_doc_node **out,
                         fz_error *err)
{
    const fz_doc_node *node = fz_doc_get(map, key);
    *out = NULL;
    if (fz_doc_is_null(node))
        return FZ_OK;
    r->in.line = fz_json_list_line(r->list, node->line);
    if (node->kind != FZ_DOC_LIST)
        return fz_import_drop(&r->in, NULL, "no list where one belongs", err, "%s: a list is expected", key);
    *out = node;
    return FZ_OK;
}

static fz_status time_of(reader *r, const fz_doc_node *map, const char *key, fz_time *out, fz_error *err)
{
    fz_csv_field field;
    if (r->in.skip)
        return FZ_OK;
    FZ_TRY(text_of(r, map, key, &field, err));
    return fz_import_wall_time(&r->in, &r->clock, &field, key, out, err);
}

/* ---- attempts ---------------------------------------------------------------------------------------- */

static fz_status count_gpus(reader *r, const fz_doc_node *attempt, uint32_t *nodes, uint64_t *gpus,
                            fz_error *err)
{
    const fz_doc_node *detail = NULL, *list = NULL;
    *gpus = 0;
    *nodes = 0;
    FZ_TRY(list_of(r, attempt, "detail", &detail, err));
    for (uint32_t i = 0; detail != NULL && i < detail->n_items && !r->in.skip; i++) {
        FZ_TRY(list_of(r, &detail->items[i], "gpus", &list, err));
        *gpus += list != NULL ? list->n_items : 0;
        ++*nodes;
    }
    return FZ_OK;
}

static void attempt_add(reader *r, attempts *all, fz_time start, fz_time end, bool last)
{
    if (all->count == 1)
        all->start = start;
    all->end = last ? end : FZ_TIME_NONE;
    if (start != FZ_TIME_NONE && end != FZ_TIME_NONE && end >= start) {
        all->run += end - start;
        all->ran = true;
    } else if (start != FZ_TIME_NONE && end != FZ_TIME_NONE) {
        fz_import_note(&r->in, "an attempt that ends before it starts, not counted");
    } else if (last && start != FZ_TIME_NONE) {
        all->cut = true;
    } else {
        fz_import_note(&r->in, "an attempt without a start or an end, not counted");
    }
}

static fz_status attempt_read(reader *r, const fz_doc_node *attempt, bool last, attempts *all, fz_error *err)
{
    fz_time start = FZ_TIME_NONE, end = FZ_TIME_NONE;
    uint32_t nodes = 0;
    uint64_t gpus = 0;
    FZ_TRY(count_gpus(r, attempt, &nodes, &gpus, err));
    FZ_TRY(time_of(r, attempt, "start_time", &start, err));
    FZ_TRY(time_of(r, attempt, "end_time", &end, err));
    if (r->in.skip)
        return FZ_OK;
    if (all->count++ == 0) {
        all->gpus = gpus;
        all->nodes = nodes;
    }
    all->other_sizes |= gpus != all->gpus;
    attempt_add(r, all, start, end, last);
    return FZ_OK;
}

static fz_status attempts_read(reader *r, const fz_doc_node *job, attempts *all, fz_error *err)
{
    const fz_doc_node *list = NULL;
    *all = (attempts){.start = FZ_TIME_NONE, .end = FZ_TIME_NONE};
    FZ_TRY(list_of(r, job, "attempts", &list, err));
    for (uint32_t i = 0; list != NULL && i < list->n_items && !r->in.skip; i++)
        FZ_TRY(attempt_read(r, &list->items[i], i + 1 == list->n_items, all, err));
    return FZ_OK;
}

/* ---- a job ------------------------------------------------------------------------------------------- */

/* GPUs, times and state out of the attempts. A job without an attempt never started; one whose first attempt
 * has no GPU is a CPU job. */
static fz_status row_settle(reader *r, const attempts *all, fz_trace_row *row, fz_error *err)
{
    char text[FZ_TIME_TEXT];
    fz_csv_field gpus = {.text = text, .length = fz_count_text(all->gpus, text), .column = 1};
    if (r->in.skip)
        return FZ_OK;
    if (all->count == 0)
        return fz_import_drop(&r->in, NULL, "never started", err,
                              "this job has no attempt: it never started");
    FZ_TRY(fz_import_gpus(&r->in, &gpus, "the GPUs of the first attempt", row, err));
    if (r->in.skip)
        return FZ_OK;
    row->start = all->start;
    row->end = all->end;
    if (all->ran)
        row->duration = all->run;
    if (all->cut)
        row->state = FZ_TRACE_RUNNING;
    if (all->other_sizes)
        fz_import_note(&r->in, "attempts on different numbers of GPUs: the first counts");
    return FZ_OK;
}

static fz_status add_extras(reader *r, const attempts *all, const char *unknown_state, fz_error *err)
{
    char text[FZ_TIME_TEXT];
    (void)fz_count_text(all->count, text);
    FZ_TRY(fz_trace_builder_extra(r->in.builder, "attempts", text, err));
    (void)fz_count_text(all->nodes, text);
    FZ_TRY(fz_trace_builder_extra(r->in.builder, "run_nodes", text, err));
    return fz_trace_builder_extra(r->in.builder, "x_state", unknown_state, err);
}

/* ---- the second file ---------------------------------------------------------------------------------- */

/* A time that was read before without a complaint, or is missing. */
static fz_time time_again(const fz_doc_node *attempt, const char *key)
{
    fz_time t = FZ_TIME_NONE;
    bool zoned = false;
    int32_t offset_s = 0;
    const fz_doc_node *node = fz_doc_get(attempt, key);
    if (node != NULL && !fz_wall_time_parse_zone(node->text, &t, &zoned, &offset_s))
        t = FZ_TIME_NONE;
    return t;
}

static fz_status attempt_keep(reader *r, const fz_doc_node *node, uint32_t number, fz_error *err)
{
    fz_attempt attempt = {.number = number,
                          .start = time_again(node, "start_time"),
                          .end = time_again(node, "end_time"),
                          .node = ""};
    const char *id = fz_trace_builder_last_id(r->in.builder);
    const fz_doc_node *detail = fz_doc_get(node, "detail");
    if (fz_doc_is_null(detail) || detail->n_items == 0)
        return fz_attempts_add(r->attempts, id, &attempt, err);
    for (uint32_t i = 0; i < detail->n_items; i++) {
        const fz_doc_node *ip = fz_doc_get(&detail->items[i], "ip"),
                          *gpus = fz_doc_get(&detail->items[i], "gpus");
        attempt.node = ip != NULL && ip->kind == FZ_DOC_SCALAR ? ip->text : "";
        attempt.gpus = gpus != NULL ? gpus->n_items : 0;
        FZ_TRY(fz_attempts_add(r->attempts, id, &attempt, err));
    }
    return FZ_OK;
}

/* The attempts of the job added last. */
static fz_status attempts_keep(reader *r, const fz_doc_node *job, fz_error *err)
{
    const fz_doc_node *list = fz_doc_get(job, "attempts");
    for (uint32_t i = 0; r->attempts != NULL && list != NULL && i < list->n_items; i++)
        FZ_TRY(attempt_keep(r, &list->items[i], i + 1, err));
    return FZ_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static fz_status read_texts(reader *r, const fz_doc_node *job, fz_csv_field *id, fz_csv_field *status,
                            fz_trace_row *row, fz_error *err)
{
    fz_csv_field vc = {.text = ""}, user = {.text = ""};
    FZ_TRY(text_of(r, job, "vc", &vc, err));
    if (!r->in.skip)
        FZ_TRY(text_of(r, job, "user", &user, err));
    if (!r->in.skip)
        FZ_TRY(text_of(r, job, "status", status, err));
    if (!r->in.skip)
        FZ_TRY(text_of(r, job, "jobid", id, err));
    row->vc = vc.text;
    row->user = user.text;
    row->job_id = id->text;
    return FZ_OK;
}

static fz_status read_job(reader *r, const fz_doc_node *job, fz_error *err)
{
    fz_trace_row row = fz_trace_row_blank();
    fz_csv_field id = {.text = ""}, status = {.text = ""};
    attempts all = {0};
    uint32_t line = fz_json_list_line(r->list, job->line);
    fz_import_row(&r->in, line);
    if (job->kind != FZ_DOC_MAP)
        return fz_import_drop(&r->in, NULL, "no job", err,
                              "a job is expected: a map of status, vc, jobid, ...");
    FZ_TRY(read_texts(r, job, &id, &status, &row, err));
    FZ_TRY(time_of(r, job, "submitted_time", &row.submit, err));
    if (!r->in.skip)
        FZ_TRY(attempts_read(r, job, &all, err));
    if (r->in.skip)
        return FZ_OK;
    r->in.line = line;
    bool known = fz_import_state(&r->in, status.text, &row.state);
    FZ_TRY(row_settle(r, &all, &row, err));
    if (!r->in.skip)
        FZ_TRY(fz_import_add(&r->in, &row, err));
    if (r->in.skip)
        return FZ_OK;
    FZ_TRY(attempts_keep(r, job, err));
    return add_extras(r, &all, known ? "" : status.text, err);
}

static fz_status read_all(reader *r, const char *attempts_path, fz_trace **out, fz_error *err)
{
    const fz_doc_node *job = NULL;
    for (;;) {
        FZ_TRY(fz_json_list_next(r->list, &job, err));
        if (job == NULL)
            break;
        FZ_TRY(read_job(r, job, err));
    }
    FZ_TRY(fz_import_wall_clock_end(&r->in, &r->clock, NULL, err));
    FZ_TRY(fz_trace_builder_header(r->in.builder, "source", "philly", err));
    if (r->attempts != NULL && r->in.report->rows_kept > 0)
        FZ_TRY(fz_attempts_write(r->attempts, attempts_path, r->clock.zero, err));
    return fz_import_finish(&r->in, fz_json_list_sha256(r->list), out, err);
}

fz_status fz_philly_json_read(const char *path, const fz_import_options *options, fz_trace **out,
                              fz_trace_report *report, fz_error *err)
{
    reader r = {0};
    FZ_TRY(fz_import_begin(&r.in, path, options, report, err));
    r.in.rename_ids = true;
    if (options->attempts != NULL)
        r.attempts = fz_attempts_new();
    fz_status status = options->attempts != NULL && r.attempts == NULL
                           ? fz_fail(err, FZ_ENOMEM, "no memory")
                           : fz_json_list_open(path, &r.list, err);
    if (status == FZ_OK)
        status = read_all(&r, options->attempts, out, err);
    fz_json_list_close(r.list);
    fz_attempts_free(r.attempts);
    fz_import_close(&r.in);
    return status;
}
