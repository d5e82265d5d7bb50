#include "tests/same_trace.h"

#include <stdio.h>
#include <string.h>

static bool differ(const char *what, uint32_t row)
{
    (void)fprintf(stderr, "the traces differ: %s, row %u\n", what, row);
    return false;
}

/* Numbers: the bytes of the arrays. */
static bool same_numbers(const char *name, const void *a, const void *b, uint32_t n, size_t size)
{
    if ((a == NULL) != (b == NULL))
        return differ(name, 0);
    for (uint32_t row = 0; a != NULL && row < n; row++)
        if (memcmp((const char *)a + row * size, (const char *)b + row * size, size) != 0)
            return differ(name, row);
    return true;
}

static bool same_texts(const char *name, const fz_trace *a, const fz_text_id *x, const fz_trace *b,
                       const fz_text_id *y)
{
    if ((x == NULL) != (y == NULL))
        return differ(name, 0);
    for (uint32_t row = 0; x != NULL && row < a->n_jobs; row++)
        if (strcmp(a->texts[x[row]], b->texts[y[row]]) != 0)
            return differ(name, row);
    return true;
}

static bool same_ids(const fz_trace *a, const fz_trace *b)
{
    for (uint32_t row = 0; row < a->n_jobs; row++)
        if (strcmp(fz_trace_job_id(a, row), fz_trace_job_id(b, row)) != 0)
            return differ("job_id", row);
    return true;
}

static bool same_headers(const fz_trace *a, const fz_trace *b)
{
    if (a->n_headers != b->n_headers)
        return differ("number of header lines", 0);
    for (uint32_t i = 0; i < a->n_headers; i++)
        if (strcmp(a->headers[i].key, b->headers[i].key) != 0 ||
            strcmp(a->headers[i].value, b->headers[i].value) != 0)
            return differ(a->headers[i].key, i);
    return true;
}

static bool same_extras(const fz_trace *a, const fz_trace *b)
{
    if (a->n_extras != b->n_extras)
        return differ("number of other columns", 0);
    for (uint32_t i = 0; i < a->n_extras; i++)
        if (strcmp(a->extras[i].name, b->extras[i].name) != 0 ||
            !same_texts(a->extras[i].name, a, a->extras[i].values, b, b->extras[i].values))
            return differ(a->extras[i].name, 0);
    return true;
}

#define NUMBERS(column) same_numbers(#column, a->column, b->column, a->n_jobs, sizeof *a->column)
#define TEXTS(column)   same_texts(#column, a, a->column, b, b->column)

static bool same_columns(const fz_trace *a, const fz_trace *b)
{
    return NUMBERS(submit) && NUMBERS(duration) && NUMBERS(estimate) && NUMBERS(limit) && NUMBERS(start) &&
           NUMBERS(end) && NUMBERS(deadline) && NUMBERS(req_gpus) && NUMBERS(req_gpus_exact) &&
           NUMBERS(req_workers) && NUMBERS(req_nodes) && NUMBERS(cpu_only) && NUMBERS(req_gpu_mem) &&
           NUMBERS(seq_len) && NUMBERS(global_batch) && NUMBERS(steps) && NUMBERS(state) &&
           NUMBERS(req_cpus) && NUMBERS(req_mem) && TEXTS(durations) && TEXTS(req_types) && TEXTS(model) &&
           TEXTS(user) && TEXTS(vc);
}

bool fz_same_trace(const fz_trace *a, const fz_trace *b)
{
    if (a->n_jobs != b->n_jobs)
        return differ("number of jobs", 0);
    return same_ids(a, b) && same_columns(a, b) && same_extras(a, b) && same_headers(a, b);
}
