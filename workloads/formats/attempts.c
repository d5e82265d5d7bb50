#include "workloads/formats/attempts.h"

#include <stdlib.h>
#include <string.h>

#include <frenzy/arena.h>

#include "core/support/output.h"
#include "core/support/timetext.h"

typedef struct row {
    const char *job_id;
    fz_attempt attempt;
} row;

struct fz_attempts {
    fz_arena *arena; /* texts */
    row *rows;
    size_t n_rows, capacity;
};

fz_attempts *fz_attempts_new(void)
{
    fz_attempts *attempts = calloc(1, sizeof *attempts);
    if (attempts == NULL)
        return NULL;
    attempts->arena = fz_arena_new(NULL);
    if (attempts->arena != NULL)
        return attempts;
    free(attempts);
    return NULL;
}

void fz_attempts_free(fz_attempts *attempts)
{
    if (attempts == NULL)
        return;
    fz_arena_free(attempts->arena);
    free(attempts->rows);
    free(attempts);
}

static fz_status no_memory(fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for the attempts of jobs");
}

fz_status fz_attempts_add(fz_attempts *attempts, const char *job_id, const fz_attempt *attempt, fz_error *err)
{
    if (attempts->n_rows == attempts->capacity) {
        size_t capacity = attempts->capacity > 0 ? 2 * attempts->capacity : 256;
        row *grown = realloc(attempts->rows, capacity * sizeof *grown);
        if (grown == NULL)
            return no_memory(err);
        attempts->rows = grown;
        attempts->capacity = capacity;
    }
    row added = {.job_id = fz_arena_strdup(attempts->arena, job_id), .attempt = *attempt};
    added.attempt.node = fz_arena_strdup(attempts->arena, attempt->node);
    if (added.job_id == NULL || added.attempt.node == NULL)
        return no_memory(err);
    attempts->rows[attempts->n_rows++] = added;
    return FZ_OK;
}

static void write_count(fz_output *out, uint64_t value)
{
    char text[FZ_TIME_TEXT];
    fz_output_write(out, text, fz_count_text(value, text));
}

static void write_time(fz_output *out, fz_time t, fz_time zero)
{
    char text[FZ_TIME_TEXT];
    if (t != FZ_TIME_NONE)
        fz_output_write(out, text, fz_time_text(t - zero, text));
    fz_output_write(out, ",", 1);
}

static void write_row(fz_output *out, const row *r, fz_time zero)
{
    fz_output_csv(out, r->job_id);
    fz_output_write(out, ",", 1);
    write_count(out, r->attempt.number);
    fz_output_write(out, ",", 1);
    write_time(out, r->attempt.start, zero);
    write_time(out, r->attempt.end, zero);
    fz_output_csv(out, r->attempt.node);
    fz_output_write(out, ",", 1);
    write_count(out, r->attempt.gpus);
    fz_output_write(out, "\n", 1);
}

fz_status fz_attempts_write(const fz_attempts *attempts, const char *path, fz_time zero, fz_error *err)
{
    fz_output *out = NULL;
    FZ_TRY(fz_output_open(path, &out, err));
    fz_output_text(out, "job_id,attempt,start_s,end_s,node,gpus\n");
    for (size_t i = 0; i < attempts->n_rows; i++)
        write_row(out, &attempts->rows[i], zero);
    return fz_output_commit(out, err);
}
