/* The trace builder: sorting, repeated ids, texts, columns that nobody uses, points in time that move. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"
#include "workloads/hash_index.h"
#include "workloads/trace.h"

static fz_trace_row row(const char *id, int64_t submit_s)
{
    fz_trace_row row = fz_trace_row_blank();
    row.job_id = id;
    row.submit = submit_s * FZ_SECOND;
    return row;
}

static void add(fz_trace_builder *builder, const fz_trace_row *row)
{
    fz_error err = {0};
    CU_ASSERT_EQUAL_FATAL(fz_trace_builder_add(builder, row, &err), FZ_OK);
}

static fz_trace *finish(fz_trace_builder *builder, uint32_t *unsorted)
{
    fz_trace *trace = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_trace_builder_finish(builder, &trace, unsorted, NULL), FZ_OK);
    fz_trace_builder_free(builder);
    return trace;
}

static void sorts_and_keeps_ties(void)
{
    static const char *const ids[] = {"late", "tie-1", "early", "tie-2", "tie-3"};
    static const int64_t submits[] = {9, 5, 1, 5, 5};
    fz_trace_builder *builder = fz_trace_builder_new();
    for (uint32_t i = 0; i < 5; i++) {
        fz_trace_row r = row(ids[i], submits[i]);
        r.req_gpus = i + 1;
        r.user = ids[i];
        add(builder, &r);
        if (i == 3)
            CU_ASSERT_EQUAL(fz_trace_builder_extra(builder, "x_note", "three", NULL), FZ_OK);
    }
    uint32_t unsorted = 0;
    fz_trace *trace = finish(builder, &unsorted);
    static const uint32_t order[] = {2, 1, 3, 4, 0};
    CU_ASSERT_EQUAL(unsorted, 4); /* all but the first are before its submit time */
    CU_ASSERT_EQUAL_FATAL(trace->n_jobs, 5);
    for (uint32_t i = 0; i < 5; i++) {
        CU_ASSERT_STRING_EQUAL(fz_trace_job_id(trace, i), ids[order[i]]);
        CU_ASSERT_EQUAL(trace->submit[i], submits[order[i]] * FZ_SECOND);
        CU_ASSERT_EQUAL(trace->req_gpus[i], order[i] + 1);
        CU_ASSERT_STRING_EQUAL(trace->texts[trace->user[i]], ids[order[i]]);
    }
    CU_ASSERT_EQUAL_FATAL(trace->n_extras, 1);
    CU_ASSERT_STRING_EQUAL(trace->texts[trace->extras[0].values[2]], "three");
    CU_ASSERT_EQUAL(trace->extras[0].values[0], 0);
    fz_trace_free(trace);
}

static void unused_columns_are_null(void)
{
    fz_trace_builder *builder = fz_trace_builder_new();
    fz_trace_row r = row("a", 0);
    add(builder, &r);
    CU_ASSERT_EQUAL(fz_trace_builder_extra(builder, "x_first", "", NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_trace_builder_extra(builder, "x_second", "", NULL), FZ_OK);
    r = row("b", 0);
    r.limit = 7;
    r.steps = 2.5;
    r.state = FZ_TRACE_FAILED;
    add(builder, &r);
    CU_ASSERT_EQUAL(fz_trace_builder_extra(builder, "x_second", "v", NULL), FZ_OK);
    r = row("c", 0);
    add(builder, &r);
    fz_trace *trace = finish(builder, NULL);
    CU_ASSERT(trace->duration == NULL && trace->estimate == NULL && trace->req_gpus == NULL &&
              trace->req_types == NULL && trace->req_gpu_mem == NULL && trace->model == NULL &&
              trace->seq_len == NULL && trace->global_batch == NULL && trace->user == NULL &&
              trace->vc == NULL && trace->req_cpus == NULL && trace->req_mem == NULL &&
              trace->start == NULL && trace->end == NULL && trace->deadline == NULL);
    CU_ASSERT(trace->submit != NULL && trace->submit[1] == 0);
    CU_ASSERT(trace->limit[0] == FZ_TIME_NONE && trace->limit[1] == 7 && trace->limit[2] == FZ_TIME_NONE);
    CU_ASSERT(trace->steps[0] == 0 && trace->steps[1] == 2.5 && trace->steps[2] == 0);
    CU_ASSERT(trace->state[0] == FZ_TRACE_UNKNOWN && trace->state[1] == FZ_TRACE_FAILED);
    CU_ASSERT_EQUAL_FATAL(trace->n_extras, 1);
    CU_ASSERT_STRING_EQUAL(trace->extras[0].name, "x_second");
    CU_ASSERT_STRING_EQUAL(trace->path, "");
    CU_ASSERT_STRING_EQUAL(trace->source, "");
    CU_ASSERT_STRING_EQUAL(trace->texts[0], "");
    fz_trace_free(trace);
}

static void bad_rows(void)
{
    fz_trace_builder *builder = fz_trace_builder_new();
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_trace_builder_extra(builder, "x_a", "1", &err), FZ_EINVAL);
    fz_trace_row r = row("", 0);
    CU_ASSERT_EQUAL(fz_trace_builder_add(builder, &r, &err), FZ_EINVAL);
    r = row("a", -1);
    CU_ASSERT_EQUAL(fz_trace_builder_add(builder, &r, &err), FZ_EINVAL);
    r = row("a", 1);
    add(builder, &r);
    CU_ASSERT_EQUAL(fz_trace_builder_add(builder, &r, &err), FZ_EPARSE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "job_id 'a' is there twice"));
    r = row("a#2", 1);
    add(builder, &r);
    CU_ASSERT_EQUAL(fz_trace_builder_header(builder, "a:b", "c", &err), FZ_EINVAL);
    CU_ASSERT_EQUAL(fz_trace_builder_header(builder, "a", "b\nc", &err), FZ_EINVAL);
    fz_trace *trace = finish(builder, NULL);
    CU_ASSERT_EQUAL(trace->n_jobs, 2);
    fz_trace_free(trace);
    fz_trace_builder_free(NULL);
    fz_trace_free(NULL);
}

static void header_lines_and_rebase(void)
{
    fz_trace_builder *builder = fz_trace_builder_new();
    CU_ASSERT_EQUAL(fz_trace_builder_header(builder, "cluster", "a.json", NULL), FZ_OK);
    CU_ASSERT_EQUAL(fz_trace_builder_header(builder, "source", "swf", NULL), FZ_OK);
    fz_trace_row r = row("b", 1020);
    r.start = 1030 * FZ_SECOND;
    r.duration = 5 * FZ_SECOND;
    add(builder, &r);
    r = row("a", 1000);
    r.deadline = 2000 * FZ_SECOND;
    add(builder, &r);
    CU_ASSERT_EQUAL(fz_trace_builder_rebase(builder), 1000 * FZ_SECOND);
    r = row("c", 10); /* on the new clock */
    add(builder, &r);
    uint32_t unsorted = 0;
    fz_trace *trace = finish(builder, &unsorted);
    CU_ASSERT_EQUAL(unsorted, 2);
    CU_ASSERT(trace->submit[0] == 0 && trace->submit[1] == 10 * FZ_SECOND);
    CU_ASSERT(trace->submit[2] == 20 * FZ_SECOND && trace->start[2] == 30 * FZ_SECOND);
    CU_ASSERT(trace->start[0] == FZ_TIME_NONE && trace->deadline[0] == 1000 * FZ_SECOND);
    CU_ASSERT_EQUAL(trace->duration[2], 5 * FZ_SECOND);
    CU_ASSERT_EQUAL(trace->n_headers, 2);
    CU_ASSERT_STRING_EQUAL(trace->headers[0].value, "a.json");
    CU_ASSERT_STRING_EQUAL(trace->source, "swf");
    fz_trace_free(trace);
}

/* Enough rows to grow every table; every text and id found again, each text kept once. */
static void many_rows(void)
{
    enum { ROWS = 50000, USERS = 700 };
    fz_trace_builder *builder = fz_trace_builder_new();
    char id[32], user[32];
    for (int i = 0; i < ROWS; i++) {
        (void)snprintf(id, sizeof id, "job-%d", i);
        (void)snprintf(user, sizeof user, "user-%d", i % USERS);
        fz_trace_row r = row(id, i / 3);
        r.user = user;
        r.vc = i % 2 == 0 ? user : "";
        add(builder, &r);
        (void)snprintf(id, sizeof id, "job-%d", i / 2);
        r.job_id = id;
        CU_ASSERT_EQUAL_FATAL(fz_trace_builder_add(builder, &r, NULL), FZ_EPARSE);
    }
    uint32_t unsorted = 1;
    fz_trace *trace = finish(builder, &unsorted);
    CU_ASSERT(unsorted == 0 && trace->n_jobs == ROWS && trace->n_texts == USERS + 1);
    for (int i = 0; i < ROWS; i++) {
        (void)snprintf(id, sizeof id, "job-%d", i);
        (void)snprintf(user, sizeof user, "user-%d", i % USERS);
        uint32_t job = (uint32_t)i;
        CU_ASSERT_FATAL(strcmp(fz_trace_job_id(trace, job), id) == 0);
        CU_ASSERT_FATAL(strcmp(trace->texts[trace->user[job]], user) == 0);
        CU_ASSERT_FATAL(trace->vc[job] == (i % 2 == 0 ? trace->user[job] : 0));
    }
    fz_trace_free(trace);
}

/* Values with equal hashes are all handed out. */
static void index_with_equal_hashes(void)
{
    fz_hash_index index = {0};
    for (uint32_t i = 0; i < 500; i++)
        CU_ASSERT_TRUE_FATAL(fz_hash_index_add(&index, (uint64_t)(i % 5) << 32, i));
    uint32_t seen = 0, value = 0;
    for (uint64_t step = 0; fz_hash_index_next(&index, (uint64_t)3 << 32, &step, &value); seen++)
        CU_ASSERT_EQUAL(value % 5, 3);
    CU_ASSERT_EQUAL(seen, 100);
    fz_hash_index_release(&index);
    uint64_t step = 0;
    CU_ASSERT_FALSE(fz_hash_index_next(&index, 0, &step, &value));
}

int main(void)
{
    static const fz_test tests[] = {
        {"sorts by submit time and keeps ties", sorts_and_keeps_ties},
        {"columns that no job uses are NULL", unused_columns_are_null},
        {"bad rows", bad_rows},
        {"header lines and absolute clocks", header_lines_and_rebase},
        {"many rows", many_rows},
        {"equal hashes", index_with_equal_hashes},
    };
    return FZ_TEST_MAIN("trace", tests);
}
